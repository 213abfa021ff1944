//! A CA among the machine's own that its tool does not take up, for the name or the place of its file.
//!
//! Sources: update-ca-certificates(8), "certificates must have a .crt extension"; update-ca-trust(8), whose source folders
//! are `anchors` and `blocklist` alone.

use super::aim::{Provides, same_endpoint};
use super::{Fault, Faults, Scene, remedy};
use emulate::containerd::At;
use emulate::files::parent;
use report::Say;
use vocabulary::Cause;

const DEBIAN: &str = "/usr/local/share/ca-certificates/";
const FEDORA: &str = "/etc/pki/ca-trust/source";

/// Looks for it, where a CA is what the pull lacked.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if !scene.aim.needs(&Provides { ca: true, ..Provides::default() }) {
        return;
    }
    for (path, file) in &scene.view.facts.files {
        if !file.text.seen().is_some_and(|t| t.contains("-----BEGIN CERTIFICATE-----")) {
            continue;
        }
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        let (cause, says, remedies) = if path.starts_with(DEBIAN) && !name.ends_with(".crt") {
            let says = Say::new("evidence-file-name-not-read").with("file", path.clone());
            (Cause::ConfigWrongFileName, says, remedy::rename(scene, path, Some(&format!("{stem}.crt"))))
        } else if parent(path) == FEDORA {
            let to = format!("{FEDORA}/anchors/{name}");
            let says = Say::new("evidence-file-not-read").with("file", path.clone()).with("read", to.clone());
            (Cause::ConfigWrongFileLocation, says, remedy::move_file(scene, path, &to))
        } else {
            continue;
        };
        // Somebody who was given this very file got through.
        let vouched = scene.case.requests().iter().find(|r| {
            r.output.command.contains(path.as_str())
                && same_endpoint(r.curl.host(), &scene.aim.host)
                && r.curl.status().is_some()
        });
        let mut evidence = vec![scene.view.shows(&At::whole(path), says)];
        evidence.extend(vouched.map(|r| r.shows(Say::new("evidence-answers-with-this-ca"))));
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, path),
            evidence,
            certain: vouched.is_some() && scene.aim.is_known(),
            remedies,
        });
    }
}
