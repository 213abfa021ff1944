//! Another machine has what this node lacks.

use super::aim::Provides;
use super::{Fault, Faults, Scene, crio, docker, intent, names, rancher, remedy};
use crate::node_view::NodeView;
use crate::questions::hosts::name_of;
use emulate::containerd::{self, At};
use emulate::k3s;
use facts::NodeFacts;
use formats::{hosts_file, registries_yaml};
use report::{Evidence, Locator, Say};
use vocabulary::{Cause, Runtime, Stage};

/// Looks at the other machines of the Snapshot.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let own = &scene.view.facts.name;
    name_in_hosts_file(scene, faults);
    for other in scene.case.snapshot.node_facts.iter().filter(|f| f.name != *own && !apart(scene, f)) {
        for path in other.files.keys() {
            let Some(provides) = would_give(scene, other, path) else { continue };
            if !scene.aim.needs(&provides) || !gives_more(scene, other, path) {
                continue;
            }
            let not_there = || Say::new("evidence-not-there").with("file", path.clone());
            let own = scene.view.text(path).map(|_| {
                scene.view.shows(&At::whole(path), Say::new("evidence-lacks-it").with("file", path.clone()))
            });
            let shown = own.or_else(|| scene.view.absent.shown(path).map(|gone| gone.evidence(not_there())));
            // Where this node has a file of its own, a mirror of the other's helps for sure only where that node is served.
            let by_itself = scene.aim.needs(&Provides { mirror: false, ..provides });
            let own_file = scene.view.text(path).is_some();
            let served = || scene.case.gets_images(&scene.aim.registry, &other.name);
            let certain = shown.is_some() && (by_itself || !own_file || served());
            let Some(gone) = shown.or_else(|| not_saved(scene, other, path)) else { continue };
            // A machine that runs no pods is where somebody works, not where pulls happen.
            let is_node = is_node(scene, other);
            let cause = if is_node { Cause::ConfigMissingOnNode } else { Cause::ConfigWrongFileLocation };
            let says = Say::new("evidence-other-machine-has")
                .with("machine", other.name.clone())
                .with("file", path.clone());
            let evidence = vec![gone, there(other, path, says)];
            faults.add(Fault {
                cause,
                subject: crate::subject::Subject::File { node: String::new(), path: path.clone() },
                evidence,
                certain: certain && scene.aim.is_known() && !scene.aim.marked,
                remedies: remedy::copy_file(scene, path, other),
            });
        }
    }
}

/// Whether a machine was read of another collection: it may be of another cluster.
fn apart(scene: &Scene<'_, '_>, other: &NodeFacts) -> bool {
    let of = |facts: &NodeFacts| {
        facts.files.values().next().and_then(|f| facts::collection(&f.source)).map(str::to_owned)
    };
    facts::are_apart(of(scene.view.facts).as_deref(), of(other).as_deref())
}

/// A name that this node's resolver does not know, and that another node has in its hosts file.
fn name_in_hosts_file(scene: &Scene<'_, '_>, faults: &mut Faults) {
    const HOSTS: &str = "/etc/hosts";
    let host = name_of(&scene.aim.host);
    let has = |facts: &NodeFacts| {
        let text = facts.files.get(HOSTS)?.text.seen()?;
        (!hosts_file::addresses(text, host).is_empty()).then(|| {
            let line = (1..).zip(text.lines()).find(|(_, l)| l.contains(host)).map_or(0, |(n, _)| n);
            At { path: HOSTS.into(), line, column: 0 }
        })
    };
    let own = scene.view.facts;
    if scene.aim.symptom.stage() != Stage::Dns || scene.view.text(HOSTS).is_none() || has(own).is_some() {
        return;
    }
    let others = scene.case.snapshot.node_facts.iter().filter(|f| f.name != own.name && !apart(scene, f));
    for other in others.filter(|o| is_node(scene, o)) {
        let Some(at) = has(other) else { continue };
        let says =
            Say::new("evidence-other-machine-has").with("machine", other.name.clone()).with("file", HOSTS);
        let lacks = Say::new("evidence-lacks-it").with("file", HOSTS);
        let theirs = Evidence { at: locator(other, &at), ..there(other, HOSTS, says) };
        faults.add(Fault {
            cause: Cause::ConfigMissingOnNode,
            subject: crate::subject::Subject::File { node: String::new(), path: HOSTS.into() },
            evidence: vec![scene.view.shows(&At::whole(HOSTS), lacks), theirs],
            certain: scene.aim.is_known() && !scene.aim.marked,
            remedies: Vec::new(),
        });
    }
}

