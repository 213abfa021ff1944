//! The pause image that was meant, in a setting that the runtime does not read: it pulls its own default then.

use super::{Fault, Faults, Scene, reload, remedy};
use emulate::containerd::At;
use report::Say;
use vocabulary::{Cause, Operation, Runtime};

/// Looks for it, where another image was asked for than the one that is set.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if scene.pull.operation != Operation::Sandbox || scene.view.runtime != Some(Runtime::Containerd) {
        return;
    }
    under_the_old_key(scene, faults);
}

/// containerd 2 has the pause image under `pinned_images.sandbox`; `sandbox_image` counts in files of version 2 alone, which
/// it converts (containerd internal/cri/config/config.go, `ImageConfig`; plugins/cri/images/plugin.go, `ConfigMigration`).
fn under_the_old_key(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let new = scene.view.version.as_ref().is_some_and(|v| v.since(2, 0, 0));
    let Some(r) = scene.view.resolution.as_ref().filter(|_| new && scene.view.certain) else { return };
    for (path, _) in r.files.iter().filter(|(_, version)| *version >= 3) {
        for (n, line) in (1..).zip(scene.view.text(path).unwrap_or_default().lines()) {
            let value = line.trim().strip_prefix("sandbox_image").map(str::trim_start);
            let Some(value) = value.and_then(|v| v.strip_prefix('=')) else { continue };
            let meant = value.trim().trim_matches(['"', '\'']);
            if meant.is_empty() || meant == scene.pull.image {
                continue;
            }
            let at = At { path: path.as_str().into(), line: n, column: 0 };
            let says = Say::new("evidence-pause-image-not-read").with("image", meant.to_owned());
            faults.add(Fault {
                cause: Cause::ConfigWrongSection,
                subject: remedy::file(scene, path),
                evidence: vec![scene.view.shows(&at, says)],
                certain: reload::current(scene, &r.files),
                remedies: Vec::new(),
            });
        }
    }
}
