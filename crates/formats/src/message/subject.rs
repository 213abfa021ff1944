//! Is it about a pull or push at all? Other programs meet the same errors.

use super::marks::Mark;
use super::records::Kind;
use super::request::Request;
use super::row::Weight;
use super::scan::{Hit, says_why};
use super::scene::{Scene, sets};
use crate::reference::Reference;
use vocabulary::Cause::{self, *};

/// What speaks of a pull or push; in a text of several records, also to those that say nothing of it themselves.
const SPEAKS: &[Mark] =
    &[Mark::Pullish, Mark::Acts, Mark::Sandbox, Mark::Provider, Mark::Pulling, Mark::Push];

/// Clients of registries, and their steps: such words alone say that it is about one.
pub(crate) const CLIENTS: &[Mark] = &[
    Mark::Token,
    Mark::Unpack,
    Mark::Containerd,
    Mark::CriO,
    Mark::Docker,
    Mark::Podman,
    Mark::Buildah,
    Mark::Skopeo,
    Mark::Buildkit,
    Mark::Kaniko,
];

pub(crate) fn any_of(marks: &[Mark]) -> u64 {
    marks.iter().fold(0, |all, mark| all | mark.bit())
}

/// What is asked, or what is spoken of, tells. `best` has where its words begin.
pub(crate) fn is_about_pulls(scene: &Scene<'_>, best: Option<(Weight, Cause, usize)>, status: bool) -> bool {
    let asked = || scene.requests.iter().filter(|r| r.asked);
    // A probe of a registry's pod asks `/v2/`, and nothing of an image.
    let content = || asked().any(|r| r.is_registry() && !r.is_ping());
    if scene.has(Mark::Elsewhere) || scene.has(Mark::Cloud) && administers(scene) {
        return content();
    }
    if scene.has(Mark::Decoy) {
        return content()
            || scene.has(Mark::PullFailed)
            || scene.words().contains("ErrImage")
            || scene.words().contains("ImagePullBackOff");
    }
    // The registry's API, and the engine's for pulls.
    let api = scene.requests.iter().any(|r| r.is_api() || r.path.contains("/images/create"));
    if api || asked().any(Request::is_registry) {
        return true;
    }
    if best.is_some_and(|(weight, cause, _)| weight >= Weight::Fact && only_pulls_meet(cause)) {
        return true;
    }
    if acts_on_else(scene) {
        return false;
    }
    // Plugins ask other services for credentials: metadata, security tokens.
    if scene.has(Mark::Pulling) || scene.has(Mark::Push) || scene.has(Mark::Provider) {
        // That something failed to be pushed is no word about images yet.
        let says_more = status || best.is_some_and(|(weight, ..)| weight > Weight::Echo);
        return says_more
            || scene.all & Mark::Pullish.bit() != 0
            || !only_acts(scene)
            || names_a_host(scene.words());
    }
    if asked().count() > 0 {
        return false;
    }
    let framed = scene.record.kind == Kind::Warning || framed(scene.words()) || is_trace(scene.words());
    let around = if framed { scene.marks } else { scene.all };
    let spoken_of = around & any_of(SPEAKS) != 0 && !(around == scene.marks && only_in_urls(scene));
    if !spoken_of && !scene.requests.is_empty() && !scene.requests.iter().any(Request::is_registry) {
        return false;
    }
    match best {
        Some((weight, ..)) if weight <= Weight::Hint => spoken_of || reference_not_found(scene.words()),
        Some(_) if spoken_of => true,
        Some((_, _, at)) if !framed => {
            let elsewhere = scene.all & any_of(&[Mark::Decoy, Mark::Elsewhere]) != 0;
            scene.all & any_of(CLIENTS) != 0
                || !elsewhere && stands_alone(scene, at)
                || names_a_host(scene.text)
        }
        Some((_, cause, _)) => scene.follows_failure && only_registries_say(cause),
        None => spoken_of && status || reference_not_found(scene.words()),
    }
}

/// Words before the address of a page that explains.
const ADVICE: &[&str] =
    &["at", "see", "visit", "refer", "to", "more", "here", "docs", "documentation", "information"];

/// Whether the words about images stand in addresses of other servers: `https://updates.example.com/docker-plugin.hpi`.
fn only_in_urls(scene: &Scene<'_>) -> bool {
    let advice = |before: usize| {
        let words = scene
            .text
            .get(scene.record.span.start..before)
            .unwrap_or_default()
            .trim_end_matches([':', ' ', '(']);
        let last = words.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        ADVICE.iter().any(|a| last.eq_ignore_ascii_case(a))
    };
    let inside = |hit: &Hit| {
        scene.requests.iter().any(|r| {
            r.start <= hit.start as usize && hit.end as usize <= r.end && !r.is_registry() && !advice(r.start)
        })
    };
    let speaks = |hit: &&Hit| SPEAKS.iter().any(|mark| sets(hit, *mark));
    !scene.requests.is_empty() && scene.hits.iter().filter(speaks).all(inside)
}

