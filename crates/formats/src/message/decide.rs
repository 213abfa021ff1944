//! From the words of one record to its cause: which row wins, and what the chain around it changes about that.
//!
//! The rules are those that a careful reader follows: detail over wrapper, sentence over status over form, *what* happened
//! before *where* it happened (but for a token service that did not answer).

use super::answer::{answered, api_status, bare_phrase, not_found, request_of, status_cause};
use super::chain::around;
use super::marks::{ATTEMPTS, Mark};
use super::reason;
use super::records::Kind;
use super::row::Weight;
use super::scan::{Hit, TABLES, Tables, Use};
use super::scene::Scene;
use super::stands::{follow, stands};
use super::subject::is_about_pulls;
use vocabulary::Cause::{self, *};

/// What one record says.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    pub cause: Cause,
    pub also: Vec<Cause>,
    pub weight: Weight,
    pub states: bool,
    pub status: Option<u16>,
    /// Where the deciding words stand in the text.
    pub leaf: (usize, usize),
    /// The request that was under way.
    pub request: Option<usize>,
}

/// Which needles are present; reused from record to record.
#[derive(Default)]
pub(crate) struct Present(Vec<u64>);

impl Present {
    fn fill(&mut self, hits: &[Hit], needles: usize) {
        self.0.clear();
        self.0.resize(needles.div_ceil(64), 0);
        for hit in hits {
            if let Some(word) = self.0.get_mut(usize::from(hit.needle / 64)) {
                *word |= 1 << (hit.needle % 64);
            }
        }
    }

    fn has(&self, needle: u16) -> bool {
        self.0.get(usize::from(needle / 64)).is_some_and(|w| w & (1 << (needle % 64)) != 0)
    }
}

/// What wins so far.
#[derive(Clone, Copy)]
struct Best {
    weight: Weight,
    end: u32,
    words: usize,
    start: u32,
    cause: Cause,
    also: &'static [Cause],
    states: bool,
}

/// Reads one record. `None`: it says nothing about a pull or push that failed.
pub(crate) fn record(scene: &Scene<'_>, present: &mut Present) -> Option<Verdict> {
    if scene.record.kind == Kind::Normal && !scene.words().contains("BackOff") {
        return None;
    }
    let whole = scene.record.span.start;
    let from = last_attempt(scene).unwrap_or(whole);
    let verdict =
        if from > whole { judge(scene, present, from).filter(|v| v.weight >= Weight::Hint) } else { None };
    verdict.or_else(|| judge(scene, present, whole))
}

/// Where the last of several errors in one text begins: the kubelet joins those of all credentials, podman and CRI-O put
/// the location's own error after those of its mirrors.
fn last_attempt(scene: &Scene<'_>) -> Option<usize> {
    let mut begun = [false; ATTEMPTS.len()];
    let mut last = None;
    for hit in scene.hits {
        let attempts = TABLES.uses(hit.needle).iter().filter_map(|u| match u {
            Use::Attempt(n) => Some(usize::from(*n)),
            _ => None,
        });
        for n in attempts {
            let start = hit.start as usize;
            if n == 0 {
                let words = scene.text.get(start..scene.record.span.end)?;
                return words.rfind("]): ").or_else(|| words.rfind("])")).map(|at| start + at);
            }
            if begun.get_mut(n).is_some_and(|b| std::mem::replace(b, true)) {
                last = last.max(Some(start));
            }
        }
    }
    last
}

