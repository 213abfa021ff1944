//! What the runtime's own log says of a configuration that it refuses: no pull is served then.

use super::{Fault, Faults, Scene, remedy};
use crate::lines::{Line, Source};
use crate::subject::Subject;
use facts::Place;
use report::Say;
use vocabulary::Cause;

/// Words of such lines. Sources: containerd plugins/cri and cmd/containerd, moby cmd/dockerd/daemon.go, cri-o
/// pkg/config/config.go and cmd/crio/main.go, containers/image pkg/sysregistriesv2.
const REFUSALS: &[&str] = &[
    "cannot be set when `config_path`",
    "config version",
    "unable to configure the Docker daemon",
    "failed to load TOML",
    "failed to unmarshal TOML",
    "invalid plugin config",
    "invalid registries",
    "loading registries configuration",
    "invalid mirror:",
];

/// Whether a line is of a node's log, saved or printed. In an input of a single machine that nobody named, each is of it.
fn is_of_log(scene: &Scene<'_, '_>, line: &Line<'_>) -> bool {
    let printed = |command: &str| {
        let found = formats::transcript::command(command);
        matches!(found.program, "journalctl" | "systemctl" | "service" | "docker" | "dockerd" | "containerd")
    };
    let kept = match line.source {
        Source::Document(_) => line.place() == Some(Place::Node),
        Source::Output(o) => printed(&o.command),
        Source::File(..) => false,
    };
    let node = scene.pull.node;
    let alone = scene.case.snapshot.node_facts.len() <= 1;
    kept && line.node().map_or(alone, |n| node.is_empty() || n == node || alone && n.is_empty())
}

/// Looks for them, where the runtime or its image service did not answer.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let symptom = scene.aim.symptom;
    if !matches!(symptom, Cause::RuntimeUnavailable | Cause::RuntimeConfigInvalid) {
        return;
    }
    for word in REFUSALS {
        let lines = scene.case.lines_with(word);
        let Some(line) = lines.iter().find(|l| is_of_log(scene, l)) else { continue };
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
