//! Reference: the text is taken apart, as the runtime does before it asks anything.

use crate::note::{Note, Step};
use crate::trouble::Trouble;
use facts::seen;
use formats::pull_reference::{self, PullReference};
use vocabulary::{Cause, Stage};

pub(crate) fn climb(image: &str) -> Step<PullReference> {
    let mut note = Note::of(Stage::Reference);
    match pull_reference::parse(image) {
        Ok(reference) => {
            note.see(seen::HOST, &reference.domain);
            note.see(seen::REPOSITORY, &reference.path);
            note.see(seen::REFERENCE, reference.by());
            note.passed(reference)
        }
        Err(words) => {
            let words = format!("failed to parse image reference {image:?}: {words}");
            note.failed(&Trouble::new(Stage::Reference, Cause::ReferenceInvalid, words))
        }
    }
}
