//! A live Kubernetes API into a Snapshot. Concludes nothing, changes nothing, and reads no more than it must.
//!
//! The only errors are those that keep it from looking at all ([`ConnectError`]); a list that is forbidden, cut or late is
//! a blind spot in the Snapshot, with the RBAC rule that would mend it. `deploy/rbac.yaml` has all of these rules.

mod accounts;
mod api;
mod collect;
mod connect;
mod error;
mod events;
mod exec;
mod kubeconfig;
pub mod kubelet_endpoints;
mod list;
pub mod node_access;
mod nodes;
mod options;
mod owners;
mod pods;
mod proxy;
mod resolve;
mod scope;
mod secrets;
mod target;

pub use collect::collect;
pub use error::ConnectError;
pub use options::{Namespaces, Options};
pub use target::{BadTarget, Target, TargetKind};
