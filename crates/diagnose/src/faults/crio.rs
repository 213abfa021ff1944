//! registries.conf of CRI-O: mirrors that are passed over, and files that are not read or not read again.

use super::aim::Provides;
use super::{Fault, Faults, Scene, attempts, reload, remedy};
use emulate::containerd::At;
use formats::reference;
use formats::registries_conf::{self, Registry};
use report::Say;
use std::rc::Rc;
use vocabulary::{Cause, Runtime};

const MAIN: &str = "/etc/containers/registries.conf";
const DROP_INS: &str = "/etc/containers/registries.conf.d/";

/// Looks at the node of a pull whose runtime is CRI-O.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if scene.view.runtime != Some(Runtime::CriO) {
        return;
    }
    let read = |p: &str| p == MAIN || (p.starts_with(DROP_INS) && p.ends_with(".conf"));
    // A later file replaces a prefix of an earlier one.
    match serving(scene, read).pop() {
        Some((path, registry)) => {
            by_digest_only(scene, &path, &registry, faults);
            blocked(scene, &path, &registry, faults);
            not_read_again(scene, &path, &registry, faults);
        }
        None => misnamed(scene, faults),
    }
}

/// The entries for the image in these files, in the order in which they are read.
fn serving(scene: &Scene<'_, '_>, wanted: impl Fn(&str) -> bool) -> Vec<(String, Registry)> {
    let image = reference::normalized(&scene.pull.image);
    let paths = scene.view.facts.files.keys().filter(|p| wanted(p));
    let found = paths.filter_map(|path| {
        let all = registries_conf::parse(scene.view.text(path)?).ok()?;
        Some((path.clone(), registries_conf::serving(&all, &image)?.clone()))
    });
    found.collect()
}

/// Whether an entry would send this pull to a mirror first.
fn mirrors_it(scene: &Scene<'_, '_>, registry: &Registry) -> bool {
    let by_digest = scene.pull.image.contains('@');
    registry.mirrors.iter().any(|m| if by_digest { !m.tag_only } else { m.digest_only.is_none() })
        && scene.aim.needs(&Provides { mirror: true, ..Provides::default() })
}

/// A drop-in whose name is not one that is read: only `*.conf` is (`pkg/sysregistriesv2`, `loadConfig`).
fn misnamed(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let other = |p: &str| p.starts_with(DROP_INS) && !p.ends_with(".conf");
    for (path, registry) in serving(scene, other).into_iter().filter(|(_, r)| mirrors_it(scene, r)) {
        let at = At { path: Rc::from(path.as_str()), line: registry.line, column: 0 };
        let says = Say::new("evidence-file-name-not-read").with("file", path.clone());
        let name = path.rsplit('/').next().and_then(|n| n.split('.').next()).unwrap_or_default();
        faults.add(Fault {
            cause: Cause::ConfigWrongFileName,
            subject: remedy::file(scene, &path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: scene.aim.is_known(),
            remedies: remedy::rename(scene, &path, Some(&format!("{name}.conf"))),
        });
    }
}

/// Mirrors in a file that is newer than CRI-O: it reads registries.conf at its start and on SIGHUP. Whether it was told to
/// read it again, nothing shows.
fn not_read_again(scene: &Scene<'_, '_>, path: &str, registry: &Registry, faults: &mut Faults) {
    if !mirrors_it(scene, registry) || registry.blocked {
        return;
    }
    let Some((path, evidence)) = reload::newer(scene, &[(path.to_owned(), 0)]) else { return };
    faults.add(Fault {
        cause: Cause::ConfigNotReloaded,
        subject: remedy::file(scene, &path),
        evidence,
        certain: false,
        remedies: remedy::restart(scene),
    });
}

/// A registry that may not be asked itself, and mirrors that could not give the image (IDMS and ITMS with
/// NeverContactSource come to this).
fn blocked(scene: &Scene<'_, '_>, path: &str, registry: &Registry, faults: &mut Faults) {
    let tried = scene.pull.deciding().is_some_and(|o| o.text.contains("(Mirrors also failed"));
    if !registry.blocked || !tried || scene.aim.symptom != Cause::PolicySignature {
        return;
    }
    let at = At { path: Rc::from(path), line: registry.line, column: 0 };
    let says = Say::new("evidence-catch-all-without-way-back")
        .with("host", registry.mirrors.first().map(|m| m.location.clone()).unwrap_or_default())
        .with("registry", scene.aim.registry.clone());
    faults.add(Fault {
        cause: Cause::ConfigDefaultNoFallback,
        subject: remedy::file(scene, path),
        evidence: vec![scene.view.shows(&at, says)],
        certain: true,
        remedies: Vec::new(),
    });
}

/// Mirrors that are for digests, and an image that is named by a tag.
fn by_digest_only(scene: &Scene<'_, '_>, path: &str, registry: &Registry, faults: &mut Faults) {
    if scene.pull.image.contains('@') {
        return;
    }
    let passed_over: Vec<_> = registry.mirrors.iter().filter(|m| m.digest_only.is_some()).collect();
    let Some(first) = passed_over.first().filter(|_| passed_over.len() == registry.mirrors.len()) else {
        return;
    };
    if !scene.aim.needs(&Provides { mirror: true, ..Provides::default() }) {
        return;
    }
    let at = At { path: Rc::from(path), line: first.digest_only.unwrap_or(registry.line), column: 0 };
    let says = Say::new("evidence-mirror-for-digests-only")
        .with("mirror", first.location.clone())
        .with("image", scene.pull.image.clone());
    let mut evidence = vec![scene.view.shows(&at, says)];
    let host = first.location.split('/').next().unwrap_or_default().to_owned();
    let curls = attempts::curls(scene);
    let there = curls
        .iter()
        .find(|(c, _)| attempts::asked(c, &host) && (c.status() == Some(200) || c.body.contains("\"tags\"")));
    evidence.extend(there.map(|(_, e)| e.clone()));
    faults.add(Fault {
        cause: Cause::ConfigMirrorByDigestOnly,
        subject: remedy::file(scene, path),
        evidence,
        certain: scene.aim.is_known(),
        remedies: remedy::digest(scene, &at),
    });
}
