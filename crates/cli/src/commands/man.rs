//! `pullproof man`: the manual page in roff, from the same definition as the parser.

use crate::args;
use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::Args;

/// What `man` takes.
#[derive(Debug, Args)]
pub struct Man {
    /// The page of this command instead of the program's
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints the page.
pub fn run(args: &Man, out: &mut Output) -> Outcome {
    let mut whole = args::command();
    whole.build();
    let command = match &args.command {
        None => whole,
        Some(name) => whole
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| crate::exit::Failure::Usage(format!("no command has the name {name:?}")))?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    out.write(&page)?;
    Ok(Exit::Clear)
}
