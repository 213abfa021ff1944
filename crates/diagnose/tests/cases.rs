//! Incidents as they were collected at the scene, from files to verdict: each has one right cause.
//!
//! `check_case` is the one door. Nothing wrong may ever be confirmed, in no case and with no object of it taken away.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod less;

use diagnose::diagnose;
use facts::Snapshot;
use less::without_one;
use report::Report;
use serde_json::Value;
use std::path::{Path, PathBuf};
use vocabulary::{Cause, Confidence};

/// One case: its folder's name, the causes that are right, and what the program gets to see.
struct Case {
    name: String,
    right: Vec<Cause>,
    snapshot: Snapshot,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases are there")
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.join("case.json").is_file())
        .collect();
    folders.sort();
    folders.iter().map(|f| read(f)).collect()
}

fn read(folder: &Path) -> Case {
    let text = std::fs::read_to_string(folder.join("case.json")).expect("readable");
    let case: Value = serde_json::from_str(&text).expect("JSON");
    let id = |v: &Value| v.as_str().and_then(|s| s.parse().ok());
    let mut right: Vec<Cause> = id(&case["root_cause"]).into_iter().collect();
    right.extend(case["acceptable_causes"].as_array().into_iter().flatten().filter_map(id));
    assert!(!right.is_empty(), "{}: its cause is no id of the vocabulary", folder.display());
    Case {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        right,
        snapshot: saved::read(&[folder.join("inputs")], saved::Limits::default()),
    }
}

/// Confirmed causes that are not among the right ones.
fn false_claims(report: &Report, right: &[Cause]) -> Vec<Cause> {
    let wrong = |i: &&report::Incident| i.confidence == Confidence::Confirmed && !right.contains(&i.cause);
    report.incidents.iter().filter(wrong).map(|i| i.cause).collect()
}

fn check_case(case: &Case) -> Result<(), String> {
    let report = diagnose(&case.snapshot);
    let claims = false_claims(&report, &case.right);
    if !claims.is_empty() {
        return Err(format!("{}: confirmed and wrong: {claims:?}, right: {:?}", case.name, case.right));
    }
    let first = report.incidents.first().map(|i| i.cause);
    if !first.is_some_and(|c| case.right.contains(&c)) {
        return Err(format!("{}: {first:?}, right: {:?}", case.name, case.right));
    }
    Ok(())
}

#[test]
fn every_case_has_its_cause_first_and_nothing_wrong_is_confirmed() {
    let wrong: Vec<String> = cases().iter().filter_map(|c| check_case(c).err()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn with_less_to_see_nothing_wrong_is_confirmed() {
    let mut wrong = Vec::new();
    for case in cases() {
        for (left_out, less) in without_one(&case.snapshot) {
            let claims = false_claims(&diagnose(&less), &case.right);
            if !claims.is_empty() {
                wrong.push(format!("{} without {left_out}: {claims:?}, right: {:?}", case.name, case.right));
            }
        }
    }
    assert!(wrong.is_empty(), "{} claims:\n{}", wrong.len(), wrong.join("\n"));
}
