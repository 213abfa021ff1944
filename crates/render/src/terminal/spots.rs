//! What was not seen, why, and what it would take.

use super::Detail;
use super::canvas::{Canvas, span};
use super::paint::Label;
use super::section::Section;
use crate::hostile::plain;
use crate::sentence;
use crate::words::Words;
use report::BlindSpot;

/// Draws the blind spots of a report.
pub fn draw(canvas: &mut Canvas, words: &Words, spots: &[BlindSpot], detail: Detail) {
    if spots.is_empty() {
        return;
    }
    canvas.gap();
    let mut section = Section::new(canvas, words, "head-blind");
    let shown = detail.of(5);
    for spot in spots.iter().take(shown) {
        let why = words.get(&format!("why-{}", spot.why));
        let mut body = vec![span(Label::Plain, plain(&spot.what)), span(Label::Faint, format!(" — {why}"))];
        // The words of a refusal repeat what the rule below them says.
        let repeats = spot.why == "forbidden" && !spot.needs.is_empty();
        if !spot.detail.is_empty() && (detail == Detail::Full || !repeats) {
            body.push(span(Label::Faint, format!(": {}", plain(&spot.detail))));
        }
        section.put(canvas, &body);
        if !spot.needs.is_empty() {
            section.put_within(canvas, 2, &[span(Label::Faint, format!("→ {}", plain(&spot.needs)))]);
        }
    }
    if spots.len() > shown {
        let line = sentence::counted(words, "more-in-wide", (spots.len() - shown) as u64);
        section.put(canvas, &[span(Label::Faint, line)]);
    }
}
