//! The three sentences of each cause: verdict, meaning, fix.

use super::Words;
use vocabulary::Cause;

impl Words {
    /// The verdict in one line, with what is known of image, registry, host, node and subject.
    pub fn title(&self, cause: Cause, args: &[(&str, &str)]) -> String {
        self.with(&key(cause, "title"), args)
    }

    /// What the cause means, whatever it hits.
    pub fn meaning(&self, cause: Cause) -> String {
        self.get(&key(cause, "meaning"))
    }

    /// What removes it, in one sentence.
    pub fn fix(&self, cause: Cause) -> String {
        self.get(&key(cause, "fix"))
    }

    /// The title of an incident: that of the cause which its arguments name.
    pub(super) fn incident_title(&self, args: &[(&str, &str)]) -> String {
        let id = args.iter().find(|(name, _)| *name == "cause").map_or("", |(_, id)| *id);
        match id.parse() {
            Ok(cause) => self.title(cause, args),
            Err(_) => crate::plain(id),
        }
    }
}

/// `cause-tls-unknown-authority-title`.
pub(super) fn key(cause: Cause, part: &str) -> String {
    format!("cause-{}-{part}", cause.id().replace('.', "-"))
}
