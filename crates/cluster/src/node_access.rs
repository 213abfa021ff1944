//! A look at a node through the API server, also where nothing can be pulled: a short-lived pod from an image that the node
//! has already, the node's root mounted read-only, this program streamed in, its report read, the pod removed.
//!
//! The only thing in this crate that changes a cluster: it is never done unasked, and it is shown before it is done.

use crate::Options;
use crate::connect::connect;
use crate::error::{ConnectError, plain};
use k8s_openapi::api::core::v1::{Node, Pod};
use kube::Api;
use kube::api::{AttachParams, DeleteParams, PostParams};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The pod's namespace: one that lets privileged pods run as a rule.
pub const NAMESPACE: &str = "kube-system";
/// No node report is larger.
const MOST: u64 = 64 << 20;
/// How long the pod may take to start, the report to come, and the pod to go.
const START: Duration = Duration::from_secs(60);
const REPORT: Duration = Duration::from_secs(60);
const GONE: Duration = Duration::from_secs(30);
/// Directories of the node in which a shell and its libraries lie; the image itself need not have any.
const SHELL: &[&str] = &["/bin", "/lib", "/lib64", "/usr"];

/// Why a node could not be looked at so.
#[derive(Debug, Error)]
pub enum NodeAccessError {
    /// No connection.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The API server says no, or the node cannot run it.
    #[error("looking at node {node} through a pod: {why}")]
    Refused {
        /// The node.
        node: String,
        /// Why, and what it would take.
        why: String,
    },
    /// The pod could not be removed.
    #[error(
        "the pod {NAMESPACE}/{pod} on node {node} could not be removed: {why}; remove it: kubectl -n {NAMESPACE} delete pod {pod}"
    )]
    Left {
        /// The node.
        node: String,
        /// The pod's name.
        pod: String,
        /// Why.
        why: String,
    },
    /// This program cannot be read.
    #[error("reading this program's own file {0}: {1}")]
    Program(PathBuf, String),
}

/// The pod, as it is shown and made. It ends by itself after two minutes, whatever happens.
pub fn pod(node: &str, image: &str) -> Value {
    let mounted: Vec<Value> = SHELL
        .iter()
        .map(|dir| json!({"name": name(dir), "mountPath": dir, "readOnly": true}))
        .chain([
            json!({"name": "host", "mountPath": "/host", "readOnly": true}),
            json!({"name": "work", "mountPath": "/pullproof"}),
        ])
        .collect();
    let volumes: Vec<Value> = SHELL
        .iter()
        .map(|dir| json!({"name": name(dir), "hostPath": {"path": dir}}))
        .chain([
            json!({"name": "host", "hostPath": {"path": "/"}}),
            json!({"name": "work", "emptyDir": {"sizeLimit": "64Mi"}}),
        ])
        .collect();
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"generateName": "pullproof-node-", "namespace": NAMESPACE, "labels": {"app.kubernetes.io/name": "pullproof"}},
        "spec": {
            "nodeName": node,
            "hostPID": true,
            "hostNetwork": true,
            "restartPolicy": "Never",
            "activeDeadlineSeconds": 120,
            "terminationGracePeriodSeconds": 0,
            "automountServiceAccountToken": false,
            "enableServiceLinks": false,
            "tolerations": [{"operator": "Exists"}],
            "containers": [{
                "name": "node",
                "image": image,
                "imagePullPolicy": "Never",
                "command": ["/bin/sh", "-c", "sleep 110"],
                // Another process's environment and the runtime's socket are root's alone.
                "securityContext": {"privileged": true, "runAsUser": 0, "readOnlyRootFilesystem": true},
                "volumeMounts": mounted,
            }],
            "volumes": volumes,
        },
    })
}

fn name(dir: &str) -> String {
    format!("node-{}", dir.trim_start_matches('/'))
}

/// The node report, as JSON. `show` gets the pod before it is made. The pod is removed also where the caller stops waiting
/// for anything but the removal.
///
/// # Errors
/// See [`NodeAccessError`].
pub async fn read(
    options: &Options,
    node: &str,
    program: &Path,
    show: impl FnOnce(&Value),
) -> Result<String, NodeAccessError> {
    let refused = |why: String| NodeAccessError::Refused { node: node.to_owned(), why };
    let unread = |e: std::io::Error| NodeAccessError::Program(program.to_owned(), e.to_string());
    let bytes = std::fs::read(program).map_err(unread)?;
    let client = connect(options).await?.client;
    let found: Node = Api::all(client.clone()).get(node).await.map_err(|e| refused(words(&e)))?;
    let image = image(&found).ok_or_else(|| refused("the node lists no image that could be run".into()))?;
    let manifest = pod(node, &image);
    let typed: Pod = serde_json::from_value(manifest.clone()).map_err(|e| refused(e.to_string()))?;
    let pods: Api<Pod> = Api::namespaced(client, NAMESPACE);
    // What policy forbids is found out before anything is made.
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    let needs = "it takes leave to create, exec into and delete privileged pods there";
    pods.create(&dry, &typed).await.map_err(|e| refused(format!("{}; {needs}", words(&e))))?;
    show(&manifest);
    let made = pods.create(&PostParams::default(), &typed).await.map_err(|e| refused(words(&e)))?;
    let pod = made.metadata.name.unwrap_or_default();
    let report = tokio::select! {
        report = run(&pods, &pod, node, &bytes) => report.map_err(refused),
        _ = tokio::signal::ctrl_c() => Err(refused("interrupted".to_owned())),
    };
    remove(&pods, &pod).await.map_err(|why| NodeAccessError::Left { node: node.to_owned(), pod, why })?;
    report
}

