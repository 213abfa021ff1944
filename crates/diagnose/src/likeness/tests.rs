//! Weighing once for all that are alike gives what weighing each by itself gives.

use super::first_alike;
use crate::case::Case;
use crate::{engine, gather, incidents};
use facts::{Container, Event, Meta, Node, Pod, Secret, Snapshot, Waiting};
use jiff::SignedDuration;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn alone(snapshot: &Snapshot) -> report::Report {
    let case = Case::new(snapshot);
    let pulls = gather::pulls(&case);
    let each: Vec<usize> = (0..pulls.len()).collect();
    let verdicts = engine::judge_by(&case, &pulls, &each);
    crate::report(snapshot, incidents::group(&case, &pulls, verdicts))
}

/// How many pulls there are, and how many of them are weighed.
fn weighed(snapshot: &Snapshot) -> (usize, usize) {
    let case = Case::new(snapshot);
    let pulls = gather::pulls(&case);
    (pulls.len(), first_alike(&case, &pulls).into_iter().collect::<HashSet<_>>().len())
}

/// Another pod that fails in the same words: in another namespace, on another node, at another time.
fn add_twin(s: &mut Snapshot, of: usize, namespace: &str, node: &str, later: SignedDuration) {
    let mut pod = s.pods[of].clone();
    let (old_namespace, old_name) = (pod.meta.namespace.clone(), pod.meta.name.clone());
    if !namespace.is_empty() {
        pod.meta.namespace = namespace.into();
    }
    pod.meta.name = format!("twin-{}-of-{old_name}", s.pods.len());
    pod.meta.uid = format!("uid-{}", s.pods.len());
    pod.meta.labels.insert("pod-template-hash".into(), format!("{}", s.pods.len()));
    pod.meta.created = pod.meta.created.map(|t| t + later);
    if !node.is_empty() && !pod.node.is_empty() {
        if let Some(mut twin) = s.nodes.iter().find(|n| n.meta.name == pod.node).cloned() {
            twin.meta.name = node.into();
            twin.addresses = vec!["192.0.2.77".into()];
            s.nodes.push(twin);
        }
        pod.node = node.into();
    }
    let of_it = |e: &&Event| e.kind == "Pod" && e.namespace == old_namespace && e.name == old_name;
    let events: Vec<Event> = s.events.iter().filter(of_it).cloned().collect();
    for mut event in events {
        event.namespace.clone_from(&pod.meta.namespace);
        event.meta.namespace.clone_from(&pod.meta.namespace);
        event.meta.name = format!("{}.{}", pod.meta.name, s.events.len());
        event.name.clone_from(&pod.meta.name);
        event.uid.clone_from(&pod.meta.uid);
        event.first = event.first.map(|t| t + later);
        event.last = event.last.map(|t| t + later);
        if !event.host.is_empty() {
            event.host.clone_from(&pod.node);
        }
        s.events.push(event);
    }
    s.pods.push(pod);
}

#[test]
fn every_case_with_twins_of_its_pods_is_judged_alike_both_ways() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases");
    let all = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path().join("inputs"));
    let mut inputs: Vec<PathBuf> = all.filter(|p| p.is_dir()).collect();
    inputs.sort();
    assert!(!inputs.is_empty());
    for input in inputs {
        let mut snapshot = saved::read(std::slice::from_ref(&input), saved::Limits::default());
        for of in 0..snapshot.pods.len().min(8) {
            for (namespace, node, hours) in [
                ("", "", 0),
                ("", "far-node", 3),
                ("far-space", "", -40),
                ("far-space", "far-node", 0),
                ("other-space", "other-node", 0),
            ] {
                add_twin(&mut snapshot, of, namespace, node, SignedDuration::from_hours(hours));
            }
        }
        assert_eq!(crate::diagnose(&snapshot), alone(&snapshot), "{}", input.display());
    }
}

