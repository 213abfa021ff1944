//! What was answered, by whom: the status that ended it, the request that it belongs to, a proxy's bare words.

use super::marks::Mark;
use super::request::Request;
use super::row::Weight;

use super::scene::{Scene, sets};
use super::status;
use super::subject::reference_not_found;
use vocabulary::Cause::{self, *};

/// The registry's status: not that of Docker's own API, which wraps it.
pub(crate) fn api_status(scene: &Scene<'_>, from: usize) -> Option<u16> {
    let mut from = from;
    if scene.has(Mark::DaemonApi) {
        let wrapper = scene.hits.iter().rev().find(|h| sets(h, Mark::DaemonApi));
        let end = wrapper.map_or(0, |h| h.end as usize);
        let digits = scene.text.get(end..).map_or(0, |t| t.bytes().take_while(u8::is_ascii_digit).count());
        from = from.max(end + digits);
    }
    let words = scene.text.get(from..scene.record.span.end)?;
    status::last(words).map(|s| s.code)
}

/// The last request that was asked before `end`, else the last that a registry would be asked.
pub(crate) fn request_of(scene: &Scene<'_>, end: usize) -> Option<usize> {
    let asked = scene.requests.iter().rposition(|r| r.asked && r.start <= end);
    asked.or_else(|| scene.requests.iter().rposition(Request::is_registry))
}

/// Whether words say that a manifest was asked for, without its URL.
fn asks_manifest(words: &str) -> bool {
    ["eading manifest", "head request"].iter().any(|asks| words.contains(asks))
}

/// A 404 means what was asked for; all others mean the same everywhere.
pub(crate) fn status_cause(
    scene: &Scene<'_>,
    code: u16,
    request: Option<usize>,
) -> (Weight, Cause, &'static [Cause]) {
    let request = request.and_then(|n| scene.requests.get(n));
    // A registry that takes no writes has no such method (distribution registry/handlers/app.go, `readOnly`).
    let uploads = || {
        request.is_some_and(|r| r.path.contains("/blobs/uploads"))
            || ["layer upload", "initiate upload"].iter().any(|w| scene.words().contains(w))
    };
    if code == 405 && uploads() {
        return (Weight::Status, PushReadOnly, &[RegistryUnexpectedStatus]);
    }
    if code != 404 {
        return status::meaning(code);
    }
    if request.is_some_and(|r| r.path.contains("/blobs/uploads")) {
        (Weight::Status, PushUploadUnknown, &[RegistryUnexpectedStatus])
    } else if request.map_or(asks_manifest(scene.words()), Request::is_manifest) {
        (Weight::Status, ManifestUnknown, &[RepositoryUnknown])
    } else if request.map_or(scene.has(Mark::Blob), Request::is_blob) {
        (Weight::Status, BlobUnknown, &[])
    } else {
        (Weight::Status, RegistryUnexpectedStatus, &[RegistryNotARegistry, ManifestUnknown])
    }
}

/// A proxy that refuses CONNECT in words of its own: Go prints them bare, after the URL, where a registry's answer would
/// have a status or a code.
pub(crate) fn bare_phrase(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let request = scene.requests.iter().rfind(|r| r.asked)?;
    let rest = scene.text.get(request.end..scene.record.span.end)?;
    let words = rest.trim_start_matches(['"', '\'']).strip_prefix(": ")?;
    let start = scene.record.span.end - words.len();
    let phrase = words.split(['\n', '"', ',']).next()?.trim_end_matches(['.', ' ', '\r', ']', ')']);
    let proper = phrase.starts_with(|c: char| c.is_ascii_uppercase())
        && phrase.contains(|c: char| c.is_ascii_lowercase());
    let plain =
        phrase.len() >= 4 && phrase.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ' || b == b'-');
    (proper && plain && phrase.split(' ').count() <= 5).then_some((start, start + phrase.len()))
}

/// Where it says of an image that it was not found, in whatever words.
pub(crate) fn not_found(scene: &Scene<'_>) -> Option<(usize, usize)> {
    let start = scene.record.span.start + scene.words().rfind(" not found")? + 1;
    reference_not_found(scene.words()).then_some((start, start + "not found".len()))
}

/// Words after a registry's URL, or after a step of containers/image, that no table knows. Behind the code `unknown` a
/// registry says what the protocol has no code for (distribution `errcode`); else the reason stays unknown.
pub(crate) fn answered(scene: &Scene<'_>) -> Option<(Cause, (usize, usize))> {
    let request = scene.requests.iter().rfind(|r| r.asked && r.is_registry());
    let rest = |from: usize| scene.text.get(from..scene.record.span.end).unwrap_or_default();
    // `reading manifest 1 in registry.example.com/team/app: reason`.
    let step = || {
        let step = rest(scene.hits.iter().rfind(|h| sets(h, Mark::ContainersImage))?.end as usize);
        let object = step.split(['\n', '"', ',']).next()?.find(": ")?;
        step.get(object..)
    };
    let after = request.map(|r| rest(r.end)).or_else(step)?;
    let words = after.trim_start_matches(['"', '\'']).strip_prefix(": ")?.trim_start();
    let start = scene.record.span.end - words.len();
    let end = start + words.find(['\n', '"']).unwrap_or(words.len());
    let says = words.get(..end - start)?.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    let cause = if words.starts_with("unknown: ") { RegistryUnexpectedStatus } else { Unknown };
    says.then_some((cause, (start, end)))
}
