//! Certificate directories of Docker and of CRI-O, one for each registry: their names, the names of the files in them,
//! and which of several machines has them.
//!
//! Sources: docs.docker.com "Verify repository client with certificates"; moby registry/config.go (`*.crt` are CAs,
//! `*.cert` with `*.key` are client certificates); containers-certs.d(5), which reads Docker's directory too.

use super::aim::Provides;
use super::names::{self, Fit};
use super::{Fault, Faults, Scene, remedy};
use crate::questions::words::quote;
use emulate::containerd::At;
use emulate::files::{join, parent};
use facts::NodeFacts;
use report::{Evidence, Say};
use std::collections::{BTreeMap, BTreeSet};
use vocabulary::{Cause, Runtime};

/// Where each runtime looks.
fn roots(runtime: Runtime) -> &'static [&'static str] {
    match runtime {
        Runtime::Docker => &["/etc/docker/certs.d"],
        Runtime::CriO => &["/etc/containers/certs.d", "/etc/docker/certs.d"],
        _ => &[],
    }
}

/// Where some runtime looks, and people put certificates for another.
const ALL: &[&str] = &["/etc/docker/certs.d", "/etc/containers/certs.d", "/etc/containerd/certs.d"];

/// Whether a program that reads there is set up on the machine too: the directory is its own, and in no wrong place.
fn is_of_another(facts: &NodeFacts, root: &str) -> bool {
    let beside = format!("{}/", parent(root));
    facts.files.keys().any(|p| p.starts_with(&beside) && !p.starts_with(root))
}

/// Whether such a program belongs to the runtime itself: a containerd runs below every dockerd.
fn is_below(runtime: Runtime, root: &str) -> bool {
    runtime == Runtime::Docker && root == "/etc/containerd/certs.d"
}

/// A directory for a registry, and the names of its files.
struct Dir {
    path: String,
    root: &'static str,
    names: BTreeSet<String>,
}

impl Dir {
    fn has_ca(&self) -> bool {
        self.names.iter().any(|n| n.ends_with(".crt"))
    }

    /// A certificate under a name that is not read as a CA.
    fn misnamed(&self) -> Option<String> {
        let named = |n: &&String| [".pem", ".cer", ".cert", ".ca"].iter().any(|e| n.ends_with(e));
        // `client.cert` beside `client.key` is a client certificate, as it should be.
        let keyed = |n: &str| self.names.contains(&format!("{}.key", n.trim_end_matches(".cert")));
        self.names
            .iter()
            .find(|n| named(n) && !(n.ends_with(".cert") && keyed(n)))
            .map(|n| join(&self.path, n))
    }
}

/// The names under which the registry's directory is looked for.
fn exact_names(scene: &Scene<'_, '_>) -> [String; 2] {
    [scene.aim.registry.clone(), format!("{}:443", scene.aim.registry)]
}

/// Whether a path was shown not to be there.
fn gone(scene: &Scene<'_, '_>, path: &str) -> bool {
    scene.view.absent.shown(path).is_some()
}

/// The directories of a machine that mean the registry, from its files and from listings.
fn dirs<'a>(scene: &Scene<'_, 'a>, facts: &'a NodeFacts) -> Vec<(Fit, Dir)> {
    let absent = scene.case.absences(facts);
    let exact = exact_names(scene);
    let mut all: BTreeMap<(&'static str, String), BTreeSet<String>> = BTreeMap::new();
    for root in ALL {
        for path in facts.files.keys().filter(|p| p.starts_with(root)) {
            let dir = parent(path);
            if let (true, Some(name)) = (parent(dir) == *root, dir.rsplit('/').next()) {
                let file = path.rsplit('/').next().unwrap_or_default();
                all.entry((root, name.to_owned())).or_default().insert(file.to_owned());
            }
        }
        for name in absent.names(root) {
            let path = join(root, name);
            let listed = absent.names(&path).map(str::to_owned);
            all.entry((root, name.to_owned())).or_default().extend(listed);
        }
        for path in facts.dirs.iter().filter(|d| parent(d) == *root) {
            let listed = absent.names(path).map(str::to_owned);
            all.entry((root, path.rsplit('/').next().unwrap_or_default().to_owned()))
                .or_default()
                .extend(listed);
        }
    }
    // A listing of the directory itself, without one of its parent.
    for root in ALL {
        for name in &exact {
            let path = join(root, name);
            if absent.listing(&path).is_some() {
                let listed = absent.names(&path).map(str::to_owned);
                all.entry((root, name.clone())).or_default().extend(listed);
            }
        }
    }
    let mut found: Vec<(Fit, Dir)> = all
        .into_iter()
        .filter_map(|((root, name), names)| {
            let fit = names::of_dir(&name, &scene.aim.registry, &exact)?;
            (fit != Fit::Any).then(|| (fit, Dir { path: join(root, &name), root, names }))
        })
        .collect();
    found.sort_by_key(|(fit, _)| *fit);
    found
}

/// Where the directory stands as evidence: a file in it, or the listing that shows it.
fn shows<'a>(scene: &Scene<'_, 'a>, facts: &'a NodeFacts, path: &str, says: Say) -> Evidence {
    let absent = scene.case.absences(facts);
    let listing = absent.listing(path).or_else(|| absent.listing(parent(path)));
    listing.map_or_else(|| scene.view.shows(&At::whole(path), says.clone()), |l| l.evidence(says.clone()))
}

