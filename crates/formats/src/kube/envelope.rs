//! `apiVersion` and `kind` of an object, without reading the rest where they come first.

use super::lenient::{Or, Present, Text};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;

/// What says which kind of object follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// `v1`, `apps/v1`; empty where the object has none.
    pub api_version: Cow<'a, str>,
    /// `Pod`; empty where the object has none.
    pub kind: Cow<'a, str>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Raw<'a> {
    #[serde(borrow)]
    api_version: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
}

impl<'a> Envelope<'a> {
    /// The envelope of a parsed object.
    pub fn of_value(value: &'a Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        Self { api_version: text("apiVersion").into(), kind: text("kind").into() }
    }

    /// The object's own, else the hint's.
    #[must_use]
    pub fn or_hint(self, hint: &Envelope<'a>) -> Self {
        if self.kind.is_empty() { hint.clone() } else { self }
    }

    /// The envelope of the items of a list: `PodList` holds `Pod`, `List` anything.
    pub fn of_items(&self) -> Envelope<'static> {
        match self.kind.strip_suffix("List").filter(|k| !k.is_empty()) {
            Some(kind) => Envelope {
                api_version: self.api_version.clone().into_owned().into(),
                kind: kind.to_owned().into(),
            },
            None => Envelope::default(),
        }
    }
}

/// The envelope of an object's JSON. API servers and kubectl write it first; else the whole object is read for it.
pub fn envelope(json: &[u8]) -> Envelope<'_> {
    if let Some(found) = leading(json) {
        return found;
    }
    let raw = serde_json::from_slice::<Or<Raw<'_>>>(json).unwrap_or_default().0;
    Envelope { api_version: raw.api_version.0, kind: raw.kind.0 }
}

/// The kind of an object that does not say it, by members that only that kind has. Some tools store bare objects.
pub fn guess(json: &[u8]) -> Envelope<'static> {
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Marks {
        metadata: Present,
        involved_object: Present,
        regarding: Present,
        spec: Or<Spec>,
        status: Or<Status>,
    }
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Spec {
        containers: Present,
    }
    #[derive(Deserialize, Default)]
    #[serde(rename_all = "camelCase", default)]
    struct Status {
        node_info: Present,
    }
    let marks = serde_json::from_slice::<Or<Marks>>(json).unwrap_or_default().0;
    let kind = match marks {
        Marks { metadata: Present(false), .. } => "",
        Marks { involved_object: Present(true), .. } | Marks { regarding: Present(true), .. } => "Event",
        Marks { spec: Or(Spec { containers: Present(true) }), .. } => "Pod",
        Marks { status: Or(Status { node_info: Present(true) }), .. } => "Node",
        Marks { .. } => "",
    };
    Envelope { api_version: if kind.is_empty() { "".into() } else { "v1".into() }, kind: kind.into() }
}

/// The first two members, where they are `apiVersion` and `kind` in either order and plain text.
fn leading(json: &[u8]) -> Option<Envelope<'_>> {
    let mut rest = skip_blanks(json).strip_prefix(b"{")?;
    let mut found = Envelope::default();
    for _ in 0..2 {
        let (key, after) = plain_text(skip_blanks(rest))?;
        let after = skip_blanks(skip_blanks(after).strip_prefix(b":")?);
        let (value, after) = plain_text(after)?;
        match key {
            "apiVersion" => found.api_version = value.into(),
            "kind" => found.kind = value.into(),
            _ => return None,
        }
        rest = skip_blanks(after).strip_prefix(b",").unwrap_or(after);
    }
    (!found.kind.is_empty() && !found.api_version.is_empty()).then_some(found)
}

fn skip_blanks(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_start()
}

/// A string without escapes and what follows it.
fn plain_text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(b"\"")?;
    let end = rest.iter().take(256).position(|b| matches!(b, b'"' | b'\\'))?;
    let (text, after) = rest.split_at_checked(end)?;
    Some((std::str::from_utf8(text).ok()?, after.strip_prefix(b"\"")?))
}
