//! Another machine has what this node lacks.

use super::aim::Provides;
use super::{Fault, Faults, Scene, intent, names, rancher, remedy};
use crate::node_view::NodeView;
use emulate::containerd::{self, At};
use emulate::k3s;
use facts::NodeFacts;
use formats::registries_yaml;
use report::{Evidence, Locator, Say};
use vocabulary::Cause;

/// Looks at the other machines of the Snapshot.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let own = &scene.view.facts.name;
    for other in scene.case.snapshot.node_facts.iter().filter(|f| f.name != *own) {
        for path in other.files.keys() {
            let Some(provides) = would_give(scene, other, path) else { continue };
            if !scene.aim.needs(&provides) || scene.view.facts.files.contains_key(path) {
                continue;
            }
            let not_there = || Say::new("evidence-not-there").with("file", path.clone());
            let shown = scene.view.absent.shown(path).map(|gone| gone.evidence(not_there()));
            let certain = shown.is_some();
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
    let at = At::whole(path);
    Evidence {
        at: Locator::File {
            node: other.name.clone(),
            path: at.path.to_string(),
            line: 0,
            column: 0,
            snippet: String::new(),
        },
        says,
        quote: first.chars().take(200).collect(),
    }
}
