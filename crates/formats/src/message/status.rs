//! HTTP statuses as clients print them, and what each means without further words.

use super::row::Weight;
use vocabulary::Cause;
use vocabulary::Cause::*;

/// A status, and where its number ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub code: u16,
    pub at: usize,
}

/// Words before a number that make it a status.
const CUES: &[&str] = &[
    "status",
    "status:",
    "status code",
    "status code:",
    "statuscode:",
    "statuscode=",
    "status code from registry",
    "http",
    "http code",
    "http status",
    "http status:",
    "http status code",
    "http status code:",
    "http code:",
    "code:",
    "error code",
    "error: code",
    "server error:",
    "http/1.1",
    "http/2",
    "http/2.0",
    "http error",
    "http error:",
    "http response",
    "status response",
    "status response:",
    "response status",
    "response status:",
    "error code:",
    "but received:",
    "returned error:",
    "returned",
    "error",
    "status=",
    "response code",
    "response code:",
    "status\":",
    "status\"=",
    "title>",
];

/// The last status in a text: a number with its own reason phrase, or one that is introduced as a status.
pub(crate) fn last(text: &str) -> Option<Status> {
    let bytes = text.as_bytes();
    let digit = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_digit);
    // The last one is wanted, and most numbers are pieces of names and digests.
    memchr::memchr3_iter(b'3', b'4', b'5', bytes).rev().find_map(|i| {
        let apart = !(i > 0 && joins(bytes[i - 1]))
            && digit(i + 1)
            && digit(i + 2)
            && !bytes.get(i + 3).is_some_and(|b| joins(*b) && *b != b'.');
        let code = text.get(i..i + 3).filter(|_| apart)?.parse().ok()?;
        (named(&text[i + 3..], code) || cued(&text[..i])).then_some(Status { code, at: i + 3 })
    })
}

fn joins(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.' | b'%' | b'@')
}

/// `403 Forbidden`, `502 (Bad Gateway)`, `429: Too Many Requests`, `400 response status`.
fn named(after: &str, code: u16) -> bool {
    let after = after.trim_start_matches([' ', '(', ':', '-', '"']);
    reason(code)
        .iter()
        .chain(&["response status", "response code"])
        .any(|r| after.get(..r.len()).is_some_and(|a| a.eq_ignore_ascii_case(r)))
}

fn cued(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '[', '(', '"']);
    // `failed with status code [manifests v1]: 403` has its object between.
    let before = match (before.strip_suffix("]:"), before.rfind('[')) {
        (Some(_), Some(open)) => before[..open].trim_end(),
        _ => before,
    };
    let link = before.strip_suffix(':');
    let url = link.is_some_and(|b| b.rsplit(' ').next().is_some_and(|w| w.contains("://")));
    // `Bad status during token exchange: 401`.
    let said =
        || link.and_then(|b| b.rsplit(['\n', ':', '"']).next()).is_some_and(|l| l.contains(" status "));
    url || said()
        || CUES.iter().any(|cue| {
            before
                .len()
                .checked_sub(cue.len())
                .and_then(|at| before.get(at..))
                .is_some_and(|b| b.eq_ignore_ascii_case(cue))
        })
}

