//! The sentences that every form for people shares: a verdict with its scope, what is well, what was looked at.

use crate::words::Words;
use report::{Affected, Incident, Report, Say, Scope};

/// What an incident's verdict may not say when it hits several: one node's name for many nodes would be wrong.
fn said_of_all(words: &Words, incident: &Incident) -> Say {
    let mut title = incident.title.clone();
    let hit = &incident.affected;
    let many = |name: &str| match name {
        "node" => hit.nodes.len() > 1,
        "image" => hit.images.len() > 1,
        "registry" => hit.registries.len() > 1,
        _ => false,
    };
    for (name, value) in &mut title.args {
        if many(name) {
            *value = words.several(name);
        }
    }
    title
}

/// The verdict in one line, with the thing that it is about where the sentence does not name it already.
pub fn verdict(words: &Words, incident: &Incident) -> String {
    let said = words.say(&said_of_all(words, incident));
    let subject =
        incident.title.args.iter().find(|(name, _)| *name == "subject").map_or("", |(_, s)| s.as_str());
    let shown = words.subject(subject);
    match subject {
        "" | "cluster" => said,
        _ if said.contains(&shown) => said,
        _ => format!("{said}: {shown}"),
    }
}

/// How far an incident reaches: `12 failing pulls · 8 pods · worker-7`.
pub fn reach(words: &Words, incident: &Incident) -> Vec<String> {
    let hit = &incident.affected;
    let mut parts = vec![counted(words, &format!("count-{}", incident.operation.word()), hit.pulls)];
    let pods = pods(hit);
    if pods > 0 && (pods as u64) < hit.pulls {
        parts.push(counted(words, "count-pods", pods as u64));
    }
    match hit.nodes.as_slice() {
        [] => {}
        [node] => parts.push(words.with("on-node", &[("node", node)])),
        nodes => parts.push(counted(words, "count-nodes", nodes.len() as u64)),
    }
    parts
}

/// The number of pods, each counted once however many containers fail in it.
fn pods(hit: &Affected) -> usize {
    let mut names: Vec<_> = hit.pods.iter().map(|p| (&p.namespace, &p.name)).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// A number with its noun, in the plural where the language has one.
pub fn counted(words: &Words, key: &str, count: u64) -> String {
    words.with(key, &[("count", &count.to_string())])
}

/// What was found, in one line: `2 incidents`, `14 failing pulls`, `231 pods are well`.
pub fn found(words: &Words, report: &Report) -> Vec<String> {
    let mut parts = Vec::new();
    if !report.incidents.is_empty() {
        parts.push(counted(words, "count-incidents", report.incidents.len() as u64));
        let pulls = report.incidents.iter().map(|i| i.affected.pulls).sum();
        parts.push(counted(words, "count-failing", pulls));
        if report.healthy.pods_seen && report.healthy.pods > 0 {
            parts.push(counted(words, "count-well", report.healthy.pods));
        }
    } else if report.pulls_here() && !report.healthy.pods_seen {
        parts.push(words.get("pull-works-here"));
    } else if report.healthy.pods_seen {
        parts.push(words.get("nothing-fails"));
        parts.push(counted(words, "count-well", report.healthy.pods));
    } else {
        parts.push(words.get("nothing-found"));
        parts.push(words.get("pods-not-seen"));
    }
    parts
}

/// What was looked at, and when.
pub fn looked_at(words: &Words, report: &Report) -> Vec<String> {
    let Scope { source, context, namespace, target, selector } = &report.scope;
    let mut parts = Vec::new();
    if matches!(source.as_str(), "live") {
        parts.push(match namespace.is_empty() {
            true => words.get("scope-all-namespaces"),
            false => words.with("scope-namespace", &[("name", namespace)]),
        });
    } else if !source.is_empty() {
        parts.push(words.get(&format!("scope-{source}")));
    }
    let named = [("scope-target", target), ("scope-selector", selector), ("scope-context", context)];
    parts.extend(
        named.into_iter().filter(|(_, v)| !v.is_empty()).map(|(key, v)| words.with(key, &[("name", v)])),
    );
    if let Some(at) = report.generated_at {
        parts.push(at.strftime("%Y-%m-%d %H:%M:%SZ").to_string());
    }
    parts
}

/// A name with its namespace, where it has one.
pub fn qualified(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}/{name}") }
}
