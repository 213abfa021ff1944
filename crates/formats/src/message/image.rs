//! Which image: every reference in a place where programs print one, and which of them is the one that failed, in its
//! most complete form.

use super::host::hub;
use super::scan::{Hit, TABLES, Use};
use crate::reference::Reference;
use std::ops::Range;

/// A reference found, or what was given for one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'t> {
    raw: &'t str,
    /// Its parts; nothing where it is no valid reference.
    reference: Option<Reference<'t>>,
    at: usize,
    trust: Trust,
    /// The program that printed it left out the registry.
    hostless: bool,
}

/// How much the words before a reference say that it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing but its own form: a host, a path, a tag.
    Form,
    /// `in`, `for`, `to`: only what has a host, or a slash and a tag.
    Weak,
    /// `pull`, `image`: whatever has a slash or a tag.
    Medium,
    /// A command: also one word, where the line ends with it.
    Command,
    /// Quoted as an image: any name.
    Strong,
}

/// How much a word says that a reference follows it.
pub(crate) fn trust(introducer: &str) -> Trust {
    const STRONG: &[&str] = &[
        "denied for ",
        "manifest for ",
        "pull failed for ",
        "trying to pull ",
        "such image: ",
        "repository ",
        "pulling repository ",
    ];
    const COMMANDS: &[&str] = &["docker ", "podman ", "crictl ", "nerdctl "];
    const MEDIUM: &[&str] = &["image", "pull", "push", "reference", "metadata", "destination", "solve"];
    if introducer.ends_with(['"', '\'', '[', '/']) || STRONG.iter().any(|s| introducer.ends_with(s)) {
        Trust::Strong
    } else if COMMANDS.iter().any(|c| introducer.starts_with(c)) {
        Trust::Command
    } else if MEDIUM.iter().any(|m| introducer.contains(m)) {
        Trust::Medium
    } else {
        Trust::Weak
    }
}

/// At most this many references of one text are looked at.
const MOST: usize = 512;

/// Every reference of a text, in the order of the words before them.
pub(crate) fn all<'t>(text: &'t str, hits: &[Hit]) -> Vec<Found<'t>> {
    let mut found: Vec<Found<'t>> = Vec::new();
    for hit in hits {
        let introduces = TABLES.uses(hit.needle).iter().find_map(|u| match u {
            Use::Introduces(trust) => Some(*trust),
            _ => None,
        });
        let Some(trust) = introduces else { continue };
        if let Some(one) = introduced(text, hit.end as usize, trust, &found) {
            add(&mut found, one);
        }
    }
    by_form(text, &mut found);
    found.sort_by_key(|f| f.at);
    found
}

fn add<'t>(found: &mut Vec<Found<'t>>, one: Found<'t>) {
    let room = found.len() < MOST;
    match found.iter_mut().find(|f| f.at == one.at) {
        Some(same) if same.reference.is_none() && one.reference.is_some() => *same = one,
        Some(same) => same.trust = same.trust.max(one.trust),
        None if room => found.push(one),
        None => {}
    }
}

/// The bytes that references are made of.
const PARTS: [bool; 256] = {
    let mut parts = [false; 256];
    let mut b = 0_u8;
    while b < 128 {
        parts[b as usize] = b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/' | b':' | b'@');
        b += 1;
    }
    parts
};

fn is_part(b: u8) -> bool {
    PARTS[usize::from(b)]
}