fn reason(code: u16) -> &'static [&'static str] {
    match code {
        301 => &["moved permanently"],
        302 => &["found", "moved temporarily"],
        303 => &["see other"],
        304 => &["not modified"],
        307 => &["temporary redirect"],
        308 => &["permanent redirect"],
        400 => &["bad request"],
        401 => &["unauthorized", "authorization required"],
        402 => &["payment required"],
        403 => &["forbidden"],
        404 => &["not found", "page not found"],
        405 => &["method not allowed", "not allowed"],
        406 => &["not acceptable"],
        407 => &["proxy authentication required"],
        408 => &["request timeout", "request time-out"],
        409 => &["conflict"],
        410 => &["gone"],
        411 => &["length required"],
        412 => &["precondition failed"],
        413 => &["request entity too large", "payload too large", "content too large"],
        414 => &["request-uri too", "uri too long", "request uri too"],
        415 => &["unsupported media type"],
        416 => &["requested range not satisfiable", "range not satisfiable"],
        417 => &["expectation failed"],
        418 => &["i'm a teapot"],
        421 => &["misdirected request"],
        422 => &["unprocessable"],
        423 => &["locked"],
        426 => &["upgrade required"],
        429 => &["too many requests"],
        431 => &["request header fields too large"],
        451 => &["unavailable for legal reasons"],
        499 => &["client closed request"],
        500 => &["internal server error"],
        501 => &["not implemented"],
        502 => &["bad gateway"],
        503 => &["service unavailable", "service temporarily unavailable"],
        504 => &["gateway timeout", "gateway time-out"],
        507 => &["insufficient storage"],
        520 => &["web server returned"],
        521 => &["web server is down"],
        522 => &["connection timed out"],
        524 => &["a timeout occurred"],
        _ => &[],
    }
}

/// What a status means by itself, how much it carries, and what else it may be.
pub(crate) fn meaning(code: u16) -> (Weight, Cause, &'static [Cause]) {
    match code {
        401 => (
            Weight::Status,
            AuthUnauthorized,
            &[AuthBadCredentials, AuthNoCredentials, AuthRepositoryMissingAs401],
        ),
        403 => (
            Weight::Status,
            AuthzDenied,
            &[AuthRepositoryMissingAs401, AuthBadCredentials, AuthNoCredentials, AuthzBlockedByGateway],
        ),
        407 => (Weight::Fact, ProxyAuthRequired, &[]),
        413 => (Weight::Fact, PushTooLarge, &[RegistryBodyLimit]),
        429 => (Weight::Sentence, RateLimited, &[]),
        500 => (Weight::Fact, RegistryServerError, &[]),
        502..=504 | 520..=530 => (Weight::Fact, RegistryUnavailable, &[]),
        507 => (Weight::Fact, StorageDiskFull, &[RegistryServerError]),
        300..=399 => (Weight::Status, RegistryUnexpectedStatus, &[RegistryRedirectLoop, RegistryBadResponse]),
        405 => (Weight::Status, RegistryUnexpectedStatus, &[RegistryHeadBlocked, RegistryNotARegistry]),
        _ => (Weight::Status, RegistryUnexpectedStatus, &[RegistryBadResponse]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Option<u16> {
        last(text).map(|s| s.code)
    }

    #[test]
    fn as_each_client_prints_it() {
        for (text, expected) in [
            ("unexpected status from HEAD request to https://a/v2/x/manifests/v1: 403 Forbidden", 403),
            ("failed to copy: invalid status response 416", 416),
            ("unexpected response status: 502", 502),
            ("pulling from host a failed with status code [manifests v1]: 401 Unauthorized", 401),
            ("pinging container registry a: StatusCode: 429, \"<html>", 429),
            ("invalid status code from registry 502 (Bad Gateway)", 502),
            ("received unexpected HTTP status: 500 Internal Server Error", 500),
            ("error parsing HTTP 413 response body", 413),
            ("Status 429 trying to pull repository", 429),
            ("unexpected status code https://a/v2/x/blobs/sha256:00?ns=docker.io: 400 Bad Request", 400),
            (
                "unexpected status from HEAD request to https://a/v2/x/manifests/v1: 307 Temporary Redirect",
                307,
            ),
            ("Server error: unexpected 400 response status trying to initiate upload of x", 400),
            ("Bad status during token exchange: 401", 401),
            ("http error: code 500, message {}", 500),
        ] {
            assert_eq!(code(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn numbers_that_are_none() {
        for text in [
            "dial tcp 10.88.0.10:443: connect",
            "server:5000/app:404",
            "size 400 bytes",
            "v1.429",
            "sha256:403ab",
        ] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
