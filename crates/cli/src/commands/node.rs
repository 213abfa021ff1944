//! `pullproof node [IMAGE]`: what this runtime, of this version, with these files, will really do.

use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use crate::remote;
use anyhow::Context;
use clap::{Args, ValueEnum};
use report::node::NodeReport;
use std::path::{Path, PathBuf};

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
    const fn name(self) -> node::RuntimeName {
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
    let inspection = node::inspect(&node::Options {
        root: args.root.clone(),
        live,
        image: args.image.clone(),
        runtime: args.runtime.map(Runtime::name),
        version: args.runtime_version.clone(),
        config: args.config.clone(),
        socket: args.socket.clone(),
        name: args.name.clone(),
    });
    let inspection = match inspection {
        Err(e @ (node::Error::Version(..) | node::Error::NoVersion(_))) => {
            return Err(Failure::Usage(e.to_string()));
        }
        other => other?,
    };
    match args.output {
        Form::Json => out.print(&(serde_json::to_string_pretty(&inspection)? + "\n"))?,
        Form::Text => out.print(&render::node(&inspection.report, out.look()))?,
    }
    let report = &inspection.report;
    if live && report.runtime.is_none() {
        return Ok(Exit::CannotLook);
    }
    let found = !report.errors.is_empty() || report.findings.iter().any(|f| f.level == "error");
    Ok(if found && !args.exit_zero { Exit::Found } else { Exit::Clear })
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
    let (text, status) = remote::node(host, args.sudo, &flags)?;
    match args.output {
        Form::Json => out.print(&text)?,
        Form::Text => {
            let report: NodeReport =
                serde_json::from_str(&text).with_context(|| format!("reading the node report of {host}"))?;
            out.print(&render::node(&report, out.look()))?;
        }
    }
    Ok(match status {
        0 => Exit::Clear,
        1 if args.exit_zero => Exit::Clear,
        1 => Exit::Found,
        _ => Exit::CannotLook,
    })
}
