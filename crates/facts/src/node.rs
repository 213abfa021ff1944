//! A node's own side: its files and what its processes report.

use crate::{DockerConfig, Observed, RuntimeVersion};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known of one node from its own files and commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFacts {
    /// The node's name; empty where the input does not say and cannot be told.
    pub name: String,
    /// Whether the input named it (a folder below `nodes/`), or it was told from a pod or an event.
    pub name_given: bool,
    /// Its files by absolute path, as on the node.
    pub files: BTreeMap<String, NodeFile>,
    /// The docker configurations among its files by absolute path, by shape: the files' texts have no values.
    #[serde(default)]
    pub docker_configs: BTreeMap<String, DockerConfig>,
    /// Directories that were seen, absolute, also empty ones.
    pub dirs: Vec<String>,
    /// Paths that were looked at on the node and are not there.
    #[serde(default)]
    pub absent: Vec<String>,
    /// Directories of which every name is in `files` or `dirs`.
    #[serde(default)]
    pub listed: Vec<String>,
    /// The names of the images that the runtime shows to the kubelet.
    #[serde(default)]
    pub images: Observed<Vec<String>>,
    /// Its runtime, where seen or stated.
    pub runtime: Option<RuntimeVersion>,
    /// The running runtime's process.
    pub process: Observed<Process>,
    /// The node's own clock, and how it is kept.
    pub clock: Observed<Clock>,
}

/// One file of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeFile {
    /// Its text, redacted and bounded; bytes that are no UTF-8 are replaced.
    pub text: Observed<String>,
    /// When it was last changed, where the source is the node itself or says so.
    pub modified: Option<Timestamp>,
    /// Where it was found in the input.
    pub source: String,
}

/// A running runtime.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started.
    pub started: Option<Timestamp>,
    /// Its command line.
    pub args: Vec<String>,
    /// The variables that matter to pulls (proxies, SSL_CERT_*), with user information in URLs hidden.
    pub environment: BTreeMap<String, String>,
}

/// A node's clock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// What it said.
    pub says: Option<Timestamp>,
    /// What it should have said at that moment, where another clock was read beside it.
    pub reference: Option<Timestamp>,
    /// Whether a time service says that it is synchronised.
    pub synchronized: Option<bool>,
}
