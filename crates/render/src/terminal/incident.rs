//! One incident: verdict and scope in the first line, the ladder, then a section each for what shows it, what it is
//! not, and what to do.

use super::canvas::{Canvas, cells, span};
use super::paint::Label;
use super::section::Section;
use super::{Detail, climbs, evidence, ladder, remedy};
use crate::hostile::plain;
use crate::sentence;
use crate::view::MANY;
use crate::words::Words;
use report::{Affected, Climb, Comparison, Incident, RuledOut};
use vocabulary::Confidence;

/// Draws one.
pub fn draw(canvas: &mut Canvas, words: &Words, incident: &Incident, climb: Option<&Climb>, detail: Detail) {
    headline(canvas, words, incident, detail);
    canvas.gap();
    match climb {
        Some(climb) => climbs::rungs(canvas, words, climb, detail),
        None => ladder::draw(canvas, words, &incident.ladder, detail),
    }
    canvas.gap();
    hits(canvas, words, &incident.affected, detail);
    let mut section = Section::new(canvas, words, "head-evidence");
    for piece in incident.evidence.iter().take(detail.of(4)) {
        evidence::draw(canvas, words, &mut section, piece, detail);
    }
    more(canvas, words, &mut section, incident.evidence.len(), detail.of(4));
    if let Some(table) = &incident.comparison {
        compare(canvas, words, table);
    }
    ruled_out(canvas, words, incident, detail);
    possible(canvas, words, incident);
    if let Some(test) = &incident.next_test {
        remedy::next_test(canvas, words, test);
    }
    remedy::fixes(canvas, words, incident, detail);
    if let Some(command) = &incident.verify {
        remedy::verify(canvas, words, command);
    }
}

/// The sign of a verdict: a cause that is shown, one that fits best, one of several.
pub const fn sign(confidence: Confidence) -> (&'static str, Label) {
    match confidence {
        Confidence::Confirmed => ("✗ ", Label::Failed),
        Confidence::Likely => ("✗ ", Label::Doubtful),
        Confidence::Possible => ("? ", Label::Doubtful),
    }
}

fn headline(canvas: &mut Canvas, words: &Words, incident: &Incident, detail: Detail) {
    let (sign, label) = sign(incident.confidence);
    let reach = sentence::reach(words, incident).join(" · ");
    canvas.hanging(
        &[span(label, sign)],
        2,
        &[span(Label::Strong, sentence::verdict(words, incident)), span(Label::Plain, format!(" — {reach}"))],
    );
    let mut facts = vec![
        span(label, words.get(&format!("confidence-{}", incident.confidence.word()))),
        span(Label::Faint, format!(" · {}", incident.cause.id())),
    ];
    if let Some(phase) = incident.phase {
        facts.push(span(Label::Faint, format!(" · {}", words.get(&format!("phase-{}", phase.word())))));
    }
    if detail == Detail::Full {
        facts.push(span(Label::Faint, format!(" · {}", plain(&incident.id))));
    }
    canvas.text(2, &facts);
}

/// Pods, images, nodes and registries, the first few of each.
fn hits(canvas: &mut Canvas, words: &Words, hit: &Affected, detail: Detail) {
    let mut pods: Vec<String> = hit.pods.iter().map(|p| sentence::qualified(&p.namespace, &p.name)).collect();
    pods.dedup();
    let mut section = Section::new(canvas, words, "head-hits");
    let one_node = hit.nodes.len() == 1 && detail == Detail::Short;
    let lists: [(&str, &[String], usize); 4] = [
        ("hit-images", &hit.images, 3),
        ("hit-pods", &pods, 3),
        ("hit-nodes", if one_node { &[] } else { &hit.nodes }, 6),
        (
            "hit-registries",
            if hit.images.is_empty() || detail == Detail::Full { &hit.registries } else { &[] },
            3,
        ),
    ];
    let heads = lists.iter().filter(|l| !l.1.is_empty()).map(|l| cells(&words.get(l.0))).max().unwrap_or(0);
    for (key, names, short) in lists.into_iter().filter(|l| !l.1.is_empty()) {
        let shown: Vec<String> = names.iter().take(detail.of(short).min(MANY)).map(|n| plain(n)).collect();
        let mut body = vec![span(Label::Plain, shown.join(", "))];
        let rest = names.len() - shown.len();
        if rest > 0 {
            body.push(span(Label::Faint, format!(" {}", sentence::counted(words, "and-more", rest as u64))));
        }
        section.put_named(canvas, &words.get(key), heads, &body);
    }
    if hit.truncated {
        section.put(canvas, &[span(Label::Faint, words.get("hits-truncated"))]);
    }
}

