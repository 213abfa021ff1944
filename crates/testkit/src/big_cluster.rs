//! kubectl's JSON of a large cluster: nodes, pods and events as lists, indented as it writes them. Two pods in fifteen fail,
//! for five reasons in turn, spread over namespaces and nodes. The same size gives the same bytes.

use serde::Serialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// One reason why pods fail: their image, the innermost words, and the id of the cause that these state.
pub struct Reason {
    /// The image, verbatim.
    pub image: &'static str,
    /// What ended the attempt.
    pub words: &'static str,
    /// The cause.
    pub cause: &'static str,
}

/// The reasons, which failing pods have in turn.
pub const REASONS: [Reason; 5] = [
    Reason {
        image: "registry.corp.example/a/app:1",
        words: "failed to do request: Head \"https://registry.corp.example/v2/a/app/manifests/1\": tls: failed to verify certificate: x509: certificate signed by unknown authority",
        cause: "tls.unknown-authority",
    },
    Reason {
        image: "registry.corp.example/b/app:2",
        words: "registry.corp.example/b/app:2: not found",
        cause: "manifest.unknown",
    },
    Reason {
        image: "quay.corp.example/c/app:3",
        words: "failed to do request: Head \"https://quay.corp.example/v2/c/app/manifests/3\": dial tcp: lookup quay.corp.example on 10.0.0.53:53: no such host",
        cause: "dns.not-found",
    },
    Reason {
        image: "hub.corp.example/d/app:4",
        words: "unexpected status from HEAD request to https://hub.corp.example/v2/d/app/manifests/4: 429 Too Many Requests",
        cause: "rate.limited",
    },
    Reason {
        image: "hub2.corp.example/e/app:5",
        words: "failed to do request: Head \"https://hub2.corp.example/v2/e/app/manifests/5\": dial tcp 10.1.2.3:443: connect: connection refused",
        cause: "net.refused",
    },
];

/// The reason why a pod fails; `None` where it is well.
pub fn reason(pod: usize) -> Option<&'static Reason> {
    matches!(pod % 15, 3 | 11).then(|| &REASONS[pod / 15 % REASONS.len()])
}

/// Writes `nodes.json`, `pods.json` and `events.json` of a cluster of so many pods, with a node for each thirty.
///
/// # Errors
///
/// Writing fails.
pub fn write(folder: &Path, pods: usize) -> io::Result<()> {
    let nodes = (pods / 30).max(1);
    list(&folder.join("nodes.json"), (0..nodes).map(node))?;
    list(&folder.join("pods.json"), (0..pods).map(|n| pod(n, nodes)))?;
    list(&folder.join("events.json"), (0..pods).filter_map(|n| event(n, nodes)))
}

fn list(path: &Path, items: impl Iterator<Item = Value>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(b"{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n")?;
    for (n, item) in items.enumerate() {
        out.write_all(if n == 0 { b"        " } else { b",\n        " })?;
        let mut text = Vec::new();
        let form = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        item.serialize(&mut serde_json::Serializer::with_formatter(&mut text, form))?;
        for (n, line) in text.split(|b| *b == b'\n').enumerate() {
            out.write_all(if n == 0 { b"" } else { b"\n        " })?;
            out.write_all(line)?;
        }
    }
    let end = "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n";
    out.write_all(end.as_bytes())?;
    out.flush()
}

fn time(hour: usize, minute: usize, second: usize) -> String {
    format!("2026-11-30T{hour:02}:{minute:02}:{second:02}Z")
}

fn pod_name(n: usize) -> String {
    format!("app-{}-{n:06x}", n % 997)
}

fn full(reason: &Reason) -> String {
    let Reason { image, words, .. } = reason;
    format!(
        "Failed to pull image \"{image}\": failed to pull and unpack image \"{image}\": failed to resolve image: {words}"
    )
}