/// The reference that begins at `at`, after quotes.
fn introduced<'t>(text: &'t str, at: usize, trust: Trust, known: &[Found<'t>]) -> Option<Found<'t>> {
    let rest = text.get(at..)?;
    let skipped = rest.len() - rest.trim_start_matches(['"', '\'', '`', ' ']).len();
    let quoted =
        skipped > 0 && !rest.starts_with(' ') || trust == Trust::Strong && text[..at].ends_with(['"', '\'']);
    let mut start = at + skipped;
    let mut rest = text.get(start..)?;
    if let Some(bare) = rest.strip_prefix("docker://").or_else(|| rest.strip_prefix("oci://")) {
        start += rest.len() - bare.len();
        rest = bare;
    }
    let bracket = rest.starts_with('[').then(|| rest.find(']')).flatten().map_or(0, |n| n + 1);
    let length = bracket + rest.get(bracket..)?.bytes().take_while(|b| is_part(*b)).count();
    let behind = rest.get(length..).unwrap_or_default();
    // `...registry.gitla…`: a table cut it off.
    if length > 512 || behind.starts_with(['?', '\u{2026}']) {
        return None;
    }
    let token = rest.get(..length)?.trim_end_matches(['.', ':', '-', '_', '/']);
    if token.is_empty() || platform(token) {
        return None;
    }
    let trust = if composed(text, at, behind) { Trust::Strong } else { trust };
    // One word alone is a reference only where it is said to be one.
    if trust < Trust::Command && !token.contains(['/', ':', '@']) {
        return None;
    }
    // docker's words of a registry of the first version (moby 1.13 `registry/session.go`, `GetRemoteTags` and others).
    let hostless = text[..at].ends_with(" trying to pull repository ");
    let Some(reference) = parsed(token, known) else {
        // What a program quotes as a reference is one to its user, also where it does not parse.
        let whole = rest.get(..length).is_some_and(|t| t.len() > 3 && (t.contains('/') || t.contains(':')));
        let closed = rest.get(length..).is_some_and(|r| r.starts_with(['"', '\'']));
        let given = trust == Trust::Strong && quoted && closed && whole;
        return given.then(|| Found { raw: &rest[..length], reference: None, at: start, trust, hostless });
    };
    let tagged = reference.tag.is_some() || reference.digest.is_some();
    let slash = token.contains('/');
    let trust = if quoted { trust.max(Trust::Medium) } else { trust };
    let takes = match trust {
        // `image "the one of yesterday"`: quoted, and goes on in words.
        Trust::Strong if text[..start].ends_with(['"', '\'']) && behind.starts_with(' ') => slash || tagged,
        Trust::Strong => !STOP.contains(&token),
        Trust::Command => {
            let ends = behind.trim_start_matches([' ', '\r']).is_empty()
                || behind.trim_start_matches([' ', '\r']).starts_with(['\n', '`']);
            slash || tagged || ends && !STOP.contains(&token)
        }
        Trust::Medium => slash || tagged,
        Trust::Weak | Trust::Form => slash && (tagged || reference.host.is_some()),
    };
    (takes && !is_id(&reference)).then_some(Found {
        raw: token,
        reference: Some(reference),
        at: start,
        trust,
        hostless,
    })
}

/// `Pulling web (nginx:)...`: docker-compose 1 names the service first.
fn composed(text: &str, at: usize, behind: &str) -> bool {
    if !behind.starts_with(")...") {
        return false;
    }
    let before = text.get(..at).unwrap_or_default();
    let line = before.rfind('\n').map_or(before, |n| before.get(n + 1..).unwrap_or_default());
    line.ends_with(" (") && line.starts_with("Pulling ")
}

/// The parts of a token. One text names the same image again and again.
fn parsed<'t>(token: &'t str, known: &[Found<'t>]) -> Option<Reference<'t>> {
    let same = known.iter().find(|f| f.raw == token);
    same.and_then(|f| f.reference).or_else(|| Reference::parse(token).ok())
}

/// Ids of content (`layer-sha256:<hex>`) and places in source files (`kubelet.go:123`) have the form of a tagged name.
fn is_id(reference: &Reference<'_>) -> bool {
    // `localhost:5000`, `registry.example.com:5000`: a host and its port.
    let port = reference.tag.is_some_and(|t| t.len() >= 4 && t.bytes().all(|b| b.is_ascii_digit()));
    let host =
        !reference.path.contains('/') && (reference.path.contains('.') || reference.path == "localhost");
    if port && host && reference.host.is_none() {
        return true;
    }
    let Some(tag) = reference.tag else {
        return matches!(reference.path, "sha256" | "sha512") && reference.host.is_none();
    };
    let hash = tag.bytes().all(|b| b.is_ascii_hexdigit()) && reference.path.ends_with("sha256");
    let line = tag.bytes().all(|b| b.is_ascii_digit())
        && [".go", ".rs", ".py", ".js", ".sh", ".java", ".c"].iter().any(|e| reference.path.ends_with(e));
    hash || line
}

/// Words that follow where a name could.
const STOP: &[&str] = &[
    "a",
    "an",
    "command",
    "error",
    "from",
    "image",
    "images",
    "it",
    "not",
    "repository",
    "the",
    "this",
    "service",
    "source",
    "pull",
    "content",
    "with",
    "name",
    "reference",
    "manifest",
    "failed",
    "is",
    "in",
    "latest",
    "unknown",
];

fn platform(token: &str) -> bool {
    ["linux/", "windows/", "darwin/", "application/"].iter().any(|p| token.starts_with(p))
}

/// References that nothing introduces and that cannot be anything else: host, path and tag or digest; and a tagged name
/// that begins the text as the first link of its chain.
fn by_form<'t>(text: &'t str, found: &mut Vec<Found<'t>>) {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(n) = memchr::memchr(b':', bytes.get(from..).unwrap_or_default()) {
        let colon = from + n;
        from = colon + 1;
        let start = colon - bytes[..colon].iter().rev().take_while(|b| is_part(**b)).count();
        let end = colon + bytes[colon..].iter().take_while(|b| is_part(**b)).count();
        from = from.max(end);
        let token = text[start..end].trim_end_matches(['.', ':', '-', '_', '/']);
        let first_link = start == 0 && bytes.get(token.len()..token.len() + 2) == Some(b": ");
        if token.contains("//") || !token.contains('/') && !first_link || platform(token) {
            continue;
        }
        let Some(reference) = parsed(token, found) else { continue };
        let dotted = reference.host.is_some_and(|h| h.contains('.') || h.contains(':') || h == "localhost");
        let tagged = reference.tag.is_some() || reference.digest.is_some();
        let first = first_link && reference.tag.is_some_and(|t| !t.bytes().all(|b| b.is_ascii_digit()));
        // `containerd.io/snapshot/remote:true`: a label and its value.
        if matches!(reference.tag, Some("true" | "false")) {
            continue;
        }
        let cut = text[end..].starts_with('\u{2026}');
        if tagged && (dotted || first) && !cut && !is_id(&reference) {
            let (trust, hostless) = (Trust::Form, false);
            add(found, Found { raw: token, reference: Some(reference), at: start, trust, hostless });
        }
    }
}

