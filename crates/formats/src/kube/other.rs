//! Every other object, as redacted and bounded JSON: workloads, GitOps applications, mirror rules.

use super::lenient::{Or, Text};
use super::meta::RawMeta;
use crate::redact;
use facts::{Origin, OtherObject};
use serde::Deserialize;
use serde_json::Value;

/// Bytes kept of one object.
pub const LONGEST_OBJECT: usize = 64 << 10;

/// Kinds that come in thousands and say nothing about pulls.
const SILENT: &[&str] = &[
    "APIService",
    "CSINode",
    "ControllerRevision",
    "CustomResourceDefinition",
    "EndpointSlice",
    "Endpoints",
    "FlowSchema",
    "Lease",
    "PodMetrics",
    "PriorityLevelConfiguration",
    "VolumeAttachment",
];

/// Whether objects of this kind are left out.
pub fn is_silent(kind: &str) -> bool {
    SILENT.contains(&kind)
}

/// The facts of one.
pub fn facts(api_version: &str, kind: &str, mut value: Value, origin: Origin) -> OtherObject {
    let meta = match value.get("metadata") {
        Some(m) => Or::<RawMeta<'_>>::deserialize(m).map(|m| m.0.facts(origin.clone())).unwrap_or_default(),
        None => facts::Meta { origin, ..facts::Meta::default() },
    };
    if let Some(Value::Object(m)) = value.get_mut("metadata") {
        m.remove("managedFields");
        if let Some(Value::Object(annotations)) = m.get_mut("annotations") {
            annotations.retain(|k, _| !k.contains("last-applied-configuration"));
        }
    }
    redact::json(&mut value);
    shorten(&mut value, 4096);
    let mut json = value.to_string();
    if json.len() > LONGEST_OBJECT {
        // Status goes first: what is wanted counts, and half an object would not parse.
        if let Value::Object(members) = &mut value {
            members.remove("status");
        }
        shorten(&mut value, 256);
        json = value.to_string();
    }
    if json.len() > LONGEST_OBJECT {
        json = String::from("{}");
    }
    OtherObject { api_version: Text(api_version.into()).owned(), kind: Text(kind.into()).owned(), meta, json }
}

/// Cuts long texts, and sorts members so that the JSON is the same whatever the map keeps.
fn shorten(value: &mut Value, longest: usize) {
    match value {
        Value::String(s) if s.len() > longest => {
            let mut cut = super::lenient::bounded(s, longest).to_owned();
            cut.push('…');
            *s = cut;
        }
        Value::Array(all) => all.iter_mut().for_each(|v| shorten(v, longest)),
        Value::Object(members) => {
            let mut sorted: Vec<_> = std::mem::take(members).into_iter().collect();
            sorted.sort_by(|a, b| a.0.cmp(&b.0));
            for (key, mut inner) in sorted {
                shorten(&mut inner, longest);
                members.insert(key, inner);
            }
        }
        _ => {}
    }
}
