//! The command line's cluster flags into a Snapshot of that cluster.

use crate::args::KubeArgs;
use crate::exit::Failure;
use anyhow::Context;
use cluster::{Namespaces, Options, Target};
use facts::Snapshot;
use std::time::Duration;

/// Looks at the cluster that the flags name; `target` as in `diagnose TARGET`.
///
/// # Errors
/// A target that is no kind of kubectl's is a mistake of the line; without a cluster to look at nothing can be said.
pub fn collect(kube: &KubeArgs, target: Option<&str>, timeout: Duration) -> Result<Snapshot, Failure> {
    let target: Option<Target> =
        target.map(str::parse).transpose().map_err(|e: cluster::BadTarget| Failure::Usage(e.to_string()))?;
    let namespaces = match (&kube.namespace, kube.all_namespaces) {
        (Some(name), _) => Namespaces::Named(name.clone()),
        (None, true) => Namespaces::All,
        (None, false) => Namespaces::Current,
    };
    let options = Options {
        kubeconfig: kube.kubeconfig.clone(),
        context: kube.context.clone(),
        as_user: kube.as_user.clone(),
        as_groups: kube.as_groups.clone(),
        namespaces,
        selector: kube.selector.clone(),
        target,
        timeout,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the network runtime")?;
    Ok(runtime.block_on(cluster::collect(&options))?)
}