/// Operations of a cloud's registry that are steps of a pull or push, a log-in among them (ECR's API).
const MOVES: &[&str] = &[
    "BatchCheckLayerAvailability",
    "BatchGetImage",
    "CompleteLayerUpload",
    "GetAuthorizationToken",
    "GetDownloadUrlForLayer",
    "InitiateLayerUpload",
    "PutImage",
    "UploadLayerPart",
];

/// Whether a cloud was asked for something that moves no image: `when calling the CreateRepository operation`,
/// `operation error EKS: DescribeCluster, ..`. What a credential provider asks for is a pull's.
fn administers(scene: &Scene<'_>) -> bool {
    let called = |hit: &Hit| {
        let rest = scene.text.get(hit.end as usize..scene.record.span.end).unwrap_or_default();
        let rest =
            rest.split_once(": ").filter(|(service, _)| !service.contains(' ')).map_or(rest, |(_, r)| r);
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    };
    let mut calls = scene.hits.iter().filter(|h| sets(h, Mark::Cloud));
    !scene.has(Mark::Provider) && calls.all(|h| !MOVES.contains(&called(h)))
}

/// Links that name no subject: how errors are introduced, and the codes of registries.
const LINKS: &[&str] = &[
    "caused by",
    "denied",
    "desc",
    "detail",
    "err",
    "error",
    "errors",
    "fatal",
    "forbidden",
    "http",
    "http2",
    "https",
    "level",
    "message",
    "msg",
    "net",
    "output",
    "reason",
    "rpc error",
    "unauthorized",
    "unknown",
    "warn",
    "warning",
];

/// Beginnings of links that say what the connection was doing, or that an error follows.
const STEPS: &[&str] = &[
    "code = ",
    "connect",
    "devicemapper",
    "devmapper",
    "dial ",
    "download failed",
    "erro[",
    "error logging in",
    "error parsing http",
    "failed to verify certificate",
    "fata[",
    "local error",
    "lookup ",
    "net/http",
    "proxyconnect",
    "read",
    "remote error",
    "socks connect",
    "tls",
    "warn[",
    "write",
    "x509",
];

/// Whether the words are all that the line says, as a person copies the end of a message: no link before the first that
/// the tables know names a subject.
fn stands_alone(scene: &Scene<'_>, at: usize) -> bool {
    let before = scene.text.get(scene.record.span.start..at).unwrap_or_default();
    let mut from = scene.record.span.start + before.rfind('\n').map_or(0, |n| n + 1);
    while let Some(n) = scene.text.get(from..at).and_then(|rest| rest.find(": ")) {
        let to = from + n;
        let link = scene.text.get(from..to).unwrap_or_default();
        if scene.hits.iter().any(|h| from <= h.start as usize && h.end as usize <= to + 2 && says_why(h)) {
            return true;
        }
        // `code = Unknown desc = dial tcp`: what the status is of begins within its link.
        let link = link.rsplit("desc = ").next().unwrap_or_default();
        let said = link.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        let names_nothing = said.is_empty()
            || LINKS.contains(&said.as_str())
            || STEPS.iter().any(|s| said.starts_with(s))
            || is_full(link.trim_matches(['"', '\'', ' ']));
        if !names_nothing {
            return false;
        }
        from = to + 2;
    }
    true
}

/// Whether what is pulled or pushed is no image: `failed to push some refs`, and `failed to push: Post
/// "https://metrics..."`. Only where no word of images stands by.
fn acts_on_else(scene: &Scene<'_>) -> bool {
    if scene.has(Mark::Pullish) || !scene.has(Mark::Acts) || !only_acts(scene) {
        return false;
    }
    let rest = |hit: &Hit| scene.text.get(hit.end as usize..scene.record.span.end).unwrap_or_default();
    let mut verbs = scene.hits.iter().filter(|h| sets(h, Mark::Acts));
    scene.requests.iter().any(|r| r.asked) || verbs.all(|verb| names_no_image(rest(verb)))
}

/// Whether the verbs alone, and no step of a client, make it one about pulls or pushes.
fn only_acts(scene: &Scene<'_>) -> bool {
    let verb = |hit: &Hit| {
        let words = scene.text.get(hit.start as usize..hit.end as usize).unwrap_or_default();
        let words = words.to_ascii_lowercase();
        words.contains("pull") || words.contains("push")
    };
    scene.hits.iter().filter(|h| sets(h, Mark::Pulling) || sets(h, Mark::Push)).all(verb)
}

