//! `pullproof node [IMAGE]`: what this runtime, of this version, with these files, will really do.

use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What `node` takes.
#[derive(Debug, Args)]
pub struct Node {
    /// The image whose endpoints are computed
    #[arg(value_name = "IMAGE")]
    pub image: Option<String>,
    /// The folder that is the node's root: a copied file tree, or / on the node itself
    #[arg(long, value_name = "DIR", default_value = "/")]
    pub root: PathBuf,
    /// The runtime
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Runtime::Containerd)]
    pub runtime: Runtime,
    /// The runtime's version
    #[arg(long, value_name = "VERSION")]
    pub runtime_version: String,
    /// The runtime's main configuration file, as on the node
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// The form of the answer
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Form::Json)]
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
}

/// The forms of a node report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For programs, `diagnose --from` and `compare`.
    Json,
}

/// Reads, computes, prints.
pub fn run(args: &Node, out: &mut Output) -> Outcome {
    let Runtime::Containerd = args.runtime;
    let Form::Json = args.output;
    let report = node::inspect_containerd(&node::Options {
        root: args.root.clone(),
        image: args.image.clone(),
        version: args.runtime_version.clone(),
        config: args.config.clone(),
    })?;
    out.print(&(serde_json::to_string_pretty(&report)? + "\n"))?;
    let found = !report.errors.is_empty() && !args.exit_zero;
    Ok(if found { Exit::Found } else { Exit::Clear })
}
