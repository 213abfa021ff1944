//! Lines of everything that was found as text: command outputs, logs, configurations, files of nodes.
//!
//! A question asks for the lines that hold a word it knows (a secret's name, a host); each word is looked for once for
//! the whole Snapshot, and hits are bounded.

use crate::case::Case;
use crate::naming::names;
use crate::pull::Pull;
use facts::{CommandOutput, Event, Place};
use report::{Evidence, Locator, Say};
use std::rc::Rc;

/// At most this many lines are kept for one word.
const HITS: usize = 400;
/// At most this many characters of a line are quoted.
const QUOTE: usize = 400;

/// A command's output as a place; `line` is counted in its source, where the command itself stands at `origin.line`.
pub fn output_at(output: &CommandOutput, line: u32) -> Locator {
    Locator::Output {
        vantage: output.vantage.to_string(),
        command: output.command.clone(),
        source: output.origin.source.clone(),
        line,
    }
}

/// An event's message as a place.
pub fn event_at(event: &Event) -> Locator {
    Locator::Object {
        kind: "Event".into(),
        namespace: event.namespace.clone(),
        name: event.meta.name.clone(),
        field: "message".into(),
    }
}

/// An event's message as evidence.
pub fn told(event: &Event, says: Say) -> Evidence {
    Evidence { at: event_at(event), says, quote: event.message.clone() }
}

/// One line of a text, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The line.
    pub text: &'a str,
    /// Its number in its source, from 1.
    pub number: u32,
    /// The source.
    pub source: Source<'a>,
}

/// What a line is part of.
#[derive(Clone, Copy, Debug)]
pub enum Source<'a> {
    /// A command's output.
    Output(&'a CommandOutput),
    /// A log, a configuration, a list.
    Document(&'a facts::Document),
    /// A file of a node: the node's name, the path.
    File(&'a str, &'a str),
}

impl<'a> Line<'a> {
    /// The node it belongs to, where known.
    pub fn node(&self) -> Option<&'a str> {
        match self.source {
            Source::Output(o) => o.node.as_deref(),
            Source::Document(d) => d.node.as_deref(),
            Source::File(node, _) => Some(node),
        }
    }

    /// Whose side it shows; `None` for outputs, which say so by their vantage.
    pub fn place(&self) -> Option<Place> {
        match self.source {
            Source::Output(_) => None,
            Source::Document(d) => Some(d.place),
            Source::File(..) => Some(Place::Node),
        }
    }

    /// The file that it was found in.
    pub fn path(&self) -> &'a str {
        match self.source {
            Source::Output(o) => &o.origin.source,
            Source::Document(d) => &d.origin.source,
            Source::File(_, path) => path,
        }
    }

    /// Where it stands.
    pub fn at(&self) -> Locator {
        match self.source {
            Source::Output(o) => output_at(o, self.number),
            Source::Document(d) => Locator::File {
                node: d.node.clone().unwrap_or_default(),
                path: d.origin.source.clone(),
                line: self.number,
                column: 0,
                snippet: String::new(),
            },
            Source::File(node, path) => Locator::File {
                node: node.to_owned(),
                path: path.to_owned(),
                line: self.number,
                column: 0,
                snippet: String::new(),
            },
        }
    }

    /// The line as evidence.
    pub fn shows(&self, says: Say) -> Evidence {
        Evidence { at: self.at(), says, quote: self.text.trim().chars().take(QUOTE).collect() }
    }
}

/// A host without its port.
fn host_alone(host: &str) -> &str {
    host.rsplit_once(':').map_or(host, |(name, _)| name)
}

