//! `pullproof explain [TEXT|-]`: what one pasted error means.

use crate::commands::causes;
use crate::exit::{Exit, Outcome};
use crate::explained::explained;
use crate::lines;
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use render::Words;
use report::Repeated;
use std::cell::RefCell;
use std::io::{self, IsTerminal, Read};
use vocabulary::Cause;

/// What `explain` takes.
#[derive(Debug, Args)]
pub struct Explain {
    /// The text, or a cause's id; - or nothing reads standard input
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
    match args.text.as_slice() {
        [] => standard_input(out),
        [dash] if dash == "-" => standard_input(out),
        // A cause's id is no text of a failure: its sheet is wanted.
        [id] if id.parse::<Cause>().is_ok() => {
            id.parse().map_or(Ok(Exit::Clear), |cause| causes::sheet(cause, out))
        }
        words => {
            let says = one_text(&words.join(" "));
            out.print(&render::explanation(&says, out.look()))?;
            Ok(Exit::Clear)
        }
    }
}

/// What one text says. Of what is shown of it nothing is secret.
fn one_text(text: &str) -> report::Explanation {
    explained(formats::message::read(&formats::redact::text(text)))
}

/// What was pasted or piped: one text, or a log, which is read line by line however long it is.
fn standard_input(out: &mut Output) -> Outcome {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        out.talk("Paste the text, then end with Ctrl-D.");
    }
    let mut input = as_utf8(stdin.lock()).context("reading the text from standard input")?;
    let mut sample = Vec::new();
    let limit = formats::log::SAMPLE as u64 + 1;
    (&mut input).take(limit).read_to_end(&mut sample).context("reading the text from standard input")?;
    if sample.trim_ascii().is_empty() {
        return Err(anyhow::anyhow!("explain: there is no text on standard input").into());
    }
    if sample.len() <= formats::log::SAMPLE {
        let text = String::from_utf8_lossy(&sample);
        if !formats::log::is_log(&text) {
            return pasted(&formats::redact::text(&text), out);
        }
    }
    log(&mut sample.as_slice().chain(input), out)
}

/// What is UTF-16, as PowerShell's `>` writes it, comes as UTF-8.
fn as_utf8<'a>(mut input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = Vec::new();
    input.by_ref().take(4).read_to_end(&mut head)?;
    let order = saved::utf16(&head);
    let whole = io::Cursor::new(head).chain(input);
    Ok(match order {
        Some(order) => Box::new(saved::Utf16::new(order, whole)),
        None => Box::new(whole),
    })
}

/// As many failures as are explained in full; of more, each has a line.
const IN_FULL: usize = 3;

/// A text that somebody copied: mostly one failure, but a table of events may hold those of several images.
fn pasted(text: &str, out: &mut Output) -> Outcome {
    let all: Vec<_> = formats::message::failures(text).into_iter().map(explained).collect();
    if all.len() > IN_FULL {
        let lines = all.into_iter().map(|says| Repeated {
            says,
            count: 1,
            first: String::new(),
            last: String::new(),
        });
        out.print(&render::repeated(&lines.collect::<Vec<_>>(), out.look()))?;
        return Ok(Exit::Clear);
    }
    let full: Vec<String> = all.iter().map(|says| render::explanation(says, out.look())).collect();
    out.print(&full.join("\n"))?;
    Ok(Exit::Clear)
}

fn log(input: &mut impl Read, out: &mut Output) -> Outcome {
    let mut groups = formats::log::Groups::default();
    let take = |line: &[u8]| {
        groups.line(line);
        Ok(true)
    };
    lines::each(input, take, || Ok(true)).context("reading a log from standard input")?;
    let beyond = groups.beyond();
    let all: Vec<Repeated> = groups
        .finish()
        .into_iter()
        .map(|g| Repeated { says: explained(g.reading), count: g.count, first: g.first, last: g.last })
        .collect();
    // A log that tells of one failure is asked what that failure means.
    let meaning = match all.as_slice() {
        [one] if beyond == 0 => format!("{}\n", render::explanation(&one.says, out.look())),
        _ => String::new(),
    };
    out.print(&format!("{meaning}{}", render::repeated(&all, out.look())))?;
    if beyond > 0 {
        out.talk(&format!(
            "{beyond} more failing lines are of other causes, images or hosts than the {} shown.",
            all.len()
        ));
    }
    Ok(Exit::Clear)
}

/// How much is answered before it is written.
const FULL: usize = 256 * 1024;

fn jsonl(out: &mut Output) -> Outcome {
    let mut reader = formats::log::jsonl::Answers::default();
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
            reader.line(line, &mut answers.borrow_mut());
            if answers.borrow().len() >= FULL { flush() } else { Ok(true) }
        },
        flush,
    )
    .context("reading lines from standard input")?;
    let unread = reader.unread();
    if unread.count == 0 {
        return Ok(Exit::Clear);
    }
    let out = out.into_inner();
    let (count, first) = (unread.count.to_string(), unread.first.to_string());
    let words = Words::of(out.look().lang).with("jsonl-unread", &[("count", &count), ("first", &first)]);
    if reader.read_nothing() {
        return Err(anyhow::anyhow!(words).into());
    }
    out.talk_lines(&words);
    Ok(Exit::Clear)
}
