//! A large cluster comes to one incident for each reason, with all that it hits.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use testkit::big_cluster;

const PODS: usize = 2_000;

fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_default()
}

#[test]
fn a_large_cluster_has_one_incident_for_each_reason() {
    let folder = tempfile::tempdir().unwrap();
    big_cluster::write(folder.path(), PODS).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pullproof"))
        .args(["diagnose", "-o", "json", "--from"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let incidents = report["incidents"].as_array().unwrap();
    let mut expected: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (n, reason) in (0..PODS).filter_map(|n| Some((n, big_cluster::reason(n)?))) {
        let name = format!("team-{}/app-{}-{n:06x}", n % 200, n % 997);
        expected.entry(reason.image).or_default().insert(name);
    }
    assert_eq!(incidents.len(), expected.len());
    for incident in incidents {
        let affected = &incident["affected"];
        let images: Vec<&str> = affected["images"].as_array().unwrap().iter().map(text).collect();
        let [image] = images.as_slice() else { panic!("{images:?}") };
        let reason = big_cluster::REASONS.iter().find(|r| r.image == *image).unwrap();
        assert_eq!(text(&incident["cause"]), reason.cause);
        let members: BTreeSet<String> = affected["pods"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| format!("{}/{}", text(&p["namespace"]), text(&p["name"])))
            .collect();
        assert_eq!(affected["pulls"], expected[image].len());
        assert_eq!(affected["truncated"], false);
        assert_eq!(members, expected[image]);
    }
}
