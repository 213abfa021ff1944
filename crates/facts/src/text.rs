//! Where facts come from, and texts as they were found.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use vocabulary::{Operation, Runtime};

/// Who observed, from where: `kubelet@worker-7`, `curl@worker-7`, `pullproof@laptop`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Vantage {
    /// The client: `kubelet`, `containerd`, `curl`, `pullproof`.
    pub client: String,
    /// The place: a node's name, `laptop`, `ci`. Empty where the source does not say.
    pub place: String,
}

impl fmt::Display for Vantage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.client)
        } else {
            write!(f, "{}@{}", self.client, self.place)
        }
    }
}

/// A place in a source: file or API path, and the line where there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Origin {
    /// The source: `kube/events.yaml`, `live`, `stdin`.
    pub source: String,
    /// The line in it, from 1; 0 where lines mean nothing.
    pub line: u32,
}

impl Origin {
    /// The collection that it is part of; see [`collection`].
    pub fn collection(&self) -> Option<&str> {
        collection(&self.source)
    }
}

/// Folders of which one stands at the top of a collection.
const TOPS: &[&str] = &["kube", "node", "nodes", "probe", "registry", "ci", "shell"];

/// The folder of a collection: what stands before the first folder with a telling name. An input may hold several, of which
/// each has its own `kube/` and its own `node/`. `None` where no folder tells.
pub fn collection(source: &str) -> Option<&str> {
    let mut start = 0;
    for (at, _) in source.match_indices('/') {
        if source.get(start..at).is_some_and(|folder| TOPS.contains(&folder)) {
            return source.get(..start).map(|folder| folder.trim_end_matches('/'));
        }
        start = at + 1;
    }
    None
}

/// Whether two places are of different collections, neither of which holds the other.
pub fn are_apart(one: Option<&str>, two: Option<&str>) -> bool {
    one.zip(two).is_some_and(|(a, b)| {
        let within = |a: &str, b: &str| {
            a.is_empty() || b.strip_prefix(a).is_some_and(|r| r.is_empty() || r.starts_with('/'))
        };
        !within(a, b) && !within(b, a)
    })
}

/// What one command printed, as it was found: `$ curl -v ...` and the lines below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandOutput {
    /// Who ran it where: for a file below `nodes/NAME/`, that node.
    pub vantage: Vantage,
    /// The node it belongs to, where it was found in a node's folder.
    pub node: Option<String>,
    /// The command line without its prompt; empty where only the form gave it away.
    pub command: String,
    /// What it printed, redacted and bounded.
    pub text: String,
    /// The file and line of the command.
    pub origin: Origin,
}

/// A text that is neither a Kubernetes object nor a command's output: a log, a CI job, a registry's configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Where it belongs.
    pub place: Place,
    /// The node it belongs to, where it was found in a node's folder.
    pub node: Option<String>,
    /// Its path in the input, with `/` as separator.
    pub origin: Origin,
    /// Its text, redacted and bounded.
    pub text: String,
}

/// Whose side a document or a command's output shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// The cluster's API.
    Kube,
    /// A node.
    Node,
    /// The registry, its front end, or its token service.
    Registry,
    /// A build or push job.
    Ci,
    /// A person's shell.
    Shell,
    /// A probe somebody ran.
    Probe,
    /// The input does not say.
    Elsewhere,
}

/// A program's version as the input states it: `kubelet v1.34.2`, `containerd v2.2.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StatedVersion {
    /// `kubelet`, `containerd`, `docker`, `cri-o`, a product's name.
    pub program: String,
    /// As stated, without a leading `v`.
    pub version: String,
    /// The node it is about, where the source says.
    pub node: Option<String>,
    /// Where it was found.
    pub origin: Origin,
}

/// A runtime and its version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RuntimeVersion {
    /// Which runtime.
    pub runtime: Runtime,
    /// Its version without a leading `v`; empty where unknown.
    pub version: String,
}

/// A failing pull or push found in a text that belongs to no pod: a CLI's output, a log line, a CI job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sighting {
    /// Who saw it.
    pub vantage: Vantage,
    /// The node it happened on, where known.
    pub node: Option<String>,
    /// The words, redacted and bounded.
    pub text: String,
    /// The image that the command around the words names, verbatim; empty where only the words could name it.
    #[serde(default)]
    pub image: String,
    /// What the command around the words was doing, where there is one.
    #[serde(default)]
    pub operation: Option<Operation>,
    /// When, where the line says.
    pub at: Option<Timestamp>,
    /// How many lines said the same.
    pub count: u32,
    /// File and line of the first.
    pub origin: Origin,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_collection() {
        for (source, folder) in [
            ("a/inputs/kube/events.yaml", Some("a/inputs")),
            ("kube/events.yaml", Some("")),
            ("a/nodes/w1/etc/node/x", Some("a")),
            ("a/environment.txt", None),
        ] {
            assert_eq!(collection(source), folder, "{source}");
        }
        assert!(are_apart(Some("a"), Some("b")) && are_apart(Some("a/b"), Some("a/c")));
        assert!(!are_apart(Some("a"), Some("a/c")) && !are_apart(Some(""), Some("b")));
        assert!(!are_apart(None, Some("b")), "who knows");
    }
}