fn ruled_out(canvas: &mut Canvas, words: &Words, incident: &Incident, detail: Detail) {
    let mut section = Section::new(canvas, words, "head-ruled-out");
    if detail == Detail::Full {
        for out in &incident.ruled_out {
            let why = format!(" — {}", words.say(&out.why));
            section.put(canvas, &[span(Label::Plain, out.cause.id()), span(Label::Faint, why)]);
            for fact in &out.evidence {
                let at = format!(" — {}", crate::place::place(words, &fact.at));
                section.put_within(
                    canvas,
                    2,
                    &[span(Label::Plain, words.say(&fact.says)), span(Label::Faint, at)],
                );
            }
        }
        return;
    }
    let groups = by_reason(words, &incident.ruled_out);
    for (why, causes) in groups.iter().take(RULED_OUT) {
        let ids = span(Label::Plain, causes.join(", "));
        section.put(canvas, &[ids, span(Label::Faint, format!(" — {why}"))]);
    }
    let shown = groups.iter().take(RULED_OUT).map(|g| g.1.len()).sum();
    more(canvas, words, &mut section, incident.ruled_out.len(), shown);
}

/// At most this many reasons in the short form.
const RULED_OUT: usize = 4;

/// Causes that the same fact rules out, together.
fn by_reason(words: &Words, all: &[RuledOut]) -> Vec<(String, Vec<&'static str>)> {
    let mut groups: Vec<(String, Vec<&'static str>)> = Vec::new();
    for out in all {
        let why = words.say(out.evidence.first().map_or(&out.why, |fact| &fact.says));
        match groups.iter_mut().find(|g| g.0 == why) {
            Some(group) => group.1.push(out.cause.id()),
            None => groups.push((why, vec![out.cause.id()])),
        }
    }
    groups
}

fn possible(canvas: &mut Canvas, words: &Words, incident: &Incident) {
    let mut section = Section::new(canvas, words, "head-possible");
    for other in &incident.also_possible {
        let meaning = words.meaning(other.cause);
        section.put(
            canvas,
            &[span(Label::Plain, other.cause.id()), span(Label::Faint, format!(" — {meaning}"))],
        );
    }
}

/// Says how many of a list are left out, and how to see them.
fn more(canvas: &mut Canvas, words: &Words, section: &mut Section, all: usize, shown: usize) {
    if all > shown {
        let line = sentence::counted(words, "more-in-wide", (all - shown) as u64);
        section.put(canvas, &[span(Label::Faint, line)]);
    }
}

/// Vantages beside each other, in columns.
fn compare(canvas: &mut Canvas, words: &Words, table: &Comparison) {
    let heads: Vec<String> = table.columns.iter().map(|c| words.say(c)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|r| r.iter().map(|c| plain(c)).collect()).collect();
    let width = |column: usize| {
        rows.iter().chain([&heads]).filter_map(|r| r.get(column)).map(|c| cells(c)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |row: &[String]| -> String {
        let padded = row.iter().zip(&widths).map(|(c, w)| format!("{c}{}", " ".repeat(w - cells(c).min(*w))));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut section = Section::new(canvas, words, "head-compare");
    section.verbatim(canvas, 0, Label::Faint, &line(&heads));
    for row in &rows {
        section.verbatim(canvas, 0, Label::Plain, &line(row));
    }
}
