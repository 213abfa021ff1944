//! The command line's cluster flags into a Snapshot of that cluster.

use crate::args::KubeArgs;
use crate::exit::Failure;
use anyhow::Context;
use cluster::kubelet_endpoints;
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

/// At most this many nodes are looked at, one after the other.
const NODES: usize = 3;

/// The nodes of failing pods; those beyond the bound are blind spots.
fn nodes_of_failing(snapshot: &mut Snapshot) -> Vec<String> {
    let waiting = snapshot.pods.iter().filter(|p| !p.node.is_empty() && !formats::kube::is_settled(p));
    let mut nodes: Vec<String> = waiting.map(|p| p.node.clone()).collect();
    nodes.sort();
    nodes.dedup();
    for node in nodes.split_off(NODES.min(nodes.len())) {
        let detail = format!("no more than {NODES} nodes are looked at in one run");
        snapshot.blind_spots.push(unseen(&node, Why::Truncated, detail));
    }
    nodes
}

fn unseen(node: &str, why: Why, detail: String) -> BlindSpot {
    BlindSpot { what: format!("node {node}"), why, detail, needs: String::new() }
}

/// Asks the kubelets of failing pods for what they serve through the API server, and puts it to the rest.
///
/// # Errors
/// No connection to the API server.
pub fn through_kubelets(kube: &KubeArgs, timeout: Duration, snapshot: &mut Snapshot) -> Result<(), Failure> {
    let options = options(kube, None, timeout)?;
    let runtime = runtime()?;
    let mut texts = Vec::new();
    for node in nodes_of_failing(snapshot) {
        let found = snapshot.nodes.iter().find(|n| n.meta.name == node);
        let unit = match found.and_then(|n| n.runtime.split("://").next()) {
            Some("cri-o") => "crio",
            Some("docker") => "docker",
            _ => "containerd",
        };
        let mut told = runtime.block_on(kubelet_endpoints::read(&options, &node, unit))?;
        snapshot.blind_spots.append(&mut told.blind_spots);
        let from_kubelet = told.configuration.map(|text| (format!("nodes/{node}/configz.json"), text));
        let from_log = told.log.map(|text| (format!("nodes/{node}/{unit}.log"), text));
        texts.extend(from_kubelet.into_iter().chain(from_log));
    }
    join(snapshot, saved::read_texts(&texts, saved::Limits::default()));
    Ok(())
}

/// What was read of nodes, beside what the API server said.
fn join(snapshot: &mut Snapshot, mut read: Snapshot) {
    snapshot.node_facts.append(&mut read.node_facts);
    snapshot.sightings.append(&mut read.sightings);
    snapshot.outputs.append(&mut read.outputs);
    snapshot.documents.append(&mut read.documents);
    snapshot.ladders.append(&mut read.ladders);
    snapshot.blind_spots.append(&mut read.blind_spots);
}

/// Looks at the nodes of failing pods through pods of its own, and puts what they say to the rest. A node that could not be
/// looked at is a blind spot; a pod that could not be removed is an error, since somebody has to.
pub fn through_pods(
    kube: &KubeArgs,
    timeout: Duration,
    snapshot: &mut Snapshot,
    talk: impl Fn(&str),
) -> Result<(), Failure> {
    let options = options(kube, None, timeout)?;
    let program = std::env::current_exe().context("finding this program's own file")?;
    let nodes = nodes_of_failing(snapshot);
    let runtime = runtime()?;
    let mut found = Vec::new();
    for node in nodes {
        let show = |pod: &serde_json::Value| {
            talk(&format!("looking at node {node} through this pod, which is removed after it:\n{pod:#}"));
        };
        match runtime.block_on(node_access::read(&options, &node, &program, show)) {
            Ok(report) => found.push(report),
            Err(left @ NodeAccessError::Left { .. }) => return Err(left.into()),
            Err(error) => snapshot.blind_spots.push(unseen(&node, Why::Failed, error.to_string())),
        }
    }
    for report in found {
        let stdin = [std::path::PathBuf::from("-")];
        join(snapshot, saved::read_with(&stdin, saved::Limits::default(), &mut report.as_bytes()));
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
