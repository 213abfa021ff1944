//! Which endpoint's error is shown when all of them fail.
//!
//! Follows `dockerResolver.Resolve`: until 1.4 a status other than 404 ends the pull; in 1.5 to 1.7 the first error that is
//! no 404 is kept; from 2.0 on the one of the highest class, and of these the first.

use super::version::Version;

/// How one endpoint failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// No answer that HTTP knows: refused, unresolved, untrusted, a failing token service, a missing Basic credential.
    Transport,
    /// 404.
    NotFound,
    /// Another status.
    Status,
}

/// The endpoint whose error is shown, by its place in the list; `None` for an empty one.
pub fn reported(version: &Version, outcomes: &[Outcome]) -> Option<usize> {
    let first = |wanted: &dyn Fn(Outcome) -> bool| outcomes.iter().position(|o| wanted(*o));
    if !version.since(1, 3, 0) {
        // The attempts were independent, and the last one's error stayed.
        return outcomes.len().checked_sub(1);
    }
    if !version.since(2, 0, 0) {
        return first(&|o| o != Outcome::NotFound).or(if outcomes.is_empty() { None } else { Some(0) });
    }
    let highest = outcomes.iter().max()?;
    first(&|o| o == *highest)
}
