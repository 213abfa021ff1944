//! From the words of one record to its cause: which row wins, and what the chain around it changes about that.
//!
//! The rules are those that a careful reader follows: detail over wrapper, sentence over status over form, *what* happened
//! before *where* it happened (but for a token service that did not answer).

use super::marks::Mark;
use super::records::{Kind, Record};
use super::request::Request;
use super::row::{At, Weight};
use super::scan::{Hit, TABLES, Tables, Use};
use super::status;
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

/// What stands around the words of one record.
pub(crate) struct Scene<'t> {
    pub text: &'t str,
    pub record: &'t Record,
    /// The words found in it.
    pub hits: &'t [Hit],
    /// The URLs in it.
    pub requests: &'t [Request<'t>],
    pub marks: u64,
    /// Those of the whole text.
    pub all: u64,
}

impl Scene<'_> {
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.marks & mark.bit() != 0
    }

    fn words(&self) -> &str {
        self.text.get(self.record.span.clone()).unwrap_or_default()
    }
}

/// All marks among `hits`.
pub(crate) fn marks(hits: &[Hit]) -> u64 {
    let mut marks = 0;
    for hit in hits {
        for used in TABLES.uses(hit.needle) {
            if let Use::Scene(mark) = used {
                marks |= mark.bit();
            }
        }
    }
    marks
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
    let from = last_attempt(scene.words()).map_or(whole, |at| whole + at);
    let verdict =
        if from > whole { judge(scene, present, from).filter(|v| v.weight >= Weight::Hint) } else { None };
    verdict.or_else(|| judge(scene, present, whole))
}

/// Where the last of several errors in one text begins: the kubelet joins those of all credentials, podman and CRI-O put
/// the location's own error after those of its mirrors.
fn last_attempt(words: &str) -> Option<usize> {
    if let Some(mirrors) = words.find("Mirrors also failed: [") {
        return words
            .get(mirrors..)
            .and_then(|w| w.rfind("]): ").or_else(|| w.rfind("])")))
            .map(|at| mirrors + at);
    }
    ["failed to pull and unpack image", "initializing source docker://", "Error response from daemon:"]
        .iter()
        .filter_map(|chain| words.rfind(chain).filter(|last| words.find(chain) != Some(*last)))
        .max()
}

fn judge(scene: &Scene<'_>, present: &mut Present, from: usize) -> Option<Verdict> {
    let tables: &Tables = &TABLES;
    let hits = match scene.hits.iter().position(|h| h.start as usize >= from) {
        Some(first) => scene.hits.get(first..).unwrap_or_default(),
        None => &[],
    };
    present.fill(hits, tables.needles());
    let mut best: Option<Best> = None;
    for hit in hits {
        for used in tables.uses(hit.needle) {
            let Use::Key(n) = used else { continue };
            let Some(compiled) = tables.rows.get(usize::from(*n)) else { continue };
            let row = compiled.row;
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
    if !is_about_pulls(scene, best.as_ref(), status.is_some()) {
        return None;
    }
    let verdict = combine(scene, best, status, request).filter(|v| v.weight > Weight::Hint);
    if let (None, Some(leaf)) = (&verdict, bare_phrase(scene)) {
        let also = vec![ProxyAuthRequired, AuthUnauthorized];
        return Some(Verdict {
            cause: ProxyRejected,
            also,
            weight: Weight::Fact,
            states: false,
            status,
            leaf,
            request,
        });
    }
    verdict.or_else(|| combine(scene, best, status, request)).map(|v| around(scene, v))
}

/// How far apart the words of a row may stand that wants them near.
const NEAR: usize = 200;

/// Whether the other words follow in order and close by, with no URL between.
fn follow(scene: &Scene<'_>, hits: &[Hit], key: &Hit, others: &[u16]) -> bool {
    let mut end = key.end;
    for other in others {
        let next = hits.iter().find(|h| h.needle == *other && h.start >= end);
        match next {
            Some(h) if (h.start - key.end) as usize <= NEAR => end = h.end,
            _ => return false,
        }
    }
    !scene.text.get(key.end as usize..end as usize).unwrap_or_default().contains("://")
}

/// Whether a word stands where its row wants it.
fn stands(scene: &Scene<'_>, hit: &Hit, at: At) -> bool {
    let (start, end) = (hit.start as usize, hit.end as usize);
    let before = scene.text.get(..start).unwrap_or_default();
    let after = scene.text.get(end..).unwrap_or_default();
    match at {
        At::Anywhere => true,
        At::Begin => begins_link(before),
        At::Link => begins_link(before) && ends_link(after),
        At::AfterUrl => {
            let proper = scene.text.as_bytes().get(start).is_some_and(u8::is_ascii_uppercase);
            let url = scene.requests.iter().rev().find(|r| r.end <= start);
            proper
                && ends_link(after)
                && url.is_some_and(|r| {
                    r.asked
                        && scene
                            .text
                            .get(r.end..start)
                            .is_some_and(|b| b.trim_matches(['"', '\'', ':', ' ']).is_empty())
                })
        }
    }
}

fn begins_link(before: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '\t']);
    trimmed.is_empty()
        || trimmed.ends_with([':', '"', '\'', '=', '[', '{', '(', '`', '>', '\n', '*', ';', '|'])
        || trimmed.ends_with("errors")
}

