//! A node's file tree that remembers what was looked at: what the emulators read is what becomes facts, no more.

use crate::tree::{HostTree, Look};
use emulate::files::{Entry, Files, join};
use facts::{BlindSpot, DockerConfig, NodeFacts, NodeFile, Observed, Why};
use formats::docker_config::{self, Sameness};
use formats::redact;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// At most this many files are kept, of which each may have this many bytes, and all together this many.
const FILES: usize = 2_000;
const FILE_BYTES: usize = 256 << 10;
const ALL_BYTES: usize = 4 << 20;
/// A directory with more names than this is no configuration.
const NAMES: usize = 4_096;

/// The tree, and what was seen of it.
pub struct Recording<'t> {
    tree: &'t HostTree,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    facts: NodeFacts,
    same: Sameness,
    blind: BTreeMap<String, (Why, String)>,
    bytes: usize,
}

impl<'t> Recording<'t> {
    /// Nothing looked at yet.
    pub fn new(tree: &'t HostTree) -> Self {
        Self { tree, seen: RefCell::new(Seen::default()) }
    }

    /// Looks at a path, and remembers.
    pub fn look(&self, path: &str) -> Look {
        let look = self.tree.look(path);
        self.seen.borrow_mut().note(path, &look, self.tree.docker_config(path));
        look
    }

    /// A file's text, remembered.
    pub fn text(&self, path: &str) -> Option<String> {
        match self.look(path) {
            Look::File { bytes, .. } => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        }
    }

    /// Looks at everything below a directory, so that a later question about another image finds it.
    pub fn walk(&self, dir: &str, depth: usize) {
        if self.look(dir) != Look::Dir {
            return;
        }
        for name in self.list(dir) {
            let path = join(dir, &name);
            if self.look(&path) == Look::Dir && depth > 1 {
                self.walk(&path, depth - 1);
            }
        }
    }

    /// Something that follows from what was seen so far.
    pub fn with_facts<T>(&self, look: impl FnOnce(&NodeFacts) -> T) -> T {
        look(&self.seen.borrow().facts)
    }

    /// What was seen, and what was not.
    pub fn finish(self) -> (NodeFacts, Vec<BlindSpot>) {
        let Seen { mut facts, blind, .. } = self.seen.into_inner();
        for list in [&mut facts.dirs, &mut facts.absent, &mut facts.listed] {
            list.sort();
            list.dedup();
        }
        let spots = blind
            .into_iter()
            .map(|(what, (why, detail))| BlindSpot {
                needs: if why == Why::Forbidden { "run as root".into() } else { String::new() },
                what,
                why,
                detail,
            })
            .collect();
        (facts, spots)
    }
}

impl Seen {
    fn note(&mut self, path: &str, look: &Look, shape: Option<&DockerConfig>) {
        if self.facts.files.contains_key(path) {
            return;
        }
        match look {
            Look::File { bytes, modified } => {
                let text = self.kept(path, bytes, shape);
                let file = NodeFile { text, modified: *modified, source: path.to_owned() };
                self.facts.files.insert(path.to_owned(), file);
            }
            Look::Dir => self.facts.dirs.push(path.to_owned()),
            Look::Absent | Look::NotADirectory => self.facts.absent.push(path.to_owned()),
            Look::Socket => {}
            Look::Blind(why, words) => {
                let file = NodeFile { text: Observed::Blind(*why), modified: None, source: path.to_owned() };
                self.facts.files.insert(path.to_owned(), file);
                self.blind.insert(path.to_owned(), (*why, words.clone()));
            }
        }
    }

    /// A text without secrets, within the bounds.
    fn kept(&mut self, path: &str, bytes: &[u8], shape: Option<&DockerConfig>) -> Observed<String> {
        let text = String::from_utf8_lossy(bytes);
        if let Some(shape) = shape {
            self.facts.docker_configs.insert(path.to_owned(), shape.clone());
        } else if let Some((layout, part)) = docker_config::layout(path, &text) {
            let config = docker_config::read(path, layout, part.as_bytes(), &mut self.same);
            self.facts.docker_configs.insert(path.to_owned(), config);
        }
        if bytes.contains(&0) {
            return Observed::Blind(Why::Unreadable);
        }
        if bytes.len() > FILE_BYTES || self.bytes + bytes.len() > ALL_BYTES || self.facts.files.len() >= FILES
        {
            let words = format!("{} bytes; not kept in the report", bytes.len());
            self.blind.insert(path.to_owned(), (Why::Truncated, words));
            return Observed::Blind(Why::Truncated);
        }
        self.bytes += bytes.len();
        Observed::Seen(redact::document(&text))
    }
}

impl Files for Recording<'_> {
    fn entry(&self, path: &str) -> Entry<'_> {
        self.look(path).into()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let names = self.tree.list(dir);
        let complete = names.len() <= NAMES && self.tree.look(dir) == Look::Dir;
        if complete {
            self.seen.borrow_mut().facts.listed.push(dir.to_owned());
            // A listing is complete only where each name in it is known.
            for name in &names {
                let path = join(dir, name);
                let known = {
                    let facts = &self.seen.borrow().facts;
                    facts.files.contains_key(&path) || facts.dirs.contains(&path)
                };
                if !known {
                    self.look(&path);
                }
            }
            self.seen.borrow_mut().facts.dirs.push(dir.to_owned());
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_kept_without_secrets() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(dir.path().join("etc/certs.d/r")).unwrap();
        fs_err::write(dir.path().join("etc/a.toml"), "password = \"hunter2\"\nx = 1\n").unwrap();
        fs_err::write(dir.path().join("etc/config.json"), "{\"auths\":{\"r\":{\"auth\":\"dTpw\"}}}").unwrap();
        fs_err::write(dir.path().join("etc/certs.d/r/hosts.toml"), "server = \"https://r\"\n").unwrap();
        let tree = HostTree::new(dir.path());
        let seen = Recording::new(&tree);
        assert!(seen.text("/etc/a.toml").unwrap().contains("hunter2"));
        seen.look("/etc/config.json");
        seen.look("/etc/none");
        seen.walk("/etc/certs.d", 3);
        let (facts, blind) = seen.finish();
        assert!(blind.is_empty());
        let text = facts.files["/etc/a.toml"].text.seen().unwrap();
        assert!(!text.contains("hunter2") && text.contains("x = 1"));
        assert_eq!(facts.docker_configs["/etc/config.json"].entries[0].key, "r");
        assert_eq!(facts.absent, ["/etc/none"]);
        assert_eq!(facts.listed, ["/etc/certs.d", "/etc/certs.d/r"]);
        assert!(facts.files["/etc/certs.d/r/hosts.toml"].modified.is_some());
    }
}
