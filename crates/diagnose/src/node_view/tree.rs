//! A node's collected files as a file tree for the emulators: what was not collected is unknown, not absent.

use super::absent::Absences;
use emulate::files::{Entry, Files, parent};
use facts::NodeFacts;
use formats::pem;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The tree.
pub struct NodeTree<'f> {
    facts: &'f NodeFacts,
    absent: &'f Absences,
    implied: Option<(String, String)>,
}

impl<'f> NodeTree<'f> {
    /// `implied` is a file whose content is known without having been collected.
    pub fn new(facts: &'f NodeFacts, absent: &'f Absences, implied: Option<(String, String)>) -> Self {
        Self { facts, absent, implied }
    }
}

impl Files for NodeTree<'_> {
    fn entry(&self, path: &str) -> Entry<'_> {
        if let Some((_, text)) = self.implied.as_ref().filter(|(p, _)| p == path) {
            return Entry::File(Cow::Borrowed(text.as_bytes()));
        }
        if let Some(file) = self.facts.files.get(path) {
            return match file.text.seen() {
                // A key's content is hidden by the collector: it is there, and that is all.
                Some(text) if text.contains("PRIVATE KEY") || path.ends_with(".key") => Entry::Opaque,
                Some(text) if pem::is_abridged(text) => Entry::Opaque,
                Some(text) => Entry::File(Cow::Borrowed(text.as_bytes())),
                None => Entry::Opaque,
            };
        }
        let below = format!("{}/", path.trim_end_matches('/'));
        let is_dir = path == "/"
            || self.facts.dirs.iter().any(|d| d == path || d.starts_with(&below))
            || self.facts.files.range(below.clone()..).next().is_some_and(|(p, _)| p.starts_with(&below));
        if is_dir {
            return Entry::Dir;
        }
        if self.absent.shown(path).is_some() {
            return Entry::Absent;
        }
        if self.absent.is_listed(path) { Entry::Opaque } else { Entry::Unknown }
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let below = format!("{}/", dir.trim_end_matches('/'));
        let mut names: BTreeSet<String> = self.absent.names(dir).map(str::to_owned).collect();
        let child = |p: &str| p.strip_prefix(&below).and_then(|r| r.split('/').next()).map(str::to_owned);
        names.extend(self.facts.files.range(below.clone()..).map_while(|(p, _)| child(p)));
        names.extend(
            self.facts
                .dirs
                .iter()
                .filter(|d| parent(d) == dir || d.starts_with(&below))
                .filter_map(|d| child(d)),
        );
        names.into_iter().filter(|n| !n.is_empty()).collect()
    }
}
