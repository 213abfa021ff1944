//! `pullproof demo [FAULT]`: a real registry with a chosen fault inside this process, and the real report about it.

use crate::args::ReportArgs;
use crate::exit::{Failure, Outcome};
use crate::output::Output;
use clap::Args;

/// What `demo` takes.
#[derive(Debug, Args)]
pub struct Demo {
    /// The fault to show; without it, one that is worth seeing
    #[arg(value_name = "FAULT")]
    pub fault: Option<String>,
    /// List the faults
    #[arg(long)]
    pub list: bool,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Starts the registry, climbs, shows.
pub fn run(_: &Demo, _: &mut Output) -> Outcome {
    Err(Failure::CannotLook(anyhow::anyhow!("demo: not built yet")))
}
