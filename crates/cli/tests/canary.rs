//! A password in every place of an input that may hold one, and none of it in any output.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

#[path = "../../saved/tests/places/mod.rs"]
mod places;
mod support;

use places::{Places, plant};
use support::{pullproof, run};

#[test]
fn no_form_of_a_report_shows_a_password() {
    let places = plant();
    for form in ["text", "wide", "json", "yaml", "markdown", "html", "sarif", "junit", "name"] {
        let (out, err, status) =
            run(pullproof().args(["diagnose", "-o", form, "--from"]).arg(places.folder.path()));
        assert_eq!(status, 1, "{form}: {err}");
        assert_eq!(places.leaks(&format!("{out}{err}")), Vec::<String>::new(), "{form}");
    }
}

#[test]
fn explain_shows_no_password() {
    let places = plant();
    let explain = |line: &[&str], input: String| {
        let (out, err, _) = run(pullproof().args(line).write_stdin(input));
        format!("{out}{err}")
    };
    for (name, text) in &places.texts {
        assert_eq!(places.leaks(&explain(&["explain"], text.clone())), Vec::<String>::new(), "{name}");
        let lines: String =
            text.lines().map(|l| serde_json::json!({"id": 1, "text": l}).to_string() + "\n").collect();
        assert_eq!(places.leaks(&explain(&["explain", "--jsonl"], lines)), Vec::<String>::new(), "{name}");
    }
    // A log, in which each line stands for itself.
    let log: String = places.texts.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(places.leaks(&explain(&["explain", "-"], log)), Vec::<String>::new());
}

#[test]
fn the_search_for_leaks_finds_them() {
    let places: Places = plant();
    let (name, text) = &places.texts[0];
    assert_eq!(places.leaks(text).len(), 1, "{name}");
}
