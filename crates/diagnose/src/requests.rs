//! Requests that somebody made by hand and whose output was kept: every `curl` (and `wget`) of the Snapshot, read once.

use crate::case::Case;
use crate::lines::output_at;
use facts::CommandOutput;
use formats::message;
use formats::transcript::curl::{self, Curl};
use report::{Evidence, Say};
use vocabulary::Cause;

/// At most this many characters of an answer are quoted.
const QUOTE: usize = 200;

/// One request and what came back.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The output that holds it.
    pub output: &'a CommandOutput,
    /// What was asked and answered.
    pub curl: Curl,
}

impl Request<'_> {
    /// The request as evidence; the quote is its status, or the beginning of its answer.
    pub fn shows(&self, says: Say) -> Evidence {
        let o = self.output;
        let body = self.curl.body.trim();
        let quote = match (self.curl.status(), body) {
            (Some(status), "") => status.to_string(),
            (Some(status), body) if body != status.to_string() => {
                format!("{status} {}", body.chars().take(QUOTE).collect::<String>())
            }
            (Some(status), _) => status.to_string(),
            (None, body) => body.chars().take(QUOTE).collect(),
        };
        Evidence { at: output_at(o, o.origin.line), says, quote }
    }
}

impl Request<'_> {
    /// What the errors in the answer's body come to, read like any other words of the same status.
    pub fn means(&self) -> impl Iterator<Item = Cause> {
        let (url, status) = (&self.curl.url, self.curl.status().unwrap_or(403));
        self.curl.api_errors().into_iter().map(move |e| {
            let as_met =
                format!("unexpected status from GET request to {url}: {status}: {}: {}", e.code, e.message);
            message::read(&as_met).cause
        })
    }
}

impl<'a> Case<'a> {
    /// Every request, in the order of the Snapshot.
    pub fn requests(&self) -> &[Request<'a>] {
        self.requests.get_or_init(|| {
            let all = self.snapshot.outputs.iter();
            all.filter_map(|output| {
                Some(Request { output, curl: curl::read(&output.command, &output.text)? })
            })
            .collect()
        })
    }
}
