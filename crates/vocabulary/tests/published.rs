//! The enum and the published list (`tests/data/causes.json`) are the same vocabulary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use vocabulary::Cause;

#[test]
fn every_published_cause_is_here_with_the_same_stage_and_level() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/causes.json");
    let published: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for row in published["causes"].as_array().unwrap() {
        let cause: Cause = row["id"].as_str().unwrap().parse().unwrap();
        assert_eq!(serde_json::to_value(cause.stage()).unwrap(), row["stage"], "{cause}");
        assert_eq!(serde_json::to_value(cause.level()).unwrap(), row["level"], "{cause}");
    }
}

#[test]
fn ids_are_unique_and_parse_back() {
    let mut ids: Vec<_> = Cause::ALL.iter().map(|c| c.id()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Cause::ALL.len());
    for cause in Cause::ALL {
        assert_eq!(cause.id().parse(), Ok(*cause));
    }
}
