//! The token service: logins become signed tokens, and the registry's reading of them.
//!
//! The claims are those of the distribution token specification: who, for which service, until when, for what.

use crate::Fault;
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

/// How long a token is valid, in seconds.
const LIFETIME: i64 = 300;
/// How far the token service's clock is ahead in [`Fault::ClockSkew`], in seconds.
pub(crate) const SKEW: i64 = 20 * 60;
/// The service's name in challenges and tokens.
pub(crate) const SERVICE: &str = "Example Registry";
const ISSUER: &str = "auth.example.com";

/// One thing that a token grants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Access {
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub actions: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: String,
    exp: i64,
    nbf: i64,
    iat: i64,
    access: Vec<Access>,
}

/// Why the registry does not take a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Not a token of this service, or outside of its time.
    Invalid,
    /// Sound, and not for this.
    Insufficient,
}

/// The keys of both sides.
pub(crate) struct Signer {
    signs: hmac::Key,
    verifies: hmac::Key,
}

impl Signer {
    /// One key for both, or two that do not belong together.
    pub(crate) fn new(fault: Fault, secret: &[u8; 32]) -> Self {
        let mut other = *secret;
        if fault == Fault::TokenUnknown {
            other.reverse();
        }
        Self {
            signs: hmac::Key::new(hmac::HMAC_SHA256, secret),
            verifies: hmac::Key::new(hmac::HMAC_SHA256, &other),
        }
    }

    /// A token for a user, `now` being the token service's clock.
    pub(crate) fn issue(&self, user: &str, access: Vec<Access>, now: i64) -> Option<String> {
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: user.to_owned(),
            aud: SERVICE.to_owned(),
            exp: now + LIFETIME,
            nbf: now,
            iat: now,
            access,
        };
        let encode = |json: Vec<u8>| URL_SAFE_NO_PAD.encode(json);
        let header = encode(br#"{"alg":"HS256","typ":"JWT"}"#.to_vec());
        let signed = format!("{header}.{}", encode(serde_json::to_vec(&claims).ok()?));
        let signature = URL_SAFE_NO_PAD.encode(hmac::sign(&self.signs, signed.as_bytes()));
        Some(format!("{signed}.{signature}"))
    }

    /// Whether a token allows a pull from a repository, `now` being the registry's clock. `None` as repository asks for
    /// nothing but a sound token.
    pub(crate) fn check(&self, token: &str, repository: Option<&str>, now: i64) -> Result<(), Refusal> {
        let claims = self
            .read(token)
            .filter(|claims| claims.nbf <= now && now < claims.exp)
            .ok_or(Refusal::Invalid)?;
        let Some(repository) = repository else { return Ok(()) };
        let allows = |access: &Access| {
            access.kind == "repository"
                && access.name == repository
                && access.actions.iter().any(|a| a == "pull")
        };
        if claims.access.iter().any(allows) { Ok(()) } else { Err(Refusal::Insufficient) }
    }

    fn read(&self, token: &str) -> Option<Claims> {
        let (signed, signature) = token.rsplit_once('.')?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        hmac::verify(&self.verifies, signed.as_bytes(), &signature).ok()?;
        let (_, claims) = signed.split_once('.')?;
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
    }
}

/// What a scope like `repository:team/app:pull,push` asks for.
pub(crate) fn asked(scope: &str) -> Option<Access> {
    let (kind, rest) = scope.split_once(':')?;
    let (name, actions) = rest.rsplit_once(':')?;
    Some(Access {
        kind: kind.to_owned(),
        name: name.to_owned(),
        actions: actions.split(',').map(str::to_owned).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pull() -> Vec<Access> {
        asked("repository:team/app:pull").into_iter().collect()
    }

    #[test]
    fn a_token_holds_for_what_it_grants_while_it_is_valid() {
        let signer = Signer::new(Fault::None, &[7; 32]);
        let token = signer.issue("demo", pull(), 1000).unwrap();
        assert_eq!(signer.check(&token, Some("team/app"), 1000), Ok(()));
        assert_eq!(signer.check(&token, Some("team/other"), 1000), Err(Refusal::Insufficient));
        assert_eq!(signer.check(&token, None, 999), Err(Refusal::Invalid));
        assert_eq!(signer.check(&token, None, 1000 + LIFETIME), Err(Refusal::Invalid));
        assert_eq!(signer.check("a.b.c", None, 1000), Err(Refusal::Invalid));
    }

    #[test]
    fn keys_that_do_not_belong_together_refuse_everything() {
        let mut secret = [0; 32];
        secret[0] = 1;
        let signer = Signer::new(Fault::TokenUnknown, &secret);
        let token = signer.issue("demo", pull(), 1000).unwrap();
        assert_eq!(signer.check(&token, Some("team/app"), 1000), Err(Refusal::Invalid));
    }
}
