//! `probe --as-node`: the ladders from this machine to the endpoints that a node's runtime would use, with that node's
//! configuration: its authorities, client certificates, headers, proxy and credentials. Names, routes and the clock are this
//! machine's.

use crate::commands::node::Runtime;
use crate::exit::Failure;
use crate::way_of_node::{self, Given, Start, Whose};
use anyhow::Context;
use clap::Args;
use facts::{BlindSpot, Ladder, NodeFacts, Outcome, Rung, Why};
use formats::url::host_of;
use formats::{hosts_file, message};
use node::{HostTree, SavedReport};
use probe::{Credentials, Request, Surroundings};
use report::node::{NODE_SCHEMA, NodeReport};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use vocabulary::Phase;

/// No node report is larger.
const MOST: u64 = 64 << 20;

/// Whose configuration a probe has.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "With a node's configuration")]
pub struct AsNodeArgs {
    /// Go from here as this node's runtime would: a folder with the node's files, or a node report. Names are looked up here
    #[arg(long, value_name = "PATH", conflicts_with_all = ["endpoint", "plain_http", "ca", "cert", "key", "control"])]
    pub as_node: Option<PathBuf>,
    /// Its runtime; without it, the report's, for a folder containerd
    #[arg(long, value_name = "NAME", value_enum, requires = "as_node")]
    pub runtime: Option<Runtime>,
    /// The runtime's version; without it, the report's
    #[arg(long, value_name = "VERSION", requires = "as_node")]
    pub runtime_version: Option<String>,
    /// The runtime's main configuration file, as on the node
    #[arg(long, value_name = "FILE", requires = "as_node")]
    pub config: Option<String>,
}

/// What was climbed, and with whose files.
pub struct Climbed {
    /// A ladder for each endpoint.
    pub ladders: Vec<Ladder>,
    /// What was not seen.
    pub blind_spots: Vec<BlindSpot>,
    /// The node's files.
    pub node: NodeFacts,
}

/// Climbs to the image's endpoints, with `login` instead of the node's own credentials where it is given. `request` has
/// everything but the image and the endpoint.
///
/// # Errors
/// Nothing to read at the path, no version of the runtime.
pub fn climb(
    args: &AsNodeArgs,
    path: &Path,
    image: &str,
    login: Option<&Credentials>,
    request: Request,
    around: &Surroundings,
) -> Result<Climbed, Failure> {
    let options = node::Options {
        root: path.to_owned(),
        image: Some(image.to_owned()),
        runtime: args.runtime.map(Runtime::name),
        version: args.runtime_version.clone(),
        config: args.config.clone(),
        told: if path.is_dir() { None } else { Some(saved(path)?) },
        ..node::Options::default()
    };
    let inspection = match node::inspect(&options) {
        Err(e @ (node::Error::Version(..) | node::Error::NoVersion(_))) => {
            return Err(Failure::Usage(e.to_string()));
        }
        other => other?,
    };
    let tree = node::tree(&options)?;
    let climbed = way_of_node::climb(
        &inspection,
        &Given {
            tree: &tree,
            start: Start::Here,
            login: login.map_or(Whose::Node, Whose::Given),
            request: request.clone(),
        },
    )?;
    let report = &inspection.report;
    let mut ladders = climbed.ladders;
    ladders.extend(report.errors.first().map(|error| before_any_request(error, image, &request, around)));
    let mut blind_spots = climbed.blind_spots;
    blind_spots.extend(other_names(&tree, report));
    Ok(Climbed { ladders, blind_spots, node: inspection.facts })
}

/// A node report, as `pullproof node -o json` prints it.
///
/// # Errors
/// It cannot be read, is none, or has another form.
pub fn saved(path: &Path) -> Result<SavedReport, Failure> {
    let shown = path.display();
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("reading {shown}"))?;
    file.take(MOST).read_to_string(&mut text).with_context(|| format!("reading {shown}"))?;
    parsed(&shown.to_string(), &text)
}

/// A node report that came from somewhere.
///
/// # Errors
/// It is none, or has another form.
pub fn parsed(shown: &str, text: &str) -> Result<SavedReport, Failure> {
    let saved: SavedReport =
        serde_json::from_str(text).with_context(|| format!("{shown} is no node report"))?;
    let form = &saved.report.schema;
    if form != NODE_SCHEMA {
        return Err(Failure::CannotLook(anyhow::anyhow!("{shown} is a node report of another form: {form}")));
    }
    Ok(saved)
}

/// What fails every pull before any request is where the ladder ends.
fn before_any_request(error: &str, image: &str, request: &Request, around: &Surroundings) -> Ladder {
    let symptom = message::read(error).cause;
    Ladder {
        vantage: request.vantage.clone(),
        phase: Phase::Manifest,
        url: String::new(),
        image: image.to_owned(),
        at: Some(around.now()),
        alternative: false,
        rungs: vec![Rung {
            stage: symptom.stage(),
            outcome: Outcome::Failed { symptom, error: error.to_owned() },
            took_ms: 0,
            seen: Vec::new(),
        }],
        branches: Vec::new(),
    }
}

/// Endpoints of which the node's hosts file has addresses of its own.
fn other_names(tree: &HostTree, report: &NodeReport) -> Vec<BlindSpot> {
    let hosts = tree.text("/etc/hosts").unwrap_or_default();
    let mut names: Vec<&str> = report
        .endpoints
        .iter()
        .map(|e| host_of(&e.url))
        .map(|authority| authority.rsplit_once(':').map_or(authority, |(host, _)| host))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| {
            let there = hosts_file::addresses(&hosts, name);
            let there: Vec<String> = there.iter().map(ToString::to_string).collect();
            (!there.is_empty()).then(|| BlindSpot {
                what: format!("{name} as the node's hosts file has it: {}", there.join(" ")),
                why: Why::NotAsked,
                detail: "names are looked up on this machine".to_owned(),
                needs: "pullproof node IMAGE, on the node".to_owned(),
            })
        })
        .collect()
}