fn ends_link(after: &str) -> bool {
    let trimmed = after.trim_start_matches(['.', '!']);
    trimmed.is_empty()
        || trimmed.starts_with(['"', '\'', '\n', '\r', ',', ')', ']', '}', ':', ';', '`', '<'])
        || trimmed.starts_with(" \n")
        || trimmed.trim().is_empty()
        || field_follows(trimmed)
}

/// ` host=registry.example.com`, ` image="..."`: fields of a log line.
fn field_follows(after: &str) -> bool {
    after.strip_prefix(' ').is_some_and(|rest| {
        let rest = rest.trim_start();
        let name = rest.bytes().take_while(|b| b.is_ascii_lowercase() || *b == b'_').count();
        name > 0 && rest.as_bytes().get(name) == Some(&b'=')
    })
}

/// The registry's status: not that of Docker's own API, which wraps it.
fn api_status(scene: &Scene<'_>, from: usize) -> Option<u16> {
    let mut from = from;
    if scene.has(Mark::DaemonApi) {
        let wrapper = scene
            .hits
            .iter()
            .rev()
            .find(|h| TABLES.uses(h.needle).iter().any(|u| matches!(u, Use::Scene(Mark::DaemonApi))));
        let end = wrapper.map_or(0, |h| h.end as usize);
        let digits = scene.text.get(end..).map_or(0, |t| t.bytes().take_while(u8::is_ascii_digit).count());
        from = from.max(end + digits);
    }
    let words = scene.text.get(from..scene.record.span.end)?;
    status::last(words).map(|s| s.code)
}

/// The last request that was asked before `end`, else the last that a registry would be asked.
fn request_of(scene: &Scene<'_>, end: usize) -> Option<usize> {
    let asked = scene.requests.iter().rposition(|r| r.asked && r.start <= end);
    asked.or_else(|| scene.requests.iter().rposition(Request::is_registry))
}

/// Other programs meet the same errors. What is asked, or what is spoken of, tells.
fn is_about_pulls(scene: &Scene<'_>, best: Option<&Best>, status: bool) -> bool {
    let pulls = scene.has(Mark::Pulling) || scene.has(Mark::Push);
    let asked = scene.requests.iter().filter(|r| r.asked);
    if asked.clone().any(Request::is_registry) || pulls && !scene.has(Mark::Decoy) {
        return true;
    }
    if scene.has(Mark::Decoy) {
        return scene.has(Mark::PullFailed)
            || scene.words().contains("ErrImage")
            || scene.words().contains("ImagePullBackOff");
    }
    if best.is_some_and(|b| b.weight >= Weight::Fact && only_pulls_meet(b.cause)) {
        return true;
    }
    if asked.count() > 0 {
        return false;
    }
    let speaks = Mark::Pullish.bit() | Mark::Sandbox.bit() | Mark::Provider.bit();
    let around = if framed(scene.words()) { scene.marks } else { scene.all };
    let spoken_of = around & speaks != 0;
    if !spoken_of && !scene.requests.is_empty() && !scene.requests.iter().any(Request::is_registry) {
        return false;
    }
    match best {
        Some(b) if b.weight <= Weight::Hint => spoken_of,
        Some(_) => spoken_of || !framed(scene.words()),
        None => spoken_of && status,
    }
}

/// Causes whose words nothing but a pull or push prints.
fn only_pulls_meet(cause: Cause) -> bool {
    matches!(
        cause.area(),
        "reference"
            | "policy"
            | "kubelet"
            | "sandbox"
            | "credentials"
            | "config"
            | "manifest"
            | "repository"
            | "push"
    ) || matches!(cause, AuthOidcSessionExpired | BlobUnknown | BlobDigestMismatch | StorageLayerCorrupt)
}

