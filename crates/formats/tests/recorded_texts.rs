//! The texts that Go 1.27's standard library and fourteen releases of containerd gave for known faults, each read to the
//! cause that the fault is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use formats::message;
use serde::Deserialize;

#[derive(Deserialize)]
struct Recorded {
    id: String,
    text: String,
    cause: String,
}

/// What stands before the recorded part in a pull's error.
const PULL: &str = "failed to pull and unpack image \"harbor.example.com/team/app:v1\": ";
const RESOLVE: &str = "failed to resolve reference \"harbor.example.com/team/app:v1\": ";
const MANIFEST: &str = "harbor.example.com/v2/team/app/manifests/v1";

fn whole(recorded: &Recorded) -> String {
    let text = &recorded.text;
    if !recorded.id.starts_with("go-") {
        // The credentials' texts are whole but for this step, which differs between releases.
        return if text.contains("RESOLVE: ") {
            text.replace("RESOLVE: ", RESOLVE)
        } else {
            format!("{PULL}{RESOLVE}{text}")
        };
    }
    match text.strip_prefix("status ") {
        Some(status) => {
            format!("{PULL}{RESOLVE}unexpected status from HEAD request to http://{MANIFEST}: {status}")
        }
        None => format!("{PULL}{RESOLVE}failed to do request: Head \"https://{MANIFEST}\": {text}"),
    }
}

#[test]
fn every_recorded_text_is_read_to_its_cause() {
    let (mut count, mut wrong) = (0, Vec::new());
    for line in include_str!("../../../tests/data/recorded-texts.jsonl").lines() {
        let recorded: Recorded = serde_json::from_str(line).unwrap();
        count += 1;
        let reading = message::read(&whole(&recorded));
        if reading.cause.id() != recorded.cause {
            wrong.push(format!("{}: {} instead of {}", recorded.id, reading.cause.id(), recorded.cause));
        }
    }
    assert!(count > 150, "{count}");
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}
