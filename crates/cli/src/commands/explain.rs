//! `pullproof explain [TEXT|-]`: what one pasted error means.

use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::Args;

/// What `explain` takes.
#[derive(Debug, Args)]
pub struct Explain {
    /// The text; - or nothing reads standard input
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// Read lines of {"id","text"} and answer in lines of JSON, in order
    #[arg(long, conflicts_with = "text")]
    pub jsonl: bool,
}

/// Reads the text and says what it carries.
pub fn run(args: &Explain, out: &mut Output) -> Outcome {
    let reading = formats::message::read(&args.text.join(" "));
    out.print(&format!("{} {}\n", reading.cause, reading.confidence))?;
    Ok(Exit::Clear)
}
