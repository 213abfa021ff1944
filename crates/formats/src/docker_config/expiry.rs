//! When a password that is a token ends, where it says so itself.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use serde_json::Value;

/// The expiry of a JSON web token (`exp`) or of an ECR token (`expiration`).
pub(super) fn of(password: &[u8]) -> Option<Timestamp> {
    let text = std::str::from_utf8(password).ok()?.trim();
    let (seconds, member) = match text.split('.').collect::<Vec<_>>().as_slice() {
        [_, claims, _] => (URL_SAFE_NO_PAD.decode(claims).ok()?, "exp"),
        _ => (STANDARD.decode(text).ok()?, "expiration"),
    };
    let value: Value = serde_json::from_slice(&seconds).ok()?;
    Timestamp::from_second(value.get(member)?.as_f64()? as i64).ok()
}

/// How tokens of CI jobs begin, which end with their job, and the hours that a job has by default.
/// Sources: docs.github.com "GITHUB_TOKEN" and usage limits of hosted runners; docs.gitlab.com "CI/CD job token" and job timeout.
const OF_JOBS: &[(&[u8], u8)] = &[(b"ghs_", 6), (b"glcbt-", 1)];

/// The hours that a token of this form lives by default; `None` for a form that nobody knows.
pub(super) fn hours_of_form(password: &[u8]) -> Option<u8> {
    OF_JOBS.iter().find(|(begins, _)| password.starts_with(begins)).map(|(_, hours)| *hours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_jobs_are_known_by_their_beginning() {
        assert_eq!(hours_of_form(b"ghs_16C7e42F292c6912E7710c838347Ae178B4a"), Some(6));
        assert_eq!(hours_of_form(b"glcbt-64_x"), Some(1));
        for lasting in [&b"ghp_16C7e42F292c6912E7710c838347Ae178B4a"[..], b"glpat-x", b"", b"my-ghs_"] {
            assert_eq!(hours_of_form(lasting), None);
        }
    }

    #[test]
    fn tokens_say_when_they_end() {
        let jwt = format!("x.{}.y", URL_SAFE_NO_PAD.encode(r#"{"sub":"a","exp":1700000000}"#));
        let ecr = STANDARD.encode(r#"{"payload":"p","type":"DATA_KEY","expiration":1700000000}"#);
        for token in [jwt, ecr] {
            assert_eq!(of(token.as_bytes()).map(Timestamp::as_second), Some(1_700_000_000), "{token}");
        }
        for other in ["", "s3cret", "a.b.c", "dTpw"] {
            assert_eq!(of(other.as_bytes()), None, "{other}");
        }
    }
}
