//! Is it about a pull or push at all? Other programs meet the same errors.

use super::marks::Mark;
use super::request::Request;
use super::row::Weight;
use super::scene::Scene;
use vocabulary::Cause::{self, *};

/// What is asked, or what is spoken of, tells.
pub(crate) fn is_about_pulls(scene: &Scene<'_>, best: Option<(Weight, Cause)>, status: bool) -> bool {
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
    if best.is_some_and(|(weight, cause)| weight >= Weight::Fact && only_pulls_meet(cause)) {
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
        Some((weight, _)) if weight <= Weight::Hint => spoken_of,
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
