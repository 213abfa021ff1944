//! What each endpoint of a pull answered, from the runtime's log and from what people asked by hand.

use super::Scene;
use super::aim::same_endpoint;
use crate::lines::Line;
use formats::transcript::curl::Curl;
use formats::transcript::logfmt;
use report::{Evidence, Say};

/// What was met at one host.
#[derive(Clone, Debug)]
pub struct Met {
    /// Host and port.
    pub host: String,
    /// The status, where one came back.
    pub status: Option<u16>,
    /// Why none did, in the client's words; empty where one did.
    pub error: String,
    /// Whether the log says that no endpoint comes after it.
    pub last: bool,
    /// The line that shows it.
    pub evidence: Evidence,
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
        last: a.last,
    })
}

/// `unexpected status ...: 403 Forbidden`.
fn status_in(error: &str) -> Option<u16> {
    let (_, rest) = error.rsplit_once("status")?;
    rest.split([' ', ':']).find_map(|w| w.parse::<u16>().ok().filter(|s| (300..600).contains(s)))
}

/// The requests made by hand, each as evidence.
pub fn curls(scene: &Scene<'_, '_>) -> Vec<(Curl, Evidence)> {
    let all = scene.case.requests().iter();
    all.map(|r| {
        let says = Say::new("evidence-asked-by-hand")
            .with("url", r.curl.url.clone())
            .with("answer", answer(&r.curl));
        (r.curl.clone(), r.shows(says))
    })
    .collect()
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
