//! Is it about a pull or push at all? Other programs meet the same errors.

use super::marks::Mark;
use super::records::Kind;
use super::request::Request;
use super::row::Weight;
use super::scene::Scene;
use crate::reference::Reference;
use vocabulary::Cause::{self, *};

/// What is asked, or what is spoken of, tells.
pub(crate) fn is_about_pulls(scene: &Scene<'_>, best: Option<(Weight, Cause)>, status: bool) -> bool {
    let asked = || scene.requests.iter().filter(|r| r.asked);
    if scene.has(Mark::Decoy) {
        // A probe of a registry's pod asks `/v2/`, and nothing of an image.
        return asked().any(|r| r.is_registry() && !r.is_ping())
            || scene.has(Mark::PullFailed)
            || scene.words().contains("ErrImage")
            || scene.words().contains("ImagePullBackOff");
    }
    let api = scene.requests.iter().any(|r| r.path.starts_with("/v2/"));
    if api || asked().any(Request::is_registry) || scene.has(Mark::Pulling) || scene.has(Mark::Push) {
        return true;
    }
    if best.is_some_and(|(weight, cause)| weight >= Weight::Fact && only_pulls_meet(cause)) {
        return true;
    }
    if asked().count() > 0 {
        return false;
    }
    let speaks = Mark::Pullish.bit() | Mark::Sandbox.bit() | Mark::Provider.bit();
    let framed = scene.record.kind == Kind::Warning || framed(scene.words());
    let around = if framed { scene.marks } else { scene.all };
    let spoken_of = around & speaks != 0;
    if !spoken_of && !scene.requests.is_empty() && !scene.requests.iter().any(Request::is_registry) {
        return false;
    }
    match best {
        Some((weight, _)) if weight <= Weight::Hint => spoken_of || reference_not_found(scene.words()),
        Some(_) if spoken_of || !framed => true,
        Some((_, cause)) => scene.follows_failure && only_registries_say(cause),
        None => spoken_of && status,
    }
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

/// `registry.example.com/team/app:1.2: not found`: what nothing introduces and can be nothing but an image.
fn reference_not_found(words: &str) -> bool {
    words.match_indices(": not found").any(|(at, _)| {
        let before = words.get(..at).unwrap_or_default();
        let token = before.rsplit([' ', '\n', '"', '\'', '(']).next().unwrap_or_default();
        Reference::parse(token).is_ok_and(|r| {
            r.host.is_some_and(|h| h.contains(['.', ':'])) && (r.tag.is_some() || r.digest.is_some())
        })
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
