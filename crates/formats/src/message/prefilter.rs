//! Is a line worth reading? One pass for the stems that every failure has one of.

use super::finder::Finder;
use super::leaf;
use std::sync::LazyLock;

/// Stems. A text without any of them has no row of the tables in it that would make it a failure.
const STEMS: &[&str] = &[
    "fail",
    "err",
    "denied",
    "refus",
    "reject",
    "unauth",
    "forbid",
    "not found",
    "unknown",
    "invalid",
    "x509",
    "tls:",
    "timeout",
    "timed out",
    "time-out",
    "deadline",
    "eof",
    "reset",
    "unreach",
    "no route",
    "no such",
    "misbehav",
    "back-off",
    "backoff",
    "pull qps",
    "toomany",
    "too many",
    "limit",
    "unable",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unsupported",
    "missing",
    "mismatch",
    "no match",
    "immutable",
    "no space",
    "read-only",
    "read only",
    "expired",
    "blocked",
    "exceed",
    "unexpected",
    "cancel",
    "locked",
    "reserved",
    "corrupt",
    "must ",
    "does not",
    "did not",
    "not authorized",
    "no basic auth",
    "never",
    "no progress",
    "retrying",
    "unavailable",
    "authentication required",
    "authorization",
    "insufficient",
    "interrupt",
    "http response to https",
    "no resolve hosts",
    "malformed",
    "illegal base64",
    "<html",
    "<!doctype",
    "is not",
    "not been",
    "broken",
    "aborted",
    "warning",
    "permission",
    "short read",
    "too large",
    "no child",
    "proxy auth",
    "bad gateway",
    "wrong ",
    "bad cred",
    "already",
    "not valid",
    // A step of a request, whose reason may be in no table; an answer without words.
    "status code",
    "statuscode",
    "http status",
    "http code",
    ": lookup ",
    ": connect: ",
    "/v2/",
    // JSON writers escape `<` and others so; what is written so may be any of the above.
    "\\u00",
];

static STEM: LazyLock<Finder> = LazyLock::new(|| Finder::of(STEMS.iter().copied().chain(unstemmed())));

/// Words of rows that no stem is part of: one per row is enough.
fn unstemmed() -> impl Iterator<Item = &'static str> {
    let stems = Finder::of(STEMS.iter().copied());
    leaf::rows()
        .filter(move |row| !row.words.iter().any(|w| stems.any(w.as_bytes())))
        .filter_map(|row| row.words.first().map(|w| w.trim_matches('|')))
}

/// Whether a line can speak of a failure at all; most lines of a log do not, and are not read further.
pub fn looks_like_failure(line: &[u8]) -> bool {
    STEM.any(line)
}
