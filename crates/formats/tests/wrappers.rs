//! The same words in other clothes: whatever a message is wrapped in on its way, and whatever host it names, it says the
//! same. A message that was cut off may say less, and never something else for sure.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use formats::message::{self, Reading};
use proptest::prelude::*;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::LazyLock;
use vocabulary::{Cause, Confidence};

/// The texts of the corpora that are one utterance of one line: those that a wrapper can hold.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut lines: Vec<String> = ["messages.jsonl", "lab.jsonl", "wordings.jsonl"]
        .iter()
        .flat_map(|name| {
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus").join(name);
            let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let texts = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
            texts.map(|v| v["text"].as_str().unwrap().trim().to_owned()).collect::<Vec<_>>()
        })
        .filter(|t| !t.contains('\n') && t.len() < 4096)
        .collect();
    lines.sort();
    lines.dedup();
    lines
});

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A wrapper's name, and what it makes of a text.
type Wrapper = (&'static str, fn(&str) -> String);

/// Wrappers that say nothing themselves.
const NEUTRAL: &[Wrapper] = &[
    ("a carriage return", |t| format!("{t}\r\n")),
    ("colours", |t| format!("\u{1b}[31m{t}\u{1b}[0m")),
    ("colours in JSON", |t| format!(r#"{{"msg":"\u001b[31m{}\u001b[0m"}}"#, inside(t))),
    ("a container's JSON log", |t| {
        format!(
            r#"{{"log":{},"stream":"stderr","time":"2026-11-30T03:00:00.1Z"}}"#,
            quoted(&format!("{t}\n"))
        )
    }),
    ("zap", |t| format!(r#"{{"level":"error","ts":1764471600.1,"caller":"x/y.go:12","msg":{}}}"#, quoted(t))),
    ("logrus", |t| format!("time=\"2026-11-30T03:00:00.123456789Z\" level=error msg={}", quoted(t))),
    ("logrus under journald", |t| {
        format!(
            "Nov 30 03:00:00 node-1 app[939]: time=\"2026-11-30T03:00:00Z\" level=error msg={}",
            quoted(t)
        )
    }),
    ("klog", |t| format!("E1130 03:00:00.436089    7210 x.go:180] {t}")),
    ("klog, quoted", |t| format!("E1130 03:00:00.436089    7210 x.go:180] \"It failed\" err={}", quoted(t))),
    ("a CRI log line", |t| format!("2026-11-30T03:00:00.123456789Z stderr F {t}")),
    ("an rpc error", |t| format!("rpc error: code = Unknown desc = {t}")),
    ("a CLI's prefix", |t| format!("Error: {t}")),
    ("a job log's line", |t| format!("2026-11-30T03:00:00.1234567Z ##[error]{t}")),
    ("the first line of a paste", |t| format!("{t}\n\n")),
];

/// Wrappers that speak of a pull.
const OF_A_PULL: &[Wrapper] = &[
    ("kubectl get events", |t| format!("8m22s       Warning   Failed      pod/web-5888cf98bf-xzklp     {t}")),
    ("kubectl describe", |t| {
        format!(
            "Events:\n  Type     Reason   Age                From     Message\n  ----     ------   ----               ----     -------\n  Normal   Pulling  4s (x2 over 20s)  kubelet  Pulling image \"x\"\n  Warning  Failed   4s (x2 over 20s)  kubelet  {t}\n  Warning  Failed   4s (x2 over 20s)  kubelet  Error: ErrImagePull"
        )
    }),
    ("the kubelet's log", |t| {
        format!(
            "E1130 03:00:00.436089    7210 log.go:32] \"PullImage from image service failed\" err={}",
            quoted(&format!("rpc error: code = Unknown desc = {t}"))
        )
    }),
    ("a pod's waiting message", |t| {
        format!("failed to \"StartContainer\" for \"web\" with ErrImagePull: {}", quoted(t))
    }),
    ("crictl", |t| format!("FATA[0002] pulling image: rpc error: code = NotFound desc = {t}")),
    ("several attempts", |t| {
        format!(
            "failed to pull: [rpc error: code = Unknown desc = {t}, rpc error: code = Unknown desc = {t}]"
        )
    }),
];

fn inside(text: &str) -> String {
    let json = quoted(text);
    json.get(1..json.len() - 1).unwrap().to_owned()
}

fn says(r: &Reading) -> (Cause, Option<&str>, Option<&str>) {
    (r.cause, r.image.as_deref(), r.registry_host.as_deref())
}

/// What differs between a text and the same text wrapped.
fn differing(wrappers: &[Wrapper], fits: impl Fn(&Reading, &str) -> bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for text in LINES.iter() {
        let bare = message::read(text);
        if !fits(&bare, text) {
            continue;
        }
        for (name, wrap) in wrappers {
            let wrapped = wrap(text);
            let read = message::read(&wrapped);
            if says(&read) != says(&bare) {
                wrong.push(format!("{name}: {:?} for {:?}: {wrapped:.400}", says(&read), says(&bare)));
            }
        }
    }
    wrong
}

fn assert_none(wrong: &[String]) {
    let shown: Vec<&str> = wrong.iter().take(40).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn neutral_wrappers_change_nothing() {
    // Words that name neither image nor registry are another program's in a log of one.
    assert_none(&differing(NEUTRAL, |r, text| {
        r.cause != Cause::NotAPullFailure
            && (r.image.is_some() || r.registry_host.is_some())
            && !opens_with_its_image(r, text)
    }));
}

#[test]
fn wrappers_of_a_pull_change_nothing() {
    // The events around a text without an image name one.
    assert_none(&differing(OF_A_PULL, |r, text| {
        r.cause != Cause::NotAPullFailure
            && r.cause != Cause::Unknown
            && r.operation == vocabulary::Operation::Pull
            && r.image.is_some()
            && !opens_with_its_image(r, text)
    }));
}

/// A bare tagged name is an image only where it opens a text.
fn opens_with_its_image(r: &Reading, text: &str) -> bool {
    r.image.as_deref().is_some_and(|i| text.starts_with(i))
}

#[test]
fn what_is_no_pull_failure_is_none_in_any_wrapper() {
    assert_none(&differing(NEUTRAL, |r, _| r.cause == Cause::NotAPullFailure));
}

/// A registry's host in the text, in another form everywhere.
fn moved(text: &str, from: &str, to: &str) -> Option<String> {
    let joined = |b: Option<char>| b.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
    let whole = text.match_indices(from).all(|(at, _)| {
        !joined(text[..at].chars().next_back()) && !joined(text[at + from.len()..].chars().next())
    });
    whole.then(|| text.replace(from, to))
}

#[test]
fn another_host_changes_nothing_but_the_host() {
    let mut wrong = Vec::new();
    for text in LINES.iter() {
        let bare = message::read(text);
        let Some(host) = bare.registry_host.as_deref().filter(|h| *h != "docker.io" && text.contains(h))
        else {
            continue;
        };
        for other in [
            "mirror.example.net:8443",
            "localhost:32000",
            "10.11.12.13:5000",
            "[2001:db8::7]:5000",
            "denied.quarantine.example.net",
        ] {
            // An address in brackets is an image's host where something says that an image follows.
            let named = |i: &str| text.contains(&format!("\"{i}")) || text.contains("docker://");
            if other.starts_with('[') && !bare.image.as_deref().is_none_or(named) {
                continue;
            }
            let Some(text) = moved(text, host, other) else { continue };
            let read = message::read(&text);
            let image = bare.image.as_deref().map(|i| i.replace(host, other));
            if (read.cause, &read.image, read.registry_host.as_deref()) != (bare.cause, &image, Some(other)) {
                wrong.push(format!("{:?} for {:?} {image:?}: {text:.400}", says(&read), bare.cause));
            }
        }
    }
    assert_none(&wrong);
}

fn cut(text: &str, at: usize) -> &str {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    &text[..at]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_global_rejects: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// An event's note ends at 1024 bytes (`events.k8s.io`), a log shipper's line wherever it likes.
    #[test]
    fn what_was_cut_off_never_claims_something_else(n in any::<prop::sample::Index>(), at in 0.0..1.0, dots in any::<bool>()) {
        let text = &LINES[n.index(LINES.len())];
        let bare = message::read(text);
        let short = cut(text, (text.len() as f64 * at) as usize);
        let short = if dots { format!("{short}...") } else { short.to_owned() };
        let read = message::read(&short);
        prop_assert!(
            read.confidence != Confidence::Confirmed || read.cause == bare.cause,
            "{} claimed for {}: {short}", read.cause, bare.cause
        );
    }

    /// Two wrappers, one in the other.
    #[test]
    fn wrappers_in_wrappers_change_nothing(
        n in any::<prop::sample::Index>(),
        inner in prop::sample::select(NEUTRAL),
        outer in prop::sample::select(NEUTRAL),
    ) {
        let text = &LINES[n.index(LINES.len())];
        let bare = message::read(text);
        prop_assume!(bare.image.is_some() && !opens_with_its_image(&bare, text));
        let wrapped = outer.1(inner.1(text).trim_end());
        let read = message::read(&wrapped);
        prop_assert_eq!(says(&read), says(&bare), "{} in {}: {}", inner.0, outer.0, wrapped);
    }
}