/// What stands behind the verb where an image is meant; any other word that a further word follows is another object.
const NEAR_IMAGES: &[&str] = &[
    "a",
    "access",
    "after",
    "all",
    "an",
    "and",
    "because",
    "chart",
    "charts",
    "command",
    "due",
    "error",
    "failed",
    "for",
    "from",
    "its",
    "limit",
    "operation",
    "permission",
    "permissions",
    "policy",
    "progress",
    "qps",
    "rate",
    "secret",
    "secrets",
    "the",
    "this",
    "timed",
    "to",
    "was",
    "will",
    "with",
    "wasm",
    "helm",
    "bundle",
    "base",
];

/// What may stand before an object.
const ATTRIBUTES: &[&str] = &["a", "all", "an", "its", "latest", "new", "the", "your"];

/// What is pulled or pushed elsewhere, and no image is called.
const OTHER_OBJECTS: &[&str] = &[
    "branch",
    "branches",
    "changes",
    "commits",
    "config",
    "configuration",
    "dashboard",
    "dashboards",
    "data",
    "events",
    "items",
    "log",
    "logs",
    "message",
    "messages",
    "metric",
    "metrics",
    "notification",
    "notifications",
    "profiles",
    "records",
    "samples",
    "spans",
    "state",
    "submodule",
    "submodules",
    "subscription",
    "subscriptions",
    "tasks",
    "telemetry",
    "traces",
    "updates",
];

/// ` some refs to`, `ing messages from`, ` the latest config`: a plain word, and a further one; or one that no image is
/// called.
fn names_no_image(after: &str) -> bool {
    let plain = |s: &str| s.bytes().take_while(u8::is_ascii_lowercase).count();
    let Some(object) = after.get(plain(after)..).and_then(|rest| rest.strip_prefix(' ')) else {
        return false;
    };
    let mut said = object.split([' ', ':', ',', '"', '\n']).skip_while(|word| ATTRIBUTES.contains(word));
    if said.next().is_some_and(|word| OTHER_OBJECTS.contains(&word)) {
        return true;
    }
    let (word, rest) = object.split_at(plain(object));
    word.len() > 1
        && !NEAR_IMAGES.contains(&word)
        && rest.strip_prefix(' ').is_some_and(|next| plain(next) > 0)
}

/// Causes whose words nothing but a pull or push prints.
pub(crate) fn only_pulls_meet(cause: Cause) -> bool {
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
    ) || matches!(
        cause,
        AuthOidcSessionExpired
            | AuthzIpBlocked
            | BlobUnknown
            | BlobDigestMismatch
            | StorageLayerCorrupt
            | RuntimeNameReserved
    )
}

/// Causes that an answer gives, and no other program's trouble beside a pull that failed.
fn only_registries_say(cause: Cause) -> bool {
    matches!(cause.area(), "auth" | "authz" | "registry" | "rate" | "blob")
}

/// What a program of another kind prints as it dies: nothing in it is about images unless it says so.
fn is_trace(words: &str) -> bool {
    ["Exception: ", "Traceback ("].iter().any(|w| words.contains(w))
}

/// Whether a reference with a registry and a tag or digest stands anywhere.
fn names_a_host(words: &str) -> bool {
    let token = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '(' | ')' | '[' | ']');
    words.split(token).any(|t| is_full(t.trim_end_matches(':')))
}

fn is_full(token: &str) -> bool {
    token.contains('/')
        && Reference::parse(token).is_ok_and(|r| {
            r.host.is_some_and(|h| h.contains(['.', ':'])) && (r.tag.is_some() || r.digest.is_some())
        })
}

/// `registry.example.com/team/app:1.2: not found`, `'registry.example.com/team/app:1.2' not found`: what nothing introduces
/// and can be nothing but an image.
pub(crate) fn reference_not_found(words: &str) -> bool {
    words.match_indices(" not found").any(|(at, _)| {
        let before = words.get(..at).unwrap_or_default().trim_end_matches([':', '"', '\'', '`']);
        let token = before.rsplit([' ', '\n', '"', '\'', '(']).next().unwrap_or_default();
        is_full(token)
    })
}

/// A line of some program's log, which without a word about images says nothing about them.
pub(crate) fn framed(words: &str) -> bool {
    let line = words.trim_start();
    let klog = line.starts_with(['E', 'W', 'I', 'F'])
        && line.get(1..5).is_some_and(|d| d.bytes().all(|b| b.is_ascii_digit()));
    klog || line.contains("level=")
        || line.contains("\"level\"")
        || line.starts_with('{')
        || line.get(..4).is_some_and(|y| y.starts_with("20") && y.bytes().all(|b| b.is_ascii_digit()))
}