/// A CA called `*.cert`, which is a client certificate's name: the client looks for its key and says so.
fn taken_for_a_clients(scene: &Scene<'_, '_>, own: &[(Fit, Dir)], faults: &mut Faults) {
    let says_so = |text: &str| text.contains("missing key") && text.contains("use the extension .crt");
    let Some(o) = scene.pull.deciding().filter(|o| says_so(o.text)) else { return };
    let exact = own.iter().filter(|(fit, _)| *fit == Fit::Exact);
    let named = exact
        .filter_map(|(_, d)| d.misnamed())
        .find(|f| o.text.contains(f.rsplit('/').next().unwrap_or_default()));
    let Some(file) = named else { return };
    let says = Say::new("evidence-file-name-not-read").with("file", file.clone());
    let told = Say::new("evidence-taken-for-client-certificate").with("file", file.clone());
    faults.add(Fault {
        cause: Cause::ConfigWrongFileName,
        subject: remedy::file(scene, &file),
        evidence: vec![shows(scene, scene.view.facts, &file, says), quote(o, told)],
        certain: file.to_ascii_lowercase().contains("ca"),
        remedies: remedy::rename(scene, &file, Some("ca.crt")),
    });
}

/// Looks at them, where a CA is what the pull lacked.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let Some(runtime) = scene.view.runtime else { return };
    let roots = roots(runtime);
    if roots.is_empty() {
        return;
    }
    let own = dirs(scene, scene.view.facts);
    taken_for_a_clients(scene, &own, faults);
    if !scene.aim.needs(&Provides { ca: true, ..Provides::default() }) {
        return;
    }
    let read = |d: &Dir| roots.contains(&d.root);
    if own.iter().any(|(fit, d)| *fit == Fit::Exact && read(d) && d.has_ca()) {
        return;
    }
    let ca = Provides { ca: true, ..Provides::default() };
    let known = scene.aim.is_known() && scene.aim.at_registry() && !scene.aim.rests_on_unseen(&ca);
    // No directory of the right name that nobody collected.
    let none_taken = roots.iter().all(|r| exact_names(scene).iter().all(|n| gone(scene, &join(r, n))));
    for (fit, dir) in own.iter().filter(|(_, d)| read(d) || !is_of_another(scene.view.facts, d.root)) {
        let (cause, path, says) = if !read(dir) {
            let to = join(roots[0], &scene.aim.registry);
            let says = Say::new("evidence-file-not-read").with("file", dir.path.clone()).with("read", to);
            (Cause::ConfigWrongFileLocation, dir.path.clone(), says)
        } else if *fit == Fit::Exact {
            let Some(file) = dir.misnamed() else { continue };
            let says = Say::new("evidence-file-name-not-read").with("file", file.clone());
            (Cause::ConfigWrongFileName, file, says)
        } else {
            let says = Say::new("evidence-directory-name-not-looked-for")
                .with("dir", dir.path.clone())
                .with("registry", scene.aim.registry.clone());
            (Cause::ConfigHostDirMismatch, dir.path.clone(), says)
        };
        let to = join(roots[0], &scene.aim.registry);
        let remedies = match cause {
            Cause::ConfigWrongFileName => remedy::rename(scene, &path, None),
            _ => remedy::move_file(scene, &dir.path, &to),
        };
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, &path),
            evidence: vec![shows(scene, scene.view.facts, &dir.path, says)],
            certain: known
                && match cause {
                    // Its own listing shows that no other name stands beside it.
                    Cause::ConfigWrongFileName => scene.view.absent.listing(&dir.path).is_some(),
                    _ => none_taken && dir.has_ca() && !is_below(runtime, dir.root),
                },
            remedies,
        });
        return;
    }
    missing(scene, roots, faults);
}

/// Another node has the directory that this one is shown not to have.
fn missing(scene: &Scene<'_, '_>, roots: &[&str], faults: &mut Faults) {
    let own = &scene.view.facts.name;
    for other in scene.case.snapshot.node_facts.iter().filter(|f| f.name != *own) {
        let theirs = dirs(scene, other)
            .into_iter()
            .find(|(fit, d)| *fit == Fit::Exact && roots.contains(&d.root) && d.has_ca());
        let Some((_, dir)) = theirs else { continue };
        let Some(gone) = scene.view.absent.shown(&dir.path) else { continue };
        let file =
            join(&dir.path, dir.names.iter().find(|n| n.ends_with(".crt")).map_or("ca.crt", String::as_str));
        let has = Say::new("evidence-other-machine-has")
            .with("machine", other.name.clone())
            .with("file", file.clone());
        faults.add(Fault {
            cause: Cause::ConfigMissingOnNode,
            subject: remedy::file(scene, &dir.path),
            evidence: vec![
                gone.evidence(Say::new("evidence-not-there").with("file", dir.path.clone())),
                shows(scene, other, &dir.path, has),
            ],
            certain: scene.aim.is_known() && !scene.aim.marked,
            remedies: remedy::copy_file(scene, &file, other),
        });
        return;
    }
}
