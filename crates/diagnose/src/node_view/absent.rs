//! What a node's commands show not to be there, and what they list: a file that was not collected is not missing.

use crate::case::Case;
use crate::lines::output_at;
use emulate::files::{clean, join, parent};
use facts::NodeFacts;
use report::{Evidence, Locator, Say};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Absences and listings of one node.
#[derive(Debug, Default)]
pub struct Absences {
    missing: BTreeMap<String, Shown>,
    listings: BTreeMap<String, (BTreeSet<String>, Shown)>,
}

/// The line that shows something.
#[derive(Clone, Debug)]
pub struct Shown {
    at: Locator,
    quote: String,
}

impl Shown {
    /// As evidence.
    pub fn evidence(&self, says: Say) -> Evidence {
        Evidence { at: self.at.clone(), says, quote: self.quote.clone() }
    }
}

impl Absences {
    /// What the node's own collector looked at.
    fn looked_at(&mut self, facts: &NodeFacts) {
        let at = |path: &str| Locator::File {
            node: facts.name.clone(),
            path: path.to_owned(),
            line: 0,
            column: 0,
            snippet: String::new(),
        };
        for path in &facts.absent {
            self.missing.insert(path.clone(), Shown { at: at(path), quote: String::new() });
        }
        for dir in &facts.listed {
            let below = format!("{}/", dir.trim_end_matches('/'));
            let name = |p: &str| p.strip_prefix(&below).and_then(|r| r.split('/').next()).map(str::to_owned);
            let files = facts.files.range(below.clone()..).map_while(|(p, _)| name(p));
            let names = files.chain(facts.dirs.iter().filter_map(|d| name(d))).collect();
            self.listings.insert(dir.clone(), (names, Shown { at: at(dir), quote: String::new() }));
        }
    }

    /// The line that shows a path not to be there: an error about it or about a directory above it, or a listing of its
    /// directory without it.
    pub fn shown(&self, path: &str) -> Option<&Shown> {
        let mut above = path;
        loop {
            if let Some(shown) = self.missing.get(above) {
                return Some(shown);
            }
            let dir = parent(above);
            if let Some((names, shown)) = self.listings.get(dir) {
                let name = above.rsplit('/').next().unwrap_or_default();
                if !names.contains(name) {
                    return Some(shown);
                }
            }
            if dir == "/" {
                return None;
            }
            above = dir;
        }
    }

    /// Whether a listing has the path.
    pub fn is_listed(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        self.listings.get(parent(path)).is_some_and(|(names, _)| names.contains(name))
    }

    /// Whether something was listed at or below this path.
    pub fn has_listing_below(&self, path: &str) -> bool {
        let below = |p: &String| p.strip_prefix(path).is_some_and(|r| r.is_empty() || r.starts_with('/'));
        self.listings.iter().any(|(dir, (names, _))| below(dir) && !names.is_empty())
    }

    /// The names that a listing of this directory has.
    pub fn names(&self, dir: &str) -> impl Iterator<Item = &str> {
        self.listings.get(dir).into_iter().flat_map(|(names, _)| names.iter().map(String::as_str))
    }

    /// The listing of a directory.
    pub fn listing(&self, dir: &str) -> Option<&Shown> {
        self.listings.get(dir).map(|(_, shown)| shown)
    }
}

