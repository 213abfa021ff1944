//! Lines of a given width: pieces of text, wrapped by the cells they take (Korean takes two), under a hanging indent.

use super::paint::{self, Label};
use unicode_width::UnicodeWidthChar;

/// A piece of text of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span(pub Label, pub String);

/// A piece of text of this kind.
pub fn span(label: Label, text: impl Into<String>) -> Span {
    Span(label, text.into())
}

/// The cells that a text takes.
pub fn cells(text: &str) -> usize {
    // Character by character, as lines are broken: a sequence counted as less would lose its end.
    text.chars().map(|c| UnicodeWidthChar::width(c).unwrap_or(0)).sum()
}

/// What is drawn so far, and how wide it may be.
pub struct Canvas {
    out: String,
    width: usize,
    color: bool,
}

impl Canvas {
    /// An empty one.
    pub const fn new(width: usize, color: bool) -> Self {
        Self { out: String::new(), width, color }
    }

    /// The width in cells.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// An empty line, where the last one is not empty.
    pub fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Running text below an indent of this many cells.
    pub fn text(&mut self, indent: usize, body: &[Span]) {
        self.hanging(&[span(Label::Plain, " ".repeat(indent))], indent, body);
    }

    /// Running text behind a lead; further lines are indented by `hang` cells.
    pub fn hanging(&mut self, lead: &[Span], hang: usize, body: &[Span]) {
        let mut used: usize = lead.iter().map(|s| cells(&s.1)).sum();
        let mut line: Vec<Span> = lead.to_vec();
        if used > hang {
            // The lead is longer than its column: the text begins below it.
            self.flush(&mut line);
            used = self.indent(&mut line, hang);
        } else {
            line.push(span(Label::Plain, " ".repeat(hang - used)));
            used = hang;
        }
        let mut fresh = true;
        for word in words(body) {
            let width = word.cells();
            let room = self.width.saturating_sub(used);
            let blank = usize::from(!fresh);
            if width + blank <= room {
                if blank > 0 {
                    line.push(span(word.label(), " "));
                }
                used += width + blank;
                line.extend(word.spans);
                fresh = false;
                continue;
            }
            if !fresh {
                self.flush(&mut line);
                used = self.indent(&mut line, hang);
            }
            used = self.broken(&mut line, used, hang, word);
            fresh = false;
        }
        self.flush(&mut line);
    }

    /// A word that may be longer than a line: cut where the line ends. Returns the cells used in the last line.
    fn broken(&mut self, line: &mut Vec<Span>, mut used: usize, hang: usize, word: Word) -> usize {
        for Span(label, text) in word.spans {
            let mut piece = String::new();
            for c in text.chars() {
                let width = UnicodeWidthChar::width(c).unwrap_or(0);
                if used + width > self.width && used > hang {
                    line.push(Span(label, std::mem::take(&mut piece)));
                    self.flush(line);
                    used = self.indent(line, hang);
                }
                piece.push(c);
                used += width;
            }
            line.push(Span(label, piece));
        }
        used
    }

    /// One line of the words of others, behind a rule; cut at the width.
    pub fn quoted_line(&mut self, indent: usize, line: &str) {
        self.row(&[span(Label::Faint, format!("{}│ ", " ".repeat(indent))), span(Label::Quote, line)]);
    }

    /// The lines that a text makes right of this column.
    pub fn wrapped(&self, column: usize, text: &str) -> Vec<String> {
        let mut inner = Self::new(self.width.saturating_sub(column), false);
        inner.text(0, &[span(Label::Plain, text)]);
        inner.out.lines().map(str::to_owned).collect()
    }

    /// A head alone on its line.
    pub fn head(&mut self, indent: usize, head: Span) {
        self.flush(&mut vec![span(Label::Plain, " ".repeat(indent)), head]);
    }

    /// A line that is never wrapped nor cut: what people copy.
    pub fn verbatim(&mut self, spans: &[Span]) {
        self.flush(&mut spans.to_vec());
    }

    /// One line as it is, cut at the width.
    pub fn row(&mut self, spans: &[Span]) {
        let mut line = Vec::new();
        let mut room = self.width;
        for Span(label, text) in spans {
            let fit = fitting(text, room);
            room -= cells(fit);
            line.push(span(*label, fit));
            if fit.len() < text.len() {
                break;
            }
        }
        self.flush(&mut line);
    }

