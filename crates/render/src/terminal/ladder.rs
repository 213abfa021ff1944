//! The ladder, drawn: rungs passed, the rung that failed, rungs that were not reached. A solid line leads to where the
//! pull ended, a dotted one goes on from there.

use super::Detail;
use super::canvas::{Canvas, Span, cells, span};
use super::paint::Label;
use crate::hostile::plain;
use crate::words::Words;
use report::{Rung, RungState};

/// Draws the rungs: side by side, or below each other where something was measured on them.
pub fn draw(canvas: &mut Canvas, words: &Words, rungs: &[Rung], detail: Detail) {
    if rungs.iter().all(|r| r.state == RungState::NotSeen) {
        return;
    }
    if rungs.iter().any(|r| r.took_ms.is_some() || r.says.is_some()) {
        down(canvas, words, rungs);
    } else {
        across(canvas, words, rungs, detail);
    }
}

const fn mark(state: RungState) -> (&'static str, Label) {
    match state {
        RungState::Passed => ("✓ ", Label::Passed),
        RungState::Skipped => ("– ", Label::Faint),
        RungState::Failed => ("✗ ", Label::Failed),
        RungState::NotReached => ("", Label::Faint),
        RungState::NotSeen => ("? ", Label::Faint),
    }
}

fn name(words: &Words, rung: &Rung) -> String {
    words.get(&format!("stage-{}", rung.stage.word()))
}

/// Side by side: what was not seen before the failure is left out, it says nothing. What was not reached is cut where
/// the line ends, unless everything is wanted.
fn across(canvas: &mut Canvas, words: &Words, rungs: &[Rung], detail: Detail) {
    let mut body: Vec<Span> = Vec::new();
    let mut used = 2;
    for rung in rungs.iter().filter(|r| r.state != RungState::NotSeen) {
        let (sign, label) = mark(rung.state);
        // Blanks that do not part: a sign stays with its rung.
        let text = format!("{sign}{}", name(words, rung)).replace(' ', "\u{a0}");
        let off = rung.state == RungState::NotReached;
        if off && detail == Detail::Short && used + cells(&text) + 7 > canvas.width() {
            body.push(span(Label::Faint, " ┄ …"));
            break;
        }
        if !body.is_empty() {
            body.push(span(Label::Faint, if off { " ┄ " } else { " ─ " }));
            used += 3;
        }
        used += cells(&text);
        body.push(span(label, text));
    }
    canvas.text(2, &body);
}

/// Below each other, with what was measured and seen.
fn down(canvas: &mut Canvas, words: &Words, rungs: &[Rung]) {
    let widest = rungs.iter().map(|r| cells(&name(words, r))).max().unwrap_or(0);
    let mut not_reached = Vec::new();
    for rung in rungs {
        match rung.state {
            RungState::NotSeen => continue,
            RungState::NotReached => {
                not_reached.push(name(words, rung));
                continue;
            }
            RungState::Passed | RungState::Failed | RungState::Skipped => {}
        }
        let (sign, label) = mark(rung.state);
        let name = name(words, rung);
        let pad = " ".repeat(widest - cells(&name));
        let took = rung.took_ms.map_or_else(String::new, |ms| format!("{ms} ms"));
        let lead = [
            span(Label::Plain, "  "),
            span(label, format!("{sign}{name}{pad}")),
            span(Label::Faint, format!("{took:>9}")),
        ];
        let says = rung.says.as_ref().map_or_else(String::new, |s| words.say(s));
        let label = if rung.state == RungState::Skipped { Label::Faint } else { Label::Plain };
        canvas.hanging(&lead, widest + 15, &[span(Label::Plain, "  "), span(label, says)]);
    }
    if !not_reached.is_empty() {
        let lead = [span(Label::Plain, "  "), span(Label::Faint, "┆ ")];
        let body = format!("{}: {}", words.get("not-reached"), plain(&not_reached.join(", ")));
        canvas.hanging(&lead, 4, &[span(Label::Faint, body)]);
    }
}
