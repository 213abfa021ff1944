//! The real kubelet's verdict on contents of pull secrets (1.36.3) against ours.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use formats::docker_config::{Layout, Sameness, read};
use serde_json::Value;

#[test]
fn every_content_is_read_as_the_kubelet_does() {
    let text = include_str!("../../../tests/data/kubelet/dockerconfig-auth-vectors.json");
    let all: Vec<Value> = serde_json::from_str(text).expect("the vectors are JSON");
    let mut wrong = Vec::new();
    for v in &all {
        let string = |name: &str| v[name].as_str().unwrap_or_default();
        let layout = if string("data_key") == ".dockercfg" { Layout::Flat } else { Layout::Auths };
        let got = read(string("data_key"), layout, string("value").as_bytes(), &mut Sameness::default());
        let problem = got.problem.clone().or_else(|| got.entries.iter().find_map(|e| e.problem.clone()));
        let wanted = v["expect"]["keyring_error"].as_str();
        // Where the JSON itself is broken, only the verdict is the same: the words are Go's parser's own.
        let same_words =
            wanted.is_none_or(|w| w.starts_with("invalid character") || problem.as_deref() == Some(w));
        let entry = got.entries.iter().find(|e| e.key == "harbor.example.com");
        let credential = v["expect"]["credentials"].get(0);
        let shape_ok = credential.is_none_or(|c| {
            let user = c["username"].as_str().unwrap_or_default();
            let password = c["password"].as_str().unwrap_or_default();
            // Bytes that are no UTF-8 stand as one mark each.
            let len = if password.contains('\u{fffd}') { password.chars().count() } else { password.len() };
            entry.is_some_and(|e| e.user.as_deref().unwrap_or_default() == user && e.password_len == len)
        });
        if problem.is_some() != wanted.is_some() || !same_words || !shape_ok {
            wrong.push(format!("{}: {problem:?} {entry:?}, expected {}", v["id"], v["expect"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
