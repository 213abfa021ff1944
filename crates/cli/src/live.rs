//! The command line's cluster flags into a Snapshot of that cluster.

use crate::args::KubeArgs;
use crate::exit::Failure;
use anyhow::Context;
use cluster::node_access::{self, NodeAccessError};
use cluster::{Namespaces, Options, Target};
use facts::{BlindSpot, Snapshot, Why};
use std::time::Duration;

/// Looks at the cluster that the flags name; `target` as in `diagnose TARGET`.
///
/// # Errors
/// A target that is no kind of kubectl's is a mistake of the line; without a cluster to look at nothing can be said.
pub fn collect(kube: &KubeArgs, target: Option<&str>, timeout: Duration) -> Result<Snapshot, Failure> {
    let options = options(kube, target, timeout)?;
    Ok(runtime()?.block_on(cluster::collect(&options))?)
}

/// At most this many nodes are looked at through pods, one after the other.
const NODES: usize = 3;

/// Looks at the nodes of failing pods through pods of its own, and puts what they say to the rest. A node that could not be
/// looked at is a blind spot; a pod that could not be removed is an error, since somebody has to.
pub fn node_access(
    kube: &KubeArgs,
    timeout: Duration,
    snapshot: &mut Snapshot,
    talk: impl Fn(&str),
) -> Result<(), Failure> {
    let options = options(kube, None, timeout)?;
    let program = std::env::current_exe().context("finding this program's own file")?;
    let waiting = snapshot.pods.iter().filter(|p| !p.node.is_empty() && !formats::kube::is_settled(p));
    let mut nodes: Vec<String> = waiting.map(|p| p.node.clone()).collect();
    nodes.sort();
    nodes.dedup();
    let mut blind = |node: &str, why: Why, detail: String| {
        let what = format!("node {node}");
        snapshot.blind_spots.push(BlindSpot { what, why, detail, needs: String::new() });
    };
    for node in nodes.split_off(NODES.min(nodes.len())) {
        blind(&node, Why::Truncated, format!("no more than {NODES} nodes are looked at in one run"));
    }
    let runtime = runtime()?;
    let mut found = Vec::new();
    for node in nodes {
        let show = |pod: &serde_json::Value| {
            talk(&format!("looking at node {node} through this pod, which is removed after it:\n{pod:#}"));
        };
        match runtime.block_on(node_access::read(&options, &node, &program, show)) {
            Ok(report) => found.push(report),
            Err(left @ NodeAccessError::Left { .. }) => return Err(left.into()),
            Err(error) => blind(&node, Why::Failed, error.to_string()),
        }
    }
    for report in found {
        let stdin = [std::path::PathBuf::from("-")];
        let mut read = saved::read_with(&stdin, saved::Limits::default(), &mut report.as_bytes());
        snapshot.node_facts.append(&mut read.node_facts);
        snapshot.blind_spots.append(&mut read.blind_spots);
    }
    Ok(())
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the network runtime")?)
}

fn options(kube: &KubeArgs, target: Option<&str>, timeout: Duration) -> Result<Options, Failure> {
    let target: Option<Target> =
        target.map(str::parse).transpose().map_err(|e: cluster::BadTarget| Failure::Usage(e.to_string()))?;
    let namespaces = match (&kube.namespace, kube.all_namespaces) {
        (Some(name), _) => Namespaces::Named(name.clone()),
        (None, true) => Namespaces::All,
        (None, false) => Namespaces::Current,
    };
    Ok(Options {
        kubeconfig: kube.kubeconfig.clone(),
        context: kube.context.clone(),
        as_user: kube.as_user.clone(),
        as_groups: kube.as_groups.clone(),
        namespaces,
        selector: kube.selector.clone(),
        target,
        timeout,
    })
}