fn judge(scene: &Scene<'_>, present: &mut Present, from: usize) -> Option<Verdict> {
    let tables: &Tables = &TABLES;
    let hits = match scene.hits.iter().position(|h| h.start as usize >= from) {
        Some(first) => scene.hits.get(first..).unwrap_or_default(),
        None => &[],
    };
    present.fill(hits, tables.needles());
    let mut best: Option<Best> = None;
    let network = scene.has(Mark::Cni);
    for hit in hits {
        for used in tables.uses(hit.needle) {
            let Use::Key(n) = used else { continue };
            let Some(compiled) = tables.rows.get(usize::from(*n)) else { continue };
            let row = compiled.row;
            if network && row.cause != SandboxCni {
                continue;
            }
            let fits = compiled.others.iter().all(|o| present.has(*o))
                && row.during.is_none_or(|mark| scene.has(mark))
                && (!row.near || follow(scene, hits, hit, &compiled.others))
                && !compiled.unless.iter().any(|u| present.has(*u))
                && stands(scene, hit, row.at);
            if !fits {
                continue;
            }
            let rank = (row.weight, hit.end, row.words.len());
            if best.as_ref().is_none_or(|b| rank >= (b.weight, b.end, b.words)) {
                best = Some(Best {
                    weight: row.weight,
                    end: hit.end,
                    words: row.words.len(),
                    start: hit.start,
                    cause: row.cause,
                    also: row.also,
                    states: row.states,
                });
            }
        }
    }
    let status = api_status(scene, from);
    let request = request_of(scene, best.as_ref().map_or(usize::MAX, |b| b.end as usize));
    if !is_about_pulls(scene, best.map(|b| (b.weight, b.cause, b.start as usize)), status.is_some()) {
        return None;
    }
    let stated = |(cause, also, leaf): (Cause, &[Cause], (usize, usize))| Verdict {
        cause,
        also: also.to_vec(),
        weight: Weight::Fact,
        states: false,
        status,
        leaf,
        request,
    };
    let bare =
        || bare_phrase(scene).map(|leaf| (ProxyRejected, &[ProxyAuthRequired, AuthUnauthorized][..], leaf));
    // A registry's code stands in lower case or alone; in a proxy's sentence it is a word like others.
    let spoken = |v: &Verdict| v.weight <= Weight::Code && status.is_none() && bare().is_some();
    let found = || not_found(scene).map(|leaf| (ManifestUnknown, &[RepositoryUnknown][..], leaf));
    let verdict = match combine(scene, best, status, request) {
        Some(v) if v.weight > Weight::Hint && !spoken(&v) => Some(v),
        read => {
            let echo = read.as_ref().is_none_or(|v| v.weight < Weight::Hint);
            let said = || found().filter(|_| echo).map(|f| Verdict { weight: Weight::Hint, ..stated(f) });
            reason::unread(scene, from).or_else(bare).map(stated).or_else(said).or(read)
        }
    };
    verdict
        .or_else(|| {
            answered(scene)
                .map(|(cause, leaf)| Verdict { weight: Weight::Echo, ..stated((cause, &[][..], leaf)) })
        })
        .map(|v| around(scene, v))
}

/// The winning row and the status, each against the other.
fn combine(
    scene: &Scene<'_>,
    best: Option<Best>,
    status: Option<u16>,
    request: Option<usize>,
) -> Option<Verdict> {
    let by_status = status.map(|code| (code, status_cause(scene, code, request)));
    let row_wins = match (&best, &by_status) {
        (Some(b), Some((_, (weight, ..)))) => b.weight >= *weight,
        (Some(_), None) => true,
        (None, _) => false,
    };
    if let (true, Some(b)) = (row_wins, &best) {
        let (mut cause, mut also) = (b.cause, b.also.to_vec());
        if b.weight == Weight::Form {
            let refused = status == Some(403) || status.is_none() && scene.words().contains("denied: <");
            if refused {
                (cause, also) = (AuthzBlockedByGateway, vec![RegistryBadResponse, AuthzDenied]);
            } else if status == Some(401) {
                // Whoever answers 401 wants to know who asks, in whatever form it says so.
                (cause, also) =
                    (AuthUnauthorized, vec![AuthBadCredentials, AuthNoCredentials, RegistryBadResponse]);
            }
        }
        return Some(Verdict {
            cause,
            also,
            weight: b.weight,
            states: b.states,
            status,
            leaf: (b.start as usize, b.end as usize),
            request,
        });
    }
    let (code, (weight, cause, also)) = by_status?;
    let words = scene.words();
    let at =
        words.rfind(&code.to_string()).map_or(scene.record.span.start, |at| scene.record.span.start + at);
    Some(Verdict {
        cause,
        also: also.to_vec(),
        weight,
        states: cause == RateLimited,
        status,
        leaf: (at, (at + 3).min(scene.record.span.end)),
        request,
    })
}
