//! What one text says by itself, as `explain` shows it to a person: the words alone, nothing around them.

use serde::Serialize;
use vocabulary::{Cause, Confidence, Operation, Phase, Runtime};

/// One text, understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The finest cause that the words support.
    pub cause: Cause,
    /// What else the same words allow, best first.
    pub also_possible: Vec<Cause>,
    /// How sure the words alone are.
    pub confidence: Confidence,
    /// What was being done.
    pub operation: Operation,
    /// Which request was under way.
    pub phase: Option<Phase>,
    /// The image, verbatim.
    pub image: Option<String>,
    /// The image's registry with its port.
    pub registry_host: Option<String>,
    /// The host that was asked when it failed, where it is another: a mirror, a token service, a blob store.
    pub endpoint_host: Option<String>,
    /// Whose words they are.
    pub runtime: Option<Runtime>,
    /// The HTTP status that ended it.
    pub status: Option<u16>,
    /// The innermost words: what the verdict rests on.
    pub leaf: String,
}

/// The same failure in many lines of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeated {
    /// What the first of the lines says.
    pub says: Explanation,
    /// How many lines say so.
    pub count: u64,
    /// The time of the first, as its line has it; empty where the line has none.
    pub first: String,
    /// The time of the last.
    pub last: String,
}
