//! `pullproof schema`: the JSON Schema that `-o json` keeps to.

use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::Args;

/// What `schema` takes.
#[derive(Debug, Args)]
pub struct Schema {}

/// Prints the schema.
pub fn run(_: &Schema, out: &mut Output) -> Outcome {
    out.print(&render::schema())?;
    Ok(Exit::Clear)
}
