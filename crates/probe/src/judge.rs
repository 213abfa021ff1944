//! What an answer that is no success shows, by what was asked for.
//!
//! A status with a meaning of its own wins over the form of the body, a sentence in the body wins over both, and a body
//! that is not the registry API's is said to be that. Sources: the distribution specification, and what products
//! answer.

use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::Answer;
use formats::api_error::{self, ApiError, BodyKind};
use vocabulary::{Cause, Stage};

/// What a request was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// `/v2/`.
    Api,
    /// A manifest.
    Manifest,
    /// A configuration or layer.
    Blob,
    /// A token.
    Token,
}

/// The trouble that an answer is, on the rung where it came.
pub(crate) fn status(answer: &Answer, about: About, stage: Stage) -> Trouble {
    let errors = sight::errors(answer);
    let symptom = symptom(answer, &errors, about);
    let mut words = format!(
        "unexpected status from {} request to {}: {}",
        answer.method,
        answer.url,
        answer.status_line()
    );
    if let Some(error) = errors.first().filter(|e| !e.message.is_empty()) {
        words.push_str(&format!("\n{}", error.message));
    }
    Trouble::new(stage, symptom, words)
}

fn symptom(answer: &Answer, errors: &[ApiError], about: About) -> Cause {
    if let Some(cause) = said(answer, errors) {
        return cause;
    }
    match answer.status {
        429 => Cause::RateLimited,
        407 => Cause::ProxyAuthRequired,
        413 => Cause::RegistryBodyLimit,
        _ if about == About::Token => token(answer),
        502..=504 => Cause::RegistryUnavailable,
        500..=599 => Cause::RegistryServerError,
        401 => Cause::AuthUnauthorized,
        403 if is_foreign(answer) => Cause::AuthzBlockedByGateway,
        403 => Cause::AuthzDenied,
        404 => missing(answer, errors, about),
        412 if !errors.is_empty() => Cause::ManifestBlocked,
        300..=399 => Cause::RegistryBadResponse,
        _ if is_foreign(answer) => Cause::RegistryBadResponse,
        _ => Cause::RegistryUnexpectedStatus,
    }
}

/// Sentences that say more than the status.
fn said(answer: &Answer, errors: &[ApiError]) -> Option<Cause> {
    let body = String::from_utf8_lossy(&answer.body).to_lowercase();
    let both = |a: &str, b: &str| body.contains(a) && body.contains(b);
    if answer.status == 400 && both("http request", "https") {
        return Some(Cause::TlsHttpsRequired);
    }
    if answer.status == 400 && both("ssl certificate", "required") {
        return Some(Cause::TlsClientCertRequired);
    }
    if answer.headers.contains_key("x-squid-error") {
        return Some(if answer.status >= 500 { Cause::ProxyUpstreamFailed } else { Cause::ProxyRejected })
            .filter(|_| answer.status != 407);
    }
    if errors.iter().any(|e| e.code.starts_with("TOOMANYREQUEST") || e.code.starts_with("TOO_MANY_REQUEST")) {
        return Some(Cause::RateLimited);
    }
    let names_an_address = |e: &ApiError| {
        let text = e.message.to_lowercase();
        text.split(|c: char| !(c.is_ascii_hexdigit() || c == '.' || c == ':'))
            .any(|word| word.parse::<std::net::IpAddr>().is_ok())
            && ["not allowed", "blocked", "denied", "firewall"].iter().any(|w| text.contains(w))
    };
    (answer.status == 403 && errors.iter().any(names_an_address)).then_some(Cause::AuthzIpBlocked)
}

fn token(answer: &Answer) -> Cause {
    match answer.status {
        401 => Cause::AuthUnauthorized,
        403 if is_foreign(answer) => Cause::AuthzBlockedByGateway,
        403 => Cause::AuthzDenied,
        _ => Cause::AuthTokenRejected,
    }
}

