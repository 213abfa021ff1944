//! The JSON form, written as YAML: the same tree in block style. Every string that could be read as something else is
//! quoted, by the rules of YAML 1.1 too, which Kubernetes tools read.

use super::value;
use crate::Look;
use crate::hostile::deceives;
use report::Report;
use serde_json::Value;

/// The report as YAML.
pub fn yaml(report: &Report, look: &Look) -> String {
    let mut out = String::new();
    block(&mut out, &value(report, look), 0, true);
    out
}

/// Writes a value that stands on lines of its own (`fresh`) or behind a key or a dash.
fn block(out: &mut String, tree: &Value, indent: usize, fresh: bool) {
    match tree {
        Value::Object(fields) if !fields.is_empty() => {
            let mut lead = fresh;
            for (key, child) in fields {
                if !lead {
                    pad(out, indent);
                }
                lead = false;
                out.push_str(key);
                out.push(':');
                below(out, child, indent + 2);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let mut lead = fresh;
            for child in items {
                if !lead {
                    pad(out, indent);
                }
                lead = false;
                out.push_str("- ");
                block(out, child, indent + 2, true);
            }
        }
        leaf => {
            scalar(out, leaf);
            out.push('\n');
        }
    }
}

/// What stands behind a key: a leaf on the same line, all else below it.
fn below(out: &mut String, child: &Value, indent: usize) {
    match child {
        Value::Object(fields) if !fields.is_empty() => out.push('\n'),
        Value::Array(items) if !items.is_empty() => out.push('\n'),
        _ => {
            out.push(' ');
            return block(out, child, indent, true);
        }
    }
    block(out, child, indent, false);
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn scalar(out: &mut String, leaf: &Value) {
    match leaf {
        Value::String(text) if is_plain(text) => out.push_str(text),
        Value::String(text) => quoted(out, text),
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&leaf.to_string()),
    }
}

/// Whether a text is a string without quotes too: it begins with a letter, holds nothing that YAML gives a meaning,
/// and is no word that some version of YAML reads as a truth value or nothing.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 8] = ["y", "n", "yes", "no", "on", "off", "true", "false"];
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(safe)
        && !WORDS.iter().any(|w| text.eq_ignore_ascii_case(w))
        && !text.eq_ignore_ascii_case("null")
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || deceives(c) || ('\u{fffe}'..='\u{ffff}').contains(&c) => {
                out.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(tree: &Value) -> String {
        let mut out = String::new();
        block(&mut out, tree, 0, true);
        out
    }

    #[test]
    fn it_reads_as_people_write_it() {
        let tree = serde_json::json!({"a": [{"b": 1, "c": []}, "no", [true, null]], "d": {}, "e": "x: y"});
        let expected = "a:\n  - b: 1\n    c: []\n  - \"no\"\n  - - true\n    - null\nd: {}\ne: \"x: y\"\n";
        assert_eq!(written(&tree), expected);
    }

    fn tree() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[yYnN]|no|0x1f|1e3|\\.inf|~|null|2026-11-30|a: b|- x|#c".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map("[a-z_]{3,8}z", inner, 0..4)
                    .prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_yaml_reader_gets_the_same_tree(tree in tree()) {
            let text = written(&tree);
            let read: Value = serde_saphyr::from_str(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
            prop_assert_eq!(read, tree, "{}", text);
        }
    }
}
