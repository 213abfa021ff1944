//! Where an image is: in the registry, on nodes, only on the machine that built it.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;

fn repository_there(_: &Case<'_>, _: &Pull<'_>, _: &Subject) -> Seen {
    Seen::Blind(Why::NotAsked)
}

/// Has the registry the repository, asked with credentials that are good?
pub static REPOSITORY_THERE: Question =
    Question { id: "ask-repository-there", ask: repository_there, test: None };