fn node(n: usize) -> Value {
    let images: Vec<Value> = (0..20)
        .map(|k| {
            let name = format!("registry.corp.example/base/img{k}");
            json!({"names": [format!("{name}@sha256:{k:064x}"), format!("{name}:1")], "sizeBytes": 1_000_000 + k})
        })
        .collect();
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": format!("node-{n:05}"),
            "labels": {"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"},
            "uid": format!("n{n}"),
        },
        "status": {
            "addresses": [{"type": "InternalIP", "address": format!("10.{}.{}.10", n >> 8 & 255, n & 255)}],
            "conditions": [{"type": "Ready", "status": "True"}],
            "images": images,
            "nodeInfo": {
                "architecture": "amd64",
                "containerRuntimeVersion": "containerd://2.2.1",
                "kubeletVersion": "v1.35.4",
                "operatingSystem": "linux",
                "osImage": "Ubuntu 24.04",
                "kernelVersion": "6.8.0",
            },
        },
    })
}

fn pod(n: usize, nodes: usize) -> Value {
    let reason = reason(n);
    let image =
        reason.map_or_else(|| format!("registry.corp.example/base/img{}:1", n % 20), |r| r.image.to_owned());
    let state = match reason {
        Some(r) => {
            let said = full(r);
            let (_, cause) = said.split_once(": ").unwrap_or_default();
            let message = format!("Back-off pulling image \"{image}\": ErrImagePull: {cause}");
            json!({"waiting": {"reason": "ImagePullBackOff", "message": message}})
        }
        None => json!({"running": {"startedAt": time(1, 2, 3)}}),
    };
    let written: serde_json::Map<String, Value> = (0..20).map(|k| (format!("f:k{k}"), json!({}))).collect();
    let variables: Vec<Value> =
        (0..15).map(|k| json!({"name": format!("E{k}"), "value": "x".repeat(20)})).collect();
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": pod_name(n),
            "namespace": format!("team-{}", n % 200),
            "uid": format!("p{n}"),
            "creationTimestamp": time(n % 24, n % 60, 1),
            "labels": {"app": format!("app-{}", n % 997), "pod-template-hash": format!("{n:x}")},
            "ownerReferences": [{
                "apiVersion": "apps/v1",
                "kind": "ReplicaSet",
                "name": format!("app-{}-x", n % 997),
                "uid": format!("r{}", n % 997),
                "controller": true,
            }],
            "managedFields": [{
                "manager": "kubelet",
                "operation": "Update",
                "time": time(2, 3, 4),
                "fieldsType": "FieldsV1",
                "fieldsV1": {"f:status": written},
            }],
        },
        "spec": {
            "nodeName": format!("node-{:05}", n % nodes),
            "serviceAccountName": "default",
            "imagePullSecrets": [{"name": "pull"}],
            "containers": [{
                "name": "main",
                "image": image,
                "imagePullPolicy": "IfNotPresent",
                "env": variables,
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}},
                "volumeMounts": [{"name": "t", "mountPath": "/var/run/secrets"}],
            }],
            "tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute"}],
            "volumes": [{"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "token"}}]}}],
        },
        "status": {
            "phase": if reason.is_some() { "Pending" } else { "Running" },
            "conditions": [
                {"type": "PodScheduled", "status": "True"},
                {"type": "Ready", "status": if reason.is_some() { "False" } else { "True" }},
            ],
            "containerStatuses": [{
                "name": "main",
                "image": image,
                "imageID": if reason.is_some() { String::new() } else { format!("sha256:{n:064x}") },
                "ready": reason.is_none(),
                "restartCount": 0,
                "state": state,
            }],
        },
    })
}

fn event(n: usize, nodes: usize) -> Option<Value> {
    let message = full(reason(n)?);
    let namespace = format!("team-{}", n % 200);
    Some(json!({
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": format!("app-{n:06x}.1"), "namespace": namespace},
        "involvedObject": {
            "kind": "Pod",
            "name": pod_name(n),
            "namespace": namespace,
            "uid": format!("p{n}"),
            "fieldPath": "spec.containers{main}",
        },
        "reason": "Failed",
        "message": message,
        "type": "Warning",
        "count": 7,
        "firstTimestamp": time(3, 0, 0),
        "lastTimestamp": time(3, 9, 0),
        "source": {"component": "kubelet", "host": format!("node-{:05}", n % nodes)},
    }))
}
