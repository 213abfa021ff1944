//! The JSON form of a report, field by field. This is a contract: fields are added, never renamed or given another
//! meaning; a change that breaks readers takes another value of `schema`.

use crate::sentence;
use crate::words::Words;
use report::{Affected, BlindSpot, Healthy, Locator, REPORT_SCHEMA, RungState, Scope};
use schemars::JsonSchema;
use serde::Serialize;
use vocabulary::{Cause, Confidence, Operation, Phase, Stage};

/// Everything that was concluded from one look.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Pullproof report")]
pub struct Report {
    /// The version of this form: `pullproof.report/1`.
    #[schemars(extend("const" = REPORT_SCHEMA))]
    schema: &'static str,
    /// The time of collection, or the newest time in saved input; null where there is none. RFC 3339, UTC.
    generated_at: Option<String>,
    /// What was looked at.
    scope: Scope,
    /// One for each root cause, by the number of pulls.
    incidents: Vec<Incident>,
    /// What is well.
    healthy: Healthy,
    /// What probes saw, whether or not anything failed.
    climbs: Vec<Climb>,
    /// What was not seen, why, and what it would take.
    blind_spots: Vec<BlindSpot>,
}

/// One climb from one vantage to one host.
#[derive(Serialize, JsonSchema)]
struct Climb {
    /// Who climbed, from where.
    vantage: String,
    /// The image that it was for.
    image: String,
    /// What was asked for.
    url: String,
    /// Which request it served.
    phase: Phase,
    /// Whether every rung held: the pull would work from there.
    holds: bool,
    /// The rungs, those not reached included.
    ladder: Vec<Rung>,
    /// Climbs to other hosts that this one needed: the token service, the blob store.
    branches: Vec<Climb>,
}

/// One root cause, and everything it hits.
#[derive(Serialize, JsonSchema)]
struct Incident {
    /// A hash of cause and scope: the same for the same trouble.
    id: String,
    /// The deepest cause that the evidence reaches.
    cause: Cause,
    /// The cause's stage.
    stage: Stage,
    /// The stage at which the pulls were seen to end.
    ended_at: Stage,
    /// The request that was under way.
    phase: Option<Phase>,
    /// What was being done.
    operation: Operation,
    /// How sure.
    confidence: Confidence,
    /// The verdict in one sentence.
    title: String,
    /// What the cause means, whatever it hits.
    meaning: String,
    /// What it hits.
    affected: Affected,
    /// What shows it.
    evidence: Vec<Evidence>,
    /// The rungs of the ladder, as far as they are known.
    ladder: Vec<Rung>,
    /// Vantages beside each other.
    comparison: Option<Comparison>,
    /// What was ruled out, and by which fact.
    ruled_out: Vec<RuledOut>,
    /// What remains possible, best first.
    also_possible: Vec<Possible>,
    /// The test that would decide best.
    next_test: Option<NextTest>,
    /// What removes the cause.
    remedies: Vec<Remedy>,
    /// What proves the fix.
    verify: Option<Command>,
}

/// A place, and what it shows.
#[derive(Serialize, JsonSchema)]
struct Evidence {
    /// Where it is.
    at: Locator,
    /// What it shows.
    says: String,
    /// The words themselves; empty where the sentence says all.
    quote: String,
}

/// One rung of the ladder.
#[derive(Serialize, JsonSchema)]
struct Rung {
    /// Which.
    stage: Stage,
    /// How it went.
    state: RungState,
    /// Milliseconds, where a probe measured them.
    took_ms: Option<u64>,
    /// What was seen on it.
    says: Option<String>,
}

/// Vantages beside each other.
#[derive(Serialize, JsonSchema)]
struct Comparison {
    /// Column heads.
    columns: Vec<String>,
    /// Cells, a row each.
    rows: Vec<Vec<String>>,
}

/// A cause that a fact excludes.
#[derive(Serialize, JsonSchema)]
struct RuledOut {
    /// The cause.
    cause: Cause,
    /// Why.
    why: String,
    /// The facts.
    evidence: Vec<Evidence>,
}

/// A cause that the evidence still allows.
#[derive(Serialize, JsonSchema)]
struct Possible {
    /// The cause.
    cause: Cause,
    /// Why it is still in play.
    why: String,
}

/// The cheapest test that splits what remains.
#[derive(Serialize, JsonSchema)]
struct NextTest {
    /// What it asks.
    asks: String,
    /// From where.
    vantage: String,
    /// The command to copy.
    command: String,
    /// The causes that it can tell apart.
    splits: Vec<Cause>,
}

