//! One node as its runtime has it: which runtime, which files, and what they come to for one image.
//!
//! Everything here is the emulators' answer on the files that were collected. What it means for a failing pull is left to
//! `faults` and to the questions.

mod absent;
mod dump;
mod tree;

use crate::case::Case;
use crate::faults::rancher_settings;
use crate::pull::Pull;
use emulate::containerd::{self, At, Endpoint, Resolution, State, Version};
use emulate::distribution::{self, Defaults, Distribution, Signs};
use emulate::files::{Entry, Files};
use emulate::k3s;
use facts::NodeFacts;
use formats::registries_yaml::{self, RegistriesYaml};
use formats::systemd_unit;
use report::{Evidence, Locator, Say};
use std::rc::Rc;
use vocabulary::Runtime;

pub use absent::Absences;
pub use dump::dumped;
pub use tree::NodeTree;

/// A node, seen for one image.
pub struct NodeView<'a> {
    /// Its files and commands.
    pub facts: &'a NodeFacts,
    /// Its runtime, where known.
    pub runtime: Option<Runtime>,
    /// The runtime's version, where known.
    pub version: Option<Version>,
    /// Whose node it is.
    pub distribution: &'static Defaults,
    /// The runtime's main configuration file.
    pub config: String,
    /// What containerd's files come to; `None` for other runtimes or without a version.
    pub resolution: Option<Resolution>,
    /// registries.yaml as it is read, with its path.
    pub registries: Option<(&'a str, RegistriesYaml)>,
    /// The endpoints in force.
    pub endpoints: Vec<Endpoint>,
    /// Whether the files that decide were collected, so that `endpoints` is no guess.
    pub certain: bool,
    /// What was shown not to be there.
    pub absent: Rc<Absences>,
}

impl NodeView<'_> {
    /// The service that is restarted after a change of the runtime's configuration.
    pub fn service(&self) -> &'static str {
        let own = match self.runtime {
            Some(Runtime::CriO) => "crio",
            Some(Runtime::Docker) => "docker",
            _ => "containerd",
        };
        self.distribution.services.first().copied().unwrap_or(own)
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.facts.files.get(path)?.text.seen().map(String::as_str)
    }

    /// A place in one of the node's files, with its line.
    pub fn at(&self, at: &At) -> Locator {
        let line = (at.line > 0)
            .then(|| self.text(&at.path).and_then(|t| t.lines().nth(at.line as usize - 1)))
            .flatten()
            .unwrap_or_default();
        Locator::File {
            node: self.facts.name.clone(),
            path: at.path.to_string(),
            line: at.line,
            column: at.column,
            snippet: line.chars().take(200).collect(),
        }
    }

    /// A place in one of the node's files as evidence.
    pub fn shows(&self, at: &At, says: Say) -> Evidence {
        let at = self.at(at);
        let quote = match &at {
            Locator::File { snippet, .. } => snippet.trim().to_owned(),
            _ => String::new(),
        };
        Evidence { at, says, quote }
    }

    /// A file of this node as a place.
    pub fn file(&self, path: &str) -> At {
        At::whole(path)
    }
}

