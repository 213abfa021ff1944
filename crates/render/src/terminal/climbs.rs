//! What probes saw: the ladders that belong to no incident, and the hosts beside the registry that one needed.

use super::Detail;
use super::canvas::{Canvas, span};
use super::ladder;
use super::paint::Label;
use crate::hostile::plain;
use crate::words::Words;
use report::{Climb, Incident, Report, RungState};

/// The ladder that shows where an incident's pull ended, where only a probe saw it.
pub fn of_incident<'r>(report: &'r Report, incident: &Incident) -> Option<&'r Climb> {
    let seen_by_others = !incident.affected.pods.is_empty();
    report
        .climbs
        .iter()
        .filter(|_| !seen_by_others)
        .find(|c| !c.holds() && incident.affected.images.contains(&c.image))
}

/// Draws those that no incident has drawn. Beside incidents, one that holds is worth a line.
pub fn draw(canvas: &mut Canvas, words: &Words, report: &Report, detail: Detail) {
    let drawn: Vec<&Climb> = report.incidents.iter().filter_map(|i| of_incident(report, i)).collect();
    for climb in report.climbs.iter().filter(|c| !drawn.contains(c)) {
        canvas.gap();
        // Where it is all that there is, the first line says it already.
        if !report.is_well() || report.climbs.len() > 1 {
            head(canvas, words, climb);
        }
        if report.incidents.is_empty() || !climb.holds() || detail == Detail::Full {
            canvas.gap();
            rungs(canvas, words, climb, detail);
        }
    }
    if let Some(climb) = report.climbs.first().filter(|_| report.scope.source != "demo") {
        canvas.gap();
        let here = words.with("climb-is-here", &[("vantage", &climb.vantage)]);
        canvas.text(2, &[span(Label::Faint, here)]);
    }
}

/// The way to one endpoint: where it ends, its rungs, and the words of the rung that failed.
pub fn alone(canvas: &mut Canvas, words: &Words, climb: &Climb) {
    let (key, sign, label) = match climb.holds() {
        true => ("climb-endpoint-holds", "✓ ", Label::Passed),
        false => ("climb-endpoint-ends", "✗ ", Label::Failed),
    };
    let said = words.with(key, &[("vantage", climb.vantage.as_str()), ("url", &climb.url)]);
    canvas.hanging(&[span(label, sign)], 2, &[span(Label::Strong, said)]);
    rungs(canvas, words, climb, Detail::Full);
    if let Some(error) = &climb.error {
        canvas.text(2, &[span(Label::Failed, plain(error))]);
    }
}

fn head(canvas: &mut Canvas, words: &Words, climb: &Climb) {
    let ended = climb.rungs.iter().find(|r| r.state == RungState::Failed);
    let stage = ended.map_or_else(String::new, |r| words.get(&format!("stage-{}", r.stage.word())));
    let (key, sign, label) = match ended {
        Some(_) => ("climb-ends", "✗ ", Label::Failed),
        None => ("climb-holds", "✓ ", Label::Passed),
    };
    let args = [("vantage", climb.vantage.as_str()), ("image", &climb.image), ("stage", &stage)];
    canvas.hanging(&[span(label, sign)], 2, &[span(Label::Strong, words.with(key, &args))]);
}

/// The rungs of a ladder, and below them those of the hosts that it needed.
pub fn rungs(canvas: &mut Canvas, words: &Words, climb: &Climb, detail: Detail) {
    ladder::draw(canvas, words, &climb.rungs, detail);
    for branch in climb.branches.iter().filter(|b| is_elsewhere(b)) {
        let at = words.with("climb-branch", &[("phase", branch.phase.word()), ("url", &branch.url)]);
        canvas.text(2, &[span(Label::Faint, plain(&at))]);
        rungs(canvas, words, branch, detail);
    }
}

/// Whether it needed a way of its own: a token service at the registry itself has none.
fn is_elsewhere(branch: &Climb) -> bool {
    branch.rungs.iter().take(3).any(|r| r.state != RungState::Skipped)
}
