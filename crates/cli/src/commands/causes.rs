//! `pullproof causes`: every cause that there is, and what the table says of each.

use crate::exit::{Exit, Outcome};
use crate::output::Output;
use clap::Args;
use vocabulary::Cause;

/// What `causes` takes.
#[derive(Debug, Args)]
pub struct Causes {
    /// Print a document with a section for each cause
    #[arg(long)]
    pub markdown: bool,
}

/// Prints the index.
pub fn run(args: &Causes, out: &mut Output) -> Outcome {
    let all = diagnose::sheets();
    let text = if args.markdown {
        render::causes_document(&all, out.look().lang)
    } else {
        render::causes_index(&all, out.look())
    };
    out.print(&text)?;
    Ok(Exit::Clear)
}

/// Prints one cause's sheet.
pub fn sheet(cause: Cause, out: &mut Output) -> Outcome {
    let all = diagnose::sheets();
    if let Some(sheet) = all.iter().find(|s| s.cause == cause) {
        out.print(&render::cause_sheet(sheet, out.look()))?;
    }
    Ok(Exit::Clear)
}
