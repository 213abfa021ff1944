//! A node's own side: what its runtime, of its version, with its files, will do for an image.
//!
//! Reads and never writes. What the files come to is `emulate`'s answer; what it means for a failing pull is `diagnose`'s.

mod clients;
mod clock;
mod compare;
mod containerd;
mod containers;
mod cri;
mod distribution;
mod docker;
mod endpoints;
mod findings;
mod kubelet;
mod live;
mod machine;
mod met;
mod processes;
mod pull_records;
mod recording;
mod routes;
mod runtime;
mod system;
mod told;
mod tree;
mod units;
mod way;

pub use compare::{MOST as MOST_NODES, compare};
pub use cri::{AuthKind, PullAuth};
pub use emulate::containerd::Login;
pub use emulate::files::{Entry, Files};
pub use emulate::go::x509::CertificatePlaces;
pub use live::VARIABLES;
pub use tree::HostTree;
pub use way::{Headers, Way};

use facts::{BlindSpot, Observed, RuntimeVersion, Why};
use recording::Recording;
use report::node::{NODE_SCHEMA, NodeReport};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// What to look at.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder that is the node's `/`.
    pub root: PathBuf,
    /// Whether it is this machine's, with its processes and sockets, or a copied file tree.
    pub live: bool,
    /// A node report to look at instead of a folder.
    pub told: Option<SavedReport>,
    /// The image; without it only the runtime's own state is read.
    pub image: Option<String>,
    /// The runtime; the one that serves the kubelet where not given.
    pub runtime: Option<runtime::Name>,
    /// The runtime's version, `2.2.1`; the running one's where not given.
    pub version: Option<String>,
    /// The runtime's main configuration file, as on the node; its usual place where not given.
    pub config: Option<String>,
    /// The runtime's socket; the kubelet's, then the usual ones where not given.
    pub socket: Option<String>,
    /// The variables of the shell that this runs in: what other clients would take from it.
    pub shell: BTreeMap<String, String>,
    /// The node's name in the cluster; the kubelet's or the machine's own where not given.
    pub name: Option<String>,
}

pub use runtime::Name as RuntimeName;

/// A node report as it was printed, of this or another version.
#[derive(Clone, Debug, Deserialize)]
pub struct SavedReport {
    /// The report.
    #[serde(flatten)]
    pub report: NodeReport,
    /// What was read, without secrets.
    #[serde(default)]
    pub facts: facts::NodeFacts,
    /// The ladders to its endpoints.
    #[serde(default)]
    pub ladders: Vec<facts::Ladder>,
}

impl SavedReport {
    /// The runtime, by the name that the report has for it.
    fn runtime(&self) -> Option<(runtime::Name, &report::node::Runtime)> {
        let told = self.report.runtime.as_ref()?;
        let name = match told.name.as_str() {
            "podman" => runtime::Name::Podman,
            other => runtime::Name::of_cri(other)?,
        };
        Some((name, told))
    }

    /// Its process, with the variables that the report keeps.
    fn running(&self) -> Option<processes::Running> {
        let (name, _) = self.runtime()?;
        let process = self.facts.process.seen()?.clone();
        let environ = format!("/proc/{}/environ", process.pid);
        let unread = self.report.blind_spots.iter().any(|b| b.what == environ);
        let secrets = process.environment.iter().map(|(n, v)| (n.clone(), SecretString::from(v.clone())));
        Some(processes::Running {
            program: name.program()?,
            environment: if unread { Observed::Blind(Why::Forbidden) } else { Observed::Seen(()) },
            secrets: secrets.collect(),
            replaced: false,
            process,
        })
    }
}

/// What `pullproof node` makes: the report, and the facts that `diagnose` reads.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// The report.
    #[serde(flatten)]
    pub report: NodeReport,
    /// What was read, without secrets.
    pub facts: facts::NodeFacts,
    /// What a climb needs and no report shows.
    #[serde(skip)]
    pub way: Way,
}

/// Asks the node's runtime, through CRI, to pull the inspection's image, and says what it answered. This changes the node:
/// the image stays there.
///
/// # Errors
/// No CRI socket answered.
pub async fn pull(
    options: &Options,
    inspection: &Inspection,
    auth: Option<&PullAuth>,
    deadline: Duration,
) -> Result<report::node::Pull, Error> {
    let cri = inspection.report.runtime.as_ref().and_then(|r| r.cri.as_ref());
    let socket = cri.filter(|c| c.state == "answers").map(|c| c.socket.as_str()).ok_or(Error::NoCri)?;
    let at = HostTree::new(&options.root).on_this_machine(socket).ok_or(Error::NoCri)?;
    let image = options.image.as_deref().unwrap_or_default();
    Ok(cri::pull(&at, image, auth, deadline).await)
}

impl Inspection {
    /// Adds the ways to the addresses that were asked after the inspection.
    pub fn add_routes(&mut self, tree: &HostTree, ladders: &[facts::Ladder]) {
        let Some(machine) = &mut self.report.machine else { return };
        let known: Vec<String> = machine.routes.iter().map(|r| r.to.clone()).collect();
        let met = met::addresses(ladders).into_iter().filter(|a| !known.contains(&a.to_string()));
        machine.routes.extend(machine::routes(&routes::Table::read(tree), met));
    }

