//! registries.conf of CRI-O: mirrors that are passed over because of how the image is named.

use super::aim::Provides;
use super::{Fault, Faults, Scene, attempts, remedy};
use emulate::containerd::At;
use formats::{reference, registries_conf};
use report::Say;
use std::rc::Rc;
use vocabulary::{Cause, Runtime};

/// Looks at the files in the order in which CRI-O reads them; a later one replaces a prefix of an earlier.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if scene.view.runtime != Some(Runtime::CriO) || scene.pull.image.contains('@') {
        return;
    }
    let image = reference::normalized(&scene.pull.image);
    let is_read = |p: &&String| {
        *p == "/etc/containers/registries.conf"
            || (p.starts_with("/etc/containers/registries.conf.d/") && p.ends_with(".conf"))
    };
    let mut serving = None;
    for path in scene.view.facts.files.keys().filter(is_read) {
        let Some(Ok(all)) = scene.view.text(path).map(registries_conf::parse) else { continue };
        if let Some(found) = registries_conf::serving(&all, &image) {
            serving = Some((path.clone(), found.clone()));
        }
    }
    let Some((path, registry)) = serving else { return };
    let passed_over: Vec<_> = registry.mirrors.iter().filter(|m| m.digest_only.is_some()).collect();
    let Some(first) = passed_over.first().filter(|_| passed_over.len() == registry.mirrors.len()) else {
        return;
    };
    if !scene.aim.needs(&Provides { mirror: true, ..Provides::default() }) {
        return;
    }
    let at =
        At { path: Rc::from(path.as_str()), line: first.digest_only.unwrap_or(registry.line), column: 0 };
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
        subject: remedy::file(scene, &path),
        evidence,
        certain: scene.aim.is_known(),
        remedies: remedy::digest(scene, &at),
    });
}
