//! What stands around the words of one record: the words found in it, the requests it names, what was under way.

use super::marks::Mark;
use super::records::Record;
use super::request::Request;
use super::scan::{Hit, TABLES};

/// What stands around the words of one record.
pub(crate) struct Scene<'t> {
    pub text: &'t str,
    pub record: &'t Record,
    /// The words found in it.
    pub hits: &'t [Hit],
    /// The URLs in it.
    pub requests: &'t [Request<'t>],
    pub marks: u64,
    /// Those of the whole text.
    pub all: u64,
    /// The record before says that a pull or push failed, and not why.
    pub follows_failure: bool,
}

impl Scene<'_> {
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.marks & mark.bit() != 0
    }

    pub(crate) fn words(&self) -> &str {
        self.text.get(self.record.span.clone()).unwrap_or_default()
    }

    /// Behind the last word that sets `mark`; 0 where none does.
    pub(crate) fn last_of(&self, mark: Mark) -> usize {
        self.hits.iter().rev().find(|h| sets(h, mark)).map_or(0, |h| h.end as usize)
    }
}

/// Whether a word found sets `mark`.
pub(crate) fn sets(hit: &Hit, mark: Mark) -> bool {
    TABLES.marks(hit.needle) & mark.bit() != 0
}

/// All marks among `hits`.
pub(crate) fn marks(hits: &[Hit]) -> u64 {
    hits.iter().fold(0, |set, hit| set | TABLES.marks(hit.needle))
}
