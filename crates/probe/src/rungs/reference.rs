//! Reference: the text is taken apart, as the runtime does before it asks anything.

use crate::note::{Note, Step};
use crate::trouble::Trouble;
use facts::seen;
use formats::reference::Reference;
use vocabulary::{Cause, Stage};

pub(crate) fn climb(image: &str) -> Step<Reference<'_>> {
    let mut note = Note::of(Stage::Reference);
    match Reference::parse(image) {
        Ok(reference) => {
            note.see(seen::HOST, reference.registry());
            note.see(seen::REPOSITORY, reference.repository());
            note.see(seen::REFERENCE, reference.by());
            note.passed(reference)
        }
        Err(words) => {
            let words = format!("failed to parse image reference {image:?}: {words}");
            note.failed(&Trouble::new(Stage::Reference, Cause::ReferenceInvalid, words))
        }
    }
}
