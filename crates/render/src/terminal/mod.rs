//! The report for a terminal: the verdict and its scope first, then what shows it, then what to do.

mod canvas;
mod climbs;
mod compare;
mod evidence;
mod explanation;
mod incident;
mod ladder;
mod node;
mod paint;
mod remedy;
mod section;
mod spots;

pub use compare::comparison;
pub use explanation::{explanation, repeated};
pub use node::node;

use crate::words::Words;
use crate::{Look, sentence};
use canvas::{Canvas, span};
use paint::Label;
use report::Report;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What an on-call engineer needs first; the rest is counted.
    Short,
    /// Everything in the report.
    Full,
}

impl Detail {
    /// How many of a list are shown where the short form shows this many.
    const fn of(self, short: usize) -> usize {
        match self {
            Self::Short => short,
            Self::Full => usize::MAX,
        }
    }
}

/// The whole report.
pub fn page(report: &Report, look: &Look, detail: Detail) -> String {
    let words = Words::of(look.lang);
    let width = match detail {
        Detail::Short => look.width,
        Detail::Full => look.window,
    };
    let mut canvas = Canvas::new(width, look.color);
    head(&mut canvas, words, report);
    for incident in &report.incidents {
        canvas.gap();
        incident::draw(&mut canvas, words, incident, climbs::of_incident(report, incident), detail);
    }
    climbs::draw(&mut canvas, words, report, detail);
    spots::draw(&mut canvas, words, &report.blind_spots, detail);
    canvas.finish()
}

fn head(canvas: &mut Canvas, words: &Words, report: &Report) {
    let found = sentence::found(words, report).join(" · ");
    let looked_at = sentence::looked_at(words, report).join(" · ");
    let label = if report.is_well() { Label::Passed } else { Label::Strong };
    let mark = if label == Label::Passed { "✓ " } else { "" };
    let found = format!("{mark}{found}");
    if looked_at.is_empty() || canvas::cells(&found) + canvas::cells(&looked_at) + 3 > canvas.width() {
        canvas.text(0, &[span(label, found)]);
        canvas.text(0, &[span(Label::Faint, looked_at)]);
    } else {
        // The blanks do not part.
        canvas.text(0, &[span(label, found), span(Label::Faint, format!("\u{a0}\u{a0} {looked_at}"))]);
    }
}

/// One line on why a command gave up.
pub fn complaint(look: &Look, color: bool, why: &str) -> String {
    let mut line = String::new();
    paint::push(&mut line, Label::Failed, &format!("{}:", Words::of(look.lang).get("complaint")), color);
    line.push(' ');
    line.push_str(&crate::plain(why));
    line
}
