//! The error text of a pull or push, in anybody's words, into what the words carry.
//!
//! By structure first (escapes off, records apart, requests and statuses found), by the innermost words second: small
//! patterns in `leaf`, one file an area. What is *around* the text, and so every cause that the words do not state, is
//! left to `diagnose`.

mod answer;
mod chain;
mod decide;
mod finder;
mod flatten;
mod foreign;
mod host;
mod image;
mod leaf;
mod marks;
mod prefilter;
mod rarity;
mod reason;
mod records;
mod request;
mod row;
mod scan;
mod scene;
mod stands;
mod status;
mod subject;
mod unfold;
mod whose;

pub use prefilter::looks_like_failure;

use crate::reference::normalized;
use decide::{Present, Verdict};
use marks::Mark;
use records::Record;
use request::Request;
use row::Weight;
use scan::{Hit, TABLES};
use scene::Scene;
use std::ops::Range;
use vocabulary::{Cause, Confidence, Operation, Phase, Runtime};

/// What one text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The finest cause that the words support.
    pub cause: Cause,
    /// Other readings of the same words, best first.
    pub also_possible: Vec<Cause>,
    /// How sure the words alone are.
    pub confidence: Confidence,
    /// What was being done.
    pub operation: Operation,
    /// The image whose pull or push failed, verbatim, in its most complete form.
    pub image: Option<String>,
    /// The image's registry with its port, as it stands in the image; `docker.io` for names without one.
    pub registry_host: Option<String>,
    /// The host (with port) that was asked when it failed: the registry, a mirror, a token service, a blob store.
    pub endpoint_host: Option<String>,
    /// The URL that was asked, verbatim.
    pub url: Option<String>,
    /// Whose words they are.
    pub runtime: Option<Runtime>,
    /// Which request was under way.
    pub phase: Option<Phase>,
    /// The HTTP status that ended it.
    pub status: Option<u16>,
    /// The innermost words: what the verdict rests on. A slice of the unwrapped text.
    pub leaf: String,
}

/// Longer texts are read at their beginning and their end: what ended an attempt stands last.
const LONGEST: usize = 256 * 1024;

/// Reads one text: an event, a log line, a describe output, a CLI's output. Total over any text, in time linear to it.
pub fn read(text: &str) -> Reading {
    let flat = flatten::flatten(bounded(text));
    let unfolded = unfold::unfold(&flat);
    let text = unfolded.as_ref();
    if foreign::is_foreign(text) { nothing(text) } else { decided(text) }
}

fn decided(text: &str) -> Reading {
    let mut hits = Vec::new();
    TABLES.find(text, &mut hits);
    let records = records::split(text);
    let requests = request::all(text);
    let mut present = Present::default();
    let mut best: Option<(u8, usize, Verdict)> = None;
    let mut verdicts: Vec<(usize, Cause)> = Vec::new();
    let all_marks = scene::marks(&hits);
    let mut follows_failure = false;
    for (n, record) in records.iter().enumerate() {
        let inside = hits_in(&hits, record);
        let scene = Scene {
            text,
            record,
            hits: inside,
            requests: requests_in(&requests, record),
            marks: scene::marks(inside),
            all: all_marks,
            follows_failure,
        };
        let verdict = decide::record(&scene, &mut present);
        follows_failure = verdict.as_ref().is_some_and(|v| v.weight == Weight::Echo);
        if let Some(verdict) = verdict {
            let tier = tier(&verdict);
            verdicts.push((n, verdict.cause));
            if best.as_ref().is_none_or(|(t, ..)| tier >= *t) {
                best = Some((tier, n, verdict));
            }
        }
    }
    let Some((_, n, verdict)) = best else { return nothing(text) };
    let Some(record) = records.get(n) else { return nothing(text) };
    let alike: Vec<Range<usize>> = verdicts
        .iter()
        .filter(|(other, cause)| *other != n && *cause == verdict.cause)
        .filter_map(|(other, _)| records.get(*other).map(|r| r.span.clone()))
        .collect();
    let parts = Parts { text, hits: &hits, requests: &requests, marks: all_marks };
    complete(&parts, record, &alike, verdict)
}

