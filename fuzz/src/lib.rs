//! What is fuzzed: every reader of outside input, as one function from bytes, with what must hold whatever they are.
//!
//! `cargo fuzz` runs each as a target of its own; the same functions run as property tests on stable
//! (`crates/cli/tests/fuzz_smoke.rs`).

use emulate::files::{Entry, Files};
use formats::docker_config::{self, Layout, Sameness};
use formats::kube::{self, Detail};
use formats::{log, message, redact, reference, transcript, yaml};
use std::io::Cursor;

/// A name, and what is done with the bytes. Panics where something does not hold.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const ALL: &[Target] = &[
    ("message", error_text),
    ("jsonl", jsonl),
    ("log", whole_log),
    ("redact", redaction),
    ("reference", image_reference),
    ("kube_json", kube_json),
    ("kube_yaml", kube_yaml),
    ("docker_config", docker_credentials),
    ("transcript", transcripts),
    ("node_files", node_files),
    ("registry_answers", registry_answers),
    ("certificates", certificates),
    ("containerd", containerd),
    ("saved", saved_input),
];

/// `message::read` is total and deterministic, and invents no image.
pub fn error_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let read = message::read(&text);
    assert_eq!(read, message::read(&text), "the same text reads the same");
    if let Some(image) = &read.image {
        // Verbatim, but for the escapes of quotes around it.
        let stands = text.contains(image) || text.replace('\\', "").contains(image);
        assert!(stands, "{image:?} is not in {text:?}");
    }
    let _ = message::looks_like_failure(data);
}

/// One line that is not blank, one answer, which is JSON.
pub fn jsonl(data: &[u8]) {
    let mut answers = log::jsonl::Answers::default();
    for line in data.split(|b| *b == b'\n').filter(|l| !l.trim_ascii().is_empty()) {
        let mut answer = Vec::new();
        answers.line(line, &mut answer);
        assert!(serde_json::from_slice::<serde_json::Value>(&answer).is_ok(), "{answer:?}");
        assert_eq!(answer.iter().filter(|b| **b == b'\n').count(), 1);
    }
}

/// Lines are counted, groups bounded.
pub fn whole_log(data: &[u8]) {
    let mut groups = log::Groups::default();
    for line in data.split(|b| *b == b'\n') {
        groups.line(line);
    }
    let lines = groups.lines();
    let counted: u64 = groups.finish().iter().map(|g| g.count).sum();
    assert!(counted <= lines);
    let _ = log::is_log(&String::from_utf8_lossy(data));
}

/// Any text and any JSON can be redacted.
pub fn redaction(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = redact::text(&text);
    if let Ok(mut value) = serde_json::from_slice(data) {
        redact::json(&mut value);
    }
}

/// A reference is a part of its text.
pub fn image_reference(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(found) = reference::Reference::parse(&text) {
        assert!(text.contains(found.path) && found.repository().ends_with(found.path));
    }
    let _ = (reference::normalized(&text), reference::repository_of(&text), reference::registry_of(&text));
}

/// Objects as the API server sends them.
pub fn kube_json(data: &[u8]) {
    let own = kube::envelope(data).or_hint(&kube::guess(data));
    for detail in [Detail::Full, Detail::Sum] {
        let _ = kube::from_json(data, &own, facts::Origin::default(), detail, &mut Sameness::default());
    }
}

/// Objects as people write them.
pub fn kube_yaml(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for document in yaml::documents(&text) {
        if let Ok(value) = yaml::parse(document) {
            let own = kube::Envelope::of_value(&value);
            let _ = kube::from_value(&value, &own, facts::Origin::default(), &mut Sameness::default());
        }
    }
}

/// Both layouts of credentials.
pub fn docker_credentials(data: &[u8]) {
    for layout in [Layout::Flat, Layout::Auths] {
        let _ = docker_config::read("x", layout, data, &mut Sameness::default());
    }
}

/// What commands printed.
pub fn transcripts(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for block in transcript::split(&text) {
        let line = block.command.unwrap_or_default();
        let command = transcript::command(line);
        let form = transcript::form(block.text);
        let _ = (transcript::curl::read(line, block.text), transcript::openssl::read(line, block.text));
        let _ = (transcript::clock::read(&command, block.text), transcript::clock::by_form(form, block.text));
        let _ =
            (transcript::process::read(&command, block.text), transcript::process::by_form(form, block.text));
        let _ =
            (transcript::listing::read(&command, block.text), transcript::resolver::read(line, block.text));
        let _ = transcript::describe::pods(block.text, "x", 1);
        let _ = transcript::describe::events(block.text, "", "x", 1);
        let _ = transcript::describe::waiting_pods(block.text, "", "x", 1);
        let _ = transcript::describe::nodes(block.text, "x", 1);
    }
    let _ =
        (transcript::line_time(&text), transcript::journal_tag(&text), formats::kubectl_table::read(&text));
}

/// Configuration of a node.
pub fn node_files(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ = (formats::registries_yaml::parse(&text), formats::registries_conf::parse(&text));
    let _ = (formats::resolv_conf::parse(&text), formats::nsswitch::hosts(&text));
    let _ = (formats::hosts_file::addresses(&text, "r.example.com"), formats::runtime_auth::hosts(&text));
    let _ = formats::credential_provider::read(&text);
}

/// What a registry says.
pub fn registry_answers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let _ =
        (formats::challenge::parse(&text), formats::api_error::kind(data), formats::api_error::errors(data));
    let _ = (formats::registry_token::claims(&text), formats::manifest::Platform::parse(&text));
}

/// Certificates, in both encodings.
pub fn certificates(data: &[u8]) {
    let _ = formats::certificate::Certificate::from_der(data);
    for der in formats::pem::certificates(data) {
        let _ = formats::certificate::Certificate::from_der(&der);
    }
    let _ = formats::pem::pair_problem(data, data);
}

/// containerd's configuration and hosts.toml, as each of its versions reads them.
pub fn containerd(data: &[u8]) {
    for version in ["1.6.0", "1.7.20", "2.0.0", "2.2.1"] {
        if let Some(version) = emulate::containerd::Version::parse(version) {
            let main = emulate::containerd::DEFAULT_CONFIG;
            let _ = emulate::containerd::resolve(&Everywhere(data), &version, main, "r.example.com/a:1");
        }
    }
}

/// A node whose files all hold the same.
struct Everywhere<'d>(&'d [u8]);

impl Files for Everywhere<'_> {
    fn entry(&self, path: &str) -> Entry<'_> {
        if path.ends_with(".toml") { Entry::File(self.0.into()) } else { Entry::Dir }
    }

    fn list(&self, _: &str) -> Vec<String> {
        vec!["extra.toml".to_owned()]
    }
}

/// Saved input of any kind, as it comes on standard input: bounded, and read the same each time.
pub fn saved_input(data: &[u8]) {
    let limits = saved::Limits { unpacked: 32 << 20, entries: 500, ..saved::Limits::default() };
    let read = || saved::read_with(&["-".into()], limits, &mut Cursor::new(data));
    assert_eq!(read(), read(), "the same input reads the same");
}
