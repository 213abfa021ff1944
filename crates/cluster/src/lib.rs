//! A live Kubernetes API into a Snapshot. Concludes nothing.

mod connect;
mod error;
mod exec;
mod kubeconfig;
mod options;
mod proxy;
mod resolve;
mod target;

pub use error::ConnectError;
pub use options::{Namespaces, Options};
pub use target::{BadTarget, Target, TargetKind};
