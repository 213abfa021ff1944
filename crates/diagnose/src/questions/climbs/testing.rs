//! Hand-made ladders, and the pull that a lone one is.

use crate::case::Case;
use crate::pull::Pull;
use crate::testing::at;
use facts::{Fact, Ladder, Outcome, Rung, Snapshot, Vantage, seen};
use vocabulary::{Cause, Phase, Stage};

pub const IMAGE: &str = "registry.example.com/team/app:1";

pub fn rung(stage: Stage, outcome: Outcome, facts: &[(&str, &str)]) -> Rung {
    let seen = facts.iter().map(|(n, v)| Fact { name: (*n).into(), value: (*v).into() }).collect();
    Rung { stage, outcome, took_ms: 1, seen }
}

pub fn failed(symptom: Cause) -> Outcome {
    Outcome::Failed { symptom, error: "words".into() }
}

pub fn ladder(image: &str, rungs: Vec<Rung>) -> Ladder {
    Ladder {
        vantage: Vantage { client: "pullproof".into(), place: "laptop".into() },
        phase: Phase::Manifest,
        url: "https://registry.example.com/v2/".into(),
        image: image.into(),
        at: at("10:00:00"),
        alternative: false,
        rungs,
        branches: Vec::new(),
    }
}

pub fn account(user: &str) -> Rung {
    let facts = [(seen::CREDENTIALS_USER, user), (seen::CREDENTIALS_SOURCE, "config.json")];
    rung(Stage::Credentials, Outcome::Passed, &facts)
}

pub fn refused(facts: &[(&str, &str)]) -> Rung {
    rung(Stage::Authorization, failed(Cause::AuthUnauthorized), facts)
}

/// Asks about the first failing ladder, which no pod stands behind.
pub fn with<T>(ladders: Vec<Ladder>, ask: impl Fn(&Case<'_>, &Pull<'_>) -> T) -> T {
    let snapshot = Snapshot { ladders, ..Snapshot::default() };
    let case = Case::new(&snapshot);
    let pulls = crate::gather::pulls(&case);
    ask(&case, pulls.first().expect("a ladder that failed"))
}
