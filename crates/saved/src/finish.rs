//! The last step: nodes get their names, lists an order, and the whole its time.

use crate::builder::{Builder, key};
use crate::scenes;
use facts::{NodeFacts, Pod, RuntimeVersion, Snapshot, collection};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use vocabulary::Runtime;

/// What was read, as one Snapshot.
pub fn finish(mut builder: Builder) -> Snapshot {
    builder.note_dropped();
    let names = name_nodes(&builder);
    let of_root = |(path, scene): (String, String)| Some((scene, names.get(&path)?.0.clone()));
    let roots: Vec<(String, String)> = collections(&builder).into_iter().filter_map(of_root).collect();
    let mut snapshot = std::mem::take(&mut builder.snapshot);
    // Events of pods that are well and were only summed would look like failures of pods that are not there.
    snapshot.events.retain(|e| e.kind != "Pod" || !builder.summed.contains(&key(&e.namespace, &e.name)));
    namespaces(&mut snapshot);
    listed(&mut snapshot, std::mem::take(&mut builder.listed));
    manifests(&mut snapshot, std::mem::take(&mut builder.manifests), &names);
    for (root, path, at) in std::mem::take(&mut builder.modified) {
        let file = builder.nodes.get_mut(&root).and_then(|(_, facts)| facts.files.get_mut(&path));
        if let Some(file) = file {
            file.modified = file.modified.or(Some(at));
        }
    }
    let from_bundles = std::mem::take(&mut snapshot.node_facts);
    snapshot.node_facts =
        builder.nodes.into_iter().map(|(path, (_, facts))| named(facts, names.get(&path))).collect();
    snapshot.node_facts.extend(from_bundles);
    let marks: BTreeMap<String, String> =
        names.iter().map(|(path, (name, _))| (format!("\u{1}{path}"), name.clone())).collect();
    unmark(&mut snapshot, &marks);
    scenes::versions_to_nodes(&mut snapshot, &roots);
    runtimes(&mut snapshot);
    order(&mut snapshot);
    let cut = snapshot.blind_spots.iter().any(|b| b.why == facts::Why::Truncated);
    let lists = !builder.whole.is_empty();
    if lists && !cut {
        forget_gone(&mut snapshot, &builder.whole, &builder.summed_in, &builder.summed);
    }
    snapshot.coverage.pods = lists && !cut && (!snapshot.pods.is_empty() || snapshot.healthy.pods > 0);
    snapshot.coverage.nodes = lists && !cut && snapshot.nodes.len() > 1;
    if let (Some(coverage), false) = (builder.coverage, lists) {
        snapshot.coverage = coverage;
    }
    snapshot.taken_at = builder.newest;
    snapshot
}

/// Leaves out what events say of pods that are gone: where a namespace's pods were listed to the end, one that is not
/// among them speaks of the past, as in a live cluster. Its `Pulled` stays, as a control.
fn forget_gone(
    snapshot: &mut Snapshot,
    whole: &BTreeSet<String>,
    summed_in: &BTreeMap<String, BTreeSet<String>>,
    summed: &HashSet<u64>,
) {
    let pods = snapshot.pods.iter().filter(|p| !p.printed && whole.contains(&p.meta.origin.source));
    let mut listed: BTreeSet<String> = pods.map(|p| p.meta.namespace.clone()).collect();
    listed
        .extend(summed_in.iter().filter(|(source, _)| whole.contains(*source)).flat_map(|(_, n)| n.clone()));
    let here: HashSet<u64> = snapshot.pods.iter().map(|p| key(&p.meta.namespace, &p.meta.name)).collect();
    snapshot.events.retain(|e| {
        let named = key(&e.namespace, &e.name);
        e.kind != "Pod"
            || e.reason == "Pulled"
            || !listed.contains(&e.namespace)
            || here.contains(&named)
            || summed.contains(&named)
    });
}

/// Tables of events do not say their namespace where it is the only one: the pod of that name does.
fn namespaces(snapshot: &mut Snapshot) {
    let of_pods: BTreeMap<&str, &str> =
        snapshot.pods.iter().map(|p| (p.meta.name.as_str(), p.meta.namespace.as_str())).collect();
    for event in snapshot.events.iter_mut().filter(|e| e.namespace.is_empty() && e.kind == "Pod") {
        let namespace = of_pods.get(event.name.as_str()).copied().unwrap_or("default");
        namespace.clone_into(&mut event.namespace);
    }
}

