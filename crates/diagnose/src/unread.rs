//! Texts that no conclusion rests on: named as blind spots, so that nobody takes silence about a log for a verdict on it.

use facts::Snapshot;
use formats::transcript;
use report::{BlindSpot, Evidence, Incident, Locator};
use std::collections::BTreeSet;

/// At most this many are named.
const NAMED: usize = 20;
/// Why, in the words of every output.
const WHY: &str = "not-understood";

/// Programs whose output is read for what it is, whether or not it decides.
const READ: &[&str] = &[
    "kubectl",
    "oc",
    "k3s",
    "microk8s",
    "curl",
    "wget",
    "openssl",
    "ps",
    "pgrep",
    "date",
    "timedatectl",
    "chronyc",
    "ls",
    "stat",
    "find",
    "cat",
    "crictl",
    "ctr",
    "containerd",
    "docker",
    "podman",
    "nerdctl",
    "buildah",
    "skopeo",
    "crane",
    "dig",
    "nslookup",
    "host",
    "getent",
    "resolvectl",
    "ip",
    "tracepath",
    "ping",
    "journalctl",
    "uname",
    "hostname",
];

/// The files and outputs that no incident cites.
pub fn texts(snapshot: &Snapshot, incidents: &[Incident]) -> Vec<BlindSpot> {
    if incidents.is_empty() {
        return Vec::new();
    }
    let cited: BTreeSet<&str> = incidents
        .iter()
        .flat_map(|i| i.evidence.iter().chain(i.ruled_out.iter().flat_map(|r| &r.evidence)))
        .filter_map(source)
        .collect();
    let is_read = |command: &str| {
        let program = transcript::command(command).program;
        program.is_empty() || READ.contains(&program)
    };
    let documents = snapshot.documents.iter().map(|d| d.origin.source.as_str());
    let outputs = snapshot.outputs.iter().filter(|o| !is_read(&o.command)).map(|o| o.origin.source.as_str());
    // What programs state of their versions is a fact of its own.
    let stated = |s: &&str| snapshot.versions.iter().any(|v| v.origin.source == **s);
    let left: BTreeSet<&str> =
        documents.chain(outputs).filter(|s| !s.is_empty() && !cited.contains(s) && !stated(s)).collect();
    left.into_iter()
        .take(NAMED)
        .map(|what| BlindSpot {
            what: what.to_owned(),
            why: WHY.to_owned(),
            detail: String::new(),
            needs: String::new(),
        })
        .collect()
}

fn source(evidence: &Evidence) -> Option<&str> {
    match &evidence.at {
        Locator::File { path, .. } => Some(path),
        Locator::Output { source, .. } => Some(source),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Scene;
    use facts::Place;

    fn named(scene: &Scene) -> Vec<String> {
        crate::diagnose(&scene.snapshot).blind_spots.into_iter().map(|b| b.what).collect()
    }

    #[test]
    fn what_no_conclusion_rests_on_is_named_once() {
        let image = "r.example.com/team/app:1";
        let failed = || {
            Scene::pod(image, &[]).event("Failed", "Failed to pull image \"r.example.com/team/app:1\": failed to resolve reference: r.example.com/team/app:1: not found")
        };
        let log = "level=warn msg=one\nlevel=warn msg=two";
        assert_eq!(
            named(&failed().document(Place::Registry, "registry/core.log", log)),
            ["registry/core.log"]
        );
        let nothing_fails = Scene::pod(image, &[]).change(|s| s.pods.clear());
        assert!(named(&nothing_fails.document(Place::Registry, "registry/core.log", log)).is_empty());
        let cited = failed().document(
            Place::Ci,
            "ci/push.log",
            "The push refers to repository [r.example.com/team/app]\n1: digest: sha256:ab size: 9",
        );
        assert_eq!(named(&cited), ["ci/push.log"], "read, and it decides nothing");
        let listed =
            failed().output("curl -sS https://r.example.com/v2/team/app/tags/list", r#"{"tags":["2"]}"#);
        assert!(named(&listed).is_empty());
    }
}
