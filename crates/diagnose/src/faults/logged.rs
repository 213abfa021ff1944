//! What the runtime's own log says of a configuration that it refuses: no pull is served then.

use super::{Fault, Faults, Scene, remedy};
use crate::subject::Subject;
use report::Say;
use vocabulary::Cause;

/// Words of such lines. Sources: containerd plugins/cri and cmd/containerd, moby cmd/dockerd/config_unix.go, cri-o
/// pkg/config/config.go.
const REFUSALS: &[&str] = &[
    "cannot be set when `config_path`",
    "config version",
    "unable to configure the Docker daemon",
    "failed to load TOML",
    "invalid registries",
];

/// Looks for them, where the runtime or its image service did not answer.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let symptom = scene.aim.symptom;
    if !matches!(symptom, Cause::RuntimeUnavailable | Cause::RuntimeConfigInvalid) {
        return;
    }
    let here = |node: Option<&str>| node.is_some_and(|n| scene.pull.node.is_empty() || n == scene.pull.node);
    for word in REFUSALS {
        let lines = scene.case.lines_with(word);
        let Some(line) = lines.iter().find(|l| l.place().is_some() && here(l.node())) else { continue };
        let cause = scene.case.read(line.text).cause;
        let is_refusal = matches!(
            cause,
            Cause::ConfigMirrorsAndConfigPath | Cause::ConfigVersionMismatch | Cause::RuntimeConfigInvalid
        );
        if !is_refusal || cause == symptom {
            continue;
        }
        faults.add(Fault {
            cause,
            subject: Subject::Node(scene.pull.node.to_owned()),
            evidence: vec![line.shows(Say::new("evidence-runtime-refuses-config"))],
            certain: false,
            remedies: remedy::restart(scene),
        });
    }
}
