//! What is kept of an answer: status, telling headers, challenge, errors, limits, and the peer's clock.

use crate::note::Note;
use crate::wire::conversation::{Answer, End};
use facts::seen;
use formats::api_error::{self, ApiError, BodyKind};
use formats::challenge::{self, Challenge};
use http::Method;
use jiff::Timestamp;
use jiff::fmt::rfc2822;

/// Headers that tell who answers and what is in between. None of them carries a secret.
const TELLING: &[&str] = &[
    "server",
    "via",
    "date",
    "age",
    "x-cache",
    "x-squid-error",
    "x-powered-by",
    "docker-distribution-api-version",
    "docker-content-digest",
    "content-type",
    "content-length",
    "content-range",
    "x-jfrog-version",
    "x-artifactory-id",
    "gitlab-container-registry-version",
    "x-amzn-errortype",
    "cf-ray",
    "x-envoy-upstream-service-time",
];

/// Keeps an answer's facts.
pub(crate) fn see(answer: &Answer, note: &mut Note) {
    note.see(seen::REQUEST, format!("{} {}", answer.method, answer.url));
    note.see(seen::AUTHORIZATION_SENT, answer.sent);
    note.see(seen::STATUS, answer.status_line());
    for name in TELLING {
        for value in answer.all(name).into_iter().take(4) {
            note.see(&format!("{}{name}", seen::HEADER_PREFIX), value);
        }
    }
    if let Some(location) = answer.header("location") {
        note.see(seen::LOCATION, shown_location(&location));
    }
    for challenge in challenges(answer) {
        see_challenge(&challenge, note);
    }
    see_limits(answer, note);
    if answer.method != Method::HEAD && !answer.is_success() {
        see_body(answer, note);
    }
    if let End::Cut(trouble) = &answer.end {
        note.see(seen::BODY, format!("cut after {} bytes: {}", answer.body.len(), trouble.words));
    }
}

/// The errors in an answer's body.
pub(crate) fn errors(answer: &Answer) -> Vec<ApiError> {
    if answer.is_success() { Vec::new() } else { api_error::errors(&answer.body) }
}

/// Keeps a body that is an error, or not the API's.
pub(crate) fn see_body(answer: &Answer, note: &mut Note) {
    let kind = api_error::kind(&answer.body);
    note.see(seen::BODY_KIND, kind.word());
    let errors = errors(answer);
    for error in &errors {
        note.see(seen::ERROR_CODE, &error.code);
        note.see(seen::ERROR_MESSAGE, &error.message);
    }
    if errors.is_empty() && matches!(kind, BodyKind::Html | BodyKind::Text) {
        let text: String = String::from_utf8_lossy(&answer.body).chars().take(300).collect();
        note.see(seen::BODY, text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

/// The challenges of an answer, from all its `WWW-Authenticate` headers.
pub(crate) fn challenges(answer: &Answer) -> Vec<Challenge> {
    answer.all("www-authenticate").iter().flat_map(|value| challenge::parse(value)).take(16).collect()
}

fn see_challenge(challenge: &Challenge, note: &mut Note) {
    note.see(seen::CHALLENGE, &challenge.scheme);
    let parts = [
        ("realm", seen::CHALLENGE_REALM),
        ("service", seen::CHALLENGE_SERVICE),
        ("scope", seen::CHALLENGE_SCOPE),
        ("error", seen::CHALLENGE_ERROR),
    ];
    for (parameter, name) in parts {
        if let Some(value) = challenge.get(parameter) {
            let shown = url::Url::parse(value)
                .ok()
                .filter(|_| parameter == "realm")
                .map(|u| crate::origin::shown(&u));
            note.see(name, shown.unwrap_or_else(|| value.to_owned()));
        }
    }
}

fn see_limits(answer: &Answer, note: &mut Note) {
    let limits = [
        ("ratelimit-limit", seen::RATE_LIMIT),
        ("x-ratelimit-limit", seen::RATE_LIMIT),
        ("ratelimit-remaining", seen::RATE_REMAINING),
        ("x-ratelimit-remaining", seen::RATE_REMAINING),
        ("docker-ratelimit-source", seen::RATE_SOURCE),
        ("retry-after", seen::RETRY_AFTER),
    ];
    for (header, name) in limits {
        if let Some(value) = answer.header(header) {
            note.see(name, value);
        }
    }
}

/// Seconds by which the peer's clock is ahead of `now`, which is when the answer had come; `None` without a usable
/// `Date`. An `Age` means that a cache wrote the date.
pub(crate) fn clock_offset(answer: &Answer, now: Timestamp) -> Option<i64> {
    if answer.headers.contains_key("age") {
        return None;
    }
    let said = rfc2822::parse(&answer.header("date")?).ok()?.timestamp();
    // The date was written about half a round trip ago, and has whole seconds.
    let half = i64::try_from(answer.took.as_millis() / 2).unwrap_or(0);
    let ahead = said.as_millisecond() + 500 + half - now.as_millisecond();
    Some((ahead as f64 / 1000.0).round() as i64)
}

/// Where a redirect leads, without query values.
fn shown_location(location: &str) -> String {
    match url::Url::parse(location) {
        Ok(url) => crate::origin::shown(&url),
        Err(_) => location.split('?').next().unwrap_or_default().to_owned(),
    }
}
