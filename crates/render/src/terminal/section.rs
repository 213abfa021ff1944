//! Sections: a head at the left, and everything below it in one column. In a narrow window the head stands above.

use super::canvas::{Canvas, Span, cells, span};
use super::paint::Label;
use crate::hostile::plain_lines;
use crate::words::Words;

/// The left edge of heads.
const LEFT: usize = 2;
/// Narrower than this, heads stand above their column.
const SIDE_BY_SIDE: usize = 80;

/// The heads of all sections: their column is as wide as the widest of them.
const HEADS: [&str; 20] = [
    "head-hits",
    "head-evidence",
    "head-compare",
    "head-ruled-out",
    "head-possible",
    "head-next-test",
    "head-fix",
    "head-undo",
    "head-verify",
    "head-blind",
    "head-meaning",
    "head-about",
    "head-next-step",
    "head-node-runtime",
    "head-node-machine",
    "head-node-endpoints",
    "head-node-errors",
    "head-node-pull",
    "head-node-clients",
    "head-node-findings",
];

/// A section that is being drawn.
pub struct Section {
    head: Option<String>,
    column: usize,
}

impl Section {
    /// A section with this head.
    pub fn new(canvas: &Canvas, words: &Words, key: &str) -> Self {
        let column = column(canvas, words);
        Self { head: Some(words.get(key)), column }
    }

    /// Where its text begins.
    pub const fn column(&self) -> usize {
        self.column
    }

    /// One paragraph; the first also draws the head.
    pub fn put(&mut self, canvas: &mut Canvas, body: &[Span]) {
        self.put_within(canvas, 0, body);
    }

    /// The same, further in.
    pub fn put_within(&mut self, canvas: &mut Canvas, within: usize, body: &[Span]) {
        let Some(head) = self.head.take() else {
            return canvas.text(self.column + within, body);
        };
        if canvas.width() < SIDE_BY_SIDE {
            canvas.head(LEFT, span(Label::Head, head));
            return canvas.text(self.column + within, body);
        }
        let lead = [span(Label::Plain, " ".repeat(LEFT)), span(Label::Head, head)];
        canvas.hanging(&lead, self.column + within, body);
    }

    /// One paragraph with a head of its own, in a second column of this many cells.
    pub fn put_named(&mut self, canvas: &mut Canvas, name: &str, widest: usize, body: &[Span]) {
        let mut lead = Vec::new();
        match self.head.take() {
            Some(head) if canvas.width() < SIDE_BY_SIDE => canvas.head(LEFT, span(Label::Head, head)),
            Some(head) => {
                let pad = " ".repeat(self.column.saturating_sub(LEFT + cells(&head)));
                lead = vec![
                    span(Label::Plain, " ".repeat(LEFT)),
                    span(Label::Head, head),
                    span(Label::Plain, pad),
                ];
            }
            None => {}
        }
        if lead.is_empty() {
            lead.push(span(Label::Plain, " ".repeat(self.column)));
        }
        lead.push(span(Label::Faint, name));
        canvas.hanging(&lead, self.column + widest + 2, body);
    }

    /// The words of others: the first lines of them, behind a rule.
    pub fn quote(&mut self, canvas: &mut Canvas, text: &str, lines: usize) {
        for line in plain_lines(text).take(lines) {
            for part in canvas.wrapped(self.column + 2, &line) {
                self.put(canvas, &[span(Label::Faint, "│\u{a0}"), span(Label::Quote, part)]);
            }
        }
    }

    /// A line to copy, never wrapped.
    pub fn verbatim(&mut self, canvas: &mut Canvas, within: usize, label: Label, line: &str) {
        match self.head.take() {
            Some(head) if canvas.width() >= SIDE_BY_SIDE => {
                let pad = " ".repeat((self.column + within).saturating_sub(LEFT + cells(&head)));
                canvas.verbatim(&[
                    span(Label::Plain, " ".repeat(LEFT)),
                    span(Label::Head, head),
                    span(Label::Plain, pad),
                    span(label, line),
                ]);
                return;
            }
            Some(head) => canvas.head(LEFT, span(Label::Head, head)),
            None => {}
        }
        canvas.verbatim(&[span(Label::Plain, " ".repeat(self.column + within)), span(label, line)]);
    }
}

/// The column in which the text of every section begins.
pub fn column(canvas: &Canvas, words: &Words) -> usize {
    if canvas.width() < SIDE_BY_SIDE {
        return LEFT + 2;
    }
    LEFT + HEADS.iter().map(|key| cells(&words.get(key))).max().unwrap_or(0) + 2
}