/// The failures of a text, one for each image that a record of it blames by itself: a table of events holds those of many
/// pods. Of a text that tells one story, its reading as a whole.
pub fn failures(text: &str) -> Vec<Reading> {
    let text = bounded(text);
    let mut found: Vec<Reading> = Vec::new();
    for record in records::split(text) {
        let reading = read(text.get(record.span).unwrap_or_default());
        if matches!(reading.cause, Cause::NotAPullFailure | Cause::Unknown) || reading.image.is_none() {
            continue;
        }
        let image = reading.image.as_deref().map(normalized);
        match found.iter().position(|f| f.image.as_deref().map(normalized) == image) {
            Some(same) => found[same] = reading,
            None if found.len() < MOST_FAILURES => found.push(reading),
            None => {}
        }
    }
    if found.len() > 1 { found } else { vec![read(text)] }
}

/// More failures of one pasted text are not told apart.
const MOST_FAILURES: usize = 64;

/// Records that state something win over those that could end many stories, and these over echoes.
fn tier(verdict: &Verdict) -> u8 {
    match verdict.weight {
        // What a client says about its own credentials explains the refusal that follows.
        Weight::Sentence if verdict.cause == Cause::CredentialsMalformed => 3,
        Weight::Echo => 0,
        Weight::Hint => 1,
        _ => 2,
    }
}

/// What was found in a whole text.
struct Parts<'t> {
    text: &'t str,
    hits: &'t [Hit],
    requests: &'t [Request<'t>],
    marks: u64,
}

fn complete(parts: &Parts<'_>, record: &Record, alike: &[Range<usize>], mut verdict: Verdict) -> Reading {
    let Parts { text, hits, requests, marks: all } = *parts;
    let marks = scene::marks(hits_in(hits, record));
    let own = requests_in(requests, record);
    let request = verdict.request.and_then(|n| own.get(n)).copied();
    let words = text.get(record.span.clone()).unwrap_or_default();
    // A registry answers the commit of what was pushed; what was pulled is committed without it.
    let answered_commit = verdict.status.is_some() && words.contains("failed commit on ref");
    // BuildKit asks for one token for all that a build pulls and pushes.
    let one_token = all & Mark::Buildkit.bit() != 0;
    let shows = |r: &Request<'_>| r.pushes && !(one_token && r.is_token());
    // What was asked stands on another line of what is no log.
    let apart = || !subject::framed(words) && !own.iter().any(|r| r.asked && r.is_registry());
    // A registry's own log of the request that only a push makes.
    let logged = words.contains("http.request.method=HEAD") && words.contains("/blobs/");
    let pushes = answered_commit || logged || own.iter().any(shows) || apart() && requests.iter().any(shows);
    let operation = whose::operation(&verdict, marks, all, pushes);
    chain::operation_changes(&mut verdict, operation, words);
    let found = image::all(text, hits);
    let asked = request.filter(|r| r.asked && r.is_api()).map(|r| r.host);
    let failed = image::failed(&found, &record.span, alike, asked);
    let registry = match &failed {
        Some(_) if verdict.cause == Cause::ReferenceShortName => None,
        Some(f) if f.registry.is_some() => f.registry,
        // A line of a log is not about the hosts of the lines around it; a registry's answer stands below the request.
        _ => host::registry(own, words).or_else(|| {
            let apart = subject::framed(words) && !words.contains("\"errors\"");
            if apart { None } else { host::registry(requests, text) }
        }),
    };
    let registry = registry.map(host::hub);
    let endpoint = request.filter(|r| r.asked || r.is_registry()).map(|r| r.host.to_owned());
    chain::place_changes(&mut verdict, marks, operation, request.as_ref(), registry);
    // Disks fill up and limits are reached everywhere: for sure only where it is about an image's way.
    let on_the_way = &[Mark::Pulling, Mark::Push, Mark::PullFailed, Mark::Blob, Mark::Sandbox, Mark::Kubelet];
    let client = subject::any_of(on_the_way) | subject::any_of(subject::CLIENTS);
    let named = marks & client != 0 || failed.is_some() || endpoint.is_some();
    let confidence = if verdict.states && named && verdict.also.is_empty() && verdict.cause.is_root() {
        Confidence::Confirmed
    } else if verdict.weight >= Weight::Fact && verdict.also.is_empty() {
        Confidence::Likely
    } else {
        Confidence::Possible
    };
    let mut also = verdict.also;
    also.retain(|c| *c != verdict.cause);
    Reading {
        cause: verdict.cause,
        also_possible: dedup(also),
        confidence,
        operation,
        image: failed.map(|f| f.image.to_owned()),
        registry_host: registry.map(str::to_owned),
        endpoint_host: endpoint,
        url: request.map(|r| r.url.to_owned()),
        runtime: whose::runtime(all),
        phase: whose::phase(operation, marks, request.as_ref()),
        status: verdict.status,
        leaf: leaf_words(text, record, verdict.leaf).to_owned(),
    }
}

