//! What `containerd config dump` printed: the configuration in force, where the file itself was not collected.

use crate::case::Case;
use crate::lines::output_at;
use facts::{CommandOutput, NodeFacts};
use formats::transcript::command;
use report::{Evidence, Say};

/// The section of file version 2, and of 3 (containerd docs/cri/registry.md).
const OLD: &str = "io.containerd.grpc.v1.cri";
const NEW: &str = "io.containerd.cri.v1.images";

/// What was printed, as a file that says the same, and the line that names the hosts directories. A part of it counts where
/// that line is in it; `config default` is what a daemon without a file has.
pub fn dumped(case: &Case<'_>, facts: &NodeFacts, is_without_file: bool) -> Option<(String, Evidence)> {
    let only = case.snapshot.node_facts.len() <= 1;
    let own = |o: &&CommandOutput| o.node.as_deref().map_or(only, |n| n == facts.name);
    case.snapshot.outputs.iter().filter(own).find_map(|output| {
        let found = command(&output.command);
        let is_dump = found.program == "containerd"
            && found.has("config")
            && (found.has("dump") || found.has("default") && is_without_file);
        let set =
            |l: &str| l.trim().strip_prefix("config_path").is_some_and(|r| r.trim_start().starts_with('='));
        let (number, line) = (1..).zip(output.text.lines()).find(|(_, l)| is_dump && set(l))?;
        let evidence = Evidence {
            at: output_at(output, output.origin.line + number),
            says: Say::new("evidence-config-dumped"),
            quote: line.trim().chars().take(200).collect(),
        };
        Some((as_file(&output.text)?, evidence))
    })
}

/// A part of a dump lacks the file's version, and may lack the table's name.
fn as_file(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| *l != "--").collect();
    let body = lines.join("\n");
    if lines.iter().any(|l| l.strip_prefix("version").is_some_and(|r| r.trim_start().starts_with('='))) {
        return Some(body);
    }
    let version = match (body.contains(NEW), body.contains(OLD)) {
        (true, _) => 3,
        (_, true) => 2,
        _ => return None,
    };
    Some(format!("version = {version}\n{body}\n"))
}
