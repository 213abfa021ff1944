//! Incidents as they were collected at the scene, from files to verdict: each has one right cause.
//!
//! `check_case` is the one door. Nothing wrong may ever be confirmed, in no case and with no object of it taken away.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod labelled;
mod less;

use diagnose::diagnose;
use facts::{Observed, Snapshot};
use less::{Random, fields, half, half_of_fields, number, without_one};
use report::Report;
use vocabulary::{Cause, Confidence};

/// One case: its folder's name, the causes that are right, and what the program gets to see.
struct Case {
    name: String,
    right: Vec<Cause>,
    snapshot: Snapshot,
}

/// The incidents that were reported, and others like them by other means: another runtime, another form of evidence.
fn cases() -> Vec<Case> {
    ["cases", "variants"].iter().flat_map(|folder| cases_in(folder)).collect()
}

fn cases_in(folder: &str) -> Vec<Case> {
    let seen = |l: labelled::Labelled| Case {
        name: l.name,
        right: l.right,
        snapshot: saved::read(&[l.inputs], saved::Limits::default()),
    };
    labelled::of(folder).into_iter().map(seen).collect()
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

/// What was read from files and texts of nodes, each alone: a file that was not collected, a process that was not read.
fn without_one_fact(snapshot: &Snapshot) -> Vec<(String, Snapshot)> {
    let mut all = Vec::new();
    for (n, node) in snapshot.node_facts.iter().enumerate() {
        for path in node.files.keys() {
            let mut less = snapshot.clone();
            less.node_facts[n].files.remove(path);
            less.node_facts[n].docker_configs.remove(path);
            all.push((format!("{}:{path}", node.name), less));
        }
        let mut less = snapshot.clone();
        less.node_facts[n].process = Observed::default();
        all.push((format!("{}: its process", node.name), less));
        let mut less = snapshot.clone();
        less.node_facts[n].clock = Observed::default();
        all.push((format!("{}: its clock", node.name), less));
        let mut less = snapshot.clone();
        less.node_facts[n].runtime = None;
        all.push((format!("{}: its runtime", node.name), less));
    }
    for (n, secret) in snapshot.secrets.iter().enumerate() {
        let mut less = snapshot.clone();
        less.secrets[n].docker_config = Observed::default();
        all.push((format!("content of secret {}", secret.meta.name), less));
    }
    for n in 0..snapshot.versions.len() {
        let mut less = snapshot.clone();
        let gone = less.versions.remove(n);
        all.push((format!("version of {}", gone.program), less));
    }
    for n in 0..snapshot.sightings.len() {
        let mut less = snapshot.clone();
        less.sightings.remove(n);
        all.push((format!("sightings[{n}]"), less));
    }
    for (n, output) in snapshot.outputs.iter().enumerate().filter(|(_, o)| o.text.lines().count() > 1) {
        for line in 0..output.text.lines().count().min(12) {
            let mut less = snapshot.clone();
            let kept = output.text.lines().enumerate().filter(|(at, _)| *at != line);
            less.outputs[n].text = kept.map(|(_, l)| format!("{l}\n")).collect();
            all.push((format!("line {line} of `{}`", output.command), less));
        }
    }
    all
}

/// Every object without one of its fields.
fn without_one_field(snapshot: &Snapshot) -> Vec<(String, Snapshot)> {
    let less = |(name, loss): (String, less::Loss)| {
        let mut less = snapshot.clone();
        loss(&mut less);
        (less != *snapshot).then_some((name, less))
    };
    fields(snapshot).into_iter().filter_map(less).collect()
}

#[test]
fn without_a_single_fact_nothing_wrong_is_confirmed() {
    let mut wrong = Vec::new();
    for case in cases() {
        let facts = without_one_fact(&case.snapshot).into_iter().chain(without_one_field(&case.snapshot));
        for (left_out, less) in facts {
            let claims = false_claims(&diagnose(&less), &case.right);
            if !claims.is_empty() {
                wrong.push(format!("{} without {left_out}: {claims:?}, right: {:?}", case.name, case.right));
            }
        }
    }
    assert!(wrong.is_empty(), "{} claims:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_random_halves_nothing_wrong_is_confirmed() {
    let (seed, halves) = (number("PULLPROOF_SEED", 20_261_130), number("PULLPROOF_HALVES", 6));
    let mut wrong = Vec::new();
    for (n, case) in cases().iter().enumerate() {
        let mut random = Random::new(seed, n);
        for turn in 0..halves {
            let objects = half(&case.snapshot, &mut random);
            let fields = half_of_fields(&case.snapshot, &mut random);
            for (of, less) in [("objects", &objects), ("fields", &fields)] {
                let claims = false_claims(&diagnose(less), &case.right);
                if !claims.is_empty() {
                    wrong.push(format!(
                        "{} turn {turn} of {of}: {claims:?}, right: {:?}",
                        case.name, case.right
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "seed {seed}, {} claims:\n{}", wrong.len(), wrong.join("\n"));
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