fn dedup(causes: Vec<Cause>) -> Vec<Cause> {
    let mut kept: Vec<Cause> = Vec::with_capacity(causes.len());
    for cause in causes {
        if !kept.contains(&cause) {
            kept.push(cause);
        }
    }
    kept
}

/// The link of the chain that the deciding words stand in.
fn leaf_words<'t>(text: &'t str, record: &Record, (start, end): (usize, usize)) -> &'t str {
    let before = text.get(record.span.start..start).unwrap_or_default();
    let from = before.rfind(": ").map_or(record.span.start, |at| record.span.start + at + 2);
    let after = text.get(end..record.span.end).unwrap_or_default();
    let to = end + after.find(['\n', '"']).unwrap_or(after.len());
    let words = text.get(from..to).unwrap_or_default().trim();
    let mut most = words.len().min(400);
    while !words.is_char_boundary(most) {
        most -= 1;
    }
    words.get(..most).unwrap_or_default()
}

fn nothing(text: &str) -> Reading {
    let mut most = text.len().min(200);
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    Reading {
        cause: Cause::NotAPullFailure,
        also_possible: Vec::new(),
        confidence: Confidence::Possible,
        operation: Operation::Start,
        image: None,
        registry_host: None,
        endpoint_host: None,
        url: None,
        runtime: None,
        phase: None,
        status: None,
        leaf: text.get(..most).unwrap_or_default().trim().to_owned(),
    }
}

fn hits_in<'h>(hits: &'h [Hit], record: &Record) -> &'h [Hit] {
    let from = hits.partition_point(|h| (h.end as usize) <= record.span.start);
    let to = hits.partition_point(|h| (h.end as usize) <= record.span.end);
    hits.get(from..to).unwrap_or_default()
}

fn requests_in<'r, 't>(requests: &'r [Request<'t>], record: &Record) -> &'r [Request<'t>] {
    let from = requests.partition_point(|r| r.start < record.span.start);
    let to = requests.partition_point(|r| r.start < record.span.end);
    requests.get(from..to).unwrap_or_default()
}

/// The last part of a text that is too long; the verdict is about how it ended.
fn bounded(text: &str) -> &str {
    if text.len() <= LONGEST {
        return text;
    }
    let mut from = text.len() - LONGEST;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words of all tables between words of none.
    fn word() -> impl Strategy<Value = String> {
        let words: Vec<&str> = leaf::rows()
            .flat_map(|r| r.words.iter().copied())
            .chain(marks::MARKS.iter().flat_map(|m| m.1.iter().copied()))
            .collect();
        prop_oneof![
            3 => prop::sample::select(words).prop_map(|w| w.trim_matches('|').to_owned()),
            1 => "[a-z0-9.:/\" ]{0,12}".prop_map(String::from),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn what_is_foreign_is_no_failure(
            head in prop::sample::select(&["E1130 03:00:00.1 1 x.go:1] ", "level=error msg=\"", "{\"level\":\"", "2026-11-30 ", ""][..]),
            words in prop::collection::vec(word(), 0..5),
        ) {
            let text = format!("{head}{}", words.join(" "));
            if foreign::is_foreign(&text) {
                prop_assert_eq!(decided(&text).cause, Cause::NotAPullFailure, "{}", text);
            }
        }
    }
}
