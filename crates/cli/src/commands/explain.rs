//! `pullproof explain [TEXT|-]`: what one pasted error means.

use crate::exit::{Exit, Outcome};
use crate::lines;
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use std::cell::RefCell;
use std::io;

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
    if args.jsonl {
        return jsonl(out);
    }
    let reading = formats::message::read(&args.text.join(" "));
    out.print(&format!("{} {}\n", reading.cause, reading.confidence))?;
    Ok(Exit::Clear)
}

/// How much is answered before it is written.
const FULL: usize = 256 * 1024;

fn jsonl(out: &mut Output) -> Outcome {
    let answers = RefCell::new(Vec::with_capacity(FULL * 2));
    let out = RefCell::new(out);
    let flush = || {
        let mut answers = answers.borrow_mut();
        out.borrow_mut().write(&answers)?;
        answers.clear();
        Ok(!out.borrow().closed())
    };
    lines::each(
        &mut io::stdin().lock(),
        |line| {
            formats::log::jsonl::answer(line, &mut answers.borrow_mut());
            if answers.borrow().len() >= FULL { flush() } else { Ok(true) }
        },
        flush,
    )
    .context("reading lines from standard input")?;
    Ok(Exit::Clear)
}
