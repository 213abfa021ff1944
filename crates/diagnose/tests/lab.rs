//! What the lab saved of real failing pulls, judged again without the lab: the same verdicts as there.
//!
//! `scripts/lab run --save` writes these folders, and says in `scenario.json` what is to be found in each.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod less;

use diagnose::diagnose;
use facts::Snapshot;
use less::{Random, half, half_of_fields, number, without_one};
use report::{Incident, Report};
use serde_json::Value;
use std::path::{Path, PathBuf};
use vocabulary::Confidence;

/// What is true and less deep where one object is not seen: a secret of another namespace is missing in the pod's.
const LESS_DEEP: &[(&str, &str)] = &[("credentials.wrong-namespace", "credentials.secret-missing")];

/// The folders of a scenario that hold what was seen, the API's objects first.
const VANTAGES: &[&str] = &["kube", "nodes", "ci", "shell", "registry", "control-plane"];

struct Scenario {
    name: String,
    folder: PathBuf,
    wanted: Value,
}

impl Scenario {
    fn all() -> Vec<Self> {
        let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/lab");
        let mut all: Vec<Self> = std::fs::read_dir(home)
            .expect("the lab's fixtures are there")
            .map(|entry| {
                let folder = entry.expect("readable").path();
                let text = std::fs::read_to_string(folder.join("scenario.json")).expect("scenario.json");
                let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
                Self { name, wanted: serde_json::from_str(&text).expect("JSON"), folder }
            })
            .collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        assert!(all.len() >= 60, "{} scenarios", all.len());
        all
    }

    fn snapshot(&self, vantages: &[&str]) -> Snapshot {
        let there: Vec<PathBuf> =
            vantages.iter().map(|v| self.folder.join(v)).filter(|p| p.exists()).collect();
        saved::read(&there, saved::Limits::default())
    }

    fn verdicts(&self, side: &str) -> &[Value] {
        self.wanted[side].as_array().expect("a list of verdicts")
    }

    /// Every cause that is right, as deep as any.
    fn right(&self, incident: &Incident) -> bool {
        let all = self.verdicts("api").iter().chain(self.verdicts("full"));
        all.flat_map(|v| strings(&v["causes"]))
            .any(|c| c == incident.cause.id() || LESS_DEEP.contains(&(c, incident.cause.id())))
    }

    fn is_pending(&self) -> bool {
        self.wanted["pending"].as_str().is_some_and(|p| !p.is_empty())
    }

    /// What is not as wanted, a sentence each.
    fn differences(&self, side: &str, report: &Report) -> Vec<String> {
        let mut left: Vec<&Value> = self.verdicts(side).iter().collect();
        let mut wrong = Vec::new();
        for incident in &report.incidents {
            let cause = incident.cause.id();
            let mut pods: Vec<&str> = incident.affected.pods.iter().map(|p| p.name.as_str()).collect();
            pods.sort_unstable();
            let names = |v: &Value| strings(&v["causes"]).contains(&cause);
            let at = (left.iter().position(|v| names(v) && strings(&v["pods"]) == pods))
                .or_else(|| left.iter().position(|v| names(v)));
            let Some(at) = at else {
                wrong.push(format!("not expected: {cause} ({:?})", incident.confidence));
                continue;
            };
            let verdict = left.remove(at);
            let is_sure = incident.confidence == Confidence::Confirmed;
            if incident.confidence == Confidence::Possible
                || (verdict["confidence"] == "confirmed" && !is_sure)
            {
                wrong.push(format!("{cause}: {:?}, not {}", incident.confidence, verdict["confidence"]));
            }
            let named = strings(&verdict["pods"]);
            if pods != named && named != ["*"] {
                wrong.push(format!("{cause}: blames {pods:?}, not {}", verdict["pods"]));
            }
        }
        wrong.extend(left.iter().map(|v| format!("missing: {}", v["causes"])));
        wrong.into_iter().map(|w| format!("{} ({side}): {w}", self.name)).collect()
    }

    fn false_claims(&self, report: &Report) -> Vec<&'static str> {
        let wrong = |i: &&Incident| i.confidence == Confidence::Confirmed && !self.right(i);
        report.incidents.iter().filter(wrong).map(|i| i.cause.id()).collect()
    }
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[test]
fn the_objects_of_the_cluster_say_what_they_can() {
    let wrong: Vec<String> = Scenario::all()
        .iter()
        .flat_map(|s| s.differences("api", &diagnose(&s.snapshot(&VANTAGES[..1]))))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_nodes_say_the_rest() {
    let mut wrong = Vec::new();
    for s in Scenario::all() {
        let missed = s.differences("full", &diagnose(&s.snapshot(VANTAGES)));
        match (s.is_pending(), missed.is_empty()) {
            (false, _) => wrong.extend(missed),
            (true, true) => wrong.push(format!("{}: no longer pending, take the line away", s.name)),
            (true, false) => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_words_alone_carry_their_symptom() {
    let mut wrong = Vec::new();
    for s in Scenario::all() {
        let says = strings(&s.wanted["says"]);
        for text in strings(&s.wanted["messages"]) {
            let cause = formats::message::read(text).cause.id();
            if !says.is_empty() && !says.contains(&cause) {
                wrong.push(format!("{}: {cause}, not {says:?}: {text}", s.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn with_less_to_see_nothing_wrong_is_confirmed() {
    let mut wrong = Vec::new();
    for s in Scenario::all() {
        let whole = s.snapshot(VANTAGES);
        for (left_out, less) in without_one(&whole) {
            let claims = s.false_claims(&diagnose(&less));
            if !claims.is_empty() {
                wrong.push(format!("{} without {left_out}: {claims:?}", s.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} claims:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn of_random_halves_nothing_wrong_is_confirmed() {
    let (seed, halves) = (number("PULLPROOF_SEED", 20_261_130), number("PULLPROOF_HALVES", 2));
    let mut wrong = Vec::new();
    for (n, s) in Scenario::all().iter().enumerate() {
        let (whole, mut random) = (s.snapshot(VANTAGES), Random::new(seed, n));
        for turn in 0..halves {
            for less in [half(&whole, &mut random), half_of_fields(&whole, &mut random)] {
                let claims = s.false_claims(&diagnose(&less));
                if !claims.is_empty() {
                    wrong.push(format!("{} turn {turn}: {claims:?}", s.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "seed {seed}, {} claims:\n{}", wrong.len(), wrong.join("\n"));
}
