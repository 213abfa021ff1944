//! What the words of the observations state by themselves.

use crate::case::Case;
use crate::pull::{Observation, Pull};
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::{Evidence, Say};
use vocabulary::{Cause, Confidence};

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

/// The same, where the words leave no other reading.
fn stated_alone(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    match pull.deciding() {
        Some(o) if o.reading.cause.is_root() && o.reading.confidence == Confidence::Confirmed => {
            Seen::yes(quote(o, Say::new("evidence-words-state").with("cause", o.reading.cause.id())))
        }
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Do the words themselves name the root, and leave no other reading?
pub static STATED_ALONE: Question = Question { id: "words-state-it", ask: stated_alone, test: None };
