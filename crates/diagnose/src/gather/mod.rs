//! Failing pulls out of a Snapshot: from pods, from events whose pods are not there, from texts, from ladders.
//!
//! One container is one pull, whatever speaks of it; what other vantages say of the same image joins it.

mod attempts;
mod by_image;
mod ladders;
mod pods;
mod texts;

use crate::case::Case;
use crate::pull::{Observation, Pull};
use std::cmp::Reverse;
use vocabulary::{Cause, Confidence, Level};

/// Every failing pull, in a stable order.
pub fn pulls<'a>(case: &Case<'a>) -> Vec<Pull<'a>> {
    let mut all = pods::pulls(case);
    texts::join(case, &mut all);
    ladders::join(case, &mut all);
    for pull in &mut all {
        attempts::set_aside(pull);
        pull.observations.sort_by_key(|o| Reverse(weight(o)));
    }
    all
}

/// The deciding observation comes first: one that carries a cause before one that does not, the kubelet's own before
/// another client's, the latest before older ones.
fn weight(o: &Observation<'_>) -> (bool, bool, bool, bool, Option<jiff::Timestamp>) {
    let cause = o.reading.cause;
    // A root that the words merely allow, as a secret that could not be read, is no better than a symptom that they state.
    let root = cause.level() == Level::Root && o.reading.confidence > Confidence::Possible;
    (carries(o), own(o), root, states_failure(o), o.when)
}

fn carries(o: &Observation<'_>) -> bool {
    !matches!(o.reading.cause, Cause::Unknown | Cause::NotAPullFailure)
}

/// Whether it is the client's whose pull it is.
fn own(o: &Observation<'_>) -> bool {
    matches!(o.vantage.client.as_str(), "kubelet" | "pullproof") || o.vantage.client.is_empty()
}

/// Whether it speaks of the attempt itself. The kubelet says of secrets that it could not retrieve whether or not the
/// pull depends on them, and of a container that could not be created it says `Error: ` and the runtime's words.
fn states_failure(o: &Observation<'_>) -> bool {
    let of_creation = o.reading.cause == Cause::RuntimeTimeout
        && o.text.strip_prefix("Error: ").is_some_and(|words| !words.contains("pull"));
    o.reading.cause != Cause::CredentialsSecretMissing && !of_creation
}
