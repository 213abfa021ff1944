//! Which image: every reference in a place where programs print one, and which of them is the one that failed, in its
//! most complete form.

use super::scan::{Hit, TABLES, Use};
use crate::reference::Reference;
use std::ops::Range;

/// A reference found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found<'t> {
    pub reference: Reference<'t>,
    pub at: usize,
    sure: bool,
}

/// How much the words before a reference say that it is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Trust {
    /// `in`, `for`, `to`: only what has a host or a slash and a tag.
    Weak,
    /// `pull`, `image`: whatever has a slash or a tag.
    Medium,
    /// Quoted as an image: any name.
    Strong,
}

fn trust(introducer: &str) -> Trust {
    let strong = introducer.ends_with(['"', '\'', '[', '/'])
        || [
            "denied for ",
            "manifest for ",
            "pull failed for ",
            "trying to pull ",
            "such image: ",
            "repository ",
        ]
        .iter()
        .any(|s| introducer.ends_with(s));
    let medium = introducer.contains("image")
        || introducer.contains("pull")
        || introducer.contains("push")
        || introducer.contains("reference")
        || introducer.contains("metadata")
        || introducer.contains("destination");
    if strong {
        Trust::Strong
    } else if medium {
        Trust::Medium
    } else {
        Trust::Weak
    }
}

/// Every reference in a place for one, in order.
pub(crate) fn all<'t>(text: &'t str, hits: &[Hit]) -> Vec<Found<'t>> {
    let mut found: Vec<Found<'t>> = Vec::new();
    for hit in hits {
        if !TABLES.uses(hit.needle).iter().any(|u| matches!(u, Use::Introduces)) {
            continue;
        }
        let (start, end) = (hit.start as usize, hit.end as usize);
        let introducer = text.get(start..end).unwrap_or_default().to_ascii_lowercase();
        let Some((reference, at)) = reference_at(text, end, trust(&introducer)) else { continue };
        let sure = trust(&introducer) == Trust::Strong;
        match found.iter_mut().find(|f| f.at == at) {
            Some(same) => same.sure |= sure,
            None => found.push(Found { reference, at, sure }),
        }
    }
    found
}

/// The reference that begins at `at`, after quotes.
fn reference_at(text: &str, at: usize, trust: Trust) -> Option<(Reference<'_>, usize)> {
    let rest = text.get(at..)?;
    let skipped = rest.len() - rest.trim_start_matches(['"', '\'', '`']).len();
    let quoted = skipped > 0;
    let mut start = at + skipped;
    let mut rest = text.get(start..)?;
    if let Some(bare) = rest.strip_prefix("docker://") {
        start += rest.len() - bare.len();
        rest = bare;
    }
    let part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/' | b':' | b'@');
    let bracket = rest.starts_with('[').then(|| rest.find(']')).flatten().map_or(0, |n| n + 1);
    let length = bracket + rest.get(bracket..)?.bytes().take_while(|b| part(*b)).count();
    if rest.get(length..).is_some_and(|r| r.starts_with("://")) || length > 512 {
        return None;
    }
    let token = rest.get(..length)?.trim_end_matches(['.', ':', '-', '_', '/']);
    if token.contains("://") || token.is_empty() {
        return None;
    }
    let reference = Reference::parse(token).ok()?;
    let tagged = reference.tag.is_some() || reference.digest.is_some();
    let slash = token.contains('/');
    let trust = if quoted { trust.max(Trust::Medium) } else { trust };
    let takes = match trust {
        Trust::Strong => !STOP.contains(&token),
        Trust::Medium => (slash || tagged) && !platform(token) && !STOP.contains(&token),
        Trust::Weak => slash && (tagged || reference.host.is_some()) && !platform(token),
    };
    // `sha256:...` is an image's id, `go1.20:...` no image at all.
    let id = matches!(reference.path, "sha256" | "sha512") && reference.host.is_none() && !slash;
    (takes && !id).then_some((reference, start))
}

/// Words that follow where a name could.
const STOP: &[&str] = &[
    "from",
    "the",
    "service",
    "pull",
    "content",
    "with",
    "name",
    "reference",
    "manifest",
    "failed",
    "is",
    "in",
];

fn platform(token: &str) -> bool {
    ["linux/", "windows/", "darwin/", "application/"].iter().any(|p| token.starts_with(p))
}

/// Whether two references can be the same image, however complete each is.
fn same(a: &Reference<'_>, b: &Reference<'_>) -> bool {
    let bare = |r: &Reference<'_>| r.path.strip_prefix("library/").map_or(r.path.len(), str::len);
    let path = |r: &Reference<'_>| r.path.len() - bare(r);
    let hosts = match (a.host, b.host) {
        (Some(_), Some(_)) => a.registry() == b.registry(),
        _ => true,
    };
    let agree = |x: Option<&str>, y: Option<&str>| x.is_none() || y.is_none() || x == y;
    hosts
        && a.path.get(path(a)..) == b.path.get(path(b)..)
        && agree(a.tag, b.tag)
        && agree(a.digest, b.digest)
}

/// The image that failed, and its registry.
pub(crate) struct Failed<'t> {
    pub image: &'t str,
    pub registry: &'t str,
}

/// The failed one: named last in the deciding record, else nearest to it; then the most complete form of it anywhere.
pub(crate) fn failed<'t>(found: &[Found<'t>], deciding: &Range<usize>) -> Option<Failed<'t>> {
    let inside = |f: &&Found<'t>| deciding.contains(&f.at);
    let anchor = found
        .iter()
        .filter(inside)
        .rfind(|f| f.sure)
        .or_else(|| found.iter().rfind(inside))
        .or_else(|| found.iter().filter(|f| f.at < deciding.start).rfind(|f| f.sure))
        .or_else(|| found.iter().rfind(|f| f.at < deciding.start))
        .or_else(|| found.iter().find(|f| f.at >= deciding.end && f.sure))
        .or_else(|| found.iter().find(|f| f.at >= deciding.end))?;
    let group = || found.iter().filter(|f| same(&f.reference, &anchor.reference));
    let complete = |r: &Reference<'_>| (r.digest.is_some(), r.tag.is_some(), r.host.is_some(), r.raw.len());
    let best = group().max_by_key(|f| complete(&f.reference))?;
    let named = group().rfind(|f| f.reference.host.is_some());
    let registry = if best.reference.host.is_some() {
        best.reference.registry()
    } else {
        named.map_or("docker.io", |f| f.reference.registry())
    };
    Some(Failed { image: best.reference.raw, registry })
}
