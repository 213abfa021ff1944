//! Host directories that mean the pull's registry, wherever on the node they stand, and what they would provide.

use super::Scene;
use super::aim::Provides;
use super::names::{self, Fit};
use crate::node_view::NodeTree;
use emulate::containerd::{self, At, Endpoint, Note, Source, Version};
use emulate::files::{Entry, Files, join, parent};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// A directory that was made for the registry.
#[derive(Clone, Debug)]
pub struct Intent {
    /// The directory.
    pub dir: String,
    /// The directory that holds it: what `config_path` would have to name.
    pub root: String,
    /// How its name fits.
    pub fit: Fit,
    /// Whether its name is the registry's with a typing error: likely meant, never shown to be.
    pub misspelt: bool,
    /// The file that says it: hosts.toml, or the first of its kind.
    pub file: String,
    /// Whether that file has a name that is read.
    pub well_named: bool,
    /// What it would provide.
    pub provides: Provides,
    /// Why its hosts.toml is dropped, where it is.
    pub dropped: Option<(At, String)>,
}

/// The directories on this node that mean the registry, the best fit first.
pub fn of_node(scene: &Scene<'_, '_>, version: &Version) -> Vec<Intent> {
    let registry = &scene.aim.registry;
    let exact = containerd::host_dir_names(registry, version);
    let mut dirs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in scene.view.facts.files.keys() {
        let name = path.rsplit('/').next().unwrap_or_default();
        let kind = name.rsplit('.').next().unwrap_or_default();
        if matches!(kind, "toml" | "crt" | "pem" | "cer" | "cert" | "yaml" | "yml" | "conf" | "txt" | "bak") {
            dirs.entry(parent(path)).or_default().push(name);
        }
    }
    let tree = NodeTree::new(scene.view.facts, &scene.view.absent, None);
    let by_address = |base: &str| is_its_address(scene, base) && !is_pulled_from(scene, base);
    let mut found = Vec::new();
    for (dir, names) in dirs {
        let base = dir.rsplit('/').next().unwrap_or_default();
        let rootless = base == "certs.d" && names.contains(&"hosts.toml");
        let meant = || rootless || is_meant(scene, version, &tree, dir, &names);
        let (fit, misspelt) = match names::of_dir(base, registry, &exact) {
            Some(fit) => (fit, false),
            None if meant() || by_address(base) => (Fit::Near, false),
            None if names::is_misspelt(base, registry) && !is_pulled_from(scene, base) => (Fit::Near, true),
            None => continue,
        };
        if let Some(intent) = intent(scene, version, &tree, dir, (fit, misspelt), &names) {
            found.push(intent);
        }
    }
    found.sort_by_key(|i| i.fit);
    found
}

/// Whether a directory under another host's name speaks of the registry: its `server` is the registry, and no image that
/// anybody knows of is pulled under the directory's own name, for which the registry may stand in.
fn is_meant(
    scene: &Scene<'_, '_>,
    version: &Version,
    tree: &NodeTree<'_>,
    dir: &str,
    names: &[&str],
) -> bool {
    let base = dir.rsplit('/').next().unwrap_or_default();
    if !base.contains('.') || base == "docker.io" || !names.contains(&"hosts.toml") {
        return false;
    }
    let (endpoints, _, _) = containerd::read_host_dir(tree, dir, base, version);
    let of_server =
        |e: &Endpoint| e.source == Source::Server && super::aim::same_endpoint(&e.host, &scene.aim.own_host);
    endpoints.iter().any(of_server) && !is_pulled_from(scene, base)
}

/// Whether a directory's name is an address of the registry, with its port, by what the node was asked or has in its hosts
/// file: names alone are compared, never addresses (containerd core/remotes/docker/config/hosts.go).
fn is_its_address(scene: &Scene<'_, '_>, base: &str) -> bool {
    let (host, port) = names::parts(base);
    let (name, own_port) = names::parts(&scene.aim.own_host);
    let Ok(address) = host.trim_matches(['[', ']']).parse::<IpAddr>() else { return false };
    let in_file = scene.view.text("/etc/hosts").map(|t| formats::hosts_file::addresses(t, name));
    let looked_up = scene.case.lookups().iter().any(|l| {
        let here = l.output.node.as_deref().is_none_or(|n| n == scene.view.facts.name);
        here && l.lookup.name.trim_end_matches('.').eq_ignore_ascii_case(name)
            && l.lookup.addresses.contains(&address)
    });
    let same_port = port.unwrap_or("443") == own_port.unwrap_or("443");
    same_port && (looked_up || in_file.is_some_and(|all| all.contains(&address)))
}