fn missing(answer: &Answer, errors: &[ApiError], about: About) -> Cause {
    if errors.iter().any(|e| e.code == "NAME_UNKNOWN") {
        return Cause::RepositoryUnknown;
    }
    match about {
        About::Api => Cause::RegistryNotARegistry,
        About::Manifest | About::Blob
            if errors.is_empty() && api_error::kind(&answer.body) == BodyKind::Html =>
        {
            Cause::RegistryBadResponse
        }
        About::Manifest => Cause::ManifestUnknown,
        About::Blob => Cause::BlobUnknown,
        About::Token => Cause::AuthTokenRejected,
    }
}

/// Whether a body is there that is not the registry API's: a page, or a text without the API's header.
pub(crate) fn is_foreign(answer: &Answer) -> bool {
    match api_error::kind(&answer.body) {
        BodyKind::Html => true,
        // What begins as JSON and does not end as such is a broken answer, not a foreign one.
        BodyKind::Text if answer.body.trim_ascii_start().starts_with(b"{") => false,
        BodyKind::Text => !answer.headers.contains_key("docker-distribution-api-version"),
        BodyKind::Empty | BodyKind::Json => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::conversation::End;
    use http::{HeaderMap, Method};
    use std::time::Duration;

    fn answer(status: u16, body: &str) -> Answer {
        Answer {
            method: Method::GET,
            url: "https://registry.example.com/v2/".to_owned(),
            status,
            reason: String::new(),
            headers: HeaderMap::new(),
            body: body.as_bytes().to_vec(),
            end: End::Whole,
            sent: "none",
            took: Duration::ZERO,
        }
    }

    #[test]
    fn answers_are_told_apart() {
        let api = |code: &str, message: &str| {
            format!(r#"{{"errors":[{{"code":"{code}","message":"{message}"}}]}}"#)
        };
        for (status_code, body, about, cause) in [
            (404, api("MANIFEST_UNKNOWN", "manifest unknown"), About::Manifest, Cause::ManifestUnknown),
            (
                404,
                api("NAME_UNKNOWN", "repository name not known"),
                About::Manifest,
                Cause::RepositoryUnknown,
            ),
            (404, "<html>".to_owned(), About::Manifest, Cause::RegistryBadResponse),
            (404, String::new(), About::Api, Cause::RegistryNotARegistry),
            (404, api("BLOB_UNKNOWN", "blob unknown"), About::Blob, Cause::BlobUnknown),
            (403, "<html>blocked by policy".to_owned(), About::Manifest, Cause::AuthzBlockedByGateway),
            (403, api("DENIED", "requested access is denied"), About::Manifest, Cause::AuthzDenied),
            (
                403,
                api("DENIED", "client with IP '192.0.2.7' is not allowed access"),
                About::Api,
                Cause::AuthzIpBlocked,
            ),
            (
                412,
                api("PROJECTPOLICYVIOLATION", "current image with vulnerabilities"),
                About::Manifest,
                Cause::ManifestBlocked,
            ),
            (
                400,
                "Client sent an HTTP request to an HTTPS server.\n".to_owned(),
                About::Api,
                Cause::TlsHttpsRequired,
            ),
            (
                400,
                "<center>No required SSL certificate was sent</center>".to_owned(),
                About::Api,
                Cause::TlsClientCertRequired,
            ),
            (429, String::new(), About::Token, Cause::RateLimited),
            (503, "<html>".to_owned(), About::Token, Cause::AuthTokenRejected),
            (500, String::new(), About::Token, Cause::AuthTokenRejected),
            (500, String::new(), About::Manifest, Cause::RegistryServerError),
            (405, String::new(), About::Manifest, Cause::RegistryUnexpectedStatus),
        ] {
            assert_eq!(
                status(&answer(status_code, &body), about, Stage::Http).symptom,
                cause,
                "{status_code} {body}"
            );
        }
    }
}
