//! `pullproof node [IMAGE]`: what this runtime, of this version, with these files, will really do.

use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use clap::{Args, ValueEnum};
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
    let live = args.live || args.root == Path::new("/");
    let inspection = node::inspect(&node::Options {
        root: args.root.clone(),
        live,
        image: args.image.clone(),
        runtime: args.runtime.map(Runtime::name),
        version: args.runtime_version.clone(),
        config: args.config.clone(),
        socket: args.socket.clone(),
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
