//! Roots on the registry's side.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answers, Question, Seen};
use crate::questions::words;
use crate::row::{Row, proof};
use crate::subject::Subject;
use vocabulary::Cause;

fn registry(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Host(pull.asked_host().to_owned())]
}

fn limit_stated(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    words::stated(pull, Cause::RateLimited)
}

static LIMIT_STATED: Question = Question { id: "words-state-a-rate-limit", ask: limit_stated, test: None };

/// Roots on the registry's side.
pub static ROWS: &[Row] = &[Row {
    cause: Cause::RateLimited,
    shows_as: &[],
    about: registry,
    expects: &[proof(&LIMIT_STATED, Answers::YES)],
    remedy: |_, _, _| Vec::new(),
}];