/// Pods that a table shows to wait, where no object and no event speaks of them.
fn listed(snapshot: &mut Snapshot, listed: Vec<Pod>) {
    for mut pod in listed {
        let name = pod.meta.name.as_str();
        let known = snapshot.pods.iter().any(|p| p.meta.name == name)
            || snapshot.events.iter().any(|e| e.kind == "Pod" && e.name == name);
        if known {
            continue;
        }
        if pod.meta.namespace.is_empty() {
            pod.meta.namespace = "default".to_owned();
        }
        snapshot.pods.push(pod);
    }
}

/// Pods that nodes have as files, where the API server's copy of them is not there. They are named as the kubelet names
/// them (kubernetes `pkg/kubelet/config/common.go`, 1.36).
fn manifests(snapshot: &mut Snapshot, found: Vec<(String, Pod)>, names: &BTreeMap<String, (String, bool)>) {
    for (root, mut pod) in found {
        let node = names.get(&root).map(|(name, _)| name.clone()).unwrap_or_default();
        if !node.is_empty() {
            pod.meta.name = format!("{}-{}", pod.meta.name, node.to_lowercase());
        }
        if pod.meta.namespace.is_empty() {
            pod.meta.namespace = "default".to_owned();
        }
        pod.node = node;
        pod.is_static = true;
        let is_known = |p: &Pod| p.meta.name == pod.meta.name && p.meta.namespace == pod.meta.namespace;
        if !snapshot.pods.iter().any(is_known) {
            snapshot.pods.push(pod);
        }
    }
}

/// The name of each root, and whether the input gave it.
fn name_nodes(builder: &Builder) -> BTreeMap<String, (String, bool)> {
    let whole = known_nodes(&builder.snapshot, None);
    let several = scenes::are_several(&builder.snapshot);
    let found = collections(builder);
    let mut names = BTreeMap::new();
    for (path, (root, facts)) in &builder.nodes {
        // Of several collections, each knows its own nodes.
        let scene = found.get(path).filter(|_| several);
        let own = scene.map(|s| known_nodes(&builder.snapshot, Some(s)));
        let known = own.as_ref().unwrap_or(&whole);
        let hostname =
            facts.files.get("/etc/hostname").and_then(|f| f.text.seen()).map(|t| t.trim().to_owned());
        let folder = root.name.clone();
        let name = match (folder, hostname.filter(|h| !h.is_empty())) {
            (Some(folder), _) if root.given || known.all.contains(&folder) => (folder, true),
            (_, Some(host)) => (host, true),
            (folder, None) => match (&known.failing, folder) {
                (Some(one), None) => (one.clone(), true),
                (Some(one), Some(folder))
                    if !root.given && builder.nodes.len() == 1 && !known.all.contains(&folder) =>
                {
                    (one.clone(), true)
                }
                (_, Some(folder)) => (folder, true),
                (None, None) if scene.is_some() && builder.nodes.len() > 1 => (path.clone(), false),
                (None, None) => (String::new(), false),
            },
        };
        names.insert(path.clone(), name);
    }
    // Roots of which only what commands and logs printed was read. Folders below `nodes/` say their name themselves.
    for (path, scene) in found.iter().filter(|_| several) {
        if path.rsplit('/').next() == Some("node") && !names.contains_key(path) {
            let known = known_nodes(&builder.snapshot, Some(scene));
            let name = known.failing.map_or_else(|| (path.clone(), false), |one| (one, true));
            names.insert(path.clone(), name);
        }
    }
    names
}

/// The collection of each root that is no folder below `nodes/`, by a file of it or by what its commands and logs printed.
fn collections(builder: &Builder) -> BTreeMap<String, String> {
    let snapshot = &builder.snapshot;
    let files = builder
        .nodes
        .iter()
        .filter_map(|(path, (_, facts))| Some((path.as_str(), facts.files.values().next()?.source.as_str())));
    let outputs = snapshot.outputs.iter().map(|o| (&o.node, &o.origin.source));
    let documents = snapshot.documents.iter().map(|d| (&d.node, &d.origin.source));
    let sightings = snapshot.sightings.iter().map(|s| (&s.node, &s.origin.source));
    let marked = outputs
        .chain(documents)
        .chain(sightings)
        .filter_map(|(node, source)| Some((node.as_ref()?.strip_prefix('\u{1}')?, source.as_str())));
    let mut all = BTreeMap::new();
    for (path, source) in files.chain(marked) {
        if let Some(scene) = collection(source) {
            all.entry(path.to_owned()).or_insert_with(|| scene.to_owned());
        }
    }
    all
}

