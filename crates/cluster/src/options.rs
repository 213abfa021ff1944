//! What the caller wants to look at, and how to get there.

use crate::Target;
use std::path::PathBuf;
use std::time::Duration;

/// Which cluster, as whom, and what of it.
#[derive(Clone, Debug)]
pub struct Options {
    /// `--kubeconfig`; else `KUBECONFIG`, `~/.kube/config`, or the pod's own service account.
    pub kubeconfig: Option<PathBuf>,
    /// `--context`; else the kubeconfig's current one.
    pub context: Option<String>,
    /// `--as`: the user to act as.
    pub as_user: Option<String>,
    /// `--as-group`, repeatable.
    pub as_groups: Vec<String>,
    /// Which namespaces.
    pub namespaces: Namespaces,
    /// `-l`: a label selector, passed on verbatim.
    pub selector: Option<String>,
    /// A pod or workload; `None` for all pods of the namespaces.
    pub target: Option<Target>,
    /// How long one request (or one run of a credential plugin) may take.
    pub timeout: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kubeconfig: None,
            context: None,
            as_user: None,
            as_groups: Vec::new(),
            namespaces: Namespaces::Current,
            selector: None,
            target: None,
            timeout: Duration::from_secs(30),
        }
    }
}

/// Which namespaces are looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Namespaces {
    /// The context's own, `default` where it names none.
    #[default]
    Current,
    /// `-n`.
    Named(String),
    /// `-A`.
    All,
}
