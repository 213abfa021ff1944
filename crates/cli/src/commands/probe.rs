//! `pullproof probe IMAGE`: the ladder from this machine.

use crate::args::ReportArgs;
use crate::as_node::{self, AsNodeArgs};
use crate::exit::{Failure, Outcome};
use crate::output::Output;
use crate::probing::{WayArgs, password_refused, wait_for};
use clap::Args;
use facts::{BlindSpot, Ladder, Scope, Snapshot, Why};
use formats::manifest::Platform;
use probe::{Endpoint, Families, Request, Surroundings};
use std::path::Path;
use std::time::Duration;

/// What `probe` takes.
#[derive(Debug, Args)]
pub struct Probe {
    /// The image reference, as the pod names it
    #[arg(value_name = "IMAGE")]
    pub image: String,
    /// The registry speaks plain HTTP. Without this, only loopback is tried so, after TLS was answered with HTTP
    #[arg(long)]
    pub plain_http: bool,
    /// Ask here instead of at the registry that the image names, which gets no credentials (may be given again)
    #[arg(long, value_name = "URL", value_parser = endpoint)]
    pub endpoint: Vec<Endpoint>,
    /// Send the credentials to a token service at this host though it is loopback, link-local or plain HTTP
    #[arg(long, value_name = "HOST")]
    pub allow_realm: Vec<String>,
    /// The platform that the image must have
    #[arg(long, value_name = "OS/ARCH", value_parser = platform)]
    pub platform: Option<Platform>,
    /// Use IPv4 only
    #[arg(short = '4', long, conflicts_with = "ipv6")]
    pub ipv4: bool,
    /// Use IPv6 only
    #[arg(short = '6', long)]
    pub ipv6: bool,
    /// Ask for no configuration and no layer
    #[arg(long)]
    pub no_blobs: bool,
    /// How long any one step may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::commands::diagnose::seconds)]
    pub timeout: Duration,
    /// Print what was seen instead of what it means
    #[arg(long, hide = true)]
    pub snapshot: bool,
    /// Another image of the same registry that can be pulled: shows whether the credentials are sound
    #[arg(long, value_name = "IMAGE")]
    pub control: Option<String>,
    /// The way.
    #[command(flatten)]
    pub way: WayArgs,
    /// A node's configuration instead.
    #[command(flatten)]
    pub node: AsNodeArgs,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

fn endpoint(text: &str) -> Result<Endpoint, String> {
    Endpoint::parse(text).map_err(|e| e.to_string())
}

fn platform(text: &str) -> Result<Platform, String> {
    Platform::parse(text).ok_or_else(|| "give it as linux/amd64 or linux/arm/v7".to_owned())
}

/// Climbs and shows.
pub fn run(args: &Probe, out: &mut Output) -> Outcome {
    let snapshot = collect(args)?;
    let report = diagnose::diagnose(&snapshot);
    if args.snapshot {
        out.print(&(serde_json::to_string_pretty(&snapshot)? + "\n"))?;
    } else {
        out.print(&render::report(&report, args.report.output, out.look()))?;
    }
    // Of endpoints that are tried in turn, one is enough.
    let fails = |l: &Ladder| !l.alternative && l.ended_at().is_some();
    Ok(args.report.exit(!report.incidents.is_empty() || snapshot.ladders.iter().any(fails)))
}

fn collect(args: &Probe) -> Result<Snapshot, Failure> {
    if let Some(path) = &args.node.as_node {
        return collect_as_node(args, path);
    }
    let around = args.way.surroundings()?;
    let request = request(args, &args.image, &around);
    let mut ladders = wait_for(probe::climb(&request, &around))?;
    if let Some(control) = &args.control {
        // A password that was refused is not sent again: accounts lock.
        if ladders.iter().any(password_refused) {
            let words = "the password was refused, and is not sent a second time for the control image";
            return Ok(snapshot(args, &around, ladders, vec![not_climbed(control, words)]));
        }
        ladders.extend(wait_for(probe::climb(&self::request(args, control, &around), &around))?);
    }
    Ok(snapshot(args, &around, ladders, Vec::new()))
}

/// The same with a node's configuration.
fn collect_as_node(args: &Probe, path: &Path) -> Result<Snapshot, Failure> {
    let login = args.way.names_credentials().then(|| args.way.credentials()).transpose()?;
    let around = Surroundings::of_machine(Path::new("/"), |_| None);
    let request = request(args, "", &around);
    let climbed = as_node::climb(&args.node, path, &args.image, login.as_ref(), request, &around)?;
    let found = snapshot(args, &around, climbed.ladders, climbed.blind_spots);
    Ok(Snapshot { node_facts: vec![climbed.node], ..found })
}

fn not_climbed(image: &str, why: &str) -> BlindSpot {
    BlindSpot {
        what: format!("probe of {image}"),
        why: Why::NotAsked,
        detail: why.to_owned(),
        needs: "--creds-file".to_owned(),
    }
}

fn request(args: &Probe, image: &str, around: &Surroundings) -> Request {
    let mut request = Request::new(image);
    request.endpoints.clone_from(&args.endpoint);
    request.realms.clone_from(&args.allow_realm);
    request.timeout = args.timeout;
    request.plain_http = args.plain_http;
    request.blobs = !args.no_blobs;
    request.families = match (args.ipv4, args.ipv6) {
        (true, _) => Families::V4,
        (_, true) => Families::V6,
        _ => Families::Both,
    };
    if let Some(platform) = &args.platform {
        request.platform = platform.clone();
    }
    around.machine().clone_into(&mut request.vantage.place);
    request
}

fn snapshot(args: &Probe, around: &Surroundings, ladders: Vec<Ladder>, more: Vec<BlindSpot>) -> Snapshot {
    let spots = around.blind_spots().into_iter().chain(probe::blind_spots(&ladders)).chain(more);
    Snapshot {
        taken_at: Some(around.now()),
        scope: Scope { source: "probe".to_owned(), target: args.image.clone(), ..Scope::default() },
        blind_spots: spots.collect(),
        ladders,
        ..Snapshot::default()
    }
}
