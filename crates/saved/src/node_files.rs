//! A node's own files, and what commands run on it say of its processes and clock.

use crate::builder::Builder;
use crate::context::Context;
use crate::place::Root;
use crate::sightings;
use facts::{NodeFile, Observed, Why};
use formats::kube::{self, Envelope, Item};
use formats::transcript::{Command, Form, clock, listing, process};
use formats::{docker_config, redact, yaml};

/// A file of a node, as text.
pub fn text(builder: &mut Builder, context: &Context, root: &Root, below: &str, text: &str) {
    if let Some((layout, part)) = docker_config::layout(below, text) {
        let config = docker_config::read(&format!("/{below}"), layout, part.as_bytes(), &mut builder.same);
        builder.node(root).docker_configs.insert(format!("/{below}"), config);
    }
    if below.starts_with("proc/") && below.ends_with("/environ") {
        let environment = process::environment(text);
        let is_runtime = !matches!(below.split('/').nth(1), Some("1" | "self"));
        if let Some(environment) = environment.filter(|_| is_runtime) {
            add_process(
                builder,
                root,
                process::Seen { environment: Some(environment), ..process::Seen::default() },
            );
        }
    }
    if is_static_pod(below) {
        static_pods(builder, context, root, text);
    }
    sightings::loose(builder, context, formats::transcript::form(text), text, 1);
    let kept = builder.bounded(&context.source, redact::document(text));
    let file =
        NodeFile { text: Observed::Seen(kept), modified: context.modified, source: context.source.clone() };
    builder.node_file(root, below, file);
}

/// Whether a file lies where kubelets look for pods of their own: kubeadm's folder, and those of k3s and RKE2.
fn is_static_pod(below: &str) -> bool {
    let folder = below.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_yaml = [".yaml", ".yml", ".json"].iter().any(|e| below.ends_with(e));
    is_yaml && (folder == "etc/kubernetes/manifests" || folder.ends_with("/agent/pod-manifests"))
}

fn static_pods(builder: &mut Builder, context: &Context, root: &Root, text: &str) {
    for document in yaml::documents(text) {
        let value = match yaml::parse(document) {
            Ok(value) => value,
            Err(problem) => {
                builder.blind(&context.source, Why::Unreadable, problem.to_string(), "");
                continue;
            }
        };
        let own = Envelope::of_value(&value);
        let read = kube::from_value(&value, &own, context.origin(document.line), &mut builder.same);
        if let Item::Pod(pod) = read.item {
            builder.manifests.push((root.path.clone(), *pod));
        }
    }
}

/// A file of a node that could not be had as text.
pub fn unreadable(builder: &mut Builder, context: &Context, root: &Root, below: &str, why: Why) {
    let file = NodeFile { text: Observed::Blind(why), modified: None, source: context.source.clone() };
    builder.node_file(root, below, file);
}

/// What a command's output says of the node.
pub fn output(builder: &mut Builder, context: &Context, command: &Command<'_>, text: &str) {
    let Some((root, _)) = &context.root else { return };
    // What a wrapper ran elsewhere says nothing of this node.
    if command.inside.is_some() {
        return;
    }
    if let Some(seen) = process::read(command, text) {
        add_process(builder, root, seen);
    }
    if let Some(seen) = clock::read(command, text) {
        add_clock(builder, root, seen);
    }
    for file in listing::read(command, text).map(|l| l.there).unwrap_or_default() {
        if let Some(at) = file.modified {
            builder.modified.push((root.path.clone(), file.path, at));
        }
    }
}

/// What a text without a command says of the node, by its form.
pub fn form(builder: &mut Builder, context: &Context, form: Form, text: &str) {
    let Some((root, _)) = &context.root else { return };
    if let Some(seen) = process::by_form(form, text) {
        add_process(builder, root, seen);
    }
    if let Some(seen) = clock::by_form(form, text) {
        add_clock(builder, root, seen);
    }
}

fn add_process(builder: &mut Builder, root: &Root, seen: process::Seen) {
    let node = builder.node(root);
    let mut process = node.process.seen().cloned().unwrap_or_default();
    seen.into_process(&mut process);
    node.process = Observed::Seen(process);
}

fn add_clock(builder: &mut Builder, root: &Root, seen: facts::Clock) {
    let node = builder.node(root);
    let mut known = node.clock.seen().cloned().unwrap_or_default();
    clock::join(&mut known, seen);
    node.clock = Observed::Seen(known);
}

#[cfg(test)]
mod tests {
    use facts::Observed;

    #[test]
    fn a_nodes_file_keeps_its_byte_order_mark_and_other_texts_lose_it() {
        let path = "nodes/w1/etc/containerd/certs.d/r.example.com/hosts.toml";
        let text = "\u{feff}server = \"https://r.example.com\"\n".to_owned();
        let texts = [(path.to_owned(), text.clone()), ("shell/notes.txt".to_owned(), text.clone())];
        let snapshot = crate::read_texts(&texts, crate::Limits::default());
        let kept = snapshot.node_facts[0].files.values().next().map(|f| f.text.clone());
        assert_eq!(kept, Some(Observed::Seen(text)));
        assert!(snapshot.documents.iter().all(|d| !d.text.contains('\u{feff}')));
    }
}
