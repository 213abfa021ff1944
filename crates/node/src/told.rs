//! What a node report keeps of a node's files, as a file tree: what it does not tell of is not known.

use crate::tree::Look;
use emulate::files::parent;
use facts::{DockerConfig, NodeFacts, Observed, Why};
use std::collections::BTreeSet;

/// The tree.
pub struct Told {
    facts: NodeFacts,
    dirs: BTreeSet<String>,
    absent: BTreeSet<String>,
    listed: BTreeSet<String>,
}

impl Told {
    /// Of these facts.
    pub fn new(mut facts: NodeFacts) -> Self {
        let mut dirs: BTreeSet<String> = facts.dirs.iter().cloned().collect();
        for path in facts.files.keys().chain(&facts.dirs) {
            let mut dir = parent(path);
            while dirs.insert(dir.to_owned()) && dir != "/" {
                dir = parent(dir);
            }
        }
        let absent = std::mem::take(&mut facts.absent).into_iter().collect();
        let listed = std::mem::take(&mut facts.listed).into_iter().collect();
        Self { facts, dirs, absent, listed }
    }

    /// The shape of a docker configuration.
    pub fn docker_config(&self, path: &str) -> Option<&DockerConfig> {
        self.facts.docker_configs.get(path)
    }

    /// What stands at a path.
    pub fn look(&self, path: &str) -> Look {
        if let Some(file) = self.facts.files.get(path) {
            return match &file.text {
                Observed::Seen(text) if !text.contains("PRIVATE KEY") => {
                    Look::File { bytes: text.clone().into_bytes(), modified: file.modified }
                }
                Observed::Seen(_) => Look::Blind(Why::Unreadable, "a node report has no keys".into()),
                Observed::Blind(why) => Look::Blind(*why, String::new()),
            };
        }
        if self.dirs.contains(path) {
            return Look::Dir;
        }
        if self.is_absent(path) { Look::Absent } else { Look::Blind(Why::NotAsked, NOT_TOLD.into()) }
    }

    fn is_absent(&self, path: &str) -> bool {
        let mut at = path;
        loop {
            if self.absent.contains(at) || self.listed.contains(parent(at)) {
                return true;
            }
            if at == "/" || self.dirs.contains(parent(at)) {
                return false;
            }
            at = parent(at);
        }
    }

    /// The names in a directory, sorted.
    pub fn list(&self, dir: &str) -> Vec<String> {
        let all = self.facts.files.keys().chain(&self.dirs).filter(|p| *p != "/" && parent(p) == dir);
        let names: BTreeSet<String> =
            all.filter_map(|p| p.rsplit_once('/').map(|(_, name)| name.to_owned())).collect();
        names.into_iter().collect()
    }
}

const NOT_TOLD: &str = "the node report does not tell of it";

#[cfg(test)]
mod tests {
    use super::*;
    use facts::NodeFile;

    fn file(text: &str) -> NodeFile {
        NodeFile { text: Observed::Seen(text.into()), ..NodeFile::default() }
    }

    #[test]
    fn what_is_not_told_is_not_absent() {
        let mut facts = NodeFacts::default();
        facts.files.insert("/etc/certs.d/r/hosts.toml".into(), file("server = 'https://r'"));
        facts.files.insert("/etc/ssl/r.key".into(), file("-----BEGIN PRIVATE KEY-----\n***"));
        facts.listed = vec!["/etc/certs.d".into()];
        facts.absent = vec!["/etc/docker".into()];
        let told = Told::new(facts);
        assert!(matches!(told.look("/etc/certs.d/r/hosts.toml"), Look::File { .. }));
        assert_eq!(told.look("/etc/certs.d"), Look::Dir);
        assert_eq!(told.look("/etc/certs.d/other/hosts.toml"), Look::Absent);
        assert_eq!(told.look("/etc/docker/certs.d/r"), Look::Absent);
        for path in ["/etc/ssl/r.key", "/etc/ssl/ca.crt", "/etc/hosts"] {
            assert!(matches!(told.look(path), Look::Blind(..)), "{path}");
        }
        assert_eq!(told.list("/etc"), ["certs.d", "ssl"]);
    }
}
