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

#[cfg(test)]
mod tests {
    use super::*;

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