struct Known {
    /// Every name that the objects use.
    all: BTreeSet<String>,
    /// The node of the failing pods, where there is only one.
    failing: Option<String>,
}

/// The nodes that the objects name: all, or those of one collection.
fn known_nodes(snapshot: &Snapshot, scene: Option<&str>) -> Known {
    let within = |meta: &facts::Meta| scene.is_none_or(|s| meta.origin.collection() == Some(s));
    let all_pods = || snapshot.pods.iter().filter(|p| within(&p.meta));
    let all_events = || snapshot.events.iter().filter(|e| within(&e.meta));
    let pods = all_pods().filter(|p| !formats::kube::is_settled(p)).map(|p| p.node.as_str());
    let events = all_events().filter(|e| e.severity == "Warning" && e.component != "default-scheduler");
    let hosts = events.map(|e| e.host.as_str());
    let failing: BTreeSet<&str> = pods.chain(hosts).filter(|n| !n.is_empty()).collect();
    let scheduled = all_events()
        .filter(|e| e.reason == "Scheduled")
        .filter_map(|e| e.message.rsplit_once(" to ").map(|(_, node)| node.trim()));
    let nodes = snapshot.nodes.iter().filter(|n| within(&n.meta));
    let mut all: BTreeSet<String> = nodes.map(|n| n.meta.name.clone()).collect();
    all.extend(all_pods().map(|p| p.node.clone()).filter(|n| !n.is_empty()));
    all.extend(all_events().map(|e| e.host.clone()).filter(|n| !n.is_empty()));
    all.extend(scheduled.map(str::to_owned));
    let one = |set: BTreeSet<&str>| match set.into_iter().collect::<Vec<_>>().as_slice() {
        [only] => Some((*only).to_owned()),
        _ => None,
    };
    let failing = one(failing).or_else(|| one(all.iter().map(String::as_str).collect()));
    Known { all, failing }
}

fn named(mut facts: NodeFacts, name: Option<&(String, bool)>) -> NodeFacts {
    if let Some((name, given)) = name {
        facts.name.clone_from(name);
        facts.name_given = *given;
    }
    facts.dirs.sort();
    facts.dirs.dedup();
    facts
}

/// Names in place of the marks that stood for them.
fn unmark(snapshot: &mut Snapshot, marks: &BTreeMap<String, String>) {
    let name = |node: &mut Option<String>| {
        if let Some(mark) = node.as_ref().filter(|n| n.starts_with('\u{1}')) {
            *node = Some(marks.get(mark).cloned().unwrap_or_default());
        }
    };
    let place = |place: &mut String| {
        if place.starts_with('\u{1}') {
            *place = marks.get(place.as_str()).cloned().unwrap_or_default();
        }
    };
    for output in &mut snapshot.outputs {
        name(&mut output.node);
        place(&mut output.vantage.place);
    }
    for document in &mut snapshot.documents {
        name(&mut document.node);
    }
    for sighting in &mut snapshot.sightings {
        name(&mut sighting.node);
        place(&mut sighting.vantage.place);
    }
    for version in &mut snapshot.versions {
        name(&mut version.node);
    }
}

/// A node's runtime: what was stated of it, what the API server has, else what the input states of all.
fn runtimes(snapshot: &mut Snapshot) {
    let of_program = |program: &str| match program {
        "containerd" => Some(Runtime::Containerd),
        "cri-o" => Some(Runtime::CriO),
        "docker" => Some(Runtime::Docker),
        "podman" => Some(Runtime::Podman),
        _ => None,
    };
    let stated = |node: Option<&str>| {
        snapshot.versions.iter().filter(|v| v.node.as_deref() == node).find_map(|v| {
            Some(RuntimeVersion { runtime: of_program(&v.program)?, version: v.version.clone() })
        })
    };
    let mut found = Vec::new();
    for facts in &snapshot.node_facts {
        let of_api = || {
            let node = snapshot.nodes.iter().find(|n| n.meta.name == facts.name)?;
            let (program, version) = node.runtime.split_once("://")?;
            Some(RuntimeVersion {
                runtime: of_program(program)?,
                version: version.trim_start_matches('v').to_owned(),
            })
        };
        found.push(stated(Some(&facts.name)).or_else(of_api).or_else(|| stated(None)));
    }
    for (facts, runtime) in snapshot.node_facts.iter_mut().zip(found) {
        if facts.runtime.is_none() {
            facts.runtime = runtime;
        }
    }
}