    fn indent(&self, line: &mut Vec<Span>, cells: usize) -> usize {
        line.push(span(Label::Plain, " ".repeat(cells)));
        cells
    }

    fn flush(&mut self, line: &mut Vec<Span>) {
        while line.last().is_some_and(|s| s.1.trim_end().is_empty()) {
            line.pop();
        }
        if let Some(last) = line.last_mut() {
            last.1.truncate(last.1.trim_end().len());
        }
        for Span(label, text) in line.drain(..) {
            paint::push(&mut self.out, label, &text, self.color);
        }
        self.out.push('\n');
    }

    /// Everything drawn. Blanks that must not part a line have done their work and become plain ones.
    pub fn finish(self) -> String {
        self.out.replace('\u{a0}', " ")
    }
}

/// The longest beginning that fits into this many cells.
pub fn fitting(text: &str, room: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += UnicodeWidthChar::width(c).unwrap_or(0);
        if used > room {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// What may not be parted at a line's end, of one or more kinds of text.
struct Word {
    spans: Vec<Span>,
}

impl Word {
    fn cells(&self) -> usize {
        self.spans.iter().map(|s| cells(&s.1)).sum()
    }

    fn label(&self) -> Label {
        self.spans.first().map_or(Label::Plain, |s| s.0)
    }
}

fn words(body: &[Span]) -> Vec<Word> {
    let mut all: Vec<Word> = Vec::new();
    let mut blank = true;
    for Span(label, text) in body {
        for (i, part) in text.split(' ').enumerate() {
            blank |= i > 0;
            if part.is_empty() {
                continue;
            }
            match all.last_mut() {
                Some(last) if !blank => last.spans.push(span(*label, part)),
                _ => all.push(Word { spans: vec![span(*label, part)] }),
            }
            blank = false;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrapped(width: usize, hang: usize, text: &str) -> String {
        let mut canvas = Canvas::new(width, false);
        canvas.text(hang, &[span(Label::Plain, text)]);
        canvas.finish()
    }

    fn seen(s: &str) -> String {
        s.chars().filter(|c| !c.is_whitespace()).collect()
    }

    #[test]
    fn korean_is_wrapped_by_cells() {
        assert_eq!(wrapped(12, 2, "인증서가 만료되었습니다"), "  인증서가\n  만료되었습\n  니다\n");
    }

    #[test]
    fn a_word_of_two_kinds_stays_together() {
        let mut canvas = Canvas::new(10, false);
        canvas.text(
            0,
            &[span(Label::Plain, "see "), span(Label::Strong, "worker-7"), span(Label::Plain, ", then")],
        );
        assert_eq!(canvas.finish(), "see\nworker-7,\nthen\n");
    }

    #[test]
    fn colour_adds_no_cells() {
        let mut canvas = Canvas::new(8, true);
        canvas.text(0, &[span(Label::Failed, "aaaa"), span(Label::Plain, " bbb")]);
        assert_eq!(canvas.finish().matches('\n').count(), 1);
    }

    proptest! {
        #[test]
        fn no_line_is_longer_than_the_width(text in "[a-z가-힣 .:/]{0,200}", width in 20_usize..90, hang in 0_usize..10) {
            for line in wrapped(width, hang, &text).lines() {
                prop_assert!(cells(line) <= width, "{line:?}");
            }
        }

        #[test]
        fn nothing_is_lost(text in "[a-z가-힣 .:/👩\u{200d}é\u{301}]{0,200}", width in 3_usize..90, hang in 0_usize..2) {
            prop_assert_eq!(seen(&wrapped(width, hang, &text)), seen(&text));
        }

        #[test]
        fn a_quote_of_wrapped_lines_loses_nothing(text in "(https://[a-z0-9./-]{0,150} ?|[a-z가-힣]{1,9} ){0,6}", width in 20_usize..130, indent in 0_usize..14) {
            let mut canvas = Canvas::new(width, false);
            for line in canvas.wrapped(indent + 2, &text) {
                canvas.quoted_line(indent, &line);
            }
            prop_assert_eq!(seen(&canvas.finish().replace('│', "")), seen(&text));
        }
    }
}
