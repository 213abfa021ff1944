//! Credentials: which entry of which source a client with these sources would send. Nothing is sent here.

use crate::credentials::{Credential, Credentials};
use crate::note::{Note, Step};
use facts::seen;
use formats::reference::Reference;
use std::time::Duration;
use vocabulary::Stage;

pub(crate) async fn climb(
    credentials: &Credentials,
    reference: &Reference<'_>,
    limit: Duration,
) -> Step<Option<Credential>> {
    let mut note = Note::of(Stage::Credentials);
    let (chosen, failed) = credentials.choose(reference.registry(), &reference.repository(), limit).await;
    for (source, problem) in failed {
        note.see(seen::CREDENTIALS_UNREADABLE, format!("{source}: {problem}"));
    }
    let Some(credential) = chosen else {
        for name in credentials.names() {
            note.see(seen::CREDENTIALS_SOURCE, name);
        }
        note.see(seen::CREDENTIALS_KIND, "none");
        return note.skipped(None);
    };
    note.see(seen::CREDENTIALS_SOURCE, &credential.found.source);
    note.see(seen::CREDENTIALS_KEY, &credential.found.key);
    note.see(seen::CREDENTIALS_USER, &credential.user);
    note.see(seen::CREDENTIALS_KIND, credential.kind.word());
    note.passed(Some(credential))
}