/// Whether this node's own file of that name, if there is one, gives less than the other machine's.
fn gives_more(scene: &Scene<'_, '_>, other: &NodeFacts, path: &str) -> bool {
    let Some(own) = scene.view.facts.files.get(path) else { return true };
    let same = other.files.get(path).and_then(|f| f.text.seen()) == own.text.seen();
    !same && would_give(scene, scene.view.facts, path).is_none_or(|gives| !scene.aim.needs(&gives))
}

/// What speaks for it that the file is not on this node where nothing lists its folder: its runtime's configuration was
/// saved and the file was not, and the node that has it gets images from the registry.
fn not_saved(scene: &Scene<'_, '_>, other: &NodeFacts, path: &str) -> Option<Evidence> {
    const CONFIG: &str = "/etc/containerd/config.toml";
    let is_saved = path.starts_with("/etc/containerd/") && scene.view.facts.files.contains_key(CONFIG);
    let says = Say::new("evidence-not-among-saved").with("file", path.to_owned()).with("beside", CONFIG);
    (is_saved && scene.case.gets_images(&scene.aim.registry, &other.name))
        .then(|| scene.view.shows(&At::whole(CONFIG), says))
}

/// Whether pulls happen on a machine.
fn is_node(scene: &Scene<'_, '_>, other: &NodeFacts) -> bool {
    let snapshot = scene.case.snapshot;
    let runs = |p: &&str| {
        p.starts_with("/var/lib/kubelet")
            || p.starts_with("/var/lib/rancher")
            || p.starts_with("/etc/kubernetes")
            || p.starts_with("/etc/rancher")
            || p.contains("/containerd/config.toml")
    };
    scene.case.node(&other.name).is_some()
        || snapshot.pods.iter().any(|p| p.node == other.name)
        || snapshot.events.iter().any(|e| e.host == other.name)
        || other.runtime.is_some()
        || other.files.keys().map(String::as_str).any(|p| runs(&p))
}

/// What a file of another machine would provide here.
fn would_give<'a>(scene: &Scene<'_, 'a>, other: &'a NodeFacts, path: &str) -> Option<Provides> {
    let text = other.files.get(path)?.text.seen()?;
    if k3s::PATHS.contains(&path) {
        return Some(rancher::provides(scene, &registries_yaml::parse(text)));
    }
    match scene.view.runtime {
        Some(Runtime::Docker) if path == docker::FILE => return docker::provides(scene, text),
        Some(Runtime::CriO) if crio::is_read(path) => return crio::provides(scene, text),
        _ => {}
    }
    let version = scene.view.version.clone()?;
    let dir = emulate::files::parent(path);
    let base = dir.rsplit('/').next()?;
    let exact = containerd::host_dir_names(&scene.aim.registry, &version);
    names::of_dir(base, &scene.aim.registry, &exact)?;
    let absent = scene.case.absences(other);
    let theirs = NodeView {
        facts: other,
        runtime: scene.view.runtime,
        version: Some(version.clone()),
        distribution: scene.view.distribution,
        config: scene.view.config.clone(),
        resolution: None,
        registries: None,
        endpoints: Vec::new(),
        certain: false,
        absent,
    };
    let there = Scene { case: scene.case, pull: scene.pull, view: &theirs, aim: scene.aim };
    intent::of_node(&there, &version).into_iter().find(|i| i.dir == dir).map(|i| i.provides)
}

fn there(other: &NodeFacts, path: &str, says: Say) -> Evidence {
    let first =
        other.files.get(path).and_then(|f| f.text.seen()).and_then(|t| t.lines().next()).unwrap_or_default();
    Evidence { at: locator(other, &At::whole(path)), says, quote: first.chars().take(200).collect() }
}

fn locator(other: &NodeFacts, at: &At) -> Locator {
    Locator::File {
        node: other.name.clone(),
        path: at.path.to_string(),
        line: at.line,
        column: at.column,
        snippet: String::new(),
    }
}
