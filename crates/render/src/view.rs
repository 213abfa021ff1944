//! A report with every sentence said, for the forms that are documents: Markdown and HTML lay out the same parts.
//!
//! Texts are made harmless for a reader here; each form still escapes them for its own syntax.

use crate::hostile::{plain, plain_lines};
use crate::place::{place, test_from};
use crate::sentence;
use crate::words::Words;
use report::{Command, Locator, Remedy, Report, RungState, Step};

/// How many of a list are shown before the rest is folded away.
const LISTED: usize = 8;
/// Names that a person would ever read of one list.
pub const MANY: usize = 200;

/// The whole document.
pub struct Page {
    /// What was found, in parts.
    pub found: Vec<String>,
    /// What was looked at, in parts.
    pub looked_at: Vec<String>,
    /// Whether it is known that nothing fails.
    pub well: bool,
    /// The incidents.
    pub incidents: Vec<Incident>,
    /// Ladders that hold all the way.
    pub climbs: Vec<Climb>,
    /// What was not seen.
    pub blind: Vec<Spot>,
}

/// One incident.
pub struct Incident {
    /// Its id.
    pub id: String,
    /// The cause's id.
    pub cause: &'static str,
    /// `confirmed`, `likely`, `possible`.
    pub confidence: &'static str,
    /// The same in the reader's language.
    pub confidence_word: String,
    /// The verdict.
    pub verdict: String,
    /// How far it reaches.
    pub reach: String,
    /// What the cause means.
    pub meaning: String,
    /// The rungs that something is known of.
    pub rungs: Vec<Rung>,
    /// Images, pods, nodes, registries.
    pub hits: Vec<Hit>,
    /// What shows it.
    pub evidence: Vec<Evidence>,
    /// Vantages beside each other: heads, rows.
    pub comparison: Option<(Vec<String>, Vec<Vec<String>>)>,
    /// What was ruled out.
    pub ruled_out: Vec<RuledOut>,
    /// What else is possible: cause, its meaning.
    pub possible: Vec<(&'static str, String)>,
    /// The next test.
    pub next_test: Option<Test>,
    /// What to do, where the report knows no remedy.
    pub fix: Option<String>,
    /// The remedies.
    pub remedies: Vec<Fix>,
    /// What proves the fix.
    pub verify: Option<Block>,
}

/// A list of what an incident hits.
pub struct Hit {
    /// The list's name.
    pub name: String,
    /// The first few.
    pub first: Vec<String>,
    /// The others.
    pub rest: Vec<String>,
    /// How many others there are, in words.
    pub more: String,
}

/// A probe's ladder.
pub struct Climb {
    /// What came of it, for which image, from where.
    pub says: String,
    /// The rungs.
    pub rungs: Vec<Rung>,
}

/// One rung.
pub struct Rung {
    /// Its name.
    pub name: String,
    /// `passed`, `failed`, `not-reached`.
    pub state: &'static str,
    /// The sign before its name.
    pub sign: &'static str,
    /// Milliseconds, and what was seen.
    pub notes: String,
}

/// One piece of evidence.
pub struct Evidence {
    /// What it shows.
    pub says: String,
    /// Where it stands.
    pub place: String,
    /// The words, or the line of the file.
    pub quote: String,
}

/// A cause that is excluded.
pub struct RuledOut {
    /// The cause.
    pub cause: &'static str,
    /// Why.
    pub why: String,
    /// The facts: what each shows, where it stands.
    pub facts: Vec<(String, String)>,
}

/// A test to make.
pub struct Test {
    /// What it asks, and its command.
    pub block: Block,
    /// Which causes it tells apart; empty for one.
    pub splits: String,
}

/// A sentence, and lines to copy below it.
pub struct Block {
    /// The sentence; empty where the lines say all.
    pub says: String,
    /// The lines; empty where there is nothing to copy.
    pub lines: String,
}

/// A remedy.
pub struct Fix {
    /// What is done, how far it reaches, what it may disturb.
    pub says: String,
    /// The last two.
    pub limits: String,
    /// In order.
    pub steps: Vec<Block>,
    /// How it is taken back.
    pub undo: Vec<Block>,
}

/// Something that was not seen.
pub struct Spot {
    /// What.
    pub what: String,
    /// Why, and in whose words.
    pub why: String,
    /// What would give it.
    pub needs: String,
}

/// Says everything in a report.
pub fn page(report: &Report, words: &Words) -> Page {
    Page {
        found: sentence::found(words, report),
        looked_at: sentence::looked_at(words, report),
        well: report.is_well(),
        incidents: report.incidents.iter().map(|i| incident(i, words)).collect(),
        climbs: report.climbs.iter().filter(|c| c.holds()).map(|c| climb(c, words)).collect(),
        blind: report.blind_spots.iter().map(|b| spot(b, words)).collect(),
    }
}

fn incident(i: &report::Incident, words: &Words) -> Incident {
    Incident {
        id: plain(&i.id),
        cause: i.cause.id(),
        confidence: i.confidence.word(),
        confidence_word: words.get(&format!("confidence-{}", i.confidence.word())),
        verdict: sentence::verdict(words, i),
        reach: sentence::reach(words, i).join(" · "),
        meaning: words.meaning(i.cause),
        rungs: i.ladder.iter().filter_map(|r| rung(r, words)).collect(),
        hits: hits(&i.affected, words),
        evidence: i.evidence.iter().map(|e| evidence(e, words)).collect(),
        comparison: i.comparison.as_ref().map(|c| {
            let rows = c.rows.iter().map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
            (c.columns.iter().map(|s| words.say(s)).collect(), rows)
        }),
        ruled_out: i.ruled_out.iter().map(|r| ruled_out(r, words)).collect(),
        possible: i.also_possible.iter().map(|p| (p.cause.id(), words.meaning(p.cause))).collect(),
        next_test: i.next_test.as_ref().map(|t| next_test(t, words)),
        fix: i.remedies.is_empty().then(|| words.fix(i.cause)),
        remedies: i.remedies.iter().map(|r| remedy(r, words)).collect(),
        verify: i.verify.as_ref().map(|c| command(c, words)),
    }
}

fn climb(c: &report::Climb, words: &Words) -> Climb {
    let args = [("vantage", c.vantage.as_str()), ("image", &c.image)];
    Climb {
        says: words.with("climb-holds", &args),
        rungs: c.rungs.iter().filter_map(|r| rung(r, words)).collect(),
    }
}

fn rung(r: &report::Rung, words: &Words) -> Option<Rung> {
    let (state, sign) = match r.state {
        RungState::Passed => ("passed", "✓"),
        RungState::Failed => ("failed", "✗"),
        RungState::NotReached => ("not-reached", "┄"),
        RungState::Skipped => ("skipped", "–"),
        RungState::NotSeen => return None,
    };
    let took = r.took_ms.map(|ms| format!("{ms} ms"));
    let says = r.says.as_ref().map(|s| words.say(s));
    let notes = took.into_iter().chain(says).collect::<Vec<_>>().join(" · ");
    Some(Rung { name: words.get(&format!("stage-{}", r.stage.word())), state, sign, notes })
}

fn hits(hit: &report::Affected, words: &Words) -> Vec<Hit> {
    let mut pods: Vec<String> =
        hit.pods.iter().map(|p| plain(&sentence::qualified(&p.namespace, &p.name))).collect();
    pods.dedup();
    let safe = |names: &[String]| names.iter().map(|n| plain(n)).collect::<Vec<_>>();
    let lists = [
        ("hit-images", safe(&hit.images)),
        ("hit-pods", pods),
        ("hit-nodes", safe(&hit.nodes)),
        ("hit-registries", safe(&hit.registries)),
    ];
    lists
        .into_iter()
        .filter(|(_, names)| !names.is_empty())
        .map(|(key, names)| list(key, names, words))
        .collect()
}

fn list(key: &str, mut first: Vec<String>, words: &Words) -> Hit {
    let mut rest = first.split_off(first.len().min(LISTED));
    let more = sentence::counted(words, "and-more", rest.len() as u64);
    if rest.len() > MANY {
        rest.truncate(MANY);
        rest.push("…".to_owned());
    }
    Hit { name: words.get(key), first, rest, more }
}

fn evidence(e: &report::Evidence, words: &Words) -> Evidence {
    let quote = match &e.at {
        Locator::File { snippet, .. } if !snippet.is_empty() => plain(snippet),
        _ => lines(e.quote.trim()),
    };
    Evidence { says: words.say(&e.says), place: place(words, &e.at), quote }
}

fn lines(text: &str) -> String {
    plain_lines(text).collect::<Vec<_>>().join("\n")
}

fn ruled_out(r: &report::RuledOut, words: &Words) -> RuledOut {
    let facts = r.evidence.iter().map(|e| (words.say(&e.says), place(words, &e.at))).collect();
    RuledOut { cause: r.cause.id(), why: words.say(&r.why), facts }
}

fn next_test(t: &report::NextTest, words: &Words) -> Test {
    let from = test_from(words, &t.vantage);
    let ids: Vec<&str> = t.splits.iter().map(|c| c.id()).collect();
    let splits = match ids.len() {
        0 | 1 => String::new(),
        _ => words.with("test-splits", &[("causes", &ids.join(", "))]),
    };
    Test {
        block: Block { says: format!("{} — {from}", words.say(&t.asks)), lines: lines(&t.command) },
        splits,
    }
}

fn command(c: &Command, words: &Words) -> Block {
    Block { says: words.say(&c.says), lines: lines(&c.command) }
}

fn remedy(r: &Remedy, words: &Words) -> Fix {
    Fix {
        says: words.say(&r.says),
        limits: [&r.scope, &r.risk].map(|s| words.say(s)).join(" · "),
        steps: steps(&r.steps, words),
        undo: steps(&r.undo, words),
    }
}

/// Steps as blocks: commands that follow each other are copied as one.
fn steps(all: &[Step], words: &Words) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut after_command = false;
    for step in all {
        let is_command = matches!(step, Step::Run(_));
        match step {
            Step::Run(command) => match blocks.last_mut() {
                Some(last) if after_command => {
                    last.lines.push('\n');
                    last.lines.push_str(&lines(command));
                }
                _ => blocks.push(Block { says: String::new(), lines: lines(command) }),
            },
            Step::Write { path, content } => {
                blocks
                    .push(Block { says: words.with("write-file", &[("path", path)]), lines: lines(content) });
            }
            Step::Ask(say) => blocks.push(Block { says: words.say(say), lines: String::new() }),
        }
        after_command = is_command;
    }
    blocks
}

fn spot(b: &report::BlindSpot, words: &Words) -> Spot {
    let why = words.get(&format!("why-{}", b.why));
    let why = if b.detail.is_empty() { why } else { format!("{why}: {}", plain(&b.detail)) };
    Spot { what: plain(&b.what), why, needs: plain(&b.needs) }
}
