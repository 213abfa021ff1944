//! Several collections in one input: what is said of one is not taken for the other. Incidents of registries, pods and nodes
//! of their own are those that each collection has alone, and nothing wrong is confirmed of any pod.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod labelled;
#[allow(dead_code, reason = "shared with the other properties, which use all of it")]
mod less;

use diagnose::diagnose;
use less::{Random, number};
use report::{AffectedPod, Incident, Report};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use vocabulary::{Cause, Confidence};

/// One case and what it comes to alone.
struct Case {
    name: String,
    inputs: PathBuf,
    right: Vec<Cause>,
    alone: Report,
}

fn read(inputs: &[&Path]) -> Report {
    let paths: Vec<PathBuf> = inputs.iter().map(|p| p.to_path_buf()).collect();
    diagnose(&saved::read(&paths, saved::Limits::default()))
}

fn cases() -> Vec<Case> {
    let alone = |l: labelled::Labelled| Case {
        alone: read(&[&l.inputs]),
        name: l.name,
        right: l.right,
        inputs: l.inputs,
    };
    labelled::of("cases").into_iter().map(alone).collect()
}

/// What an incident is, whatever stands beside it: its cause, how many pulls, which pods.
fn members(incident: &Incident) -> (Cause, u64, Vec<AffectedPod>) {
    let mut pods = incident.affected.pods.clone();
    pods.sort();
    (incident.cause, incident.affected.pulls, pods)
}

fn all(reports: &[&Report]) -> Vec<(Cause, u64, Vec<AffectedPod>)> {
    let mut all: Vec<_> = reports.iter().flat_map(|r| &r.incidents).map(members).collect();
    all.sort();
    all
}

/// What two collections may not share, or they speak of one thing: registries, pods and nodes.
fn names(report: &Report) -> BTreeSet<String> {
    let of = |i: &Incident| {
        let a = &i.affected;
        let pods = a.pods.iter().map(|p| format!("pod {}/{}", p.namespace, p.name));
        let nodes = a.nodes.iter().map(|n| format!("node {n}"));
        a.registries.iter().cloned().chain(pods).chain(nodes).collect::<Vec<_>>()
    };
    report.incidents.iter().flat_map(of).collect()
}

/// What is confirmed of a case's pods or registries and is not its cause.
fn false_claims(merged: &Report, case: &Case) -> Vec<Cause> {
    let own = names(&case.alone);
    let about_it = |i: &&Incident| {
        i.affected.pods.iter().any(|p| own.contains(&format!("pod {}/{}", p.namespace, p.name)))
            || i.affected.registries.iter().any(|r| own.contains(r))
    };
    let wrong = |i: &&Incident| i.confidence == Confidence::Confirmed && !case.right.contains(&i.cause);
    merged.incidents.iter().filter(about_it).filter(wrong).map(|i| i.cause).collect()
}

#[test]
fn two_collections_come_to_what_each_comes_to_alone() {
    let (seed, pairs) = (number("PULLPROOF_SEED", 20_261_130), number("PULLPROOF_PAIRS", 150));
    let cases = cases();
    let mut random = Random::new(seed, 0);
    let mut wrong = Vec::new();
    let mut seen = 0;
    while seen < pairs {
        let (one, two) = (&cases[random.below(cases.len())], &cases[random.below(cases.len())]);
        if !names(&one.alone).is_disjoint(&names(&two.alone)) {
            continue;
        }
        seen += 1;
        let merged = read(&[&one.inputs, &two.inputs]);
        for case in [one, two] {
            for claim in false_claims(&merged, case) {
                wrong.push(format!("{} beside {}: {claim} is confirmed", one.name, two.name));
            }
        }
        let (got, want) = (all(&[&merged]), all(&[&one.alone, &two.alone]));
        if got != want {
            let new: Vec<_> = got.iter().filter(|g| !want.contains(g)).collect();
            let lost: Vec<_> = want.iter().filter(|w| !got.contains(w)).collect();
            wrong.push(format!("{} beside {}: {new:?} in place of {lost:?}", one.name, two.name));
        }
    }
    assert!(wrong.is_empty(), "seed {seed}, {} of {pairs}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_same_collection_twice_counts_once() {
    for case in cases() {
        let twice = read(&[&case.inputs, &case.inputs]);
        assert_eq!(all(&[&twice]), all(&[&case.alone]), "{}", case.name);
    }
}
