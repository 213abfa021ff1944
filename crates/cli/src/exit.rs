//! The exit statuses: one type, listed in `--help` and in the man page.

use crate::help;
use render::Lang;
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

/// How the program ends. The numbers never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// It looked, and nothing is failing. Also the end of every command that only shows something.
    Clear,
    /// It looked, and found failing pulls or a problem.
    Found,
    /// The command line was not understood.
    Usage,
    /// It could not look: no access, no input.
    CannotLook,
}

impl Exit {
    /// Every status, in order of its number.
    pub const ALL: &[Self] = &[Self::Clear, Self::Found, Self::Usage, Self::CannotLook];

    /// The number that a shell sees.
    pub const fn code(self) -> u8 {
        match self {
            Self::Clear => 0,
            Self::Found => 1,
            Self::Usage => 2,
            Self::CannotLook => 3,
        }
    }

    /// What it means, for `--help`.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Clear => "nothing is failing (always for explain and demo)",
            Self::Found => "failing pulls, or a problem, were found",
            Self::Usage => "the command line was not understood",
            Self::CannotLook => "it could not look: no access, no input",
        }
    }

    /// The status after clap has said what it has to say: help and version are no errors.
    pub fn after_showing(shown: &clap::Error, lang: Lang) -> Self {
        // A closed pipe is the reader's choice.
        let _ = match help::refusal(shown, lang) {
            Some(words) => writeln!(io::stderr().lock(), "{words}"),
            None => shown.print(),
        };
        if shown.use_stderr() { Self::Usage } else { Self::Clear }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command gave up.
#[derive(Debug)]
pub enum Failure {
    /// The command line asks for something that does not exist or does not go together.
    Usage(String),
    /// There was nothing to look at, or no way to.
    CannotLook(anyhow::Error),
}

impl Failure {
    /// The status that goes with it.
    pub const fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::CannotLook(_) => Exit::CannotLook,
        }
    }
}

impl fmt::Display for Failure {
    /// One line: what was being done, on what, and why it failed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(words) => f.write_str(words),
            Self::CannotLook(error) => write!(f, "{error:#}"),
        }
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::CannotLook(error.into())
    }
}

/// What a command returns.
pub type Outcome = Result<Exit, Failure>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_that_scripts_depend_on() {
        let codes: Vec<u8> = Exit::ALL.iter().map(|e| e.code()).collect();
        assert_eq!(codes, [0, 1, 2, 3]);
    }
}
