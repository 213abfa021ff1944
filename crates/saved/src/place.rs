//! Where a path of the input belongs: which node's root it lies in, or whose side its folder shows.

use facts::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A node's root folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Root {
    /// Its path in the input, without a `/` at the end; empty where the whole input is one node.
    pub path: String,
    /// The node's name, where the folder's name is one.
    pub name: Option<String>,
    /// Whether the folder stands below `nodes/`, where names are given on purpose.
    pub given: bool,
}

/// The roots of an input.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    by_path: BTreeMap<String, Root>,
}

/// Folders that only a root file system has at its top.
const SYSTEM: &[&str] = &[
    "etc", "var", "usr", "opt", "run", "proc", "sys", "root", "home", "lib", "lib64", "boot", "srv", "mnt",
    "tmp", "dev", "host", "data", "bin", "sbin",
];

impl Roots {
    /// Finds the roots among the paths of an input: a folder named `node`, each folder in a folder named `nodes`, and any
    /// folder with `etc/` or `var/lib/` in it. Of roots within each other the outer one counts.
    pub fn find<'p>(paths: impl Iterator<Item = &'p str> + Clone) -> Self {
        let mut systems = BTreeSet::new();
        for path in paths.clone() {
            let parts: Vec<&str> = path.split('/').collect();
            let folders = parts.len().saturating_sub(1);
            for (n, part) in parts.iter().enumerate().take(folders) {
                let is_var_lib = *part == "var" && parts.get(n + 1) == Some(&"lib") && n + 1 < folders;
                if *part == "etc" || is_var_lib {
                    systems.insert(parts.get(..n).unwrap_or_default().join("/"));
                    break;
                }
            }
        }
        let mut by_path = BTreeMap::new();
        for path in paths {
            if let Some(root) = root_of(path, &systems) {
                by_path.entry(root.path.clone()).or_insert(root);
            }
        }
        Self { by_path }
    }

    /// The root that a path lies in, and the rest of the path below it.
    pub fn of<'p>(&self, path: &'p str) -> Option<(&Root, &'p str)> {
        if let Some(root) = self.by_path.get("") {
            return Some((root, path));
        }
        path.match_indices('/').find_map(|(at, _)| {
            let root = self.by_path.get(path.get(..at)?)?;
            Some((root, path.get(at + 1..)?))
        })
    }
}

fn root_of(path: &str, systems: &BTreeSet<String>) -> Option<Root> {
    if systems.contains("") {
        return Some(Root { path: String::new(), name: None, given: false });
    }
    let mut parent = "";
    let mut start = 0;
    for (at, _) in path.match_indices('/') {
        let folder = path.get(start..at)?;
        let prefix = path.get(..at)?;
        if parent == "nodes" {
            return Some(Root { path: prefix.to_owned(), name: Some(folder.to_owned()), given: true });
        }
        if folder == "node" {
            return Some(Root { path: prefix.to_owned(), name: None, given: false });
        }
        if systems.contains(prefix) {
            return Some(Root { path: prefix.to_owned(), name: Some(folder.to_owned()), given: false });
        }
        parent = folder;
        start = at + 1;
    }
    None
}

/// Whether a path below a root is a file of the node (and not something that was collected beside its files).
pub fn is_node_file(below: &str) -> bool {
    below.split_once('/').is_some_and(|(first, _)| SYSTEM.contains(&first))
}

/// Whose side a path outside of nodes shows: the first folder with a telling name, from the outside.
pub fn place(path: &str) -> Place {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders
        .split('/')
        .find_map(|f| match f {
            "kube" | "cluster-resources" | "cluster-scoped-resources" | "namespaces" => Some(Place::Kube),
            "registry" => Some(Place::Registry),
            "ci" => Some(Place::Ci),
            "shell" => Some(Place::Shell),
            "probe" => Some(Place::Probe),
            _ => None,
        })
        .unwrap_or(Place::Elsewhere)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(paths: &[&str]) -> Vec<(String, Option<String>, bool)> {
        let found = Roots::find(paths.iter().copied());
        found.by_path.into_values().map(|r| (r.path, r.name, r.given)).collect()
    }

    #[test]
    fn roots_are_found_by_name_and_by_content() {
        assert_eq!(
            roots(&["in/node/etc/rancher/node/password", "in/node/journal.txt", "in/kube/pod.yaml"]),
            [("in/node".into(), None, false)]
        );
        assert_eq!(
            roots(&["in/nodes/w1/etc/hosts", "in/nodes/w2/date.txt", "in/core/nodes/w3.yaml"]),
            [
                ("in/nodes/w1".into(), Some("w1".into()), true),
                ("in/nodes/w2".into(), Some("w2".into()), true)
            ]
        );
        assert_eq!(
            roots(&[
                "in/worker-7/etc/containerd/config.toml",
                "in/a/var/lib/kubelet/config.json",
                "in/b/var/log/x"
            ]),
            [
                ("in/a".into(), Some("a".into()), false),
                ("in/worker-7".into(), Some("worker-7".into()), false)
            ]
        );
        assert_eq!(roots(&["etc/hosts", "x"]), [(String::new(), None, false)]);
        assert_eq!(roots(&["node", "nodes/w1.yaml", "etc"]), []);
    }

    #[test]
    fn paths_below_a_root() {
        let found = Roots::find(["in/node/etc/hosts"].into_iter());
        let (root, below) = found.of("in/node/etc/containerd/config.toml").expect("in it");
        assert_eq!((root.path.as_str(), below), ("in/node", "etc/containerd/config.toml"));
        assert!(found.of("in/kube/x").is_none());
        assert!(is_node_file("etc/hosts") && !is_node_file("journal.txt") && !is_node_file("commands/x.txt"));
    }

    #[test]
    fn folders_name_the_side() {
        for (path, wanted) in [
            ("in/registry/core.log", Place::Registry),
            ("in/ci/push.log", Place::Ci),
            ("in/kube/registry-pod.yaml", Place::Kube),
            ("registry", Place::Elsewhere),
        ] {
            assert_eq!(place(path), wanted, "{path}");
        }
    }
}
