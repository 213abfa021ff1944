//! Snapshot to Report: which one cause explains each failing pull, and what shows it.
//!
//! Pure: no I/O, no clock; the same Snapshot gives the same Report. The flow is `gather` (failing pulls) -> `engine`
//! (hypotheses, questions, verdict) -> `incidents` (grouping). Causes are rows in `causes`, questions are functions in
//! `questions`; the engine knows none of them by name.

mod case;
mod causes;
mod comparison;
mod engine;
mod faults;
mod gather;
mod incidents;
mod ladder;
mod likeness;
mod lines;
mod lookups;
mod naming;
mod network_request;
mod next_test;
mod node_view;
mod once;
mod pull;
mod pull_secrets;
mod pushed;
mod question;
mod questions;
mod requests;
mod row;
mod rung;
mod sheets;
mod shell;
mod subject;
#[cfg(test)]
mod testing;
mod unread;

use case::Case;
use facts::{Node, Snapshot};
use formats::manifest::Platform;
use formats::reference::repository_of;
use report::{BlindSpot, Healthy, Incident, Report, Scope};
use std::collections::BTreeMap;
use vocabulary::Operation;

pub use next_test::NextClimb;
pub use row::{Expect, How, Row};
pub use sheets::sheets;

/// Every row of the table: what each root cause can show as and what it predicts.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    causes::ALL.iter().flat_map(|area| area.iter())
}

/// Concludes everything that one Snapshot allows, and nothing more.
pub fn diagnose(snapshot: &Snapshot) -> Report {
    let case = Case::new(snapshot);
    let pulls = gather::pulls(&case);
    let verdicts = engine::judge(&case, &pulls);
    report(snapshot, incidents::group(&case, &pulls, verdicts))
}

fn report(snapshot: &Snapshot, incidents: Vec<Incident>) -> Report {
    let mut blind_spots = blind_spots(snapshot);
    blind_spots.extend(unread::texts(snapshot, &incidents));
    Report {
        generated_at: snapshot.taken_at,
        scope: scope(snapshot),
        incidents,
        healthy: Healthy { pods: snapshot.healthy.pods, pods_seen: snapshot.coverage.pods },
        climbs: snapshot.ladders.iter().map(ladder::climb).collect(),
        blind_spots,
    }
}

/// What a probe saw on one ladder, as reports have it.
pub fn climb(ladder: &facts::Ladder) -> report::Climb {
    ladder::climb(ladder)
}

/// An image whose pull fails, and what it has to run on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingImage {
    /// The reference, verbatim.
    pub image: String,
    /// The platform of a node that pulls it; `None` where no node object says.
    pub platform: Option<Platform>,
}

/// The images of failing pulls, one for each registry and repository, in a stable order. Of several pulls of a
/// repository, the first whose node is known.
pub fn failing_images(snapshot: &Snapshot) -> Vec<FailingImage> {
    let case = Case::new(snapshot);
    let pulls = gather::pulls(&case);
    let failing = pulls.iter().filter(|p| p.operation == Operation::Pull && !p.image.is_empty());
    let mut of_repository: BTreeMap<String, FailingImage> = BTreeMap::new();
    for pull in failing {
        let this =
            FailingImage { image: pull.image.clone(), platform: case.node(pull.node).and_then(platform) };
        let known = of_repository.entry(repository_of(&pull.image)).or_insert_with(|| this.clone());
        if known.platform.is_none() && this.platform.is_some() {
            *known = this;
        }
    }
    of_repository.into_values().collect()
}

/// As the kubelet reports it; Linux where it names only the architecture.
fn platform(node: &Node) -> Option<Platform> {
    let os = if node.os.is_empty() { "linux" } else { &node.os };
    Platform::parse(&format!("{os}/{}", node.arch))
}

/// The climbs that would split best what remains possible, none that was made before: what `--probe` asks next. Empty
/// where each failing pull has one cause left, or nothing more can be asked from here.
pub fn next_climbs(snapshot: &Snapshot) -> Vec<NextClimb> {
    let case = Case::new(snapshot);
    let pulls = gather::pulls(&case);
    engine::climbs(&case, &pulls)
}

fn scope(snapshot: &Snapshot) -> Scope {
    let s = &snapshot.scope;
    Scope {
        source: s.source.clone(),
        context: s.context.clone(),
        namespace: s.namespace.clone(),
        target: s.target.clone(),
        selector: s.selector.clone(),
    }
}

fn blind_spots(snapshot: &Snapshot) -> Vec<BlindSpot> {
    let mut all: Vec<_> = snapshot
        .blind_spots
        .iter()
        .map(|b| BlindSpot {
            what: b.what.clone(),
            why: b.why.word().to_owned(),
            detail: b.detail.clone(),
            needs: b.needs.clone(),
        })
        .collect();
    all.sort();
    all.dedup();
    all
}
