//! The report as SARIF 2.1.0, for code scanning: a cause is a rule, an incident a result. What is shown is an error,
//! what is likely a warning, what is possible a note. OASIS' specification names the fields.

use crate::Look;
use crate::hostile::{plain, without_secrets};
use crate::place::place;
use crate::sentence;
use crate::words::Words;
use report::{Incident, Locator, Report};
use serde::Serialize;
use std::collections::BTreeSet;
use vocabulary::{Cause, Confidence};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
struct Run {
    tool: Tool,
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    help: Text,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct RuleProperties {
    tags: [&'static str; 2],
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: Vec<Location>,
    partial_fingerprints: Fingerprints,
    properties: FindingProperties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fingerprints {
    incident_id: String,
}

#[derive(Serialize)]
struct FindingProperties {
    confidence: &'static str,
    stage: &'static str,
    pulls: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<Physical>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
    message: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
    kind: &'static str,
}

/// The report as SARIF.
pub fn sarif(report: &Report, look: &Look) -> String {
    let words = Words::of(look.lang);
    let causes: Vec<Cause> =
        report.incidents.iter().map(|i| i.cause).collect::<BTreeSet<_>>().into_iter().collect();
    let driver = Driver {
        name: "pullproof",
        version: env!("CARGO_PKG_VERSION"),
        rules: causes.iter().map(|c| rule(*c, words)).collect(),
    };
    let results = report.incidents.iter().map(|i| finding(i, &causes, words)).collect();
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [Run { tool: Tool { driver }, results }] };
    // Serialising strings, numbers and lists into a string cannot fail.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn rule(cause: Cause, words: &Words) -> Rule {
    Rule {
        id: cause.id(),
        short_description: Text { text: words.meaning(cause) },
        help: Text { text: words.fix(cause) },
        properties: RuleProperties { tags: ["image-pull", cause.stage().word()] },
    }
}

fn finding(i: &Incident, causes: &[Cause], words: &Words) -> Finding {
    let reach = sentence::reach(words, i).join(" · ");
    Finding {
        rule_id: i.cause.id(),
        rule_index: causes.binary_search(&i.cause).unwrap_or_default(),
        level: match i.confidence {
            Confidence::Confirmed => "error",
            Confidence::Likely => "warning",
            Confidence::Possible => "note",
        },
        message: Text { text: format!("{} — {reach}", sentence::verdict(words, i)) },
        locations: i.evidence.iter().map(|e| location(&e.at, words.say(&e.says), words)).collect(),
        partial_fingerprints: Fingerprints { incident_id: plain(&i.id) },
        properties: FindingProperties {
            confidence: i.confidence.word(),
            stage: i.stage.word(),
            pulls: i.affected.pulls,
        },
    }
}

fn location(at: &Locator, says: String, words: &Words) -> Location {
    let message = Text { text: says };
    let file = match at {
        Locator::File { node, path, line, column, .. } => {
            Some((node.as_str(), path.as_str(), *line, *column))
        }
        Locator::Output { source, line, .. } if !source.is_empty() => Some(("", source.as_str(), *line, 0)),
        _ => None,
    };
    match file {
        Some((node, path, line, column)) => Location {
            physical_location: Some(Physical {
                artifact_location: Artifact { uri: uri(node, path) },
                region: (line > 0)
                    .then_some(Region { start_line: line, start_column: (column > 0).then_some(column) }),
            }),
            logical_locations: Vec::new(),
            message,
        },
        None => Location {
            physical_location: None,
            logical_locations: vec![Logical { fully_qualified_name: place(words, at), kind: "object" }],
            message,
        },
    }
}

/// A relative reference: what no URL may hold is percent-encoded, a node's files stand below its name.
fn uri(node: &str, path: &str) -> String {
    let whole = if node.is_empty() {
        path.to_owned()
    } else {
        format!("nodes/{node}/{}", path.trim_start_matches('/'))
    };
    let mut out = String::new();
    for byte in without_secrets(&whole).trim_start_matches('/').bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_a_relative_reference() {
        assert_eq!(
            uri("worker-7", "/etc/containerd/certs.d/registry.example.com:5000/hosts.toml"),
            "nodes/worker-7/etc/containerd/certs.d/registry.example.com%3A5000/hosts.toml"
        );
        assert_eq!(uri("", "kube/파드 1.yaml"), "kube/%ED%8C%8C%EB%93%9C%201.yaml");
    }
}
