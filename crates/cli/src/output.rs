//! Where words go: data on standard output, talk on standard error, and how both look.
//!
//! A closed pipe is never an error: whoever reads has read enough.

use crate::args::{ColorChoice, Common};
use crate::language;
use render::Look;
use std::io::{self, IsTerminal, Write};

/// The width where nothing says how wide the reader's window is.
const UNKNOWN_WIDTH: usize = 100;

/// The reader's side of this run.
pub struct Output {
    look: Look,
    talks: bool,
    closed: bool,
}

impl Output {
    /// Finds out who reads: flags first, then the environment, then the terminal.
    pub fn new(common: &Common) -> Self {
        let stdout = io::stdout();
        let color = match common.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            // Knows NO_COLOR, CLICOLOR, CLICOLOR_FORCE, TERM=dumb, and whether it is a terminal.
            ColorChoice::Auto => anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        };
        let lang = language::choose(common.lang, |name| std::env::var(name).ok());
        let look = Look::new(lang, width(), color);
        Self { look, talks: io::stderr().is_terminal() && !common.quiet, closed: false }
    }

    /// How things are to look.
    pub const fn look(&self) -> &Look {
        &self.look
    }

    /// Prints data. After the reader has gone, does nothing.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        self.write(text.as_bytes())
    }

    /// The same for bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other,
        }
    }

    /// Whether the reader of standard output has gone: time to stop.
    pub const fn closed(&self) -> bool {
        self.closed
    }

    /// Says something about the work, to a person who watches. Silent when nobody does.
    pub fn talk(&self, line: &str) {
        if self.talks {
            Self::stderr(&render::plain(line));
        }
    }

    /// Says several lines, also where nobody watches: what is about to change something is always said.
    pub fn talk_lines(&self, text: &str) {
        for line in text.lines() {
            Self::stderr(&render::plain(line));
        }
    }

    /// Says that the command gave up, and why: one line.
    pub fn complain(&self, why: &str) {
        Self::stderr(&render::complaint(&self.look, io::stderr().is_terminal(), why));
    }

    fn stderr(line: &str) {
        // There is nobody left to tell where this fails.
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}

/// COLUMNS where it is set, else the terminal's width.
fn width() -> usize {
    let set = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse::<usize>().ok()).filter(|c| *c > 0);
    set.or_else(|| terminal_size::terminal_size().map(|(w, _)| usize::from(w.0))).unwrap_or(UNKNOWN_WIDTH)
}
