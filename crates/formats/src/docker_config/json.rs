//! JSON objects in the order of their members, and Go's words for what does not fit.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// An object's members in order; of equal names the last value counts, as in Go.
pub(super) struct Pairs(pub Vec<(String, Value)>);

impl Pairs {
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(k, _)| k == name).map(|(_, v)| v)
    }

    /// The entries below `auths`, in order; none where it is absent or null. The error names the JSON kind.
    pub fn auths(&self, text: &[u8]) -> Result<Self, &'static str> {
        #[derive(serde::Deserialize)]
        struct Outer {
            #[serde(default)]
            auths: Option<Pairs>,
        }
        match self.get("auths") {
            None | Some(Value::Null) => Ok(Self(Vec::new())),
            Some(Value::Object(_)) => {
                let outer: Result<Outer, _> = serde_json::from_slice(text);
                Ok(outer.ok().and_then(|o| o.auths).unwrap_or(Self(Vec::new())))
            }
            Some(other) => Err(kind(other)),
        }
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs: Vec<(String, Value)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    match pairs.iter_mut().find(|(k, _)| *k == name) {
                        Some(known) => known.1 = value,
                        None => pairs.push((name, value)),
                    }
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The name of a value's kind in Go's messages.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// `json: cannot unmarshal ...`, as `encoding/json` says it.
pub(super) fn wrong_kind(kind: &str, field: &str, wanted: &str) -> String {
    if field.is_empty() {
        return format!("json: cannot unmarshal {kind} into Go value of type {wanted}");
    }
    format!("json: cannot unmarshal {kind} into Go struct field {field} of type {wanted}")
}

/// What is wrong with a text that is no JSON object, without quoting more than one character of it.
pub(super) fn problem(text: &[u8], error: &serde_json::Error) -> String {
    let first = String::from_utf8_lossy(text).chars().find(|c| !c.is_ascii_whitespace());
    match first {
        Some('{') | None => {
            format!("invalid JSON at line {} column {}", error.line(), error.column())
        }
        Some(c) if c.is_ascii_graphic() => format!("invalid character '{c}' looking for beginning of value"),
        Some(c) => format!("invalid character '\\u{:04x}' looking for beginning of value", u32::from(c)),
    }
}