/// A command to copy, and what it does.
#[derive(Serialize, JsonSchema)]
struct Command {
    /// What it does.
    says: String,
    /// The line.
    command: String,
}

/// What removes the cause.
#[derive(Serialize, JsonSchema)]
struct Remedy {
    /// What is done.
    says: String,
    /// How far it reaches.
    scope: String,
    /// What it may disturb.
    risk: String,
    /// Commands and files, in order.
    steps: Vec<Step>,
    /// How it is taken back.
    undo: Vec<Step>,
}

/// One step of a remedy.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Step {
    /// A command line.
    Run(String),
    /// A file to write.
    Write {
        /// Where.
        path: String,
        /// What.
        content: String,
    },
    /// Something that no command does.
    Ask(String),
}

/// The JSON form of a report, with its sentences in one language.
pub fn report(report: &report::Report, words: &Words) -> Report {
    Report {
        schema: REPORT_SCHEMA,
        generated_at: report.generated_at.map(|t| t.to_string()),
        scope: report.scope.clone(),
        incidents: report.incidents.iter().map(|i| incident(i, words)).collect(),
        healthy: report.healthy.clone(),
        climbs: report.climbs.iter().map(|c| climb(c, words)).collect(),
        blind_spots: report.blind_spots.clone(),
    }
}

fn climb(c: &report::Climb, words: &Words) -> Climb {
    Climb {
        vantage: c.vantage.clone(),
        image: c.image.clone(),
        url: c.url.clone(),
        phase: c.phase,
        holds: c.holds(),
        ladder: c.rungs.iter().map(|r| rung(r, words)).collect(),
        branches: c.branches.iter().map(|b| climb(b, words)).collect(),
    }
}

fn incident(i: &report::Incident, words: &Words) -> Incident {
    Incident {
        id: i.id.clone(),
        cause: i.cause,
        stage: i.stage,
        ended_at: i.ended_at,
        phase: i.phase,
        operation: i.operation,
        confidence: i.confidence,
        title: sentence::verdict(words, i),
        meaning: words.meaning(i.cause),
        affected: i.affected.clone(),
        evidence: evidence(&i.evidence, words),
        ladder: i.ladder.iter().map(|r| rung(r, words)).collect(),
        comparison: i.comparison.as_ref().map(|c| comparison(c, words)),
        ruled_out: i.ruled_out.iter().map(|r| ruled_out(r, words)).collect(),
        also_possible: i
            .also_possible
            .iter()
            .map(|p| Possible { cause: p.cause, why: words.say(&p.why) })
            .collect(),
        next_test: i.next_test.as_ref().map(|t| next_test(t, words)),
        remedies: i.remedies.iter().map(|r| remedy(r, words)).collect(),
        verify: i.verify.as_ref().map(|c| Command { says: words.say(&c.says), command: c.command.clone() }),
    }
}

fn evidence(all: &[report::Evidence], words: &Words) -> Vec<Evidence> {
    all.iter()
        .map(|e| Evidence { at: e.at.clone(), says: words.say(&e.says), quote: e.quote.clone() })
        .collect()
}

fn rung(r: &report::Rung, words: &Words) -> Rung {
    Rung { stage: r.stage, state: r.state, took_ms: r.took_ms, says: r.says.as_ref().map(|s| words.say(s)) }
}

fn comparison(c: &report::Comparison, words: &Words) -> Comparison {
    Comparison { columns: c.columns.iter().map(|s| words.say(s)).collect(), rows: c.rows.clone() }
}

fn ruled_out(r: &report::RuledOut, words: &Words) -> RuledOut {
    RuledOut { cause: r.cause, why: words.say(&r.why), evidence: evidence(&r.evidence, words) }
}

fn next_test(t: &report::NextTest, words: &Words) -> NextTest {
    NextTest {
        asks: words.say(&t.asks),
        vantage: t.vantage.clone(),
        command: t.command.clone(),
        splits: t.splits.clone(),
    }
}

fn remedy(r: &report::Remedy, words: &Words) -> Remedy {
    Remedy {
        says: words.say(&r.says),
        scope: words.say(&r.scope),
        risk: words.say(&r.risk),
        steps: r.steps.iter().map(|s| step(s, words)).collect(),
        undo: r.undo.iter().map(|s| step(s, words)).collect(),
    }
}

fn step(s: &report::Step, words: &Words) -> Step {
    match s {
        report::Step::Run(command) => Step::Run(command.clone()),
        report::Step::Write { path, content } => Step::Write { path: path.clone(), content: content.clone() },
        report::Step::Ask(say) => Step::Ask(words.say(say)),
    }
}