    /// Adds what was not seen after the inspection.
    pub fn add_blind_spots(&mut self, more: Vec<BlindSpot>) {
        self.report.blind_spots.extend(spots(more));
        self.report.blind_spots.sort();
        self.report.blind_spots.dedup();
    }
}

/// Why a node could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The version is none.
    #[error("{0}'s version {1:?} is none: give it as 2.2.1")]
    Version(&'static str, String),
    /// No version was given, and nothing runs that could be asked.
    #[error("{0}'s version decides, and no running one can be asked: give --runtime-version")]
    NoVersion(&'static str),
    /// No runtime can be asked to pull.
    #[error(
        "asking the runtime to pull: no CRI socket answered here: run as root on the node, or give --socket"
    )]
    NoCri,
    /// The root is no folder.
    #[error("reading the node's files below {0}: it is no folder that can be read")]
    Root(PathBuf),
}

/// The node's file tree that these options name.
///
/// # Errors
/// The root is no folder.
pub fn tree(options: &Options) -> Result<HostTree, Error> {
    match &options.told {
        Some(told) => Ok(HostTree::told(told.facts.clone())),
        None if options.root.is_dir() => Ok(HostTree::new(&options.root)),
        None => Err(Error::Root(options.root.clone())),
    }
}

/// Looks at a node.
pub fn inspect(options: &Options) -> Result<Inspection, Error> {
    let tree = tree(options)?;
    let files = Recording::new(&tree);
    let mut blind = Vec::new();
    let seen = live::look(options, &tree, &files, &mut blind);
    let mut report = NodeReport {
        schema: NODE_SCHEMA.to_owned(),
        node: tree.text("/etc/hostname").map(|t| t.trim().to_owned()).unwrap_or_default(),
        image: options.image.clone(),
        ..NodeReport::default()
    };
    if let Some(told) = &options.told {
        report.node.clone_from(&told.report.node);
    }
    let chosen = runtime::choose(options, &seen, &mut blind)?;
    let mut findings = Vec::new();
    let distribution = distribution::of(&files, chosen.as_ref());
    report.distribution = distribution::shown(distribution);
    let mut way = Way::default();
    if let Some(chosen) = &chosen {
        way = runtime::emulate(&files, chosen, distribution, options, &seen, &mut report, &mut findings);
        endpoints::fingerprints(&tree, &mut report.endpoints);
        report.clients = live::clients(options, &files, &tree, &seen, &report);
    }
    report.others = runtime::others(&seen, chosen.as_ref());
    let hosts = endpoints::hosts(&report.endpoints);
    let mut machine = machine::look(&files, &tree, &hosts, seen.store().as_deref());
    let clock = options.live.then(|| machine::clock(&tree, &mut machine, &mut blind));
    machine.kubelet = seen.kubelet.clone();
    if let Some(kubelet) = &mut machine.kubelet {
        kubelet.records = pull_records::look(&tree, options.image.as_deref(), &mut blind);
    }
    findings.extend(machine.kubelet.iter().flat_map(|k| kubelet::findings(&tree, k)));
    findings.extend(live::findings(&files, chosen.as_ref(), &seen, &report, &machine));
    if seen.kubelet.is_some() {
        findings.extend(files.with_facts(kubelet::disagreements));
    }
    let (mut facts, unread) = files.finish();
    report.findings = findings::shown(emulate::lint::ordered(findings), &facts);
    blind.extend(unread);
    if options.live {
        report.taken_at = clock.as_ref().and_then(|c| c.says);
        report.machine = Some(machine);
        facts.clock = clock.map_or(Observed::Blind(Why::NotAsked), Observed::Seen);
        if report.node.is_empty() || options.root.as_os_str() == "/" {
            report.node = system::name();
        }
        if let Some(name) = seen.node_name() {
            name.clone_into(&mut report.node);
        }
    }
    if let Some(name) = &options.name {
        report.node.clone_from(name);
    }
    if let Some(chosen) = &chosen {
        facts.runtime = Some(RuntimeVersion {
            runtime: chosen.name.runtime(),
            version: chosen.version.trim_start_matches('v').to_owned(),
        });
        if let Some(process) = chosen.running(&seen) {
            facts.process = Observed::Seen(process.process.clone());
        }
    }
    facts.images = seen.images();
    facts.name.clone_from(&report.node);
    facts.name_given = !facts.name.is_empty();
    report.blind_spots = spots(blind);
    Ok(Inspection { report, facts, way })
}

fn spots(mut blind: Vec<BlindSpot>) -> Vec<report::BlindSpot> {
    blind.sort();
    blind.dedup();
    blind
        .into_iter()
        .map(|b| report::BlindSpot {
            what: b.what,
            why: b.why.word().to_owned(),
            detail: b.detail,
            needs: b.needs,
        })
        .collect()
}
