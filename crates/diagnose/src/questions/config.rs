//! Whether a node's registry configuration has a given fault for this pull. The looking is done by `faults`.

use crate::case::Case;
use crate::faults::Fault;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::subject::Subject;
use facts::Why;
use report::{Evidence, Remedy};
use vocabulary::Cause;

/// The cause with this number in the vocabulary: questions are functions without captures.
fn cause(number: usize) -> Option<Cause> {
    Cause::ALL.get(number).copied()
}

/// The number of a cause in the vocabulary.
pub const fn number(cause: Cause) -> usize {
    cause as usize
}

fn fault_of(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject, number: usize) -> Option<Fault> {
    let wanted = cause(number)?;
    case.faults(pull).found.iter().find(|f| f.cause == wanted && f.subject == *subject).cloned()
}

fn is_there<const CAUSE: usize>(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    if let Some(fault) = fault_of(case, pull, subject, CAUSE) {
        return Seen::Is(Answer::Yes, fault.evidence);
    }
    let faults = case.faults(pull);
    let excluded = faults.excluded.iter().filter(|(c, _)| Some(*c) == cause(CAUSE));
    let by: Vec<Evidence> = excluded.map(|(_, by)| by.clone()).collect();
    if by.is_empty() { Seen::Blind(Why::NotAsked) } else { Seen::Is(Answer::No, by) }
}

fn is_certain<const CAUSE: usize>(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match fault_of(case, pull, subject, CAUSE) {
        Some(fault) if fault.certain => Seen::Is(Answer::Yes, fault.evidence),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// What a fault of this kind would concern: the files that have it, else the node.
pub fn subjects<const CAUSE: usize>(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let wanted = cause(CAUSE);
    let faults = case.faults(pull);
    let found: Vec<Subject> =
        faults.found.iter().filter(|f| Some(f.cause) == wanted).map(|f| f.subject.clone()).collect();
    if found.is_empty() { vec![Subject::Node(pull.node.to_owned())] } else { found }
}

/// What mends it.
pub fn remedies<const CAUSE: usize>(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    fault_of(case, pull, subject, CAUSE).map(|f| f.remedies).unwrap_or_default()
}

/// The command that shows what the node's files come to.
const TEST: Option<Test> =
    Some(Test { cost: 5, vantage: "node", command: |_, pull, _| format!("pullproof node {}", pull.image) });

/// Does the node's configuration have this fault for this image?
pub const fn there<const CAUSE: usize>(id: &'static str) -> Question {
    Question { id, ask: is_there::<CAUSE>, test: TEST }
}

/// Does what was collected leave no other reading?
pub const fn certain<const CAUSE: usize>(id: &'static str) -> Question {
    Question { id, ask: is_certain::<CAUSE>, test: None }
}
