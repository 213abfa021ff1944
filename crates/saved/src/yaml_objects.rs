//! Kubernetes objects out of YAML: documents one by one, lists item by item where the whole does not parse.

use crate::builder::Builder;
use facts::{Origin, Why};
use formats::kube::{self, Envelope, Kind};
use formats::yaml::{self, Document};
use regex::Regex;
use serde_json::Value;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static OBJECT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"(?m)^(?:- |  )?["']?(?:apiVersion|kind)["']?:[ \t]*\S"#).expect("constant pattern")
});

/// Whether a text may hold objects: some line at its outer edge names a kind or a version.
pub fn may_hold(text: &str) -> bool {
    OBJECT.is_match(text)
}

/// Reads every object of a text. `false` where it holds none, so that it is something else. `first` is the line at which
/// the text begins in its file.
pub fn read(builder: &mut Builder, source: &str, text: &str, first: u32, guess: &Envelope<'_>) -> bool {
    let mut found = false;
    for document in yaml::documents(text) {
        let line = first + document.line - 1;
        match yaml::parse(document) {
            Ok(value) => found |= value_objects(builder, source, &value, document.text, line, guess),
            Err(problem) if may_hold(document.text) => {
                found = true;
                let at = first + problem.line - 1;
                let items = items(document.text);
                let kept = items.iter().filter(|i| item(builder, source, **i, line)).count();
                let what = if items.is_empty() {
                    format!("line {at}: {}", problem.message)
                } else {
                    format!("line {at}: {}; {kept} of {} items could be read", problem.message, items.len())
                };
                builder.blind(source, Why::Unreadable, what, "");
            }
            Err(problem) => {
                let at = first + problem.line - 1;
                builder.blind(source, Why::Unreadable, format!("line {at}: {}", problem.message), "");
            }
        }
    }
    found
}

fn value_objects(
    builder: &mut Builder,
    source: &str,
    value: &Value,
    text: &str,
    line: u32,
    guess: &Envelope<'_>,
) -> bool {
    if let Value::Array(all) = value {
        // Every one is read, also after the first that is an object.
        return all.iter().filter(|v| value_objects(builder, source, v, "", line, guess)).count() > 0;
    }
    let own = Envelope::of_value(value).or_hint(guess);
    if own.kind.is_empty() || value.get("metadata").is_none() && own.api_version.is_empty() {
        return false;
    }
    let is_list = Kind::of(&own.api_version, &own.kind) == Kind::List;
    if let (true, Some(Value::Array(all))) = (is_list, value.get("items")) {
        let hint = own.of_items();
        let lines: Vec<u32> = items(text).iter().map(|i| i.line).collect();
        for (n, one) in all.iter().enumerate() {
            let at =
                if lines.len() == all.len() { lines.get(n).map_or(line, |l| line + l - 1) } else { line };
            let origin = Origin { source: source.to_owned(), line: at };
            let read = kube::from_value(one, &hint, origin, &mut builder.same);
            builder.object(read);
        }
        let more = value.pointer("/metadata/continue").and_then(Value::as_str).is_some_and(|c| !c.is_empty());
        if more {
            builder.blind(source, Why::Truncated, format!("one page of a {} that has more", own.kind), "");
        }
        if !more {
            builder.whole.insert(source.to_owned());
        }
        return true;
    }
    let origin = Origin { source: source.to_owned(), line };
    let read = kube::from_value(value, &own, origin, &mut builder.same);
    builder.object(read);
    true
}

/// One item of a list that does not parse as a whole. `first` is the line of the list's document.
fn item(builder: &mut Builder, source: &str, document: Item<'_>, first: u32) -> bool {
    let text = document.outdented();
    let Ok(value) = yaml::parse(Document { text: &text, line: document.line }) else { return false };
    value_objects(builder, source, &value, "", first + document.line - 1, &Envelope::default())
}

/// The text of one element of `items`, with its dash, and its line from 1.
#[derive(Clone, Copy)]
struct Item<'a> {
    text: &'a str,
    indent: usize,
    line: u32,
}

impl Item<'_> {
    /// The same without its indent and dash, as a document of its own.
    fn outdented(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        for (n, line) in self.text.split_inclusive('\n').enumerate() {
            if n == 0 {
                // The dash becomes a blank, so that the first key stands below its siblings.
                out.push_str("  ");
                out.push_str(line.get(self.indent + 2..).unwrap_or_default());
            } else {
                out.push_str(line.get(self.indent.min(line.len())..).unwrap_or_default());
            }
        }
        out
    }
}

/// The elements of a list's `items` at the outer edge, by their dashes. No scalar within an element can begin a line at
/// that indent with a dash, because its content stands further in.
fn items<'t>(text: &'t str) -> Vec<Item<'t>> {
    let mut found: Vec<Item<'t>> = Vec::new();
    let mut indent = None;
    let mut within = false;
    let mut offset = 0;
    let mut start: Option<(usize, u32)> = None;
    let close = |start: &mut Option<(usize, u32)>, found: &mut Vec<Item<'t>>, end: usize, indent: usize| {
        if let Some((from, line)) = start.take()
            && let Some(text) = text.get(from..end)
        {
            found.push(Item { text, indent, line });
        }
    };
    for (number, line) in (1_u32..).zip(text.split_inclusive('\n')) {
        let at = offset;
        offset += line.len();
        let body = line.trim_end();
        let own = body.len() - body.trim_start().len();
        if !within {
            within = body == "items:";
            continue;
        }
        if body.trim().is_empty() {
            continue;
        }
        let dash = body.get(own..).is_some_and(|b| b.starts_with("- "));
        match indent {
            None if dash => indent = Some(own),
            None => {
                within = false;
                continue;
            }
            Some(_) => {}
        }
        let outer = indent.unwrap_or_default();
        if own == outer && dash {
            close(&mut start, &mut found, at, outer);
            start = Some((at, number));
        } else if own <= outer && !dash {
            close(&mut start, &mut found, at, outer);
            within = false;
        }
    }
    close(&mut start, &mut found, text.len(), indent.unwrap_or_default());
    found
}