/// A line of some program's log, which without a word about images says nothing about them.
fn framed(words: &str) -> bool {
    let line = words.trim_start();
    let klog = line.starts_with(['E', 'W', 'I', 'F'])
        && line.get(1..5).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    klog || line.contains("level=")
        || line.contains("\"level\"")
        || line.starts_with('{')
        || line.get(..4).is_some_and(|y| y.starts_with("20") && y.bytes().all(|b| b.is_ascii_digit()))
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

/// A 404 means what was asked for; all others mean the same everywhere.
fn status_cause(scene: &Scene<'_>, code: u16, request: Option<usize>) -> (Weight, Cause, &'static [Cause]) {
    if code != 404 {
        return status::meaning(code);
    }
    let request = request.and_then(|n| scene.requests.get(n));
    if request.is_some_and(|r| r.path.contains("/blobs/uploads")) {
        (Weight::Status, PushUploadUnknown, &[RegistryUnexpectedStatus])
    } else if request.is_some_and(Request::is_manifest) {
        (Weight::Status, ManifestUnknown, &[RepositoryUnknown])
    } else if request.map_or(scene.has(Mark::Blob), Request::is_blob) {
        (Weight::Status, BlobUnknown, &[])
    } else {
        (Weight::Status, RegistryUnexpectedStatus, &[RegistryNotARegistry, ManifestUnknown])
    }
}

/// A proxy that refuses CONNECT in words of its own: Go prints them bare, after the URL, where a registry's answer would
/// have a status or a code.
fn bare_phrase(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let request = scene.requests.iter().rfind(|r| r.asked)?;
    let rest = scene.text.get(request.end..scene.record.span.end)?;
    let words = rest.trim_start_matches(['"', '\'']).strip_prefix(": ")?;
    let start = scene.record.span.end - words.len();
    let phrase = words.split(['\n', '"', ',']).next()?.trim_end_matches(['.', ' ']);
    let proper = phrase.starts_with(|c: char| c.is_ascii_uppercase());
    let plain =
        phrase.len() >= 4 && phrase.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ' || b == b'-');
    (proper && plain && phrase.split(' ').count() <= 5).then_some((start, start + phrase.len()))
}

fn is_network(cause: Cause) -> bool {
    matches!(cause.area(), "dns" | "net")
}

/// What the chain around the leaf changes.
fn around(scene: &Scene<'_>, mut v: Verdict) -> Verdict {
    let request = v.request.and_then(|n| scene.requests.get(n));
    let between = |from: usize| scene.text.get(from..v.leaf.0).unwrap_or_default();
    if scene.has(Mark::ProxyConnect) {
        if is_network(v.cause) {
            v.also = vec![v.cause];
            v.cause = ProxyUnreachable;
        } else if matches!(v.cause, TlsNotTls | TlsHttpResponseToHttps) {
            v.also = vec![v.cause];
            v.cause = ProxyMisconfigured;
        }
    } else if scene.has(Mark::Lookup) && !between(last_of(scene, Mark::Lookup)).contains("://") {
        match v.cause {
            NetTimeout | RuntimeTimeout => v.cause = DnsTimeout,
            NetRefused | NetUnreachable | NetReset | NetEof => v.cause = DnsServerFailure,
            _ => {}
        }
        if v.cause == DnsServerFailure && scene.words().contains("[::1]:53") {
            v.also.push(DnsNodeResolverBroken);
        }
    }
    if scene.has(Mark::Provider)
        && matches!(v.cause.area(), "auth" | "authz" | "net" | "dns" | "tls" | "runtime")
    {
        v.also.insert(0, v.cause);
        v.cause = CredentialsProviderFailed;
    }
    if scene.has(Mark::RegistryLog) && v.cause != RegistryServerError {
        v.also.insert(0, v.cause);
        v.cause = RegistryServerError;
    }
    if v.cause == BlobDigestMismatch && v.also.contains(&BlobTruncated) && fewer(scene, v.leaf.0) {
        (v.cause, v.also) = (BlobTruncated, vec![BlobDigestMismatch, NetEof]);
    }
    if v.cause == BlobTruncated {
        let direct = request.is_some_and(|r| {
            r.end <= v.leaf.0 && between(r.end).trim_matches(['"', '\'', ':', ' ']).is_empty()
        });
        if scene.has(Mark::Unpack) {
            (v.cause, v.also) = (StorageLayerCorrupt, vec![BlobTruncated]);
        } else if direct {
            (v.cause, v.also) = (NetEof, vec![BlobTruncated]);
        }
    }
    if scene.has(Mark::Token) {
        token(&mut v);
    } else if request.is_some_and(Request::is_token) && is_network(v.cause) {
        v.also.push(AuthTokenEndpointUnreachable);
    }
    v
}

/// `failed size validation: 12467913 != 94124544`, `unexpected commit size 5, expected 9`: fewer bytes than there should be.
fn fewer(scene: &Scene<'_>, from: usize) -> bool {
    let words = scene.text.get(from..scene.record.span.end).unwrap_or_default();
    let mut numbers = words
        .split(|c: char| !c.is_ascii_digit())
        .filter(|n| !n.is_empty())
        .filter_map(|n| n.parse::<u64>().ok());
    matches!((numbers.next(), numbers.next()), (Some(got), Some(expected)) if got < expected)
}

fn last_of(scene: &Scene<'_>, mark: Mark) -> usize {
    let is = |h: &&Hit| TABLES.uses(h.needle).iter().any(|u| matches!(u, Use::Scene(m) if *m == mark));
    scene.hits.iter().rev().find(is).map_or(0, |h| h.end as usize)
}

/// A token service that did not answer, or answered with an error.
fn token(v: &mut Verdict) {
    if is_network(v.cause) || v.cause == RuntimeTimeout {
        v.also.retain(|c| *c != v.cause);
        v.also.insert(0, v.cause);
        v.cause = AuthTokenEndpointUnreachable;
        return;
    }
    let refused = matches!(
        v.cause,
        AuthUnauthorized
            | AuthzDenied
            | AuthzDeniedOrMissing
            | RegistryUnexpectedStatus
            | RegistryServerError
            | RegistryUnavailable
            | ManifestUnknown
            | AuthzBlockedByGateway
    );
    if refused && v.weight < Weight::Sentence {
        let symptom = v.cause;
        v.cause = AuthTokenRejected;
        v.also.insert(0, symptom);
        for more in [AuthBadCredentials, AuthNoCredentials, AuthRepositoryMissingAs401] {
            if matches!(symptom, AuthUnauthorized | AuthzDenied) && !v.also.contains(&more) {
                v.also.push(more);
            }
        }
    }
}

/// What the operation changes: a refusal of a push is the push's own cause.
pub(crate) fn operation_changes(v: &mut Verdict, operation: vocabulary::Operation, words: &str) {
    if operation != vocabulary::Operation::Push {
        return;
    }
    let speaks_of_access = words.contains("access to the requested resource")
        || words.contains("to access repository")
        || words.contains("unauthorized to ")
        || words.contains("ermissions")
        || words.contains("action: push");
    match v.cause {
        AuthzDenied | AuthzDeniedOrMissing => {
            let mut also = vec![AuthzDenied, AuthNoCredentials, AuthUnauthorized];
            also.append(&mut v.also);
            also.retain(|c| *c != AuthzDeniedOrMissing);
            (v.cause, v.also) = (PushDenied, also);
        }
        AuthUnauthorized if speaks_of_access => {
            (v.cause, v.also) = (PushDenied, vec![AuthUnauthorized, AuthzDenied, AuthNoCredentials]);
        }
        AuthUnauthorized => v.also.insert(0, PushDenied),
        _ => {}
    }
}

/// What the place adds to the readings: the sandbox's image, a blob on another host than the registry's.
pub(crate) fn place_changes(
    v: &mut Verdict,
    marks: u64,
    operation: vocabulary::Operation,
    request: Option<&Request<'_>>,
    registry: Option<&str>,
) {
    if operation == vocabulary::Operation::Sandbox
        && !matches!(v.cause, SandboxImage | SandboxCni | RuntimeNameReserved)
    {
        v.also.push(SandboxImage);
    }
    let elsewhere = match request {
        Some(r) => r.is_blob() && registry.is_none_or(|host| host != r.host) && r.namespace().is_none(),
        None => marks & Mark::Blob.bit() != 0,
    };
    if elsewhere && matches!(v.cause.area(), "dns" | "net" | "tls" | "proxy" | "authz") {
        v.also.push(BlobRedirectFailed);
    }
}
