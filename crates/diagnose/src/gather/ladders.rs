//! Ladders: a failing one is a pull of its own, unless a pod or a text already speaks of the image. Beside those it is
//! another vantage, which the report shows, and which says nothing of what the kubelet met.

use super::by_image::ByImage;
use crate::case::Case;
use crate::pull::{Observation, Pull, Timeline};
use crate::questions::places::are_siblings;
use facts::{Ladder, Outcome, seen};
use formats::message::Reading;
use formats::url::{host_of, scheme_of};
use report::Locator;
use std::rc::Rc;
use vocabulary::{Cause, Confidence, Operation, Runtime, Stage};

/// Adds what ladders show.
pub fn join<'a>(case: &Case<'a>, pulls: &mut Vec<Pull<'a>>) {
    let mut by_image = ByImage::of(pulls);
    for ladder in &case.snapshot.ladders {
        let Some(observation) = observation(ladder).filter(|_| !is_made_good(case, ladder)) else { continue };
        let is_pull = |n: usize| pulls.get(n).is_some_and(|p| p.operation == Operation::Pull);
        if by_image.first(&ladder.image, is_pull).is_none() && !is_control(pulls, &ladder.image) {
            by_image.add(pulls.len(), &ladder.image);
            pulls.push(Pull {
                pod: None,
                container: None,
                namespace: "",
                pod_name: "",
                container_name: "",
                node: "",
                registry: formats::reference::registry_of(&ladder.image).unwrap_or_default(),
                image: ladder.image.clone(),
                operation: Operation::Pull,
                observations: vec![observation],
                earlier: Vec::new(),
                timeline: Timeline::default(),
            });
        }
    }
}

/// Whether another of the endpoints that the same client tries in turn serves the image.
fn is_made_good(case: &Case<'_>, ladder: &Ladder) -> bool {
    let serves = |l: &Ladder| {
        l.alternative && l.ended_at().is_none() && l.image == ladder.image && l.vantage == ladder.vantage
    };
    ladder.alternative && case.snapshot.ladders.iter().any(serves)
}

/// Whether an image was climbed to only to be compared with another of its project, which a pod or a text speaks of.
fn is_control(pulls: &[Pull<'_>], image: &str) -> bool {
    let own = formats::reference::repository_of(image);
    let mut others = pulls.iter().filter(|p| !p.is_probe());
    others.any(|p| are_siblings(&formats::reference::repository_of(&p.image), &own))
}

/// The failing rung of a ladder as an observation. Where it waited for another host, it is that host's ladder that
/// shows where the way ended; what it comes to for the pull is the waiting rung's to say: a token service that cannot
/// be reached, a redirect that leads nowhere.
fn observation(ladder: &Ladder) -> Option<Observation<'_>> {
    let (at, rung) = failing(ladder)?;
    let Outcome::Failed { symptom, error } = &ladder.ended_at().unwrap_or(rung).outcome else { return None };
    Some(Observation {
        vantage: at.vantage.clone(),
        text: error,
        reading: Rc::new(Reading {
            cause: *symptom,
            also_possible: Vec::new(),
            confidence: sureness(*symptom, ladder),
            operation: Operation::Pull,
            image: Some(at.image.clone()),
            registry_host: formats::reference::registry_of(&at.image),
            endpoint_host: scheme_of(&at.url).map(|_| host_of(&at.url).to_owned()).filter(|h| !h.is_empty()),
            url: Some(at.url.clone()),
            runtime: Some(Runtime::Other),
            phase: Some(at.phase),
            status: None,
            leaf: error.clone(),
        }),
        at: Locator::Step { vantage: at.vantage.to_string(), url: at.url.clone(), stage: rung.stage },
        when: at.at,
        ladder: Some(at),
    })
}

/// What was measured is sure. What an answer only looks like is not: a page that a front end may have put there, a realm
/// that the probe kept its credentials from, which other clients might not.
fn sureness(symptom: Cause, ladder: &Ladder) -> Confidence {
    let kept_back = ladder.rung(Stage::Token).is_some_and(|r| r.fact(seen::REALM_REFUSED).is_some());
    match symptom {
        Cause::RegistryNotARegistry | Cause::AuthzBlockedByGateway | Cause::AuthUnauthorized => {
            Confidence::Likely
        }
        _ if kept_back => Confidence::Likely,
        _ => Confidence::Confirmed,
    }
}

/// The innermost ladder that failed, and its rung: a branch explains the rung that waited for it.
fn failing(ladder: &Ladder) -> Option<(&Ladder, &facts::Rung)> {
    if let Some(found) = ladder.branches.iter().find_map(failing) {
        let waited = ladder.ended_at().is_none_or(|r| matches!(r.stage, Stage::Token | Stage::Blob));
        if waited {
            return Some(found);
        }
    }
    ladder.ended_at().map(|r| (ladder, r))
}
