//! `pullproof node [IMAGE]`: what this runtime, of this version, with these files, will really do.

use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use crate::probing::wait_for;
use crate::remote;
use crate::way_of_node::{self, Given, Start, Whose};
use anyhow::Context;
use clap::{Args, ValueEnum};
use facts::Ladder;
use node::{AuthKind, PullAuth};
use probe::{Credentials, Kind, Request};
use render::Words;
use report::node::{NodeReport, Pull, PullOutcome};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `node` takes.
#[derive(Debug, Args)]
pub struct Node {
    /// The image whose endpoints are computed
    #[arg(value_name = "IMAGE")]
    pub image: Option<String>,
    /// The folder that is the node's root: a copied file tree; without it, this machine
    #[arg(long, value_name = "DIR", default_value = "/")]
    pub root: PathBuf,
    /// The root is this machine's own, mounted there: look at its processes and sockets too
    #[arg(long)]
    pub live: bool,
    /// The runtime; without it, the one that serves the kubelet
    #[arg(long, value_name = "NAME", value_enum)]
    pub runtime: Option<Runtime>,
    /// The runtime's version; without it, the running one's
    #[arg(long, value_name = "VERSION")]
    pub runtime_version: Option<String>,
    /// The runtime's main configuration file, as on the node
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// The runtime's socket; without it, the kubelet's and the usual ones
    #[arg(long, value_name = "PATH")]
    pub socket: Option<String>,
    /// The node's name in the cluster; without it, the kubelet's or the machine's own
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Run on this host instead: this program is copied there over ssh, run once, and removed
    #[arg(long, value_name = "HOST", conflicts_with_all = ["root", "live"])]
    pub ssh: Option<String>,
    /// Run it there as root, through sudo
    #[arg(long, requires = "ssh")]
    pub sudo: bool,
    /// Compute the endpoints only: ask no registry
    #[arg(long)]
    pub no_probe: bool,
    /// Ask with these credentials instead of the node's own: a docker configuration, or one line USER:PASSWORD
    #[arg(long, value_name = "FILE", conflicts_with = "ssh")]
    pub creds_file: Option<PathBuf>,
    /// Ask without credentials, also without the node's own
    #[arg(long, conflicts_with = "creds_file")]
    pub anonymous: bool,
    /// Also ask the runtime, through CRI as the kubelet does, to pull the image: as the user of --creds-file, else without
    /// credentials. The image stays on the node
    #[arg(long, requires = "image")]
    pub pull: bool,
    /// How long the runtime may take to pull, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "120", requires = "pull", value_parser = crate::commands::diagnose::seconds)]
    pub pull_timeout: Duration,
    /// How long one step may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::commands::diagnose::seconds)]
    pub timeout: Duration,
    /// The form of the answer
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Form::Text)]
    pub output: Form,
    /// Exit with 0 also where a problem was found
    #[arg(long)]
    pub exit_zero: bool,
}

/// The runtimes whose files are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Runtime {
    /// containerd 1.6 to 2.4.
    Containerd,
    /// CRI-O.
    #[value(alias = "cri-o")]
    Crio,
    /// podman, and skopeo and buildah with it.
    Podman,
    /// Docker Engine.
    Docker,
}

impl Runtime {
    /// By the name that inspections have for it.
    pub const fn name(self) -> node::RuntimeName {
        match self {
            Self::Containerd => node::RuntimeName::Containerd,
            Self::Crio => node::RuntimeName::Crio,
            Self::Podman => node::RuntimeName::Podman,
            Self::Docker => node::RuntimeName::Docker,
        }
    }
}

/// The forms of a node report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people.
    Text,
    /// For programs, `diagnose --from` and `compare`.
    Json,
}

/// Reads, computes, prints.
pub fn run(args: &Node, out: &mut Output) -> Outcome {
    if let Some(host) = &args.ssh {
        return over_ssh(args, host, out);
    }
    let live = args.live || args.root == Path::new("/");
    let options = node::Options {
        root: args.root.clone(),
        live,
        image: args.image.clone(),
        runtime: args.runtime.map(Runtime::name),
        version: args.runtime_version.clone(),
        config: args.config.clone(),
        socket: args.socket.clone(),
        name: args.name.clone(),
        shell: if live { shell() } else { BTreeMap::new() },
        told: None,
    };
    if args.pull && !live {
        return Err(Failure::Usage(
            "--pull asks a running runtime, and --root alone is a copied file tree".into(),
        ));
    }
    let inspection = match node::inspect(&options) {
        Err(e @ (node::Error::Version(..) | node::Error::NoVersion(_))) => {
            return Err(Failure::Usage(e.to_string()));
        }
        other => other?,
    };
    let mut seen = Seen { inspection, ladders: Vec::new() };
    // A copied file tree is no node to go from.
    if live && !args.no_probe {
        seen.climb(args, &options)?;
    }
    if args.pull {
        let pull = ask_to_pull(args, &options, &seen.inspection, out)?;
        seen.inspection.report.pull = Some(pull);
    }
    match args.output {
        Form::Json => out.print(&(serde_json::to_string_pretty(&seen)? + "\n"))?,
        Form::Text => show(&seen.inspection.report, &seen.ladders, out)?,
    }
    let report = &seen.inspection.report;
    if live && report.runtime.is_none() {
        return Ok(Exit::CannotLook);
    }
    let found = !report.errors.is_empty()
        || report.findings.iter().any(|f| f.level == "error")
        || seen.ladders.iter().any(|l| l.ended_at().is_some())
        || report.pull.as_ref().is_some_and(|p| p.outcome != PullOutcome::Pulled);
    Ok(if found && !args.exit_zero { Exit::Found } else { Exit::Clear })
}

