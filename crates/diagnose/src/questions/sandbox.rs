//! The pause image: the runtime pulls it by itself, with no pod's credentials.

use super::words;
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::Say;
use vocabulary::{Cause, Operation, Stage};

fn anonymous(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    // A name that does not resolve, or a connection that does not come about, has nothing to do with who asks.
    let answered = |c: Cause| matches!(c.stage(), Stage::Token | Stage::Authorization | Stage::Manifest);
    let sandbox =
        pull.deciding().filter(|o| o.reading.operation == Operation::Sandbox && answered(o.reading.cause));
    match sandbox {
        Some(o) => Seen::yes(words::quote(
            o,
            Say::new("evidence-sandbox-without-credentials").with("image", &*pull.image),
        )),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Was it the sandbox's image, which is pulled without a pod's credentials?
pub static SANDBOX_ANONYMOUS: Question = Question { id: "ask-sandbox-image", ask: anonymous, test: None };
