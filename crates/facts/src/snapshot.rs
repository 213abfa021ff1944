//! The Snapshot: one value with everything that was seen.

use crate::*;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the Snapshot's own form; a reader refuses a newer one.
pub const SNAPSHOT_SCHEMA: u32 = 1;

/// Everything observed. Lists are complete only where their [`Coverage`] says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// [`SNAPSHOT_SCHEMA`].
    pub schema: u32,
    /// Now: live, the time of collection; for saved input, the newest timestamp in it.
    pub taken_at: Option<Timestamp>,
    /// What was looked at.
    pub scope: Scope,
    /// Pods that are not settled, and those that failing ones are compared with.
    pub pods: Vec<Pod>,
    /// What the pods that are well show, in sums.
    pub healthy: Healthy,
    /// Events, of both APIs.
    pub events: Vec<Event>,
    /// Service accounts.
    pub service_accounts: Vec<ServiceAccount>,
    /// Secrets, by shape.
    pub secrets: Vec<Secret>,
    /// Nodes, as the API server has them.
    pub nodes: Vec<Node>,
    /// Nodes, from their own files and commands.
    pub node_facts: Vec<NodeFacts>,
    /// Entries of audit logs.
    pub audit: Vec<AuditEntry>,
    /// Other objects.
    pub others: Vec<OtherObject>,
    /// What commands printed.
    pub outputs: Vec<CommandOutput>,
    /// Logs, configurations and other texts.
    pub documents: Vec<Document>,
    /// Failing pulls and pushes that stand in texts.
    pub sightings: Vec<Sighting>,
    /// Versions that the input states.
    pub versions: Vec<StatedVersion>,
    /// What probes saw.
    pub ladders: Vec<Ladder>,
    /// Which lists are known to be complete.
    pub coverage: Coverage,
    /// What was not seen.
    pub blind_spots: Vec<BlindSpot>,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self {
            schema: SNAPSHOT_SCHEMA,
            taken_at: None,
            scope: Scope::default(),
            pods: Vec::new(),
            healthy: Healthy::default(),
            events: Vec::new(),
            service_accounts: Vec::new(),
            secrets: Vec::new(),
            nodes: Vec::new(),
            node_facts: Vec::new(),
            audit: Vec::new(),
            others: Vec::new(),
            outputs: Vec::new(),
            documents: Vec::new(),
            sightings: Vec::new(),
            versions: Vec::new(),
            ladders: Vec::new(),
            coverage: Coverage::default(),
            blind_spots: Vec::new(),
        }
    }
}

/// What was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// `live`, `saved`, `probe`, `demo`.
    pub source: String,
    /// The kubeconfig's context; empty where none was used.
    pub context: String,
    /// The namespace; empty for all.
    pub namespace: String,
    /// The pod or workload that was named; empty for none.
    pub target: String,
    /// The label selector.
    pub selector: String,
}

/// Pods that are well, in sums: the controls that failing pulls are compared with. Bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Healthy {
    /// How many pods have all their images.
    pub pods: u64,
    /// Image reference to the nodes that have run it (the first few), for images that were really pulled or present.
    pub images: BTreeMap<String, Vec<String>>,
    /// Whether `images` left some out.
    pub truncated: bool,
}

/// Which lists are known to be complete for the scope: only there may "not in the list" be an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// All pods of the scope.
    pub pods: bool,
    /// All events that the API server still had.
    pub events: bool,
    /// All service accounts of the namespaces of failing pods.
    pub service_accounts: bool,
    /// The names of all secrets of these namespaces.
    pub secrets: bool,
    /// Those that failing pods name and that are not there were looked for in all other namespaces.
    #[serde(default)]
    pub secrets_elsewhere: bool,
    /// All nodes.
    pub nodes: bool,
}
