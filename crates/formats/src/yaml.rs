//! YAML as Kubernetes and its distributions read it, into JSON values: bounded, document by document.
//!
//! One door to the YAML crate. What the values mean is left to those who ask (`kube`, registries.yaml). A stream is
//! split before it is parsed, so that a broken document costs itself and not its neighbours.

use serde_json::Value;
use serde_saphyr::{DuplicateKeyPolicy, NonFiniteFloatPolicy, Options};

/// The largest document that is parsed, in bytes.
pub const MAX_DOCUMENT: usize = 16 << 20;

/// What keeps a document from being read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Problem {
    /// The line in the whole text, from 1.
    pub line: u32,
    /// The parser's words, one line, bounded.
    pub message: String,
}

/// One document of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its text, without the separator.
    pub text: &'a str,
    /// The line of the stream at which the text begins, from 1.
    pub line: u32,
}

/// Splits a stream at its `---` and `...` lines, which no scalar can hold at the line's start (YAML 1.2, 9.1).
/// Documents that hold nothing but blanks and comments are left out.
pub fn documents(text: &str) -> Vec<Document<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Vec::new();
    let (mut start, mut first_line) = (0, 1);
    let mut offset = 0;
    for (number, line) in (1_u32..).zip(text.split_inclusive('\n')) {
        if is_marker(line) {
            push(&mut found, text.get(start..offset), first_line);
            // `--- text` has content behind the marker: it stays, the marker itself is blanked by the parser.
            let inline = line.starts_with("---") && !line.trim_end().eq("---");
            start = if inline { offset } else { offset + line.len() };
            first_line = if inline { number } else { number + 1 };
        }
        offset += line.len();
    }
    push(&mut found, text.get(start..), first_line);
    found
}

fn push<'a>(found: &mut Vec<Document<'a>>, text: Option<&'a str>, line: u32) {
    let Some(text) = text else { return };
    let says_something = |l: &str| {
        let l = l.trim();
        !l.is_empty() && !l.starts_with('#') && !l.starts_with('%')
    };
    if text.lines().any(says_something) {
        found.push(Document { text, line });
    }
}

fn is_marker(line: &str) -> bool {
    ["---", "..."].iter().any(|m| {
        line.strip_prefix(m).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
    })
}

/// Parses one document. Duplicate keys: the last one counts. `yes`, `no`, `on`, `off`, `y` and `n` stay texts, so that a
/// namespace called `n` is not lost; ask [`is_true`] and [`is_false`] where a switch is meant.
///
/// # Errors
///
/// The text does not parse, or exceeds a bound.
pub fn parse(document: Document<'_>) -> Result<Value, Problem> {
    if document.text.len() > MAX_DOCUMENT {
        return Err(Problem {
            line: document.line,
            message: format!("a document of more than {} MiB", MAX_DOCUMENT >> 20),
        });
    }
    serde_saphyr::from_str_with_options(document.text, options()).map_err(|e| {
        let e = e.without_snippet();
        let line = e.location().map_or(0, |l| u32::try_from(l.line()).unwrap_or(u32::MAX));
        Problem {
            line: document.line.saturating_add(line.saturating_sub(1)),
            message: first_line(&e.to_string()),
        }
    })
}

/// Parses a text of one document; of several, the first.
///
/// # Errors
///
/// As [`parse`]. A text without a document is `null`.
pub fn parse_text(text: &str) -> Result<Value, Problem> {
    documents(text).first().map_or(Ok(Value::Null), |d| parse(*d))
}

/// Whether a value is a switch that is on, as YAML 1.1 (which Kubernetes and k3s read) has it.
pub fn is_true(value: &Value) -> bool {
    value.as_bool() == Some(true)
        || value.as_str().is_some_and(|s| matches!(s, "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "y" | "Y"))
}

/// Whether a value is a switch that is off, as YAML 1.1 has it.
pub fn is_false(value: &Value) -> bool {
    value.as_bool() == Some(false)
        || value.as_str().is_some_and(|s| matches!(s, "no" | "No" | "NO" | "off" | "Off" | "OFF" | "n" | "N"))
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 4_000_000,
            max_nodes: 2_000_000,
            max_depth: 100,
            max_documents: 1,
            max_anchors: 10_000,
            max_aliases: 10_000,
            max_recorded_anchor_bytes: 8 << 20,
            max_recorded_anchor_events: 100_000,
            max_total_scalar_bytes: 32 << 20,
        },
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        strict_booleans: true,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        ignore_binary_tag_for_string: true,
        with_snippet: false,
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn splits_at_markers_and_counts_lines() {
        let text = "a: 1\n---\n# only a comment\n---\nb: 2\n...\n--- {c: 3}\n";
        let got: Vec<_> = documents(text).iter().map(|d| (d.line, parse(*d).unwrap())).collect();
        assert_eq!(got, [(1, json!({"a": 1})), (5, json!({"b": 2})), (7, json!({"c": 3}))]);
    }

    #[test]
    fn a_broken_document_costs_itself_and_names_its_line() {
        let text = "a: 1\n---\nb: [1,\nc: 2\n---\nd: 3\n";
        let got: Vec<_> = documents(text).iter().map(|d| parse(*d)).collect();
        assert_eq!(got[0], Ok(json!({"a": 1})));
        assert!((3..=5).contains(&got[1].as_ref().unwrap_err().line), "{:?}", got[1]);
        assert_eq!(got[2], Ok(json!({"d": 3})));
    }

    #[test]
    fn reads_what_kubernetes_reads() {
        let value =
            parse_text("a: yes\nb: 'yes'\nc: 1.10\nd: 010\ne: ~\nf: 2024-01-02\ng: .inf\nh: 1\nh: 2\n")
                .unwrap();
        assert!(is_true(&value["a"]) && !is_false(&value["a"]));
        assert_eq!(value["b"], json!("yes"));
        assert_eq!(value["c"], json!(1.1));
        assert_eq!(value["e"], Value::Null);
        assert_eq!(value["f"], json!("2024-01-02"));
        assert_eq!(value["h"], json!(2));
    }

    #[test]
    fn a_bomb_of_aliases_is_refused() {
        let mut text = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
        for n in 1..12 {
            let refs = vec![format!("*a{}", n - 1); 10].join(",");
            text += &format!("a{n}: &a{n} [{refs}]\n");
        }
        assert!(parse_text(&text).is_err());
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "\\PC*|(?s)[-a: \\[\\]{}\"'|>&*#\n]{0,200}") {
            for document in documents(&text) {
                let _ = parse(document);
            }
        }
    }
}
