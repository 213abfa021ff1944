//! What each endpoint of a pull answered, from the runtime's log and from what people asked by hand.

use super::Scene;
use super::aim::same_endpoint;
use crate::lines::Line;
use formats::transcript::curl::Curl;
use formats::transcript::{curl, logfmt};
use report::{Evidence, Locator, Say};

/// What was met at one host.
#[derive(Clone, Debug)]
pub struct Met {
    /// Host and port.
    pub host: String,
    /// The status, where one came back.
    pub status: Option<u16>,
    /// Why none did, in the client's words; empty where one did.
    pub error: String,
    /// The URL, where known.
    pub url: String,
    /// Whether the log says that no endpoint comes after it.
    pub last: bool,
    /// The line that shows it.
    pub evidence: Evidence,
    /// Whether the runtime itself met it, and not somebody by hand.
    pub by_runtime: bool,
}

/// What the runtime's log says of each endpoint, in order, for this pull's node.
pub fn met(scene: &Scene<'_, '_>) -> Vec<Met> {
    let mut all = Vec::new();
    for word in ["trying next host", "fetch failed"] {
        for line in scene.case.lines_with(word).iter() {
            if line.node().is_some_and(|n| {
                !n.is_empty()
                    && !scene.pull.node.is_empty()
                    && n != scene.pull.node
                    && scene.case.snapshot.node_facts.len() > 1
            }) {
                continue;
            }
            all.extend(from_log(line));
        }
    }
    all
}

fn from_log(line: &Line<'_>) -> Option<Met> {
    let a = logfmt::attempt(line.text)?;
    let says = Say::new("evidence-endpoint-met").with("host", a.host.clone());
    Some(Met {
        evidence: line.shows(says),
        host: a.host,
        status: a.status.or_else(|| status_in(&a.error)),
        error: a.error,
        url: a.url,
        last: a.last,
        by_runtime: true,
    })
}

/// `unexpected status ...: 403 Forbidden`.
fn status_in(error: &str) -> Option<u16> {
    let (_, rest) = error.rsplit_once("status")?;
    rest.split([' ', ':']).find_map(|w| w.parse::<u16>().ok().filter(|s| (300..600).contains(s)))
}

/// The runs of curl in the Snapshot, with the place of each.
pub fn curls(scene: &Scene<'_, '_>) -> Vec<(Curl, Evidence)> {
    runs(scene.case)
}

/// The same, for any case.
pub fn runs(case: &crate::case::Case<'_>) -> Vec<(Curl, Evidence)> {
    let mut all = Vec::new();
    for output in &case.snapshot.outputs {
        let Some(run) = curl::read(&output.command, &output.text) else { continue };
        let quote = output.text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
        let evidence = Evidence {
            at: Locator::Output {
                vantage: output.vantage.to_string(),
                command: output.command.clone(),
                source: output.origin.source.clone(),
                line: output.origin.line,
            },
            says: Say::new("evidence-asked-by-hand")
                .with("url", run.url.clone())
                .with("answer", answer(&run)),
            quote: quote.trim().chars().take(200).collect(),
        };
        all.push((run, evidence));
    }
    all
}

fn answer(run: &Curl) -> String {
    match (run.status(), &run.error) {
        (Some(status), _) => status.to_string(),
        (None, Some((number, _))) => format!("curl: ({number})"),
        (None, None) => run.api_errors().first().map_or_else(String::new, |e| e.code.clone()),
    }
}

/// Whether a run asked this endpoint's host.
pub fn asked(run: &Curl, host: &str) -> bool {
    same_endpoint(run.host(), host)
        || same_endpoint(run.host().trim_end_matches(":80"), host.trim_end_matches(":80"))
}
