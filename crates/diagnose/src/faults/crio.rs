//! registries.conf of CRI-O: mirrors that are passed over, and files that are not read or not read again.

use super::aim::Provides;
use super::{Fault, Faults, Scene, attempts, reload, remedy};
use crate::questions::words::quote;
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
    // A later file replaces a prefix of an earlier one.
    match serving(scene, is_read).pop() {
        Some((path, registry)) => {
            under_other_path(scene, &path, &registry, faults);
            by_digest_only(scene, &path, &registry, faults);
            blocked(scene, &path, &registry, faults);
            not_read_again(scene, &path, &registry, faults);
        }
        None => misnamed(scene, faults),
    }
}

/// Whether CRI-O reads a file of this path.
pub fn is_read(path: &str) -> bool {
    path == MAIN || (path.starts_with(DROP_INS) && path.ends_with(".conf"))
}

/// What a file would provide for the pull's image.
pub fn provides(scene: &Scene<'_, '_>, text: &str) -> Option<Provides> {
    let all = registries_conf::parse(text).ok()?;
    let registry = registries_conf::serving(&all, &reference::normalized(&scene.pull.image))?;
    let (insecure, mirror) = (registry.insecure, tries_mirrors(scene, registry));
    Some(Provides { mirror, skip_verify: insecure, http: insecure, ..Provides::default() })
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

/// Whether an entry sends this pull to a mirror first.
fn tries_mirrors(scene: &Scene<'_, '_>, registry: &Registry) -> bool {
    let by_digest = scene.pull.image.contains('@');
    registry.mirrors.iter().any(|m| if by_digest { !m.tag_only } else { m.digest_only.is_none() })
}

/// Whether an entry would help by that.
fn mirrors_it(scene: &Scene<'_, '_>, registry: &Registry) -> bool {
    tries_mirrors(scene, registry) && scene.aim.needs(&Provides { mirror: true, ..Provides::default() })
}

/// A file that would help, under a name or in a place that is not read: of the drop-ins only `*.conf` are
/// (`pkg/sysregistriesv2`, `loadConfig`), and `registries.d` is for signatures.
fn misnamed(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let other = |p: &str| p.starts_with("/etc/") && !is_read(p) && !p.ends_with(".bak");
    let helps =
        |text: Option<&str>| text.and_then(|t| provides(scene, t)).is_some_and(|p| scene.aim.needs(&p));
    for (path, registry) in serving(scene, other).into_iter().filter(|(p, _)| helps(scene.view.text(p))) {
        let at = At { path: Rc::from(path.as_str()), line: registry.line, column: 0 };
        let name = path.rsplit('/').next().and_then(|n| n.split('.').next()).unwrap_or_default();
        let to = format!("{DROP_INS}{name}.conf");
        let (cause, says, remedies) = if path.starts_with(DROP_INS) {
            let says = Say::new("evidence-file-name-not-read").with("file", path.clone());
            (Cause::ConfigWrongFileName, says, remedy::rename(scene, &path, Some(&format!("{name}.conf"))))
        } else {
            let says = Say::new("evidence-file-not-read").with("file", path.clone()).with("read", MAIN);
            (Cause::ConfigWrongFileLocation, says, remedy::move_file(scene, &path, &to))
        };
        // What is read was seen, and has nothing for the image.
        let seen = cause == Cause::ConfigWrongFileName || scene.view.text(MAIN).is_some();
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, &path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: scene.aim.is_known() && seen,
            remedies,
        });
    }
}

/// A mirror whose location leaves part of the name out, or puts more into it: its own error says under which path it was
/// asked, and somebody saw that it has the image under another.
fn under_other_path(scene: &Scene<'_, '_>, path: &str, registry: &Registry, faults: &mut Faults) {
    let image = reference::normalized(&scene.pull.image);
    let Some(rest) = image.strip_prefix(registry.prefix.as_str()) else { return };
    let name = |text: &str| text.split(['@', ':']).next().unwrap_or_default().to_owned();
    let last = name(image.rsplit('/').next().unwrap_or_default());
    for mirror in &registry.mirrors {
        let (host, under) = mirror.location.split_once('/').unwrap_or((mirror.location.as_str(), ""));
        let asked = format!("{under}{}", name(rest)).trim_start_matches('/').to_owned();
        let there = attempts::curls(scene).into_iter().find_map(|(c, shown)| {
            let repository = c.path().strip_prefix("/v2/").and_then(|p| {
                p.split_once("/manifests/").or_else(|| p.split_once("/tags/")).map(|(r, _)| r.to_owned())
            })?;
            let served = c.status() == Some(200) || c.body.contains("\"tags\"");
            let other = repository != asked && repository.rsplit('/').next() == Some(last.as_str());
            (attempts::asked(&c, host) && served && other).then_some((repository, shown))
        });
        let said = scene.pull.observations.iter().find(|o| {
            let of_mirror = o.text.split_once(&format!("{host}/{asked}"));
            of_mirror.is_some_and(|(_, after)| {
                let own = after.split(']').next().unwrap_or_default();
                ["manifest unknown", "name unknown", "not found"].iter().any(|w| own.contains(w))
            })
        });
        let (Some((has, shown)), Some(said)) = (there, said) else { continue };
        let at = At { path: Rc::from(path), line: registry.line, column: 0 };
        let says = Say::new("evidence-image-under-other-path").with("asked", asked).with("there", has);
        let met = quote(said, Say::new("evidence-endpoint-met").with("host", host.to_owned()));
        faults.add(Fault {
            cause: Cause::ConfigMirrorPathWrong,
            subject: remedy::file(scene, path),
            evidence: vec![scene.view.shows(&at, says), shown, met],
            certain: true,
            remedies: Vec::new(),
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