/// Whether two references can be the same image, however complete each is. Within one record a name without a host may be
/// the short form of one on any registry; elsewhere only of one on Docker Hub.
fn same(a: &Found<'_>, b: &Found<'_>, record: bool) -> bool {
    let (Some(x), Some(y)) = (&a.reference, &b.reference) else { return a.raw == b.raw };
    let bare = |r: &Reference<'_>| r.path.strip_prefix("library/").map_or(0, |p| r.path.len() - p.len());
    let hosts = match (x.host, y.host) {
        (Some(_), Some(_)) => x.registry() == y.registry(),
        _ => record || a.hostless || b.hostless || x.registry() == y.registry(),
    };
    let agree = |x: Option<&str>, y: Option<&str>| x.is_none() || y.is_none() || x == y;
    let (p, q) = (x.path.get(bare(x)..).unwrap_or_default(), y.path.get(bare(y)..).unwrap_or_default());
    // `web:7` beside `registry.example.com/shop/web:7`: a registry names what it has without the project.
    let short = |long: &str, short: &str| {
        record
            && x.tag.is_some()
            && x.tag == y.tag
            && long.strip_suffix(short).is_some_and(|l| l.ends_with('/'))
    };
    let paths = p == q || y.host.is_none() && short(p, q) || x.host.is_none() && short(q, p);
    hosts && paths && agree(x.tag, y.tag) && agree(x.digest, y.digest)
}

/// The image that failed, and its registry.
pub(crate) struct Failed<'t> {
    pub image: &'t str,
    pub registry: Option<&'t str>,
}

/// The failed one: named last in the deciding record and on the registry that was `asked`, else in another that says the same, else nearest before; then the
/// most complete form of it anywhere.
pub(crate) fn failed<'t>(
    found: &[Found<'t>],
    deciding: &Range<usize>,
    alike: &[Range<usize>],
    asked: Option<&str>,
) -> Option<Failed<'t>> {
    let sure = |f: &&Found<'t>| f.trust == Trust::Strong;
    let said = |f: &&Found<'t>| f.trust > Trust::Form;
    // Of a source and a destination, the one whose registry was asked.
    let there =
        |f: &&Found<'t>| asked.is_some() && f.reference.and_then(|r| r.host).map(hub) == asked.map(hub);
    let anchor_in = |span: &Range<usize>| {
        let inside = || found.iter().filter(|f| span.contains(&f.at));
        let of = |fits: &dyn Fn(&&Found<'t>) -> bool| {
            inside().rfind(|f| fits(f) && there(f)).or_else(|| inside().rfind(|f| fits(f)))
        };
        of(&sure).or_else(|| of(&said)).or_else(|| of(&|_| true))
    };
    let before = || found.iter().filter(|f| f.at < deciding.start);
    let after = || found.iter().filter(|f| f.at >= deciding.end);
    let anchor = anchor_in(deciding)
        .or_else(|| alike.iter().rev().find_map(anchor_in))
        .or_else(|| before().rfind(|f| said(f) && there(f)))
        .or_else(|| before().rfind(sure))
        .or_else(|| before().rfind(said))
        .or_else(|| before().rfind(there))
        .or_else(|| before().next_back())
        .or_else(|| after().find(sure))
        .or_else(|| after().next())?;
    let near = |f: &Found<'t>| deciding.contains(&f.at) == deciding.contains(&anchor.at);
    let group = || found.iter().filter(|f| same(f, anchor, near(f)));
    let complete = |f: &Found<'t>| {
        f.reference.map_or((false, false, false, f.trust, f.raw.len()), |r| {
            (r.digest.is_some(), r.tag.is_some(), r.host.is_some(), f.trust, r.raw.len())
        })
    };
    let best = group().max_by_key(|f| complete(f))?;
    let named = group().filter_map(|f| f.reference).rfind(|r| r.host.is_some());
    let registry = match best.reference {
        None => None,
        Some(r) if r.host.is_some() => Some(r.registry()),
        Some(_) => Some(named.map_or("docker.io", |r| r.registry())),
    };
    Some(Failed { image: best.raw, registry })
}
