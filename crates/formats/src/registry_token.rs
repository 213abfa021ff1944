//! A token service's answer, and the claims of its token where that is a JWT. Nothing is verified: the signature is the
//! registry's business, the claims are evidence.
//!
//! Follows the Distribution project's token and JWT documents (`docs/content/spec/auth`).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde_json::Value;

/// What a token says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// `iss`.
    pub issuer: String,
    /// `sub`.
    pub subject: String,
    /// `aud`, all of them.
    pub audience: Vec<String>,
    /// `exp`.
    pub expires: Option<Timestamp>,
    /// `nbf`.
    pub not_before: Option<Timestamp>,
    /// `iat`.
    pub issued: Option<Timestamp>,
    /// `access`: what it grants; `None` where the claim is missing.
    pub access: Option<Vec<Access>>,
}

/// One entry of `access`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// `repository`.
    pub kind: String,
    /// `team/app`.
    pub name: String,
    /// `pull`, `push`, `*`.
    pub actions: Vec<String>,
}

impl Access {
    /// Whether it allows this action on this resource.
    pub fn allows(&self, kind: &str, name: &str, action: &str) -> bool {
        self.kind == kind && self.name == name && self.actions.iter().any(|a| a == action || a == "*")
    }
}

/// The most entries read from any list of the claims.
const MOST: usize = 64;

/// The claims of a token; `None` where it is no JWT.
pub fn claims(token: &str) -> Option<Claims> {
    let mut parts = token.split('.');
    let (_, payload, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let bytes = URL_SAFE_NO_PAD.decode(payload.trim_end_matches('=')).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    let claims = value.as_object()?;
    let text = |name: &str| claims.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let time = |name: &str| claims.get(name).and_then(seconds);
    Some(Claims {
        issuer: text("iss"),
        subject: text("sub"),
        audience: claims.get("aud").map(texts).unwrap_or_default(),
        expires: time("exp"),
        not_before: time("nbf"),
        issued: time("iat"),
        access: claims
            .get("access")
            .and_then(Value::as_array)
            .map(|list| list.iter().take(MOST).map(access).collect()),
    })
}

fn seconds(value: &Value) -> Option<Timestamp> {
    let whole = value.as_i64().or_else(|| value.as_f64().filter(|f| f.abs() < 1e12).map(|f| f as i64))?;
    Timestamp::from_second(whole).ok()
}

fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(one) => vec![one.clone()],
        Value::Array(list) => list.iter().filter_map(Value::as_str).take(MOST).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn access(value: &Value) -> Access {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    Access {
        kind: text("type"),
        name: text("name"),
        actions: value.get("actions").map(texts).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token(payload: &str) -> String {
        format!("{}.{}.c2ln", URL_SAFE_NO_PAD.encode("{}"), URL_SAFE_NO_PAD.encode(payload))
    }

    #[test]
    fn reads_the_claims() {
        let read = claims(&token(
            r#"{"iss":"auth.example.com","sub":"ci","aud":"registry.example.com","exp":1767225600,"nbf":1767225300,"iat":1767225300,"access":[{"type":"repository","name":"team/app","actions":["pull"]}]}"#,
        ))
        .unwrap();
        assert_eq!(read.audience, ["registry.example.com"]);
        assert_eq!(read.expires, Some("2026-01-01T00:00:00Z".parse().unwrap()));
        let access = read.access.unwrap();
        assert!(access[0].allows("repository", "team/app", "pull"));
        assert!(!access[0].allows("repository", "team/app", "push"));
        assert!(!access[0].allows("repository", "team/other", "pull"));
    }

    #[test]
    fn an_empty_list_is_not_a_missing_one() {
        assert_eq!(claims(&token(r#"{"access":[]}"#)).unwrap().access, Some(Vec::new()));
        assert_eq!(claims(&token(r#"{"access":null}"#)).unwrap().access, None);
    }

    #[test]
    fn opaque_tokens_have_no_claims() {
        for opaque in ["", "v1.abc", "a.b.c", "djE6dGVhbQ==", "a.b.c.d", &token("[]")] {
            assert_eq!(claims(opaque), None, "{opaque}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,200}", payload in ".{0,200}") {
            claims(&text);
            claims(&token(&payload));
        }
    }
}
