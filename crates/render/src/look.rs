//! What the reader's side can show.

use crate::Lang;

/// The narrowest window that is laid out for; in a narrower one, lines are as long as here and wrap.
pub const NARROWEST: usize = 60;
/// Lines longer than this are hard to read, however wide the window is.
pub const WIDEST: usize = 120;

/// Language, widths in cells, and colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The language of sentences.
    pub lang: Lang,
    /// Cells in a line of text, between [`NARROWEST`] and [`WIDEST`].
    pub width: usize,
    /// Cells in a line of the wide form: as many as the window has.
    pub window: usize,
    /// Whether escape sequences for colour may be written.
    pub color: bool,
}

impl Look {
    /// A look for a window of this width in cells.
    pub fn new(lang: Lang, window: usize, color: bool) -> Self {
        Self { lang, width: window.clamp(NARROWEST, WIDEST), window: window.max(NARROWEST), color }
    }
}
