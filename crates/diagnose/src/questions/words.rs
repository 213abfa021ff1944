//! What the words of the observations state by themselves.

use crate::pull::{Observation, Pull};
use crate::question::Seen;
use facts::Why;
use report::{Evidence, Say};
use vocabulary::Cause;

/// The evidence that an observation is.
pub fn quote(o: &Observation<'_>, says: Say) -> Evidence {
    Evidence { at: o.at.clone(), says, quote: o.reading.leaf.chars().take(400).collect() }
}

/// Whether some observation's words state a cause outright. `Blind` where none does: words never exclude by silence.
pub fn stated(pull: &Pull<'_>, cause: Cause) -> Seen {
    match pull.observations.iter().find(|o| o.reading.cause == cause) {
        Some(o) => Seen::yes(quote(o, Say::new("evidence-words-state").with("cause", cause.id()))),
        None => Seen::Blind(Why::NotAsked),
    }
}
