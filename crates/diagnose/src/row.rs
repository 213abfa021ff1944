//! A row of the table: one root cause and what it predicts.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answers, Question};
use crate::subject::Subject;
use report::Remedy;
use vocabulary::Cause;

/// One root cause, as data.
pub struct Row {
    /// The cause.
    pub cause: Cause,
    /// The symptoms as which it can show, and the roots that it can stand behind (which are then no rivals of it). Its
    /// rivals are the rows that share one.
    pub shows_as: &'static [Cause],
    /// What it would concern in this pull: one hypothesis each. Empty where it cannot apply, which may be said only of
    /// facts that every pull carries (its image, operation, words).
    pub about: fn(&Case<'_>, &Pull<'_>) -> Vec<Subject>,
    /// What it predicts.
    pub expects: &'static [Expect],
    /// What removes it.
    pub remedy: fn(&Case<'_>, &Pull<'_>, &Subject) -> Vec<Remedy>,
}

/// One prediction: this question, answered so.
pub struct Expect {
    /// The question.
    pub q: &'static Question,
    /// The answers that fit.
    pub allows: Answers,
    /// What the answer is worth.
    pub how: How,
}

/// What an answer is worth to a hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Any other answer rules the cause out. No answer leaves it possible.
    Must,
    /// As `Must`, and without this answer the cause is not shown.
    Proof,
    /// As `Proof`, and the answer leaves no room for a rival: the fact itself excludes them.
    Decides,
    /// As `Must`, and the cause is shown without it; where it is answered so, it leaves no room for a rival.
    Settles,
    /// As `Must`, and as long as no fact answers it, nothing leaves no room for a rival: the cause is likely at most while
    /// a rival is left.
    Assures,
    /// It only ranks: the weight is added where the answer fits, and subtracted where another came.
    Hint(u8),
}

/// Shorthands for rows.
pub const fn must(q: &'static Question, allows: Answers) -> Expect {
    Expect { q, allows, how: How::Must }
}
/// See [`How::Proof`].
pub const fn proof(q: &'static Question, allows: Answers) -> Expect {
    Expect { q, allows, how: How::Proof }
}
/// See [`How::Decides`].
pub const fn decides(q: &'static Question, allows: Answers) -> Expect {
    Expect { q, allows, how: How::Decides }
}
/// See [`How::Settles`].
pub const fn settles(q: &'static Question, allows: Answers) -> Expect {
    Expect { q, allows, how: How::Settles }
}
/// See [`How::Assures`].
pub const fn assures(q: &'static Question, allows: Answers) -> Expect {
    Expect { q, allows, how: How::Assures }
}
/// See [`How::Hint`].
pub const fn hint(q: &'static Question, allows: Answers, weight: u8) -> Expect {
    Expect { q, allows, how: How::Hint(weight) }
}
