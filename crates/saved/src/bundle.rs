//! Snapshots that Pullproof itself wrote: bundles and node reports. They join what else was given.

use crate::builder::Builder;
use facts::{BlindSpot, Ladder, NodeFacts, Origin, SNAPSHOT_SCHEMA, Sighting, Snapshot, Vantage, Why};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use vocabulary::Operation;

/// How the version of a node report begins, as it stands in JSON; a number follows.
const NODE_REPORT: &str = "\"pullproof.node/";
/// The newest form of a node report that is understood.
const NODE_REPORT_VERSION: u32 = 1;

/// What of a node report becomes part of a Snapshot: what was seen, not what was concluded.
#[derive(Deserialize)]
struct NodeReport {
    taken_at: Option<Timestamp>,
    facts: NodeFacts,
    #[serde(default)]
    ladders: Vec<Ladder>,
    #[serde(default)]
    pull: Option<Pull>,
    #[serde(default)]
    blind_spots: Vec<BlindSpot>,
}

/// What the runtime answered when it was asked to pull.
#[derive(Deserialize)]
struct Pull {
    image: String,
    outcome: String,
    #[serde(default)]
    error: Option<String>,
}

/// Whether a text may be one: it begins with the version of its form, and has members that nothing else has.
pub fn looks_like_one(head: &[u8]) -> bool {
    let start = head.get(..head.len().min(64)).unwrap_or_default();
    let compact: Vec<u8> = start.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    let Some(version) = compact.strip_prefix(b"{\"schema\":") else { return false };
    if version.starts_with(NODE_REPORT.as_bytes()) {
        return true;
    }
    version.first().is_some_and(u8::is_ascii_digit)
        && memchr::memmem::find(head.get(..head.len().min(512)).unwrap_or_default(), b"\"taken_at\"")
            .is_some()
}

/// Reads one. `false` where it is none after all.
pub fn read(builder: &mut Builder, source: &str, text: &[u8]) -> bool {
    let Ok(mut value) = serde_json::from_slice::<Value>(text) else {
        builder.blind(source, Why::Unreadable, "a bundle that is cut or damaged", "");
        return true;
    };
    if let Some(form) = value.get("schema").and_then(Value::as_str).map(str::to_owned) {
        return node_report(builder, source, &form, value);
    }
    let version = value.get("schema").and_then(Value::as_u64).unwrap_or_default();
    if version > u64::from(SNAPSHOT_SCHEMA) {
        builder.blind(
            source,
            Why::Unreadable,
            format!("a bundle of form {version}, which a newer version wrote"),
            "",
        );
        return true;
    }
    // Whoever wrote it hid what is secret; a file that came by mail may say otherwise.
    formats::redact::json(&mut value);
    match Snapshot::deserialize(value) {
        Ok(snapshot) => {
            join(builder, snapshot);
            true
        }
        Err(error) => {
            builder.blind(source, Why::Unreadable, format!("no bundle of Pullproof: {error}"), "");
            false
        }
    }
}

/// A node report: its facts join those of other nodes.
fn node_report(builder: &mut Builder, source: &str, form: &str, mut value: Value) -> bool {
    let version = form.rsplit_once('/').and_then(|(_, v)| v.parse::<u32>().ok());
    if version.is_none_or(|v| v > NODE_REPORT_VERSION) {
        let words = format!("a node report of form {form}, which a newer version wrote");
        builder.blind(source, Why::Unreadable, words, "");
        return true;
    }
    formats::redact::json(&mut value);
    match NodeReport::deserialize(value) {
        Ok(report) => {
            builder.time(report.taken_at);
            let pulled = report.pull.as_ref().is_some_and(|p| p.outcome == "pulled");
            if let Some(pull) = &report.pull {
                refused_pull(builder, source, pull, &report.facts, report.taken_at);
            }
            // Where one endpoint serves the image, or the runtime itself had it, the others that fail fail no pull.
            let fails = !pulled && report.ladders.iter().all(|l| l.ended_at().is_some());
            builder
                .snapshot
                .ladders
                .extend(report.ladders.into_iter().filter(|l| fails || l.ended_at().is_none()));
            for mut spot in report.blind_spots {
                if !report.facts.name.is_empty() {
                    spot.what = format!("{}: {}", report.facts.name, spot.what);
                }
                builder.blind(&spot.what, spot.why, spot.detail, &spot.needs);
            }
            let snapshot = Snapshot { node_facts: vec![report.facts], ..Snapshot::default() };
            let coverage = builder.coverage;
            join(builder, snapshot);
            // One node's own files say nothing of which lists are complete.
            builder.coverage = coverage;
            true
        }
        Err(error) => {
            builder.blind(source, Why::Unreadable, format!("no node report of Pullproof: {error}"), "");
            false
        }
    }
}

/// A pull that the runtime refused, in its own words, is a failing pull.
fn refused_pull(builder: &mut Builder, source: &str, pull: &Pull, facts: &NodeFacts, at: Option<Timestamp>) {
    let Some(words) = pull.error.as_deref().filter(|_| pull.outcome == "failed") else { return };
    let client = facts.runtime.as_ref().map_or("runtime", |r| r.runtime.word());
    builder.snapshot.sightings.push(Sighting {
        vantage: Vantage { client: client.to_owned(), place: facts.name.clone() },
        node: Some(facts.name.clone()).filter(|n| !n.is_empty()),
        text: words.to_owned(),
        image: pull.image.clone(),
        operation: Some(Operation::Pull),
        at,
        count: 1,
        origin: Origin { source: source.to_owned(), ..Origin::default() },
    });
}

