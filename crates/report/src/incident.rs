//! The Report: incidents by root cause, each with what shows it.

use crate::{Climb, Say};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use vocabulary::{Cause, Confidence, Operation, Phase, Stage};

/// The version of the JSON form.
pub const REPORT_SCHEMA: &str = "pullproof.report/1";

/// Everything that was concluded from one Snapshot. Same Snapshot, same Report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The Snapshot's time.
    pub generated_at: Option<Timestamp>,
    /// What was looked at.
    pub scope: Scope,
    /// By pulls, then id.
    pub incidents: Vec<Incident>,
    /// What is well.
    pub healthy: Healthy,
    /// What probes saw.
    pub climbs: Vec<Climb>,
    /// What was not seen.
    pub blind_spots: Vec<BlindSpot>,
}

impl Report {
    /// Whether it is known that nothing fails: all pods were seen, or a probe went all the way.
    pub fn is_well(&self) -> bool {
        self.incidents.is_empty() && (self.healthy.pods_seen || self.pulls_here())
    }

    /// Whether probes climbed, and none of them ended early.
    pub fn pulls_here(&self) -> bool {
        !self.climbs.is_empty() && self.climbs.iter().all(Climb::holds)
    }
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Scope {
    /// `live`, `saved`, `probe`, `demo`.
    pub source: String,
    /// The kubeconfig's context; empty where none was used.
    pub context: String,
    /// The namespace; empty for all.
    pub namespace: String,
    /// The pod or workload that was named; empty for none.
    pub target: String,
    /// The label selector; empty for none.
    pub selector: String,
}

/// What is well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Healthy {
    /// Pods that have all their images.
    pub pods: u64,
    /// Whether pods could be listed at all: "nothing is failing" is only true then.
    pub pods_seen: bool,
}

/// One root cause, and everything it hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Incident {
    /// A hash of cause and scope.
    pub id: String,
    /// The deepest cause that the evidence reaches.
    pub cause: Cause,
    /// The cause's stage.
    pub stage: Stage,
    /// The rung at which the pulls were seen to end.
    pub ended_at: Stage,
    /// The request that was under way, where known.
    pub phase: Option<Phase>,
    /// Pull or push.
    pub operation: Operation,
    /// How sure.
    pub confidence: Confidence,
    /// The verdict in one line.
    pub title: Say,
    /// What it hits.
    pub affected: Affected,
    /// What shows it; never empty.
    pub evidence: Vec<Evidence>,
    /// The rungs, as far as the evidence knows them.
    pub ladder: Vec<Rung>,
    /// Vantages beside each other, where more than one saw something; a table of few columns.
    pub comparison: Option<Comparison>,
    /// What was ruled out, and by which fact.
    pub ruled_out: Vec<RuledOut>,
    /// What remains possible, best first, five at most.
    pub also_possible: Vec<Possible>,
    /// The test that would decide best.
    pub next_test: Option<NextTest>,
    /// What removes the cause.
    pub remedies: Vec<Remedy>,
    /// What proves the fix.
    pub verify: Option<Command>,
}

/// What an incident hits. Lists are bounded; `truncated` says when more would follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Affected {
    /// Failing pulls (or pushes).
    pub pulls: u64,
    /// The pods.
    pub pods: Vec<AffectedPod>,
    /// The nodes.
    pub nodes: Vec<String>,
    /// The images, verbatim.
    pub images: Vec<String>,
    /// The registries.
    pub registries: Vec<String>,
    /// Whether a list was cut.
    pub truncated: bool,
}

/// One failing container.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct AffectedPod {
    /// The pod's namespace.
    pub namespace: String,
    /// The pod's name.
    pub name: String,
    /// The container's.
    pub container: String,
    /// The pod's node.
    pub node: String,
}

/// A reference into the Snapshot with one sentence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Evidence {
    /// Where it is.
    pub at: Locator,
    /// What it shows.
    pub says: Say,
    /// The words themselves, verbatim and bounded; empty where the sentence says all.
    pub quote: String,
}

/// A place in the Snapshot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Locator {
    /// A field of a Kubernetes object.
    Object {
        /// `Pod`, `Event`, `Secret`.
        kind: String,
        /// Empty for cluster-wide objects.
        namespace: String,
        /// The object's name.
        name: String,
        /// `spec.imagePullSecrets[0].name`.
        field: String,
    },
    /// A place in a file.
    File {
        /// The node; empty where it belongs to none.
        node: String,
        /// The path, as on the node, or in the input.
        path: String,
        /// From 1; 0 for the whole file.
        line: u32,
        /// From 1; 0 for the whole line.
        column: u32,
        /// The line's text, so that a caret can be drawn.
        snippet: String,
    },
    /// A command's output.
    Output {
        /// Who ran it, where.
        vantage: String,
        /// The command.
        command: String,
        /// The file that holds it.
        source: String,
        /// From 1; 0 for the whole.
        line: u32,
    },
    /// A step of a probe.
    Step {
        /// Who probed.
        vantage: String,
        /// The URL.
        url: String,
        /// The rung.
        stage: Stage,
    },
    /// A text that was pasted or piped.
    Text {
        /// From 1.
        line: u32,
    },
}

/// One rung of an incident's ladder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rung {
    /// Which.
    pub stage: Stage,
    /// How it went.
    pub state: RungState,
    /// Milliseconds, where a probe measured them.
    pub took_ms: Option<u64>,
    /// What was seen on it.
    pub says: Option<Say>,
}

/// How a rung went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RungState {
    /// It was shown to hold.
    Passed,
    /// The pull ended here.
    Failed,
    /// An earlier one failed.
    NotReached,
    /// It was not needed here.
    Skipped,
    /// Nothing shows it either way.
    NotSeen,
}

/// Vantages beside each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Column heads.
    pub columns: Vec<Say>,
    /// Cells, a row each.
    pub rows: Vec<Vec<String>>,
}

/// A cause that a fact excludes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuledOut {
    /// The cause.
    pub cause: Cause,
    /// Why.
    pub why: Say,
    /// The facts; never empty.
    pub evidence: Vec<Evidence>,
}

/// A cause that the evidence still allows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Possible {
    /// The cause.
    pub cause: Cause,
    /// Why it is still in play.
    pub why: Say,
}

/// The cheapest test that splits what remains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NextTest {
    /// What it asks.
    pub asks: Say,
    /// From where.
    pub vantage: String,
    /// The command to copy.
    pub command: String,
    /// The causes that it can tell apart.
    pub splits: Vec<Cause>,
}

/// A command to copy, and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Command {
    /// What it does.
    pub says: Say,
    /// The line.
    pub command: String,
}

/// What removes the cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// What is done.
    pub says: Say,
    /// How far it reaches: one pod, one node, the registry.
    pub scope: Say,
    /// What it may disturb.
    pub risk: Say,
    /// Commands and file contents, in order.
    pub steps: Vec<Step>,
    /// How it is taken back.
    pub undo: Vec<Step>,
}

/// One step of a remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// A command line.
    Run(String),
    /// A file to write: path and content.
    Write {
        /// Where, as on the node.
        path: String,
        /// What.
        content: String,
    },
    /// Something that no command does.
    Ask(Say),
}

/// What was not observed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct BlindSpot {
    /// What would have been looked at.
    pub what: String,
    /// Why it was not seen: `forbidden`, `timed-out`.
    pub why: String,
    /// The source's own words.
    pub detail: String,
    /// What would give it.
    pub needs: String,
}
