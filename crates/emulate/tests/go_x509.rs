//! The verdicts of `emulate::go::x509` beside those of real Go releases (`tests/oracle/x509`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use emulate::go::GoVersion;
use emulate::go::x509::{Roots, Verdict, verify_as};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use vocabulary::Cause;

#[derive(Deserialize)]
struct Case {
    id: String,
    condition: String,
    host: String,
    now: jiff::Timestamp,
    sent: Vec<String>,
    roots: Vec<String>,
}

#[derive(Deserialize)]
struct Answers {
    go: String,
    answers: BTreeMap<String, Option<String>>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/x509")
}

fn cases() -> Vec<Case> {
    serde_json::from_slice(&std::fs::read(folder().join("chains.json")).unwrap()).unwrap()
}

fn recorded() -> Vec<(GoVersion, Answers)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap().to_string_lossy().starts_with("answers-") {
            let answers: Answers = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            all.push((GoVersion::parse(&answers.go).unwrap(), answers));
        }
    }
    all.sort_by_key(|(version, _)| *version);
    all
}

fn der(list: &[String]) -> Vec<Vec<u8>> {
    use base64::Engine;
    list.iter().map(|text| base64::engine::general_purpose::STANDARD.decode(text).unwrap()).collect()
}

fn verdict(go: GoVersion, case: &Case) -> Verdict {
    let mut roots = Roots::of(go);
    for root in der(&case.roots) {
        roots.add_der(&root);
    }
    verify_as(go, &der(&case.sent), &roots, &case.host, case.now)
}

#[test]
fn every_release_of_go_agrees_on_every_chain() {
    let cases = cases();
    let recorded = recorded();
    assert!(cases.len() >= 60 && recorded.len() >= 2, "the fixtures are missing");
    let mut wrong = Vec::new();
    for (go, answers) in &recorded {
        assert_eq!(answers.answers.len(), cases.len());
        for case in &cases {
            let ours = match verdict(*go, case) {
                Verdict::Accepted(_) => None,
                Verdict::Refused(refusal) => Some(refusal.text),
                Verdict::Undecided(reason) => Some(format!("undecided: {reason}")),
            };
            let theirs = &answers.answers[&case.id];
            if ours != *theirs {
                let (release, id, condition) = (&answers.go, &case.id, &case.condition);
                wrong.push(format!("{release} {id} ({condition})\n  Go:   {theirs:?}\n  ours: {ours:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        cases.len() * recorded.len(),
        wrong.join("\n")
    );
}

#[test]
fn each_refusal_has_its_cause() {
    let expected = [
        ("unknown-authority", Cause::TlsUnknownAuthority),
        ("same-name-other-key", Cause::TlsUnknownAuthority),
        ("missing-intermediate", Cause::TlsUnknownAuthority),
        ("self-signed", Cause::TlsSelfSigned),
        ("expired-unknown", Cause::TlsExpired),
        ("root-expired", Cause::TlsExpired),
        ("not-yet-valid", Cause::TlsNotYetValid),
        ("name-mismatch-unknown", Cause::TlsHostnameMismatch),
        ("address-other", Cause::TlsHostnameMismatch),
        ("address-none", Cause::TlsNoSan),
        ("common-name-only", Cause::TlsNoSan),
        ("sha1-rsa", Cause::TlsInsecureAlgorithm),
        ("client-only", Cause::TlsWrongUsage),
        ("negative-serial", Cause::TlsHandshake),
    ];
    let cases = cases();
    for (id, cause) in expected {
        let case = cases.iter().find(|case| case.id == id).unwrap();
        assert_eq!(verdict(GoVersion::NEWEST, case).refusal().map(|r| r.cause), Some(cause), "{id}");
    }
}
