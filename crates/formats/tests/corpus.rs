//! The readings of whole corpora: how many are right, and that nothing wrong is claimed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use formats::message::{self, Reading};
use serde_json::Value;
use std::path::PathBuf;
use vocabulary::{Cause, Confidence};

fn corpus(name: &str) -> Vec<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn word<'v>(entry: &'v Value, key: &str) -> Option<&'v str> {
    entry[key].as_str()
}

/// One labelled text and its reading.
struct Read {
    text: String,
    label: Cause,
    also: Vec<String>,
    reading: Reading,
}

impl Read {
    fn of(text: String, entry: &Value) -> Self {
        let label = word(entry, "cause").unwrap().parse().unwrap();
        let also = entry["also_possible"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let reading = message::read(&text);
        Self { text, label, also: also.map(str::to_owned).collect(), reading }
    }

    fn right(&self) -> bool {
        self.reading.cause == self.label
    }

    fn defensible(&self) -> bool {
        self.right() || self.also.iter().any(|a| a == self.reading.cause.id())
    }
}

/// The share of `all` that `fits`, in percent; names the first that do not.
fn share(all: &[Read], what: &str, fits: impl Fn(&Read) -> bool) -> f64 {
    let (mut fit, mut shown) = (0, 0);
    for read in all {
        if fits(read) {
            fit += 1;
        } else if shown < 5 {
            shown += 1;
            println!("{what}: {} for {}: {:.300}", read.reading.cause, read.label, read.text);
        }
    }
    100.0 * f64::from(fit) / all.len() as f64
}

/// What must hold of every corpus, however good the shares are.
fn nothing_wrong_is_claimed(all: &[Read]) {
    for read in all {
        let decoy = read.label == Cause::NotAPullFailure;
        let taken = read.reading.cause != Cause::NotAPullFailure;
        assert!(!decoy || !taken, "a decoy taken for {}: {}", read.reading.cause, read.text);
        let claimed = read.reading.confidence == Confidence::Confirmed;
        assert!(!claimed || read.right(), "{} claimed for {}: {}", read.reading.cause, read.label, read.text);
    }
}

#[test]
fn texts_of_public_reports() {
    let entries = corpus("messages.jsonl");
    let all: Vec<Read> = entries.iter().map(|e| Read::of(word(e, "text").unwrap().to_owned(), e)).collect();
    nothing_wrong_is_claimed(&all);
    assert!(share(&all, "cause", Read::right) >= 98.0);
    assert!(share(&all, "defensible", Read::defensible) >= 99.0);
    assert!(share(&all, "stage", |r| r.reading.cause.stage() == r.label.stage()) >= 98.0);
    let missed = |r: &&Read| r.label != Cause::NotAPullFailure && r.reading.cause == Cause::NotAPullFailure;
    assert_eq!(all.iter().filter(missed).count(), 0);
    let (mut images, mut hosts, mut operations) = (0, 0, 0);
    for (entry, read) in entries.iter().zip(&all) {
        images += usize::from(read.reading.image.as_deref() == word(entry, "image"));
        hosts += usize::from(read.reading.registry_host.as_deref() == word(entry, "registry_host"));
        operations += usize::from(Some(read.reading.operation.word()) == word(entry, "operation"));
    }
    let least = entries.len() * 98 / 100;
    assert!(
        images >= least && hosts >= least && operations >= least,
        "{images} {hosts} {operations} of {}",
        entries.len()
    );
}

#[test]
fn texts_of_real_runtimes_and_the_events_around_them() {
    let mut all = Vec::new();
    for entry in corpus("lab.jsonl") {
        let text = word(&entry, "text").unwrap();
        all.push(Read::of(text.to_owned(), &entry));
        if entry["event"] == true {
            let (image, code) = (word(&entry, "image").unwrap(), word(&entry, "code").unwrap());
            let coded = format!("rpc error: code = {code} desc = ");
            all.push(Read::of(format!("Failed to pull image \"{image}\": {coded}{text}"), &entry));
            all.push(Read::of(format!("Failed to pull image \"{image}\": {text}"), &entry));
        }
    }
    nothing_wrong_is_claimed(&all);
    assert!(share(&all, "cause", Read::right) >= 98.0);
    assert!(share(&all, "stage", |r| r.reading.cause.stage() == r.label.stage()) >= 98.0);
}

#[test]
fn wordings_of_registries_and_clients() {
    let mut wrong = Vec::new();
    for entry in corpus("wordings.jsonl") {
        let text = word(&entry, "text").unwrap();
        let reading = message::read(text);
        let fits = Some(reading.cause.id()) == word(&entry, "cause")
            && word(&entry, "image").is_none_or(|i| reading.image.as_deref() == Some(i))
            && word(&entry, "registry_host").is_none_or(|h| reading.registry_host.as_deref() == Some(h))
            && word(&entry, "operation").is_none_or(|o| reading.operation.word() == o);
        if !fits {
            wrong.push(format!("{} {:?} {:?}: {entry}", reading.cause, reading.image, reading.registry_host));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lines_are_answered_as_their_texts_are_read() {
    let mut failures = 0;
    let mut answers = formats::log::jsonl::Answers::default();
    for name in ["messages.jsonl", "lab.jsonl", "wordings.jsonl"] {
        for entry in corpus(name) {
            let text = word(&entry, "text").unwrap();
            let reading = message::read(text);
            let mut answer = Vec::new();
            let line = serde_json::json!({"id": 1, "text": text}).to_string();
            answers.line(line.as_bytes(), &mut answer);
            let answer: Value = serde_json::from_slice(&answer).unwrap();
            assert_eq!(word(&answer, "cause"), Some(reading.cause.id()), "{text}");
            assert_eq!(word(&answer, "image"), reading.image.as_deref(), "{text}");
            if reading.cause != Cause::NotAPullFailure {
                failures += 1;
                assert!(message::looks_like_failure(text.as_bytes()), "{text}");
            }
        }
    }
    assert!(failures > 500, "{failures}");
}