/// Whether an image of this host is known: of a pod, of a node's list, of a pod that is well.
fn is_pulled_from(scene: &Scene<'_, '_>, host: &str) -> bool {
    let snapshot = scene.case.snapshot;
    let of_pods = snapshot.pods.iter().flat_map(|p| p.containers.iter().map(|c| &c.image));
    let on_nodes = snapshot.nodes.iter().flat_map(|n| &n.images);
    let seen = snapshot.node_facts.iter().filter_map(|n| n.images.seen()).flatten();
    let mut all = of_pods.chain(on_nodes).chain(seen).chain(snapshot.healthy.images.keys());
    all.any(|image| formats::reference::registry_of(image).is_some_and(|r| r == host))
}

fn intent(
    scene: &Scene<'_, '_>,
    version: &Version,
    tree: &NodeTree<'_>,
    dir: &str,
    (fit, misspelt): (Fit, bool),
    names: &[&str],
) -> Option<Intent> {
    let is_pem = |n: &&&str| n.ends_with(".pem") || n.ends_with(".cer") || n.ends_with(".crt");
    let named = names.iter().find(|n| **n == "hosts.toml");
    // A near miss of the name, or a certificate without any file that speaks of it.
    let toml = names.iter().find(|n| n.contains("host") && !is_pem(n));
    let cert = names.iter().find(is_pem);
    let (file, well_named) = match (named, toml, cert) {
        (Some(n), ..) => (*n, true),
        (None, Some(n), _) => (*n, false),
        (None, None, Some(n)) => (*n, n.ends_with(".crt")),
        _ => return None,
    };
    let renamed = Renamed { tree, to: join(dir, "hosts.toml"), from: join(dir, file) };
    let mistaken = named.is_none() && toml.is_some();
    let files: &dyn Files = if mistaken { &renamed } else { tree };
    let (mut endpoints, notes, _) = containerd::read_host_dir(files, dir, &scene.aim.registry, version);
    // The same typing error, or the same address, within the file means the registry, too
    let base = dir.rsplit('/').next().unwrap_or_default();
    let stands_for_it = misspelt || is_its_address(scene, base);
    for endpoint in endpoints.iter_mut().filter(|e| stands_for_it && super::aim::same_endpoint(&e.host, base))
    {
        endpoint.host.clone_from(&scene.aim.own_host);
    }
    let dropped = notes.into_iter().find_map(|n| match n {
        Note::FileDropped { at, reason } => Some((at, reason)),
        _ => None,
    });
    let mut provides = Provides::of(&endpoints, scene.aim);
    // What a dropped file, or a certificate under a name that is not read, was meant to give.
    if dropped.is_some() {
        let text = scene.view.text(&join(dir, file)).unwrap_or_default();
        provides = meant(text, scene, provides);
    } else if named.is_none() && toml.is_none() && !well_named {
        provides.ca = true;
    }
    Some(Intent {
        root: parent(dir).to_owned(),
        file: join(dir, file),
        dir: dir.to_owned(),
        fit,
        misspelt,
        well_named,
        provides,
        dropped,
    })
}

/// What a file that does not parse seems to want, by its words.
fn meant(text: &str, scene: &Scene<'_, '_>, mut provides: Provides) -> Provides {
    let own = &scene.aim.own_host;
    for line in text.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        let address = line.strip_prefix("[host.").or_else(|| line.strip_prefix("server")).unwrap_or_default();
        if let Some((_, rest)) = address.split_once("://") {
            let host = rest.split(['"', '/', ']', '\'']).next().unwrap_or_default();
            provides.mirror |= !super::aim::same_endpoint(host, own) && line.starts_with('[');
            provides.http |= address.contains("http://") && super::aim::same_endpoint(host, own);
        }
        provides.skip_verify |= line.starts_with("skip_verify") && line.contains("true");
        provides.ca |= line.starts_with("ca ") || line.starts_with("ca=");
        provides.client |= line.starts_with("client");
    }
    provides
}

/// A tree in which one file stands under the name that is read.
struct Renamed<'t> {
    tree: &'t NodeTree<'t>,
    from: String,
    to: String,
}

impl Files for Renamed<'_> {
    fn entry(&self, path: &str) -> Entry<'_> {
        if path == self.to {
            match self.tree.entry(&self.from) {
                Entry::File(bytes) => Entry::File(Cow::Owned(bytes.into_owned())),
                other => other,
            }
        } else {
            self.tree.entry(path)
        }
    }

    fn list(&self, dir: &str) -> Vec<String> {
        self.tree.list(dir)
    }
}
