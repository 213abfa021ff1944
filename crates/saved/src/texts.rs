//! Texts that are no objects by their file: transcripts, logs, configurations. Each goes where its form puts it.

use crate::builder::Builder;
use crate::context::Context;
use crate::{node_files, objects, sightings, versions, yaml_objects};
use facts::{CommandOutput, Document, Place, Why};
use formats::kube::{Envelope, Item, Read};
use formats::transcript::{self, Block, Form, command, describe, form};
use formats::{redact, yaml};
use std::io::{BufRead, BufReader, Read as _};

/// Reads one text.
pub fn read(builder: &mut Builder, context: &Context, text: &str) {
    if let Some((root, _)) = &context.root {
        // A node of which only outputs were saved is one too.
        builder.node(root);
    }
    if let Some((root, below)) = context.node_file() {
        node_files::text(builder, context, root, below, text);
        return;
    }
    if context.name() == "environment.txt" {
        versions::environment(builder, context, text);
        document(builder, context, text, 1);
        return;
    }
    for block in transcript::split(text) {
        match block.command {
            Some(line) => output(builder, context, line, &block),
            None => loose(builder, context, &block),
        }
    }
}

/// A command and what it printed.
fn output(builder: &mut Builder, context: &Context, line: &str, block: &Block<'_>) {
    let found = command(line);
    let mut kept = block.text.to_owned();
    if matches!(found.program, "kubectl" | "oc" | "cat" | "k3s" | "microk8s")
        && holds_objects(builder, context, block)
    {
        // Its objects are facts already, and a secret among them must not stay as text.
        kept = String::new();
    }
    if matches!(found.program, "kubectl" | "oc") {
        let namespace = found.flag("-n").or_else(|| found.flag("--namespace")).unwrap_or_default();
        pasted(builder, context, &kept, namespace, block.line + 1);
    }
    versions::output(builder, context, &found, &kept);
    node_files::output(builder, context, &found, &kept);
    sightings::output(builder, context, Some(&found), &kept, block.line + 1);
    push(builder, context, line, found.program, found.inside, &kept, block.line);
}

fn holds_objects(builder: &mut Builder, context: &Context, block: &Block<'_>) -> bool {
    let none = Envelope::default();
    if crate::json_items::looks_like_json(block.text.as_bytes()) {
        let size = Some(block.text.len() as u64);
        let was = objects::read(builder, &context.source, size, &none, block.text.as_bytes());
        if let Ok(objects::Was::Objects(logs)) = was {
            containers_logs(builder, context, &logs);
            return true;
        }
        return false;
    }
    yaml_objects::may_hold(block.text)
        && yaml_objects::read(builder, &context.source, block.text, block.line + 1, &none)
}

/// Logs of containers that stand between objects.
pub fn containers_logs(builder: &mut Builder, context: &Context, logs: &[(u32, String)]) {
    for (line, log) in logs {
        sightings::loose(builder, context, Form::Log, log, *line);
        document(builder, context, log, *line);
    }
}

/// A text without a command before it.
fn loose(builder: &mut Builder, context: &Context, block: &Block<'_>) {
    let text = block.text;
    let is_yaml = [".yaml", ".yml"].iter().any(|e| context.name().ends_with(e));
    if yaml_objects::may_hold(text) || is_yaml {
        let guess = objects::guess_kind(&context.path);
        if yaml_objects::read(builder, &context.source, text, block.line, &guess) {
            return;
        }
        if may_be_secret(text) {
            return;
        }
    }
    if context.name().ends_with(".json") {
        strange_json(builder, context, text);
    }
    let form = form(text);
    if matches!(form, Form::DescribePod | Form::KubectlTable) {
        pasted(builder, context, text, "", block.line);
    }
    sightings::loose(builder, context, form, text, block.line);
    node_files::form(builder, context, form, text);
    match form {
        Form::Log | Form::Unknown => document(builder, context, text, block.line),
        _ => push(builder, context, "", "", None, text, block.line),
    }
}

