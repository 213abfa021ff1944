//! What a question is, and what may come back: an answer with its evidence, or a reason why there is none.

use crate::case::Case;
use crate::pull::Pull;
use crate::subject::Subject;
use facts::Why;
use report::{Evidence, Say};

/// The answers that questions give. Small on purpose: many causes share a question, few share a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// The thing asked about is not there.
    Missing,
    /// It is there and of the wrong kind.
    WrongKind,
    /// It is there, somewhere else.
    Elsewhere,
    /// It is there and does not fit.
    Mismatch,
    /// It is there and cannot be read.
    Malformed,
    /// It is there, and too old or too new.
    Stale,
}

/// A set of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answers(u32);

impl Answers {
    /// Only `Yes`.
    pub const YES: Self = Self::of(&[Answer::Yes]);
    /// Only `No`.
    pub const NO: Self = Self::of(&[Answer::No]);
    /// Only `Missing`.
    pub const MISSING: Self = Self::of(&[Answer::Missing]);
    /// Only `WrongKind`.
    pub const WRONG_KIND: Self = Self::of(&[Answer::WrongKind]);
    /// Only `Elsewhere`.
    pub const ELSEWHERE: Self = Self::of(&[Answer::Elsewhere]);
    /// Only `Mismatch`.
    pub const MISMATCH: Self = Self::of(&[Answer::Mismatch]);
    /// Only `Malformed`.
    pub const MALFORMED: Self = Self::of(&[Answer::Malformed]);
    /// Only `Stale`.
    pub const STALE: Self = Self::of(&[Answer::Stale]);

    /// The set of these.
    pub const fn of(list: &[Answer]) -> Self {
        let (mut bits, mut i) = (0, 0);
        while i < list.len() {
            bits |= 1 << list[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// Whether it holds this one.
    pub const fn holds(self, answer: Answer) -> bool {
        self.0 & (1 << answer as u32) != 0
    }

    /// Whether two sets share an answer.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// An answer, with what shows it. Evidence is never empty: use the helpers in `questions`.
    Is(Answer, Vec<Evidence>),
    /// Nothing shows it either way. Never rules anything out.
    Blind(Why),
}

impl Seen {
    /// `Yes` with one piece of evidence.
    pub fn yes(evidence: Evidence) -> Self {
        Self::Is(Answer::Yes, vec![evidence])
    }

    /// `No` with one piece of evidence.
    pub fn no(evidence: Evidence) -> Self {
        Self::Is(Answer::No, vec![evidence])
    }
}

/// One question: a tested function from facts to an answer, and how a person would ask it.
pub struct Question {
    /// Its name, unique, `secret-matches-image`. Also the stem of its words in the catalogue: `ask-<id>`.
    pub id: &'static str,
    /// How it is answered from the facts.
    pub ask: fn(&Case<'_>, &Pull<'_>, &Subject) -> Seen,
    /// How it would be asked where the facts are silent; `None` where no single command does.
    pub test: Option<Test>,
}

/// The command that would answer a question.
pub struct Test {
    /// What it takes: 1 a command on this machine, 3 access to the cluster, 5 a shell on a node, 9 another team.
    pub cost: u8,
    /// From where: `kubectl`, `node`, `registry`, `here`.
    pub vantage: &'static str,
    /// The command line to copy.
    pub command: fn(&Case<'_>, &Pull<'_>, &Subject) -> String,
}

/// A probe of the pull's image from here: what it would answer, several questions ask.
pub const PROBE: Option<Test> =
    Some(Test { cost: 1, vantage: "here", command: |_, pull, _| format!("pullproof probe {}", pull.image) });

impl Question {
    /// The sentence that says what it asks. Questions that differ only in what they are about share it: their ids differ
    /// behind an `@`.
    pub fn says(&self) -> Say {
        Say { key: self.id.split('@').next().unwrap_or(self.id), args: Vec::new() }
    }
}
