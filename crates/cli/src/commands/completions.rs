//! `pullproof completions SHELL`: a completion script, from the same definition as the parser.

use crate::args;
use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::Args;
use clap_complete::Shell;

/// What `completions` takes.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell to write for
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Completions, out: &mut Output) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::command(), "pullproof", &mut script);
    out.write(&script)?;
    Ok(Exit::Clear)
}
