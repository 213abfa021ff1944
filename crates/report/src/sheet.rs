//! What the table of causes says of one of them, for an index and for documentation.

use crate::Say;
use vocabulary::Cause;

/// One cause: as what it shows, what may stand behind it, and by which questions it is told from its rivals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The cause.
    pub cause: Cause,
    /// The symptoms (and shallower roots) as which it can show.
    pub shows_as: Vec<Cause>,
    /// The roots that can stand behind it.
    pub behind: Vec<Cause>,
    /// The questions that decide, those that prove it first.
    pub questions: Vec<Asked>,
}

/// One question of a cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What it asks.
    pub says: Say,
    /// Whether its answer shows the cause, or leaves no room for another; else it only rules it out.
    pub proves: bool,
    /// The command that would answer it, with placeholders in capitals; empty where no single one does.
    pub command: String,
}