/// The image that is run: the pause image where there is one, since it is small and pinned; else any.
fn image(node: &Node) -> Option<String> {
    let images = node.status.as_ref()?.images.as_ref()?;
    let names: Vec<&String> = images.iter().flat_map(|i| i.names.iter().flatten()).collect();
    let tagged = |n: &&&String| !n.contains('@') && !n.contains("<none>");
    let is_pause = |n: &&&String| n.rsplit('/').next().is_some_and(|last| last.starts_with("pause"));
    let named = names.iter().filter(tagged);
    named.clone().find(is_pause).or_else(|| named.clone().next()).map(|n| (*n).clone())
}

async fn run(pods: &Api<Pod>, pod: &str, node: &str, program: &[u8]) -> Result<String, String> {
    let started = tokio::time::timeout(START, running(pods, pod)).await;
    started.map_err(|_| format!("its pod did not start within {START:?}"))??;
    let size = program.len();
    let node = node.replace(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-')), "");
    let script = format!(
        "umask 077; head -c {size} >/pullproof/pullproof && chmod 700 /pullproof/pullproof && /pullproof/pullproof node --root /host --live --name {node} -o json"
    );
    let params =
        AttachParams { stdin: true, stdout: true, stderr: true, tty: false, ..AttachParams::default() };
    let talk = async {
        let mut attached =
            pods.exec(pod, ["/bin/sh", "-c", &script], &params).await.map_err(|e| words(&e))?;
        let (stdin, stdout, stderr) = (attached.stdin(), attached.stdout(), attached.stderr());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err("the API server gave no streams".to_owned());
        };
        let (mut report, mut complaint) = (String::new(), String::new());
        let send = async {
            stdin.write_all(program).await?;
            stdin.flush().await
        };
        let (mut out, mut err) = (stdout.take(MOST), stderr.take(1 << 16));
        let (sent, got, _) =
            tokio::join!(send, out.read_to_string(&mut report), err.read_to_string(&mut complaint));
        sent.map_err(|e| format!("sending the program: {e}"))?;
        got.map_err(|e| format!("reading its report: {e}"))?;
        if report.is_empty() {
            Err(format!("it printed no report: {}", plain(complaint.trim())))
        } else {
            Ok(report)
        }
    };
    tokio::time::timeout(REPORT, talk).await.map_err(|_| format!("no report within {REPORT:?}"))?
}

/// Waits until the pod runs.
async fn running(pods: &Api<Pod>, pod: &str) -> Result<(), String> {
    loop {
        let now = pods.get(pod).await.map_err(|e| words(&e))?;
        let status = now.status.unwrap_or_default();
        match status.phase.as_deref() {
            Some("Running") => return Ok(()),
            Some("Failed" | "Succeeded") => {
                return Err(format!("its pod ended: {}", status.message.unwrap_or_default()));
            }
            _ => {}
        }
        let waiting = status
            .container_statuses
            .unwrap_or_default()
            .into_iter()
            .find_map(|c| c.state.and_then(|s| s.waiting))
            .filter(|w| w.reason.as_deref().is_some_and(|r| r != "ContainerCreating"));
        if let Some(waiting) = waiting {
            let (reason, message) = (waiting.reason.unwrap_or_default(), waiting.message.unwrap_or_default());
            return Err(format!("its pod does not start: {reason}: {}", plain(&message)));
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

/// Removes the pod, and waits until it is gone.
async fn remove(pods: &Api<Pod>, pod: &str) -> Result<(), String> {
    let now = DeleteParams::default().grace_period(0);
    let gone = |e: &kube::Error| matches!(e, kube::Error::Api(s) if s.code == 404);
    match pods.delete(pod, &now).await {
        Err(e) if !gone(&e) => return Err(words(&e)),
        _ => {}
    }
    let wait = async {
        loop {
            match pods.get(pod).await {
                Err(e) if gone(&e) => return Ok(()),
                Err(e) => return Err(words(&e)),
                Ok(_) => tokio::time::sleep(Duration::from_millis(250)).await,
            }
        }
    };
    tokio::time::timeout(GONE, wait).await.unwrap_or_else(|_| Err(format!("still there after {GONE:?}")))
}

fn words(error: &kube::Error) -> String {
    match error {
        kube::Error::Api(status) => plain(&status.message),
        other => crate::error::chain(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pod_changes_nothing_on_the_node_and_ends_by_itself() {
        let pod = pod("w", "pause:1");
        let spec = &pod["spec"];
        assert_eq!(spec["containers"][0]["imagePullPolicy"], "Never");
        assert!(spec["activeDeadlineSeconds"].as_u64().is_some_and(|s| s <= 120));
        for mount in spec["containers"][0]["volumeMounts"].as_array().unwrap() {
            assert!(mount["readOnly"] == true || mount["name"] == "work", "{mount}");
        }
        assert!(serde_json::from_value::<Pod>(pod.clone()).is_ok());
    }

    #[test]
    fn the_pause_image_is_preferred() {
        let node: Node = serde_json::from_value(json!({"status": {"images": [
            {"names": ["r/big@sha256:a", "r/big:1"]}, {"names": ["registry.k8s.io/pause:3.10"]}]}}))
        .unwrap();
        assert_eq!(image(&node).as_deref(), Some("registry.k8s.io/pause:3.10"));
        assert_eq!(image(&Node::default()), None);
    }
}