/// One object once, and an order that does not depend on how the input lay.
fn order(snapshot: &mut Snapshot) {
    given_twice(snapshot);
    once(&mut snapshot.pods);
    snapshot.blind_spots.sort();
    snapshot.blind_spots.dedup();
}

/// The same object in two collections is one object. A pod that was made anew under its name has another uid.
fn given_twice(snapshot: &mut Snapshot) {
    let mut seen = BTreeSet::new();
    snapshot.pods.retain(|p| {
        let meta = &p.meta;
        p.printed || seen.insert((meta.namespace.clone(), meta.name.clone(), meta.uid.clone()))
    });
    let mut seen = BTreeSet::new();
    snapshot.events.retain(|e| {
        let meta = &e.meta;
        meta.name.is_empty()
            || seen.insert((meta.namespace.clone(), meta.name.clone(), e.last, e.message.clone()))
    });
}

/// A pod that was printed and collected as an object too is one pod: the object, with what only the print says.
fn once(pods: &mut Vec<Pod>) {
    let prints: Vec<Pod> = pods.iter().filter(|p| p.printed).cloned().collect();
    for print in prints {
        let same = |p: &&mut Pod| {
            !p.printed && p.meta.name == print.meta.name && p.meta.namespace == print.meta.namespace
        };
        let Some(object) = pods.iter_mut().find(same) else { continue };
        for container in &mut object.containers {
            let twin = print.containers.iter().find(|c| c.name == container.name);
            if container.waiting.as_ref().is_none_or(|w| w.message.is_empty())
                && let Some(waiting) = twin.and_then(|c| c.waiting.clone()).filter(|w| !w.message.is_empty())
            {
                container.waiting = Some(waiting);
            }
        }
        pods.retain(|p| {
            !(p.printed && p.meta.name == print.meta.name && p.meta.namespace == print.meta.namespace)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::{Event, Meta};

    #[test]
    fn what_events_say_of_a_pod_that_is_in_no_whole_list_is_past() {
        let meta = |name: &str, source: &str| Meta {
            namespace: "shop".into(),
            name: name.into(),
            origin: facts::Origin { source: source.into(), line: 1 },
            ..Meta::default()
        };
        let event = |name: &str, reason: &str, namespace: &str| Event {
            kind: "Pod".into(),
            namespace: namespace.into(),
            name: name.into(),
            reason: reason.into(),
            ..Event::default()
        };
        let left = |pods: &str| {
            let mut snapshot = Snapshot {
                pods: vec![Pod { meta: meta("here", pods), ..Pod::default() }],
                events: vec![
                    event("here", "Failed", "shop"),
                    event("gone", "Failed", "shop"),
                    event("gone", "Pulled", "shop"),
                    event("other", "Failed", "bank"),
                ],
                ..Snapshot::default()
            };
            let whole = BTreeSet::from(["pods.yaml".to_owned()]);
            forget_gone(&mut snapshot, &whole, &BTreeMap::new(), &HashSet::new());
            snapshot.events.iter().map(|e| format!("{} {}", e.name, e.reason)).collect::<Vec<_>>()
        };
        assert_eq!(left("pods.yaml"), ["here Failed", "gone Pulled", "other Failed"]);
        assert_eq!(left("one-pod.yaml").len(), 4, "one pod alone is no list");
    }

    #[test]
    fn an_object_in_two_collections_is_one() {
        let meta = |uid: &str| Meta {
            namespace: "shop".into(),
            name: "web".into(),
            uid: uid.into(),
            ..Meta::default()
        };
        let pod = |uid: &str, node: &str| Pod { meta: meta(uid), node: node.into(), ..Pod::default() };
        let event = |message: &str| Event { meta: meta(""), message: message.into(), ..Event::default() };
        let mut snapshot = Snapshot {
            pods: vec![pod("1", "a"), pod("2", "a"), pod("1", "")],
            events: vec![event("x"), event("y"), event("x")],
            ..Snapshot::default()
        };
        order(&mut snapshot);
        let uids: Vec<&str> = snapshot.pods.iter().map(|p| p.meta.uid.as_str()).collect();
        assert_eq!((uids, snapshot.events.len()), (vec!["1", "2"], 2));
    }
}
