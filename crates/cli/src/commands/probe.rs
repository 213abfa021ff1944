//! `pullproof probe IMAGE`: the ladder from this machine.

use crate::args::ReportArgs;
use crate::exit::{Failure, Outcome};
use crate::output::Output;
use clap::Args;

/// What `probe` takes.
#[derive(Debug, Args)]
pub struct Probe {
    /// The image reference, as the pod names it
    #[arg(value_name = "IMAGE")]
    pub image: String,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Climbs and shows.
pub fn run(args: &Probe, _: &mut Output) -> Outcome {
    Err(Failure::CannotLook(anyhow::anyhow!("probe {}: not built yet", args.image)))
}
