//! The report for programs: JSON of a published schema, and the same as YAML.
//!
//! Keys, ids, words of the vocabulary and commands are the same in every language; sentences are in the reader's.

mod shape;
mod yaml;

pub use yaml::yaml;

use crate::Look;
use crate::hostile::{deceives, without_secrets};
use crate::words::Words;
use report::Report;
use serde_json::Value;

/// The report as JSON, indented, with a line break at its end.
pub fn json(report: &Report, look: &Look) -> String {
    let mut text = String::new();
    // Serialising strings, numbers and lists into a string cannot fail.
    for c in serde_json::to_string_pretty(&value(report, look)).unwrap_or_default().chars() {
        match c {
            '\n' => text.push(c),
            c if c.is_control() || deceives(c) => {
                let mut units = [0; 2];
                text.extend(c.encode_utf16(&mut units).iter().map(|u| format!("\\u{u:04x}")));
            }
            c => text.push(c),
        }
    }
    text.push('\n');
    text
}

/// The report as a tree, with the credentials that URLs may hold hidden in every string.
fn value(report: &Report, look: &Look) -> Value {
    let shape = shape::report(report, Words::of(look.lang));
    let mut tree = serde_json::to_value(shape).unwrap_or_default();
    hide(&mut tree);
    tree
}

fn hide(tree: &mut Value) {
    match tree {
        Value::String(text) if text.contains("://") => *text = without_secrets(text),
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::Object(fields) => fields.values_mut().for_each(hide),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The JSON Schema of the report, indented, with a line break at its end.
pub fn schema() -> String {
    let schema = schemars::schema_for!(shape::Report);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}
