//! The commands, one file each, and the one place where they are called.

pub mod causes;
pub mod compare;
pub mod completions;
pub mod demo;
pub mod diagnose;
pub mod explain;
pub mod man;
pub mod node;
pub mod probe;
pub mod schema;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use crate::korean;
use crate::output::Output;
use render::Lang;

/// Runs what the line asks for, and says why where it cannot.
pub fn run(cli: Cli) -> Exit {
    let mut out = Output::new(&cli.common);
    let outcome = match cli.command {
        Command::Diagnose(args) => diagnose::run(&args, &mut out),
        Command::Explain(args) => explain::run(&args, &mut out),
        Command::Probe(args) => probe::run(&args, &mut out),
        Command::Demo(args) => demo::run(&args, &mut out),
        Command::Node(args) => node::run(&args, &mut out),
        Command::Compare(args) => compare::run(&args, &mut out),
        Command::Causes(args) => causes::run(&args, &mut out),
        Command::Schema(args) => schema::run(&args, &mut out),
        Command::Completions(args) => completions::run(&args, &mut out),
        Command::Man(args) => man::run(&args, &mut out),
    };
    outcome.unwrap_or_else(|failure| {
        out.complain(&match out.look().lang {
            Lang::En => failure.to_string(),
            Lang::Ko => korean::of(&failure),
        });
        failure.exit()
    })
}
