//! `metadata`, and times as the API writes them.

use super::lenient::{Flag, List, Members, Present, Text, bounded};
use crate::redact;
use facts::{FieldManager, Meta, Origin, Owner};
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawMeta<'a> {
    #[serde(borrow)]
    pub namespace: Text<'a>,
    #[serde(borrow)]
    pub name: Text<'a>,
    #[serde(borrow)]
    pub generate_name: Text<'a>,
    #[serde(borrow)]
    pub uid: Text<'a>,
    #[serde(borrow)]
    pub creation_timestamp: Text<'a>,
    #[serde(borrow)]
    pub deletion_timestamp: Text<'a>,
    #[serde(borrow)]
    pub labels: Members<'a, Text<'a>>,
    #[serde(borrow)]
    pub annotations: Members<'a, Text<'a>>,
    #[serde(borrow)]
    pub owner_references: List<RawOwner<'a>>,
    #[serde(borrow)]
    pub managed_fields: List<RawManager<'a>>,
    /// A place where no field of this name belongs.
    pub image_pull_secrets: Present,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct RawOwner<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    controller: Flag,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawManager<'a> {
    #[serde(borrow)]
    manager: Text<'a>,
    #[serde(borrow)]
    operation: Text<'a>,
    #[serde(borrow)]
    time: Text<'a>,
    #[serde(borrow)]
    fields_v1: Members<'a, Present>,
}

/// Annotations and labels kept of one object.
const MOST: usize = 64;
/// Bytes kept of one annotation.
const LONGEST: usize = 1024;

impl RawMeta<'_> {
    /// The facts of it.
    pub fn facts(&self, origin: Origin) -> Meta {
        let name = if self.name.is_empty() { &self.generate_name } else { &self.name };
        Meta {
            namespace: self.namespace.owned(),
            name: name.owned(),
            uid: self.uid.owned(),
            created: time(&self.creation_timestamp),
            deleting: time(&self.deletion_timestamp),
            labels: self.labels.0.iter().take(MOST).map(|(k, v)| (k.owned(), v.owned())).collect(),
            annotations: annotations(&self.annotations),
            owners: self
                .owner_references
                .0
                .iter()
                .take(MOST)
                .map(|o| Owner { kind: o.kind.owned(), name: o.name.owned(), controller: o.controller.0 })
                .collect(),
            managers: self.managed_fields.0.iter().take(MOST).map(RawManager::facts).collect(),
            origin,
        }
    }

    /// The newest time that it states.
    pub fn newest(&self) -> Option<Timestamp> {
        let written = self.managed_fields.0.iter().filter_map(|m| time(&m.time)).max();
        time(&self.creation_timestamp).max(written)
    }
}

impl RawManager<'_> {
    fn facts(&self) -> FieldManager {
        FieldManager {
            manager: self.manager.owned(),
            operation: self.operation.owned(),
            time: time(&self.time),
            fields: self.fields_v1.0.iter().take(MOST).map(|(k, _)| k.owned()).collect(),
        }
    }
}

fn annotations(all: &Members<'_, Text<'_>>) -> std::collections::BTreeMap<String, String> {
    all.0
        .iter()
        // A copy of the whole object, secrets included.
        .filter(|(k, _)| !k.as_str().contains("last-applied-configuration"))
        .take(MOST)
        .map(|(k, v)| (k.owned(), redact::text(bounded(v.as_str(), LONGEST)).into_owned()))
        .collect()
}

/// A time as the API writes it, RFC 3339; `None` for anything else.
pub fn time(text: &Text<'_>) -> Option<Timestamp> {
    if text.is_empty() { None } else { text.as_str().trim().parse().ok() }
}
