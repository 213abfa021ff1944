//! Several collections in one input: each has its own `kube/`, its own `node/`, its own `environment.txt`, which speak of
//! each other and of nothing else.

use facts::{Origin, Snapshot, StatedVersion};
use std::collections::{BTreeMap, BTreeSet};

/// The collections that objects and what lies beside them were read of.
fn all(snapshot: &Snapshot) -> BTreeSet<String> {
    let events = snapshot.events.iter().map(|e| &e.meta.origin);
    let pods = snapshot.pods.iter().map(|p| &p.meta.origin);
    let outputs = snapshot.outputs.iter().map(|o| &o.origin);
    let documents = snapshot.documents.iter().map(|d| &d.origin);
    let origins = events.chain(pods).chain(outputs).chain(documents);
    origins.filter_map(Origin::collection).map(str::to_owned).collect()
}

/// Whether more than one was read.
pub fn are_several(snapshot: &Snapshot) -> bool {
    all(snapshot).len() > 1
}

/// Gives what was stated of a collection as a whole to its nodes, where another collection states something else.
/// `roots` are the collections of the nodes whose files were read, and their names.
pub fn versions_to_nodes(snapshot: &mut Snapshot, roots: &[(String, String)]) {
    let mut known = all(snapshot);
    known.extend(roots.iter().map(|(scene, _)| scene.clone()));
    // `environment.txt` lies in the folder of its collection.
    let scene_of = |v: &StatedVersion| {
        let folder = v.origin.source.rsplit_once('/').map_or("", |(folder, _)| folder);
        known.get(folder).cloned().filter(|_| v.node.is_none())
    };
    let mut stated: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for v in &snapshot.versions {
        if let Some(scene) = scene_of(v) {
            stated.entry(scene).or_default().insert(v.program.clone(), v.version.clone());
        }
    }
    let differ = stated.values().collect::<BTreeSet<_>>().len() > 1;
    if !differ {
        return;
    }
    let mut nodes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for pod in &snapshot.pods {
        nodes.entry(pod.meta.origin.collection().unwrap_or_default()).or_default().insert(&pod.node);
    }
    for event in &snapshot.events {
        nodes.entry(event.meta.origin.collection().unwrap_or_default()).or_default().insert(&event.host);
    }
    for (scene, name) in roots {
        nodes.entry(scene).or_default().insert(name);
    }
    let mut all: Vec<StatedVersion> = Vec::new();
    for v in &snapshot.versions {
        let Some(scene) = scene_of(v) else {
            all.push(v.clone());
            continue;
        };
        let named = nodes.get(scene.as_str()).into_iter().flatten().filter(|n| !n.is_empty());
        let before = all.len();
        all.extend(named.map(|n| StatedVersion { node: Some((*n).to_owned()), ..v.clone() }));
        if all.len() == before {
            all.push(StatedVersion { node: Some(String::new()), ..v.clone() });
        }
    }
    snapshot.versions = all;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn event(pod: &str, node: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Event\nmetadata:\n  name: {pod}.1\n  namespace: shop\ninvolvedObject:\n  kind: Pod\n  name: {pod}\n  namespace: shop\nreason: Failed\ntype: Warning\nmessage: 'Failed to pull image \"a\": x'\nsource:\n  component: kubelet\n  host: {node}\n"
        )
    }

    fn read(texts: &[(&str, &str)]) -> Snapshot {
        let texts: Vec<(String, String)> = texts.iter().map(|(p, t)| ((*p).into(), (*t).into())).collect();
        crate::read_texts(&texts, Limits::default())
    }

    #[test]
    fn each_collection_names_its_own_node_and_states_its_own_versions() {
        let (one, two) = (event("web", "w1"), event("api", "w2"));
        let snapshot = read(&[
            ("a/environment.txt", "containerd v1.7.20\n"),
            ("a/kube/events.yaml", &one),
            ("a/node/etc/hosts", "127.0.0.1 localhost\n"),
            ("b/environment.txt", "cri-o 1.29.1\n"),
            ("b/kube/events.yaml", &two),
            ("b/node/etc/hosts", "127.0.0.1 localhost\n"),
        ]);
        let nodes: Vec<_> = snapshot
            .node_facts
            .iter()
            .map(|n| (n.name.as_str(), n.runtime.as_ref().map(|r| r.version.as_str())))
            .collect();
        assert_eq!(nodes, [("w1", Some("1.7.20")), ("w2", Some("1.29.1"))]);
        let stated: Vec<_> = snapshot.versions.iter().map(|v| v.node.as_deref()).collect();
        assert_eq!(stated, [Some("w1"), Some("w2")]);
    }

    #[test]
    fn of_one_collection_everything_is_said_of_all() {
        let two = format!("{}---\n{}", event("web", "w1"), event("api", "w2"));
        let snapshot = read(&[("a/environment.txt", "containerd v1.7.20\n"), ("a/kube/events.yaml", &two)]);
        assert_eq!(snapshot.versions[0].node, None);
    }
}