impl<'a> Case<'a> {
    /// What this node's commands show not to be there.
    pub fn absences(&self, facts: &'a NodeFacts) -> Rc<Absences> {
        let mut found = Absences::default();
        found.looked_at(facts);
        let only = self.snapshot.node_facts.len() <= 1;
        for output in &self.snapshot.outputs {
            let own = output.node.as_deref().map_or(only, |n| n == facts.name || (only && !facts.name_given));
            if !own {
                continue;
            }
            let words = formats::transcript::command(&output.command);
            let mut dir = String::new();
            let mut targets: Vec<String> =
                words.arguments.iter().filter(|a| a.starts_with('/')).map(|a| clean(a)).collect();
            let lists = words.program == "ls" && !words.has("-d");
            if targets.len() == 1 && lists {
                dir = targets.pop().unwrap_or_default();
            }
            for (number, line) in (output.origin.line + 1..).zip(output.text.lines()) {
                let shown = || Shown {
                    at: output_at(output, number),
                    quote: line.trim().chars().take(200).collect(),
                };
                if line.contains("No such file or directory") {
                    if let Some(path) = path_in(line) {
                        found.missing.entry(path).or_insert_with(shown);
                    }
                    continue;
                }
                if !lists {
                    continue;
                }
                let trimmed = line.trim_end();
                if let Some(head) = trimmed.strip_suffix(':').filter(|h| h.starts_with('/')) {
                    dir = clean(head);
                    found.listings.entry(dir.clone()).or_insert_with(|| (BTreeSet::new(), shown()));
                    continue;
                }
                if dir.is_empty() || trimmed.starts_with("total ") || trimmed.is_empty() {
                    continue;
                }
                let is_file = !found.listings.contains_key(&dir) && join(parent(&dir), trimmed) == dir;
                if is_file || trimmed == dir {
                    continue;
                }
                let entry = found.listings.entry(dir.clone()).or_insert_with(|| (BTreeSet::new(), shown()));
                for name in names_of(trimmed) {
                    entry.0.insert(name.to_owned());
                }
            }
            // A command that printed nothing listed an empty directory.
            if lists && !dir.is_empty() && output.text.trim().is_empty() {
                let shown =
                    Shown { at: output_at(output, output.origin.line), quote: output.command.clone() };
                found.listings.entry(dir).or_insert_with(|| (BTreeSet::new(), shown));
            }
        }
        Rc::new(found)
    }
}

/// The path that an error speaks of: in quotes, or the word before `: No such file`.
fn path_in(line: &str) -> Option<String> {
    let (before, _) = line.split_once(": No such file")?;
    let word = before.rsplit([' ', '\t']).next()?.trim_matches(['\'', '"', '‘', '’', ':']);
    word.starts_with('/').then(|| clean(word))
}

/// The names on one line of a listing: the last word of a long one, all words of a short one.
fn names_of(line: &str) -> Vec<&str> {
    let long = line.len() > 10
        && line.starts_with(['-', 'd', 'l', 'c', 'b', 's', 'p'])
        && line.get(1..10).is_some_and(|m| m.chars().all(|c| "rwxsStT-".contains(c)));
    if !long {
        return line.split_whitespace().map(|w| w.trim_matches(['\'', '"']).trim_end_matches('/')).collect();
    }
    let line = line.split(" -> ").next().unwrap_or(line);
    line.split_whitespace().next_back().into_iter().filter(|n| *n != "." && *n != "..").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::{CommandOutput, Origin, Snapshot, Vantage};

    fn absences(runs: &[(&str, &str)]) -> Rc<Absences> {
        let snapshot = Snapshot {
            node_facts: vec![NodeFacts { name: "w".into(), name_given: true, ..NodeFacts::default() }],
            outputs: runs
                .iter()
                .map(|(command, text)| CommandOutput {
                    vantage: Vantage { client: "ls".into(), place: "w".into() },
                    node: Some("w".into()),
                    command: (*command).into(),
                    text: (*text).into(),
                    origin: Origin { source: "nodes/w/ls.txt".into(), line: 1 },
                })
                .collect(),
            ..Snapshot::default()
        };
        let case = Case::new(&snapshot);
        case.absences(&snapshot.node_facts[0])
    }

    #[test]
    fn errors_and_listings_show_what_is_not_there() {
        let a = absences(&[
            (
                "ls -la /etc/containerd/certs.d",
                "ls: cannot access '/etc/containerd/certs.d': No such file or directory\n",
            ),
            ("ls /etc/rancher/k3s", "k3s.yaml\n"),
            (
                "ls -lR /x",
                "/x:\ntotal 4\ndrwxr-xr-x 2 root root 4096 Oct 10 08:20 node\n\n/x/node:\ntotal 4\n-rw------- 1 root root 33 Oct 10 08:20 password\n",
            ),
            ("ls /a /b", "/a:\n\n/b:\none two\n"),
        ]);
        assert!(a.shown("/etc/containerd/certs.d/r/hosts.toml").is_some());
        assert!(a.shown("/etc/rancher/k3s/registries.yaml").is_some());
        assert!(a.shown("/etc/rancher/k3s/k3s.yaml").is_none());
        assert!(a.shown("/x/k3s/registries.yaml").is_some());
        assert!(a.shown("/x/node/password").is_none() && a.is_listed("/x/node/password"));
        assert!(a.shown("/a/anything").is_some());
        assert_eq!(a.names("/b").collect::<Vec<_>>(), ["one", "two"]);
        assert!(a.shown("/elsewhere").is_none());
    }
}