impl<'a> Case<'a> {
    /// The node of a pull, as its runtime has it for the pull's image. `None` where nothing of the node was collected.
    pub fn view(&self, pull: &Pull<'_>) -> Option<Rc<NodeView<'a>>> {
        let facts = self.node_facts(pull.node)?;
        self.view_of(facts, &pull.image, pull.node)
    }

    /// Another node, for the same image.
    pub fn view_of(&self, facts: &'a NodeFacts, image: &str, node: &str) -> Option<Rc<NodeView<'a>>> {
        let key = (facts.name.clone(), image.to_owned());
        if let Some(known) = self.views.borrow().get(&key) {
            return Some(Rc::clone(known));
        }
        let fresh = Rc::new(view(self, facts, image, node));
        self.views.borrow_mut().insert(key, Rc::clone(&fresh));
        Some(fresh)
    }
}

fn view<'a>(case: &Case<'a>, facts: &'a NodeFacts, image: &str, node: &str) -> NodeView<'a> {
    let (runtime, version) = runtime(case, facts, node);
    let absent = case.absences(facts);
    let distribution = distribution(case, facts, &absent, node, version.as_ref());
    let config = config_path(facts, distribution);
    let mut view = NodeView {
        facts,
        runtime,
        version,
        distribution,
        config,
        resolution: None,
        registries: None,
        endpoints: Vec::new(),
        certain: false,
        absent: Rc::clone(&absent),
    };
    let Some(version) = view.version.clone().filter(|_| runtime == Some(Runtime::Containerd)) else {
        return view;
    };
    // What was printed is what the files come to: why it is so, only a node without any shows.
    let without = absent.shown(&view.config).is_some();
    let mut explained = true;
    let implied = implied_config(facts, &absent, distribution, &view.config).or_else(|| {
        let dumped = dumped(case, facts, without).filter(|_| !facts.files.contains_key(&view.config))?;
        explained = without;
        Some((view.config.clone(), dumped.0))
    });
    let tree = NodeTree::new(facts, &absent, implied);
    let resolution = containerd::resolve(&tree, &version, &view.config, image);
    view.endpoints.clone_from(&resolution.endpoints);
    view.certain =
        explained && matches!(tree.entry(&view.config), Entry::File(_)) && resolution.state == State::Ok;
    let text_of = |p: &str| {
        let (path, file) = facts.files.get_key_value(p)?;
        Some((path.as_str(), file.text.seen()?))
    };
    let found = match rancher_settings::registries_file(case, &facts.name) {
        Some((told, _)) => text_of(&told),
        None => k3s::PATHS.iter().find_map(|p| text_of(p)),
    };
    if let Some((path, text)) = found.filter(|_| generates(distribution)) {
        let file = registries_yaml::parse(text);
        // What k3s made of it counts; without that, what it would make of it.
        let made = facts.files.keys().any(|p| p.contains("/agent/etc/containerd/"));
        if !made {
            view.endpoints = k3s::endpoints(&file, path, &resolution.registry, &version);
            view.certain = file.refused.is_none();
        }
        view.registries = Some((path, file));
    }
    view.resolution = Some(resolution);
    view
}

/// The runtime of a node: what the node itself says, else what the API server says of it, else what the input states.
fn runtime(case: &Case<'_>, facts: &NodeFacts, node: &str) -> (Option<Runtime>, Option<Version>) {
    let name = if facts.name.is_empty() { node } else { &facts.name };
    if let Some(r) = &facts.runtime {
        return (Some(r.runtime), Version::parse(&r.version));
    }
    if let Some((kind, version)) = case.node(name).and_then(|n| n.runtime.split_once("://")) {
        return (by_name(kind), Version::parse(version));
    }
    let stated = case.snapshot.versions.iter().filter(|v| v.node.as_deref().is_none_or(|n| n == name));
    for v in stated {
        if let Some(runtime) = by_name(&v.program) {
            return (Some(runtime), Version::parse(&v.version));
        }
    }
    (None, None)
}

/// The runtime that a version or a node object names.
pub fn by_name(name: &str) -> Option<Runtime> {
    match name.to_ascii_lowercase().as_str() {
        "containerd" => Some(Runtime::Containerd),
        "cri-o" | "crio" => Some(Runtime::CriO),
        "docker" => Some(Runtime::Docker),
        _ => None,
    }
}

fn distribution(
    case: &Case<'_>,
    facts: &NodeFacts,
    absent: &Absences,
    node: &str,
    version: Option<&Version>,
) -> &'static Defaults {
    let name = if facts.name.is_empty() { node } else { &facts.name };
    let known = case.node(name);
    // Without the node itself, what is said of any: clusters of two distributions are rare.
    let any = case.snapshot.nodes.iter().map(|n| n.kubelet.as_str());
    let own = case.snapshot.versions.iter().filter(|v| v.node.as_deref().is_none_or(|n| n == name));
    let stated = own.map(|v| v.version.as_str());
    let release = facts.files.get("/etc/os-release").and_then(|f| f.text.seen());
    let variables = release.map(|t| systemd_unit::variables(t)).unwrap_or_default();
    let id = variables.iter().filter(|(name, ..)| name == "ID").map(|(_, id, _)| id.as_str());
    let runtime = known.and_then(|n| n.runtime.split_once("://")).map(|(_, v)| v);
    distribution::of(&Signs {
        os: known.iter().map(|n| n.os_image.as_str()).chain(id).collect(),
        kubelet: known.map_or_else(|| any.chain(stated).collect(), |n| vec![n.kubelet.as_str()]),
        runtime: runtime.into_iter().chain(version.map(|v| v.suffix.as_str())).collect(),
        labels: known.iter().flat_map(|n| n.meta.labels.keys()).map(String::as_str).collect(),
        path: &|path| {
            let below = |p: &String| p.strip_prefix(path).is_some_and(|r| r.is_empty() || r.starts_with('/'));
            facts.files.keys().any(below) || facts.dirs.iter().any(below) || absent.has_listing_below(path)
        },
    })
}

/// The main file: the one that the process was started with, else the distribution's.
fn config_path(facts: &NodeFacts, distribution: &Defaults) -> String {
    if let Some(process) = facts.process.seen() {
        let mut args = process.args.iter();
        while let Some(arg) = args.next() {
            if arg == "--config" || arg == "-c" {
                if let Some(path) = args.next() {
                    return path.clone();
                }
            } else if let Some(path) = arg.strip_prefix("--config=") {
                return path.to_owned();
            }
        }
    }
    // microk8s fills its template in at each start: the file that it made says the same.
    if distribution.of == Distribution::Microk8s && !facts.files.contains_key(distribution.config) {
        let made = format!("{MICROK8S_ARGS}/containerd.toml");
        if facts.files.contains_key(&made) {
            return made;
        }
    }
    // k3s and RKE2 may keep their data elsewhere.
    let generated = facts.files.keys().find(|p| p.ends_with("/agent/etc/containerd/config.toml"));
    generated.filter(|_| generates(distribution)).map_or(distribution.config, String::as_str).to_owned()
}

/// Whether the files are made from registries.yaml.
pub fn generates(distribution: &Defaults) -> bool {
    matches!(distribution.of, Distribution::K3s | Distribution::Rke2)
}

/// What is known of the main file without having been collected as it is read.
fn implied_config(
    facts: &NodeFacts,
    absent: &Absences,
    distribution: &Defaults,
    config: &str,
) -> Option<(String, String)> {
    let text = match distribution.of {
        _ if generates(distribution) => generated_by_k3s(facts, config)?,
        Distribution::Talos => generated_by_talos(facts, config)?,
        Distribution::Microk8s => match facts.files.get(config) {
            Some(file) => filled_by_microk8s(file.text.seen()?),
            None => of_microk8s(facts, absent)?,
        },
        _ => return None,
    };
    Some((config.to_owned(), text))
}

/// k3s writes its containerd's configuration itself: where it was not collected, what is in it is known from the hosts
/// directories beside it.
fn generated_by_k3s(facts: &NodeFacts, config: &str) -> Option<String> {
    if facts.files.contains_key(config) {
        return None;
    }
    let mark = "/agent/etc/containerd/certs.d/";
    let (dir, _) = facts.files.keys().find_map(|p| p.split_once(mark))?;
    let root = format!("{dir}{}", mark.trim_end_matches('/'));
    Some(format!("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = {root:?}\n"))
}

/// Talos generates its configuration from the machine's, always with the same hosts directory
/// (siderolabs/talos, `hack/cri-plugin.part`, `internal/pkg/containers/cri/containerd`).
fn generated_by_talos(facts: &NodeFacts, config: &str) -> Option<String> {
    let root = "/etc/cri/conf.d/hosts";
    let has = facts.files.keys().any(|p| p.starts_with(root));
    (has && !facts.files.contains_key(config)).then(|| {
        format!(
            "version = 3\n[plugins.\"io.containerd.cri.v1.images\"]\n  use_local_image_pull = true\n  \
             discard_unpacked_layers = true\n[plugins.\"io.containerd.cri.v1.images\".registry]\n  \
             config_path = {root:?}\n"
        )
    })
}

/// Where microk8s keeps its services' arguments and the hosts directories.
const MICROK8S_ARGS: &str = "/var/snap/microk8s/current/args";

/// The template as it is shipped, where its hosts directories were seen, or listed
/// (canonical/microk8s, `microk8s-resources/default-args/containerd-template.toml`).
fn of_microk8s(facts: &NodeFacts, absent: &Absences) -> Option<String> {
    let root = format!("{MICROK8S_ARGS}/certs.d");
    let seen = facts.files.keys().any(|p| p.starts_with(&root)) || absent.listing(&root).is_some();
    seen.then(|| {
        format!("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = {root:?}\n")
    })
}

/// microk8s fills the folders of its snap into the template at each start (canonical/microk8s,
/// `microk8s-resources/wrappers/run-containerd-with-args`).
fn filled_by_microk8s(template: &str) -> String {
    template
        .replace("${SNAP_DATA}", "/var/snap/microk8s/current")
        .replace("${SNAP_COMMON}", "/var/snap/microk8s/common")
        .replace("${SNAP}", "/snap/microk8s/current")
}