/// Objects as `kubectl describe` and `kubectl get` print them.
fn pasted(builder: &mut Builder, context: &Context, text: &str, namespace: &str, first: u32) {
    for described in describe::pods(text, &context.source, first) {
        let newest = described.pod.meta.created;
        builder.object(Read { item: Item::Pod(Box::new(described.pod)), newest });
        for event in described.events {
            builder.object(Read { item: Item::Event(Box::new(event)), newest: None });
        }
    }
    for event in describe::events(text, namespace, &context.source, first) {
        builder.object(Read { item: Item::Event(Box::new(event)), newest: None });
    }
    builder.listed.extend(describe::waiting_pods(text, namespace, &context.source, first));
    for node in describe::nodes(text, &context.source, first) {
        builder.object(Read { item: Item::Node(Box::new(node)), newest: None });
    }
}

/// Names a file that calls itself JSON and is none, nor JSON line by line.
fn strange_json(builder: &mut Builder, context: &Context, text: &str) {
    let parses = |t: &str| serde_json::from_str::<serde::de::IgnoredAny>(t);
    let Err(error) = parses(text) else { return };
    let is_lines = text.lines().find(|l| !l.trim().is_empty()).is_some_and(|l| parses(l).is_ok());
    if !is_lines && !builder.is_blind(&context.source, Why::Unreadable) {
        builder.blind(&context.source, Why::Unreadable, error.to_string(), "");
    }
}

/// Whether a text that could not be read as objects may be a broken secret, whose values nobody could find to hide.
fn may_be_secret(text: &str) -> bool {
    text.contains("kind: Secret") && yaml::documents(text).iter().any(|d| yaml::parse(*d).is_err())
}

fn push(
    builder: &mut Builder,
    context: &Context,
    line: &str,
    program: &str,
    inside: Option<&str>,
    text: &str,
    at: u32,
) {
    let text = builder.bounded(&context.source, redact::document(text));
    // `TOKEN=...` alone on a line runs no program, and its value is nobody's name.
    let program = if program.contains('=') { "" } else { program };
    builder.snapshot.outputs.push(CommandOutput {
        vantage: context.vantage(program, inside),
        node: context.node(),
        command: redact::text(line).into_owned(),
        text,
        origin: context.origin(at),
    });
}

/// Says that a text is too long to be held. `head` is its beginning.
pub fn long(builder: &mut Builder, context: &Context, head: &[u8]) {
    let size = head.len() >> 20;
    let what =
        format!("more than {size} MiB, of which the beginning was read, and the rest searched for failures");
    let objects = yaml_objects::may_hold(&String::from_utf8_lossy(head.get(..4096).unwrap_or(head)));
    let needs = if objects { "save it as JSON, which is read to its end" } else { "" };
    builder.blind(&context.source, Why::Truncated, what, needs);
}

/// What follows the beginning of a text that is too long to be held: only failures are looked for.
pub fn tail(builder: &mut Builder, context: &Context, head: &[u8], rest: &mut dyn std::io::Read) {
    let mut lines = BufReader::with_capacity(1 << 20, rest.take(builder.limits.searched));
    let mut number = u32::try_from(memchr::memchr_iter(b'\n', head).count()).unwrap_or(u32::MAX);
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without end is searched piece by piece.
        match lines.by_ref().take(1 << 20).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                builder.blind(&context.source, Why::Failed, error.to_string(), "");
                return;
            }
        }
        number = number.saturating_add(1);
        sightings::loose(builder, context, Form::Log, &String::from_utf8_lossy(&line), number);
    }
}

/// A document as it was found.
pub fn document(builder: &mut Builder, context: &Context, text: &str, at: u32) {
    if text.trim().is_empty() {
        return;
    }
    let text = builder.bounded(&context.source, redact::document(text));
    builder.snapshot.documents.push(Document {
        place: context.place,
        node: context.node(),
        origin: context.origin(at),
        text,
    });
}

/// A file whose bytes are no text.
pub fn binary(builder: &mut Builder, context: &Context) {
    if let Some((root, below)) = context.node_file() {
        node_files::unreadable(builder, context, root, below, Why::Unreadable);
        return;
    }
    if context.place == Place::Node && context.name().ends_with(".gz") {
        builder.blind(&context.source, Why::Unreadable, "not a text", "gunzip it");
        return;
    }
    builder.blind(&context.source, Why::Unreadable, "not a text", "");
}
