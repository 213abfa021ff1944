//! What a piece of text is, and the one table of how that looks. Nothing is said by colour alone.

use anstyle::{AnsiColor, Color, Effects, Style};

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// Running text.
    Plain,
    /// A verdict.
    Strong,
    /// What is read last: places, legends.
    Faint,
    /// The head of a section.
    Head,
    /// Something that holds.
    Passed,
    /// Something that failed, and is shown to be the reason.
    Failed,
    /// Something that failed, where another reason cannot be excluded.
    Doubtful,
    /// A line to copy.
    Command,
    /// The words of others.
    Quote,
}

impl Label {
    fn style(self) -> Style {
        let color = |c: AnsiColor| Style::new().fg_color(Some(Color::Ansi(c)));
        match self {
            Self::Plain => Style::new(),
            // No colour of their own: blue is not readable on every dark background.
            Self::Strong | Self::Head => Style::new().effects(Effects::BOLD),
            Self::Faint => Style::new().effects(Effects::DIMMED),
            Self::Passed => color(AnsiColor::Green),
            Self::Failed => color(AnsiColor::Red).effects(Effects::BOLD),
            Self::Doubtful => color(AnsiColor::Yellow).effects(Effects::BOLD),
            Self::Command => color(AnsiColor::Cyan),
            Self::Quote => Style::new().effects(Effects::ITALIC),
        }
    }
}

/// Adds text to a line, in its style where colour is wanted.
pub fn push(line: &mut String, label: Label, text: &str, color: bool) {
    let style = label.style();
    if !color || style.is_plain() || text.is_empty() {
        line.push_str(text);
        return;
    }
    line.push_str(&style.render().to_string());
    line.push_str(text);
    line.push_str(&style.render_reset().to_string());
}
