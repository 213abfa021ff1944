//! `pullproof`, and the same program as a kubectl plugin under the name `kubectl-pullproof`.
//!
//! Only wiring: each command is one file below `commands/` and reads parse -> collect -> diagnose -> render -> status.

mod args;
mod as_node;
mod commands;
mod exit;
mod explained;
mod help;
mod korean;
mod language;
mod lines;
mod live;
mod output;
mod probing;
mod remote;
mod way_of_node;

use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    let line: Vec<_> = std::env::args_os().collect();
    let lang = args::language(&line);
    match args::parse(line) {
        Ok(cli) => commands::run(cli),
        Err(shown) => Exit::after_showing(&shown, lang),
    }
    .into()
}
