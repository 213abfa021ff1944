//! The ladder: for one endpoint and image, each rung with what was seen on it.

use crate::Vantage;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use vocabulary::{Cause, Phase, Stage};

/// One climb from one vantage to one host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ladder {
    /// Who climbed.
    pub vantage: Vantage,
    /// Which request it served; the token service and the blob store have ladders of their own.
    pub phase: Phase,
    /// The URL that was asked for, without secrets.
    pub url: String,
    /// The image it was about, verbatim.
    pub image: String,
    /// When it began.
    pub at: Option<Timestamp>,
    /// The rungs, in order, those not reached included.
    pub rungs: Vec<Rung>,
    /// Ladders to other hosts that this one needed: token service, blob store.
    pub branches: Vec<Ladder>,
}

impl Ladder {
    /// The rung at which it ended: the first that failed. `None` when all passed.
    pub fn ended_at(&self) -> Option<&Rung> {
        self.rungs.iter().find(|r| matches!(r.outcome, Outcome::Failed { .. }))
    }
}

/// One rung.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// Which.
    pub stage: Stage,
    /// How it went.
    pub outcome: Outcome,
    /// Milliseconds it took.
    pub took_ms: u64,
    /// What was seen, in order.
    pub seen: Vec<Fact>,
}

/// How a rung went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It held.
    Passed,
    /// It did not: the symptom, and the words that a Go client would print.
    Failed {
        /// What this observation shows.
        symptom: Cause,
        /// The error in the words of the field.
        error: String,
    },
    /// An earlier one failed.
    NotReached,
    /// It does not apply here.
    Skipped,
}

/// One thing seen on a rung: a name from a closed list of the probe, and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// `address`, `certificate.issuer`, `status`, `challenge.realm`, `header.server`.
    pub name: String,
    /// The value, bounded and without secrets.
    pub value: String,
}
