//! What a hypothesis is about: the thing that would have to be mended.

use crate::pull::Pull;
use std::fmt;

/// The thing that a cause concerns. Incidents are grouped by cause and subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// A registry, by host and port.
    Registry(String),
    /// A repository without tag: `registry.example.com/team/app`.
    Repository(String),
    /// One image reference, verbatim.
    Image(String),
    /// A node.
    Node(String),
    /// A file on a node (the node's name may be empty).
    File {
        /// The node.
        node: String,
        /// The absolute path.
        path: String,
    },
    /// A secret.
    Secret {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// A service account.
    ServiceAccount {
        /// Its namespace.
        namespace: String,
        /// Its name.
        name: String,
    },
    /// A pod, or the pods of one namespace that share a fault of their own.
    Pod {
        /// Its namespace.
        namespace: String,
        /// Its name; empty for those of a namespace.
        name: String,
    },
    /// A host that is asked and is not the image's registry: a mirror, a proxy, a token service, a blob store.
    Host(String),
    /// The whole cluster.
    Cluster,
}

impl Subject {
    /// What it is for a pull that is like this one in all but its names.
    #[must_use]
    pub fn of_another(&self, this: &Pull<'_>, other: &Pull<'_>) -> Self {
        let swap = |name: &str, this: &str, other: &str| if name == this { other } else { name }.to_owned();
        let node = |name: &str| swap(name, this.node, other.node);
        let space = |name: &str| swap(name, this.namespace, other.namespace);
        match self {
            Self::Node(name) => Self::Node(node(name)),
            Self::File { node: name, path } => Self::File { node: node(name), path: path.clone() },
            Self::Secret { namespace, name } => {
                Self::Secret { namespace: space(namespace), name: name.clone() }
            }
            Self::ServiceAccount { namespace, name } => {
                Self::ServiceAccount { namespace: space(namespace), name: name.clone() }
            }
            Self::Pod { namespace, name } => {
                Self::Pod { namespace: space(namespace), name: swap(name, this.pod_name, other.pod_name) }
            }
            Self::Registry(_) | Self::Repository(_) | Self::Image(_) | Self::Host(_) | Self::Cluster => {
                self.clone()
            }
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registry(s) | Self::Repository(s) | Self::Image(s) | Self::Node(s) | Self::Host(s) => {
                f.write_str(s)
            }
            Self::File { node, path } if node.is_empty() => f.write_str(path),
            Self::File { node, path } => write!(f, "{node}:{path}"),
            Self::Secret { namespace, name } => write!(f, "secret {namespace}/{name}"),
            Self::ServiceAccount { namespace, name } => write!(f, "serviceaccount {namespace}/{name}"),
            Self::Pod { namespace, name } if name.is_empty() => write!(f, "pods {namespace}/*"),
            Self::Pod { namespace, name } => write!(f, "pod {namespace}/{name}"),
            Self::Cluster => f.write_str("cluster"),
        }
    }
}
