//! The real kubelet's answers (1.36.3, each run 200 times to see random order) against ours.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use emulate::kubelet::{image_name, keyring};
use serde_json::Value;

fn strings(v: &Value) -> Vec<String> {
    v.as_array().map(|a| a.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect()).unwrap_or_default()
}

/// The registry keys of one vector: of one secret, or of several in order.
fn keys(v: &Value) -> Vec<String> {
    match v.get("secrets").and_then(Value::as_array) {
        Some(secrets) => secrets
            .iter()
            .flat_map(|s| strings(s).into_iter().chain(strings(&s["dockerconfigjson_keys"])))
            .collect(),
        None => strings(&v["dockerconfigjson_keys"]),
    }
}

#[test]
fn every_vector_is_answered_as_the_kubelet_does() {
    let text = include_str!("../../../tests/data/kubelet/keyring-vectors.json");
    let all: Vec<Value> = serde_json::from_str(text).expect("the vectors are JSON");
    assert!(all.len() > 100);
    let mut wrong = Vec::new();
    for v in &all {
        let keys = keys(v);
        assert!(!keys.is_empty(), "{}", v["id"]);
        let name = image_name::lookup_name(v["image"].as_str().unwrap_or_default());
        let expected_name = v["lookup_name"].as_str();
        let mut got: Vec<String> = match &name {
            Ok(name) => keyring::lookup(keys.iter().map(String::as_str), name)
                .into_iter()
                .map(|i| keys[i].clone())
                .collect(),
            Err(_) => Vec::new(),
        };
        let mut want: Vec<String> = v["expect_match_order"]
            .as_array()
            .expect("an order")
            .iter()
            .map(|m| m.as_str().or_else(|| m["key"].as_str()).unwrap_or_default().to_owned())
            .collect();
        if v["deterministic"] == false {
            // Two spellings in one secret: Go's map order, which is random.
            got.sort();
            want.sort();
        }
        let index: Vec<Option<String>> = keys.iter().map(|k| keyring::index_key(k)).collect();
        let want_index: Option<Vec<Option<String>>> = v
            .get("index_keys")
            .and_then(Value::as_array)
            .map(|a| a.iter().map(|k| k.as_str().map(str::to_owned)).collect());
        let index_differs = want_index.is_some_and(|w| w != index);
        if got != want || name.as_deref().ok() != expected_name || index_differs {
            wrong.push(format!(
                "{}: {name:?} {got:?} (index {index:?}), expected {expected_name:?} {want:?}",
                v["id"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
}