impl<'a> Case<'a> {
    /// The lines that hold a word, in the order of the Snapshot.
    pub fn lines_with(&self, word: &str) -> Rc<Vec<Line<'a>>> {
        if let Some(known) = self.lines.borrow().get(word) {
            return Rc::clone(known);
        }
        let found: Vec<Line<'a>> = if word.is_empty() {
            Vec::new()
        } else {
            self.every_text().flat_map(|t| hits(t, word)).take(HITS).collect()
        };
        let found = Rc::new(found);
        self.lines.borrow_mut().insert(word.to_owned(), Rc::clone(&found));
        found
    }

    /// Whether a line can be of the registry that a pull asks. What a registry, or what stands in front of it, wrote is of
    /// that one alone: where pulls from several fail, its text or its file must name it.
    pub fn is_of_registry(&self, line: &Line<'_>, pull: &Pull<'_>) -> bool {
        // Beside the pulls of its own collection, those of others are no rivals for a line.
        let own = facts::collection(line.path());
        let all = self.once.registries.get();
        let beside = own.filter(|own| all.is_some_and(|all| all.iter().any(|(c, _)| c == own)));
        let rival = |(c, r): &(String, String)| *r != pull.registry && beside.is_none_or(|own| c == own);
        let others = all.is_some_and(|all| all.iter().any(rival))
            || facts::are_apart(beside, self.collection_of(pull));
        let hosts = [pull.registry.as_str(), pull.asked_host()];
        let named = |text: &str| hosts.iter().any(|h| names(text, h) || names(text, host_alone(h)));
        let whole = match line.source {
            Source::Document(d) => d.text.as_str(),
            Source::Output(o) => o.text.as_str(),
            Source::File(..) => "",
        };
        line.place() == Some(Place::Node) || !others || named(line.path()) || named(whole)
    }

    /// The collection in which a pull was found.
    pub fn collection_of(&self, pull: &Pull<'_>) -> Option<&'a str> {
        let of_pod = self.pod(pull.namespace, pull.pod_name).map(|p| &p.meta.origin);
        let events = self.events_of(pull.namespace, pull.pod_name).iter().map(|e| &e.meta.origin);
        of_pod.into_iter().chain(events).next()?.collection()
    }

    fn every_text(&self) -> impl Iterator<Item = (&'a str, u32, Source<'a>)> {
        let snapshot = self.snapshot;
        // A command stands on the line before its output, so that it is found too.
        let commands =
            snapshot.outputs.iter().map(|o| (o.command.as_str(), o.origin.line, Source::Output(o)));
        let outputs =
            snapshot.outputs.iter().map(|o| (o.text.as_str(), o.origin.line + 1, Source::Output(o)));
        let documents =
            snapshot.documents.iter().map(|d| (d.text.as_str(), d.origin.line.max(1), Source::Document(d)));
        let files = snapshot.node_facts.iter().flat_map(|n| {
            n.files.iter().filter_map(move |(path, file)| {
                Some((file.text.seen()?.as_str(), 1, Source::File(&n.name, path)))
            })
        });
        commands.chain(outputs).chain(documents).chain(files)
    }
}

fn hits<'a>((text, first, source): (&'a str, u32, Source<'a>), word: &str) -> Vec<Line<'a>> {
    if !text.contains(word) {
        return Vec::new();
    }
    (first..)
        .zip(text.lines())
        .filter(|(_, line)| line.contains(word))
        .take(HITS)
        .map(|(number, text)| Line { text, number, source })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::{CommandOutput, Document, Origin, Snapshot, Vantage};

    #[test]
    fn what_a_registry_wrote_is_of_that_one_alone() {
        let of_it = |others: &[&str], text: &str| {
            let scene = crate::testing::Scene::pod("quay.example.com/a:1", &[]);
            let scene = scene.document(Place::Registry, "registry/core.log", text);
            let case = Case::new(&scene.snapshot);
            case.once
                .registries
                .get_or_init(|| others.iter().map(|r| (String::new(), (*r).to_owned())).collect());
            let line = case.lines_with("denied")[0];
            case.is_of_registry(&line, &scene.pull())
        };
        assert!(of_it(&["quay.example.com"], "denied"));
        assert!(of_it(&["quay.example.com", "harbor.example.com"], "server_name quay.example.com;\ndenied"));
        assert!(!of_it(&["quay.example.com", "harbor.example.com"], "denied"));
    }

    #[test]
    fn what_a_registry_wrote_is_of_the_pulls_beside_it() {
        let of_it = |log: &str| {
            let scene = crate::testing::Scene::pod("quay.example.com/a:1", &[])
                .document(Place::Registry, log, "denied")
                .change(|s| s.pods[0].meta.origin.source = "a/kube/pod.yaml".into());
            let case = Case::new(&scene.snapshot);
            let pulls = [("a", "quay.example.com"), ("b", "harbor.example.com")];
            case.once.registries.get_or_init(|| pulls.map(|(c, r)| (c.to_owned(), r.to_owned())).into());
            let line = case.lines_with("denied")[0];
            case.is_of_registry(&line, &scene.pull())
        };
        assert!(of_it("a/registry/core.log"));
        assert!(!of_it("b/registry/core.log"));
        assert!(!of_it("c/registry/core.log"), "of nobody's collection");
    }

    #[test]
    fn a_line_knows_where_it_stands() {
        let snapshot = Snapshot {
            outputs: vec![CommandOutput {
                vantage: Vantage { client: "kubectl".into(), place: String::new() },
                node: None,
                command: "kubectl get secret regcred".into(),
                text: "first\nsecrets \"regcred\" not found".into(),
                origin: Origin { source: "kube/get.txt".into(), line: 3 },
            }],
            documents: vec![Document {
                place: Place::Node,
                node: Some("worker-1".into()),
                origin: Origin { source: "node/journal.txt".into(), line: 0 },
                text: "a\nb regcred".into(),
            }],
            ..Snapshot::default()
        };
        let case = Case::new(&snapshot);
        let lines = case.lines_with("regcred");
        let numbers: Vec<u32> = lines.iter().map(|l| l.number).collect();
        assert_eq!(numbers, [3, 5, 2]);
        assert_eq!(lines[2].node(), Some("worker-1"));
        assert!(case.lines_with("").is_empty());
    }
}
