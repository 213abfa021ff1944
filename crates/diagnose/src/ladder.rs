//! The rungs of an incident: measured where a probe climbed, else what the observed end implies.

use crate::pull::Pull;
use facts::Outcome;
use report::{Rung, RungState};
use vocabulary::Stage;

/// Rungs that a request must have climbed to end at a later one.
const NETWORK: &[Stage] = &[Stage::Dns, Stage::Connect, Stage::Tls, Stage::Http];

/// The ladder of one pull.
pub fn rungs(pull: &Pull<'_>) -> Vec<Rung> {
    if let Some(ladder) = pull.observations.iter().find_map(|o| o.ladder) {
        return ladder.rungs.iter().map(measured).collect();
    }
    let end = pull.symptom().stage();
    Stage::ALL.iter().filter(|s| **s != Stage::Other).map(|&stage| implied(stage, end, pull)).collect()
}

fn measured(rung: &facts::Rung) -> Rung {
    let state = match rung.outcome {
        Outcome::Passed => RungState::Passed,
        Outcome::Failed { .. } => RungState::Failed,
        Outcome::NotReached => RungState::NotReached,
        Outcome::Skipped => RungState::NotSeen,
    };
    Rung { stage: rung.stage, state, took_ms: Some(rung.took_ms), says: None }
}

fn implied(stage: Stage, end: Stage, pull: &Pull<'_>) -> Rung {
    let plain_http = pull.reading().and_then(|r| r.url.as_deref()).is_some_and(|u| u.starts_with("http://"));
    let asked_network = (Stage::Http..=Stage::Blob).contains(&end) || NETWORK.contains(&end);
    let state = if end == Stage::Other || end == Stage::Runtime {
        RungState::NotSeen
    } else if stage == end {
        RungState::Failed
    } else if stage > end {
        RungState::NotReached
    } else if stage == Stage::Reference
        || (asked_network && NETWORK.contains(&stage) && !(plain_http && stage == Stage::Tls))
    {
        RungState::Passed
    } else {
        RungState::NotSeen
    };
    Rung { stage, state, took_ms: None, says: None }
}
