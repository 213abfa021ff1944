//! Snapshots that Pullproof itself wrote: bundles and node reports. They join what else was given.

use crate::builder::Builder;
use facts::{SNAPSHOT_SCHEMA, Snapshot, Why};
use serde::Deserialize;
use serde_json::Value;

/// Whether a text may be one: it begins with the version of its form, and has members that nothing else has.
pub fn looks_like_one(head: &[u8]) -> bool {
    let start = head.get(..head.len().min(64)).unwrap_or_default();
    let compact: Vec<u8> = start.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
    let is_versioned = compact
        .strip_prefix(b"{\"schema\":")
        .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit));
    is_versioned
        && memchr::memmem::find(head.get(..head.len().min(512)).unwrap_or_default(), b"\"taken_at\"")
            .is_some()
}

/// Reads one. `false` where it is none after all.
pub fn read(builder: &mut Builder, source: &str, text: &[u8]) -> bool {
    let Ok(mut value) = serde_json::from_slice::<Value>(text) else {
        builder.blind(source, Why::Unreadable, "a bundle that is cut or damaged", "");
        return true;
    };
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