/// A cluster whose pods fail for five reasons in turn, on many nodes.
fn cluster(pods: usize) -> Snapshot {
    const WORDS: [(&str, &str); 5] = [
        (
            "registry.corp.example/a/app:1",
            "Head \"https://registry.corp.example/v2/a/app/manifests/1\": tls: failed to verify certificate: x509: certificate signed by unknown authority",
        ),
        ("registry.corp.example/b/app:2", "registry.corp.example/b/app:2: not found"),
        (
            "quay.corp.example/c/app:3",
            "Head \"https://quay.corp.example/v2/c/app/manifests/3\": dial tcp: lookup quay.corp.example on 10.0.0.53:53: no such host",
        ),
        (
            "hub.corp.example/d/app:4",
            "failed to extract layer sha256:ab: write /var/lib/containerd/x: no space left on device",
        ),
        (
            "hub2.corp.example/e/app:5",
            "Head \"https://hub2.corp.example/v2/e/app/manifests/5\": dial tcp 10.1.2.3:443: connect: connection refused",
        ),
    ];
    let nodes = (pods / 10).max(1);
    let node = |n: usize| Node {
        meta: Meta { name: format!("node-{n}"), ..Meta::default() },
        kubelet: "v1.35.4".into(),
        addresses: vec![format!("10.1.{}.{}", n / 256, n % 256)],
        images: vec!["registry.corp.example/base:1".into()],
        ..Node::default()
    };
    let pod = |n: usize| {
        let (image, words) = WORDS[n % 5];
        let message = format!(
            "Back-off pulling image \"{image}\": ErrImagePull: failed to pull and unpack image \"{image}\": failed to resolve image: {words}"
        );
        Pod {
            meta: Meta { namespace: format!("team-{}", n % 7), name: format!("app-{n}"), ..Meta::default() },
            node: format!("node-{}", n % nodes),
            service_account: "default".into(),
            pull_secrets: vec!["pull".into()],
            phase: "Pending".into(),
            containers: vec![Container {
                name: "main".into(),
                image: image.into(),
                waiting: Some(Waiting { reason: "ImagePullBackOff".into(), message }),
                ..Container::default()
            }],
            ..Pod::default()
        }
    };
    Snapshot {
        pods: (0..pods).map(pod).collect(),
        nodes: (0..nodes).map(node).collect(),
        ..Snapshot::default()
    }
}

#[test]
fn a_cluster_is_judged_alike_both_ways_and_by_few() {
    let snapshot = cluster(600);
    assert_eq!(crate::diagnose(&snapshot), alone(&snapshot));
    let (pulls, weighed) = weighed(&snapshot);
    assert_eq!(pulls, 600);
    // The node that has the dialled address as its own, and the five reasons on any other.
    assert!(weighed <= 10, "{weighed}");
}

#[test]
fn what_anything_else_speaks_of_stays_apart() {
    let plain = weighed(&cluster(300)).1;
    let with = |change: &dyn Fn(&mut Snapshot)| {
        let mut snapshot = cluster(300);
        change(&mut snapshot);
        assert_eq!(crate::diagnose(&snapshot), alone(&snapshot));
        weighed(&snapshot).1
    };
    let secret = |namespace: &str| Secret {
        meta: Meta { namespace: namespace.into(), name: "pull".into(), ..Meta::default() },
        type_: "Opaque".into(),
        ..Secret::default()
    };
    assert!(with(&|s| s.secrets.push(secret("team-3"))) > plain);
    assert_eq!(with(&|s| s.secrets.push(secret("elsewhere"))), plain);
    assert!(with(&|s| s.nodes[4].kubelet = "v1.34.0".into()) > plain);
    assert!(with(&|s| s.nodes[4].addresses = vec!["10.1.2.3".into()]) > plain);
    assert!(with(&|s| s.pods[9].misplaced.push("spec.containers[0].imagePullSecrets".into())) > plain);
}