fn join(builder: &mut Builder, mut other: Snapshot) {
    builder.time(other.taken_at);
    builder.bundles += 1;
    // Which credentials are equal is known within a bundle and not across: numbers of different bundles must not meet.
    let shift = builder.bundles.saturating_mul(1_000_000);
    let configs = other
        .secrets
        .iter_mut()
        .filter_map(|s| match &mut s.docker_config {
            facts::Observed::Seen(config) => Some(config),
            facts::Observed::Blind(_) => None,
        })
        .chain(other.node_facts.iter_mut().flat_map(|n| n.docker_configs.values_mut()));
    for entry in configs.flat_map(|c| c.entries.iter_mut()).filter(|e| e.same != 0) {
        entry.same = entry.same.saturating_add(shift);
    }
    let s = &mut builder.snapshot;
    if s.scope.namespace.is_empty() && builder.bundles == 1 {
        let source = std::mem::take(&mut s.scope.source);
        s.scope = facts::Scope { source, ..other.scope };
    }
    s.pods.append(&mut other.pods);
    s.healthy.pods += other.healthy.pods;
    s.healthy.truncated |= other.healthy.truncated;
    for (image, nodes) in other.healthy.images {
        s.healthy.images.entry(image).or_default().extend(nodes);
    }
    s.events.append(&mut other.events);
    s.service_accounts.append(&mut other.service_accounts);
    s.secrets.append(&mut other.secrets);
    s.nodes.append(&mut other.nodes);
    s.node_facts.append(&mut other.node_facts);
    s.audit.append(&mut other.audit);
    s.others.append(&mut other.others);
    s.outputs.append(&mut other.outputs);
    s.documents.append(&mut other.documents);
    s.sightings.append(&mut other.sightings);
    s.versions.append(&mut other.versions);
    s.ladders.append(&mut other.ladders);
    s.blind_spots.append(&mut other.blind_spots);
    builder.coverage = Some(match builder.coverage {
        None => other.coverage,
        Some(known) => facts::Coverage {
            pods: known.pods && other.coverage.pods,
            events: known.events && other.coverage.events,
            service_accounts: known.service_accounts && other.coverage.service_accounts,
            secrets: known.secrets && other.coverage.secrets,
            secrets_elsewhere: known.secrets_elsewhere && other.coverage.secrets_elsewhere,
            nodes: known.nodes && other.coverage.nodes,
        },
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn a_node_report_gives_its_facts() {
        let text = br#"{ "schema": "pullproof.node/1", "node": "w", "taken_at": "2026-11-01T00:00:00Z",
            "facts": {"name": "w", "name_given": true, "files": {}, "dirs": [], "runtime": null,
                "process": {"blind": "not-asked"}, "clock": {"blind": "not-asked"}, "absent": ["/etc/x"]},
            "blind_spots": [{"what": "/etc/y", "why": "forbidden", "detail": "", "needs": "root"}]}"#;
        assert!(looks_like_one(text));
        let mut builder = Builder::new(Limits::default());
        assert!(read(&mut builder, "w.json", text));
        assert_eq!(builder.snapshot.node_facts[0].absent, ["/etc/x"]);
        assert_eq!(builder.snapshot.blind_spots[0].what, "w: /etc/y");
        assert!(builder.newest.is_some() && builder.coverage.is_none());
        assert!(builder.snapshot.sightings.is_empty());
        let newer = br#"{"schema":"pullproof.node/9","facts":{}}"#;
        assert!(read(&mut builder, "n.json", newer));
        assert!(builder.snapshot.blind_spots[1].detail.contains("newer version"));
    }

    #[test]
    fn a_pull_that_the_runtime_refused_is_a_failing_pull() {
        let of = |outcome: &str, error: &str| {
            let text = format!(
                r#"{{"schema": "pullproof.node/1", "facts": {{"name": "w1", "name_given": true, "files": {{}}, "dirs": [],
                "runtime": {{"runtime": "containerd", "version": "2.2.1"}}, "process": {{"blind": "not-asked"}},
                "clock": {{"blind": "not-asked"}}}}, "pull": {{"image": "r.example.com/a:1", "user": null,
                "outcome": "{outcome}", "image_ref": null, "error": {error}, "cause": null, "took_ms": 3}}}}"#
            );
            let mut builder = Builder::new(Limits::default());
            assert!(read(&mut builder, "w1.json", text.as_bytes()));
            builder.snapshot.sightings
        };
        let [seen] = of("failed", r#""rpc error: x509: certificate signed by unknown authority""#)
            .try_into()
            .unwrap_or_else(|all| panic!("{all:?}"));
        let Sighting { vantage, node, image, .. } = seen;
        assert_eq!((vantage.to_string(), node.as_deref()), ("containerd@w1".to_owned(), Some("w1")));
        assert_eq!(image, "r.example.com/a:1");
        for (outcome, error) in [("pulled", "null"), ("no-answer", "null"), ("not-asked", r#""no socket""#)] {
            assert_eq!(of(outcome, error), Vec::new(), "{outcome}");
        }
    }
}
