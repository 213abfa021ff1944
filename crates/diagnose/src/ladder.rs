//! The rungs of an incident: measured where only a probe climbed, else what the observed end implies.

use crate::case::Case;
use crate::pull::Pull;
use crate::rung;
use facts::{Ladder, Outcome};
use report::{Climb, Rung, RungState};
use vocabulary::Stage;

/// Rungs that a request must have climbed to end at a later one.
const NETWORK: &[Stage] = &[Stage::Dns, Stage::Connect, Stage::Tls, Stage::Http];

/// The ladder of one pull. What a probe measured from elsewhere says nothing of the rungs that a kubelet climbed.
pub fn rungs(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Rung> {
    let of_probe = |l: &&Ladder| l.image == pull.image && l.ended_at().is_some();
    if let Some(ladder) = case.snapshot.ladders.iter().find(of_probe).filter(|_| pull.is_probe()) {
        return ladder.rungs.iter().map(|r| measured(ladder, r)).collect();
    }
    let end = pull.symptom().stage();
    Stage::ALL.iter().filter(|s| **s != Stage::Other).map(|&stage| implied(stage, end, pull)).collect()
}

/// A probe's ladder, with what was seen on each rung.
pub fn climb(ladder: &Ladder) -> Climb {
    Climb {
        vantage: ladder.vantage.to_string(),
        image: ladder.image.clone(),
        url: ladder.url.clone(),
        phase: ladder.phase,
        rungs: ladder.rungs.iter().map(|r| measured(ladder, r)).collect(),
        error: ladder.ended_at().and_then(|r| match &r.outcome {
            Outcome::Failed { error, .. } => Some(error.clone()),
            _ => None,
        }),
        branches: ladder.branches.iter().map(climb).collect(),
    }
}

fn measured(ladder: &Ladder, rung: &facts::Rung) -> Rung {
    let state = match rung.outcome {
        Outcome::Passed => RungState::Passed,
        Outcome::Failed { .. } => RungState::Failed,
        Outcome::NotReached => RungState::NotReached,
        Outcome::Skipped => RungState::Skipped,
    };
    let climbed = matches!(state, RungState::Passed | RungState::Failed);
    Rung {
        stage: rung.stage,
        state,
        took_ms: climbed.then_some(rung.took_ms),
        says: rung::says(ladder, rung),
    }
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