/// The variables of this shell by which other clients would go, without passwords.
fn shell() -> BTreeMap<String, String> {
    let value = |name: &str| std::env::var(name).ok().map(formats::redact::owned);
    node::VARIABLES.iter().filter_map(|n| Some(((*n).to_owned(), value(n)?))).collect()
}

/// Says what is about to be done, does it, and reads the runtime's answer.
fn ask_to_pull(
    args: &Node,
    options: &node::Options,
    inspection: &node::Inspection,
    out: &Output,
) -> Result<Pull, Failure> {
    let image = args.image.as_deref().unwrap_or_default();
    let credentials = args.creds_file.as_deref().map(Credentials::from_file).transpose()?;
    let pulled = wait_for(async {
        let found = match &credentials {
            Some(credentials) => credentials.for_image(image, args.timeout).await,
            None => None,
        };
        let auth = found.map(|c| PullAuth {
            user: c.user,
            secret: c.secret,
            kind: match c.kind {
                Kind::Password => AuthKind::Password,
                Kind::IdentityToken => AuthKind::IdentityToken,
                Kind::RegistryToken => AuthKind::RegistryToken,
            },
        });
        let socket =
            inspection.report.runtime.as_ref().and_then(|r| r.cri.as_ref()).map(|c| c.socket.as_str());
        let user = auth.as_ref().map_or("none", |a| if a.user.is_empty() { "?" } else { a.user.as_str() });
        let shown = [("socket", socket.unwrap_or("?")), ("image", image), ("user", user)];
        out.talk_lines(&Words::of(out.look().lang).with("node-pull-announced", &shown));
        node::pull(options, inspection, auth.as_ref(), args.pull_timeout).await
    })?;
    let mut pull = pulled.map_err(anyhow::Error::from)?;
    pull.cause = pull.error.as_deref().map(|words| formats::message::read(words).cause);
    Ok(pull)
}

/// All that is printed: what the node told, and what was met on the way from there.
#[derive(Serialize)]
struct Seen {
    #[serde(flatten)]
    inspection: node::Inspection,
    ladders: Vec<Ladder>,
}

impl Seen {
    fn climb(&mut self, args: &Node, options: &node::Options) -> Result<(), Failure> {
        let mut request = Request::new("");
        request.timeout = args.timeout;
        request.vantage.place.clone_from(&self.inspection.report.node);
        let file = args.creds_file.as_deref().map(Credentials::from_file).transpose()?;
        let given = file.or_else(|| args.anonymous.then(Credentials::none));
        let tree = node::tree(options)?;
        let climbed = way_of_node::climb(
            &self.inspection,
            &Given {
                tree: &tree,
                start: Start::Node(&args.root),
                login: given.as_ref().map_or(Whose::Node, Whose::Given),
                request,
            },
        )?;
        self.ladders = climbed.ladders;
        self.inspection.add_routes(&tree, &self.ladders);
        self.inspection.add_blind_spots(climbed.blind_spots);
        Ok(())
    }
}

fn show(report: &NodeReport, ladders: &[Ladder], out: &mut Output) -> std::io::Result<()> {
    let climbs: Vec<report::Climb> = ladders.iter().map(diagnose::climb).collect();
    out.print(&render::node(report, &climbs, out.look()))
}

/// The same on another machine, whose report is shown here.
fn over_ssh(args: &Node, host: &str, out: &mut Output) -> Outcome {
    let mut flags: Vec<String> = args.image.iter().cloned().collect();
    let word = args.runtime.and_then(|r| r.to_possible_value()).map(|v| v.get_name().to_owned());
    for (flag, value) in [
        ("--runtime", word),
        ("--runtime-version", args.runtime_version.clone()),
        ("--config", args.config.clone()),
        ("--socket", args.socket.clone()),
        ("--name", args.name.clone()),
    ] {
        flags.extend(value.map(|v| format!("{flag}={v}")));
    }
    flags.push(format!("--timeout={}", args.timeout.as_secs_f64()));
    for (flag, given) in
        [("--no-probe", args.no_probe), ("--anonymous", args.anonymous), ("--pull", args.pull)]
    {
        flags.extend(given.then(|| flag.to_owned()));
    }
    let (text, status) = remote::node(host, args.sudo, &flags)?;
    match args.output {
        Form::Json => out.print(&text)?,
        Form::Text => {
            let printed: node::SavedReport =
                serde_json::from_str(&text).with_context(|| format!("reading the node report of {host}"))?;
            show(&printed.report, &printed.ladders, out)?;
        }
    }
    Ok(match status {
        0 => Exit::Clear,
        1 if args.exit_zero => Exit::Clear,
        1 => Exit::Found,
        _ => Exit::CannotLook,
    })
}
