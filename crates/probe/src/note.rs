//! A rung under way: what is seen on it, in order, and how it ends.

use crate::trouble::Trouble;
use facts::{Fact, Outcome, Rung};
use std::fmt::Display;
use std::time::Instant;
use vocabulary::Stage;

/// The most facts of one rung, and the most characters of one value: what comes from outside is bounded.
const MOST_FACTS: usize = 400;
const MOST_CHARS: usize = 1000;

/// A rung, and what the next ones stand on: nothing where it failed.
pub(crate) struct Step<T> {
    pub(crate) rung: Rung,
    pub(crate) held: Option<T>,
    /// The rung that a failure really belongs to, where that is an earlier one.
    pub(crate) belongs_to: Option<Stage>,
}

/// The record of one rung while it is climbed.
pub(crate) struct Note {
    stage: Stage,
    begun: Instant,
    seen: Vec<Fact>,
}

impl Note {
    pub(crate) fn of(stage: Stage) -> Self {
        Self { stage, begun: Instant::now(), seen: Vec::new() }
    }

    /// Keeps one fact, under a name of [`facts::seen`].
    pub(crate) fn see(&mut self, name: &str, value: impl Display) {
        if self.seen.len() < MOST_FACTS {
            self.seen.push(Fact { name: name.to_owned(), value: bounded(&value.to_string()) });
        }
    }

    pub(crate) fn extend(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            self.see(&fact.name, fact.value);
        }
    }

    pub(crate) fn passed<T>(self, held: T) -> Step<T> {
        Step { rung: self.ends(Outcome::Passed), held: Some(held), belongs_to: None }
    }

    pub(crate) fn failed<T>(self, trouble: &Trouble) -> Step<T> {
        let outcome = Outcome::Failed { symptom: trouble.symptom, error: bounded(&trouble.words) };
        // Only TLS alerts come late: with TLS 1.3 a refused client shows at the first answer.
        let belongs_to = (trouble.stage == Stage::Tls && self.stage != Stage::Tls).then_some(Stage::Tls);
        Step { rung: self.ends(outcome), held: None, belongs_to }
    }

    /// Whether this was seen.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.seen.iter().any(|f| f.name == name && f.value == value)
    }

    /// It does not apply here; the next one stands on this all the same.
    pub(crate) fn skipped<T>(self, held: T) -> Step<T> {
        Step { rung: self.ends(Outcome::Skipped), held: Some(held), belongs_to: None }
    }

    fn ends(self, outcome: Outcome) -> Rung {
        let took_ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        Rung { stage: self.stage, outcome, took_ms, seen: self.seen }
    }
}

/// A rung that an earlier failure kept from being climbed.
pub(crate) fn not_reached(stage: Stage) -> Rung {
    Rung { stage, outcome: Outcome::NotReached, took_ms: 0, seen: Vec::new() }
}

/// Bounded, and without control characters, which have no business in a fact.
pub(crate) fn bounded(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(MOST_CHARS));
    for c in text.chars().take(MOST_CHARS) {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bounded_and_without_controls() {
        assert_eq!(bounded("a\u{1b}[31mb\n"), "a\\u{1b}[31mb\\n");
        assert_eq!(bounded(&"x".repeat(5000)).len(), MOST_CHARS);
    }
}
