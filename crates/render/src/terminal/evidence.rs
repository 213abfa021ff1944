//! One piece of evidence: its sentence, where it stands, and the words or the line of the file themselves.

use super::Detail;
use super::canvas::{Canvas, cells, fitting, span};
use super::paint::Label;
use super::section::Section;
use crate::hostile::{plain, plain_lines, without_secrets};
use crate::place::place;
use crate::words::Words;
use report::{Evidence, Locator};

/// At most this many lines of a quote in the short form; the last ones, since what went wrong stands at the end.
const QUOTED: usize = 4;

/// Draws one piece.
pub fn draw(canvas: &mut Canvas, words: &Words, section: &mut Section, piece: &Evidence, detail: Detail) {
    section.put(canvas, &[span(Label::Plain, words.say(&piece.says))]);
    section.put_within(canvas, 2, &[span(Label::Faint, place(words, &piece.at))]);
    match &piece.at {
        Locator::File { line, column, snippet, .. } if !snippet.is_empty() => {
            source_line(canvas, section, *line, *column, snippet);
        }
        _ => quote(canvas, section, &piece.quote, detail.of(QUOTED)),
    }
}

fn quote(canvas: &mut Canvas, section: &Section, text: &str, most: usize) {
    let indent = section.column() + 2;
    let lines: Vec<String> =
        plain_lines(text.trim()).flat_map(|line| canvas.wrapped(indent + 2, &line)).collect();
    let skipped = lines.len().saturating_sub(most);
    // On a line of its own: in front of a full line it would push the end out.
    if skipped > 0 {
        canvas.quoted_line(indent, "…");
    }
    for line in lines.iter().skip(skipped) {
        canvas.quoted_line(indent, line);
    }
}

/// The line of a file, with a caret below the place in it.
pub fn source_line(canvas: &mut Canvas, section: &Section, line: u32, column: u32, snippet: &str) {
    // Where something is hidden, columns no longer fit: then there is no caret.
    let safe = without_secrets(snippet);
    // Nor is there one beyond what is kept of a long line.
    let within = column as usize <= snippet.chars().count() + 1;
    let column = if safe == snippet && within { column } else { 0 };
    let indent = " ".repeat(section.column() + 2);
    let number = if line == 0 { String::new() } else { line.to_string() };
    let gutter = " ".repeat(number.len());
    let room = canvas.width().saturating_sub(indent.len() + number.len() + 3);
    let shown = Shown::of(&safe, column as usize, room);
    canvas
        .row(&[span(Label::Faint, format!("{indent}{number} │ ")), span(Label::Plain, shown.text.as_str())]);
    if column > 0 {
        canvas.row(&[
            span(Label::Faint, format!("{indent}{gutter} │ ")),
            span(Label::Failed, format!("{}{}", " ".repeat(shown.caret_at), "^".repeat(shown.caret_cells))),
        ]);
    }
}

/// The part of a line that fits, and where the caret goes, in cells.
struct Shown {
    text: String,
    caret_at: usize,
    caret_cells: usize,
}

impl Shown {
    fn of(snippet: &str, column: usize, room: usize) -> Self {
        let before: String = snippet.chars().take(column.saturating_sub(1)).collect();
        let rest: String = snippet.chars().skip(column.saturating_sub(1)).collect();
        let (before, marked, rest) = (plain(&before), plain(token(&rest)), plain(&rest));
        // A place that would fall off the right edge: the line begins later.
        let mut skipped = 0;
        let kept: String = if cells(&before) + cells(&marked) > room {
            let spare = room.saturating_sub(cells(&marked) + 2);
            let kept: String =
                before.chars().rev().take(spare).collect::<Vec<_>>().into_iter().rev().collect();
            skipped = 1;
            format!("…{kept}")
        } else {
            before
        };
        let caret_at = cells(&kept);
        let text = format!("{kept}{rest}");
        let text =
            if cells(&text) > room { format!("{}…", fitting(&text, room.saturating_sub(1))) } else { text };
        let caret_cells = cells(&marked).clamp(1, room.saturating_sub(caret_at + skipped).max(1));
        Self { text, caret_at, caret_cells }
    }
}

/// What the caret underlines: a quoted value with its quotes, else a word.
fn token(rest: &str) -> &str {
    let end = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            rest.char_indices().skip(1).find(|(_, c)| *c == quote).map(|(at, _)| at + 1)
        }
        _ => rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}' | '=')),
    };
    let end = end.unwrap_or_else(|| rest.trim_end().len());
    rest.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_underlines_the_value() {
        let line = r#"config_path = "/etc/a:/etc/b" # two"#;
        let shown = Shown::of(line, 15, 60);
        assert_eq!((shown.caret_at, shown.caret_cells), (14, 15));
        assert_eq!(shown.text, line);
    }

    #[test]
    fn a_far_place_is_brought_into_view() {
        let line = format!("{}needle", "x".repeat(200));
        let shown = Shown::of(&line, 201, 40);
        assert!(cells(&shown.text) <= 40, "{}", shown.text);
        let under: String = shown.text.chars().skip(shown.caret_at).take(shown.caret_cells).collect();
        assert_eq!(under, "needle");
    }

    #[test]
    fn wide_characters_count_two() {
        assert_eq!(Shown::of("이름 = 값", 6, 40).caret_at, 7);
    }
}
