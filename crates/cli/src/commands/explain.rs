//! `pullproof explain [TEXT|-]`: what one pasted error means.

use crate::exit::{Exit, Outcome};
use crate::explained::explained;
use crate::lines;
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Read};

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
    let text = match args.text.as_slice() {
        [] => standard_input(out)?,
        [dash] if dash == "-" => standard_input(out)?,
        words => words.join(" "),
    };
    let says = explained(formats::message::read(&text));
    out.print(&render::explanation(&says, out.look()))?;
    Ok(Exit::Clear)
}

/// A text that was piped or pasted is read up to this many bytes.
const LONGEST_TEXT: u64 = 8 * 1024 * 1024;

fn standard_input(out: &Output) -> anyhow::Result<String> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        out.talk("Paste the text, then end with Ctrl-D.");
    }
    let mut bytes = Vec::new();
    stdin
        .lock()
        .take(LONGEST_TEXT)
        .read_to_end(&mut bytes)
        .context("reading the text from standard input")?;
    anyhow::ensure!(!bytes.trim_ascii().is_empty(), "explain: there is no text on standard input");
    Ok(String::from_utf8_lossy(&bytes).into_owned())
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
