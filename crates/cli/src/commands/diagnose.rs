//! `pullproof diagnose [TARGET]`: a live cluster or saved input, to a report.

use crate::args::{self, KubeArgs, ReportArgs};
use crate::exit::{Exit, Failure, Outcome};
use crate::live;
use crate::output::Output;
use crate::probing::{self, WayArgs};
use clap::{Args, ValueEnum};
use facts::{BlindSpot, Document, Snapshot, Why};
use std::path::PathBuf;
use std::time::Duration;

/// What `diagnose` takes.
#[derive(Debug, Args)]
pub struct Diagnose {
    /// A pod, or a workload as TYPE/NAME; without it, the whole namespace
    #[arg(value_name = "TARGET")]
    pub target: Option<String>,
    /// Read saved input instead of a cluster: files, folders and archives, any mix (- reads standard input)
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub from: Vec<PathBuf>,
    /// Also climb the ladder to each repository in question from this machine, with this machine's credentials, and ask on
    /// from here until one cause remains or nothing more can be asked
    #[arg(long)]
    pub probe: bool,
    /// Also look at the nodes of failing pods: pod runs a short-lived privileged pod on each, from an image that the node
    /// has, and removes it; proxy only reads the kubelet's configuration and the runtime's log through the API server
    #[arg(long, value_name = "HOW", value_enum, conflicts_with = "from")]
    pub node_access: Option<NodeAccess>,
    /// How long one step may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,
    /// The way.
    #[command(flatten)]
    pub way: WayArgs,
    /// The cluster.
    #[command(flatten)]
    pub kube: KubeArgs,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Ways to look at a node through the API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NodeAccess {
    /// A pod that this program runs in.
    Pod,
    /// The kubelet's own endpoints, through the API server.
    Proxy,
}

/// No step takes longer: a deadline must be a time that clocks can show.
const LONGEST: Duration = Duration::from_secs(86_400);

/// A number of seconds that is more than nothing and no more than a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.trim_end_matches('s').parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|d| !d.is_zero() && *d <= LONGEST)
        .ok_or_else(|| "must be more than nothing, and a day at most".to_owned())
}

/// Collects, concludes, shows.
pub fn run(args: &Diagnose, out: &mut Output) -> Outcome {
    if args.way.given() && !args.probe {
        let words =
            "--ca, --cert, --creds-file, --creds-stdin and --anonymous are for the probe: give --probe too";
        return Err(Failure::Usage(words.to_owned()));
    }
    let mut snapshot = if args.from.is_empty() {
        live::collect(&args.kube, args.target.as_deref(), args.timeout)
            .map_err(|failure| perhaps_a_command(args.target.as_deref(), failure))?
    } else {
        from_files(args)?
    };
    let unread = !args.from.is_empty() && holds_nothing(&snapshot);
    if let Some(namespace) = args.kube.namespace.as_deref().filter(|_| !args.from.is_empty()) {
        narrow(&mut snapshot, namespace);
    }
    match args.node_access {
        Some(NodeAccess::Pod) => {
            live::through_pods(&args.kube, args.timeout, &mut snapshot, |line| out.talk_lines(line))?;
        }
        Some(NodeAccess::Proxy) => live::through_kubelets(&args.kube, args.timeout, &mut snapshot)?,
        None => {}
    }
    if args.probe {
        probing::beside(&mut snapshot, &args.way, args.timeout)?;
    }
    let report = diagnose::diagnose(&snapshot);
    out.print(&render::report(&report, args.report.output, out.look()))?;
    if unread {
        return Err(Failure::CannotLook(anyhow::anyhow!(
            "diagnose --from: nothing in what was given could be read; give objects, logs, commands' outputs or nodes' files"
        )));
    }
    // Who may see no pods was not told that nothing is failing
    if report.incidents.is_empty()
        && args.from.is_empty()
        && !snapshot.coverage.pods
        && report.healthy.pods == 0
    {
        return Ok(Exit::CannotLook);
    }
    Ok(args.report.exit(!report.incidents.is_empty()))
}

/// A word that led nowhere as a pod's name, and is nearly a command's.
fn perhaps_a_command(target: Option<&str>, failure: Failure) -> Failure {
    let Some((word, meant)) = target.and_then(|word| Some((word, args::near_command(word)?))) else {
        return failure;
    };
    let words = format!("{word:?} is no command; as a pod's name: {failure}; did you mean {meant:?}?");
    Failure::CannotLook(anyhow::anyhow!(words))
}

/// Whether an input held no fact at all: blind spots say why, and "nothing is failing" would be no answer.
fn holds_nothing(snapshot: &Snapshot) -> bool {
    // A text is kept for its words also where it could not be read as what it should be.
    let spots = &snapshot.blind_spots;
    let unread = |d: &Document| spots.iter().any(|b| b.what == d.origin.source && b.why == Why::Unreadable);
    snapshot.documents.iter().all(unread)
        && *snapshot
            == Snapshot {
                documents: snapshot.documents.clone(),
                scope: snapshot.scope.clone(),
                coverage: snapshot.coverage,
                taken_at: snapshot.taken_at,
                blind_spots: snapshot.blind_spots.clone(),
                ..Snapshot::default()
            }
}

/// Saved input. A path that is not there is worth the status; what is there and not understood is a blind spot.
fn from_files(args: &Diagnose) -> Result<Snapshot, Failure> {
    if args.target.is_some() || args.kube.selector.is_some() {
        let words = "a TARGET and -l ask a cluster: of saved input, -n narrows to a namespace";
        return Err(Failure::Usage(words.to_owned()));
    }
    let snapshot = saved::read(&args.from, saved::Limits::default());
    let missing = |b: &&BlindSpot| b.detail == saved::NO_SUCH_PATH;
    match snapshot.blind_spots.iter().find(missing) {
        Some(b) => Err(Failure::CannotLook(anyhow::anyhow!("reading {}: {}", b.what, b.detail))),
        None => Ok(snapshot),
    }
}

/// Leaves the pods of one namespace and what befell them, as a live look at it would see.
fn narrow(snapshot: &mut Snapshot, namespace: &str) {
    snapshot.pods.retain(|p| p.meta.namespace == namespace);
    snapshot.events.retain(|e| e.kind != "Pod" || e.namespace == namespace);
}
