//! A login that stands in containerd's own configuration.
//!
//! Follows `ParseAuth` (CRI image_pull.go), which has not changed between 1.6 and 2.4.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};

/// What is sent. Debugging shows no value.
#[derive(Clone, Debug)]
pub struct Login {
    /// The user; empty where the secret is an identity token.
    pub user: String,
    /// The password or token.
    pub secret: SecretString,
}

impl PartialEq for Login {
    fn eq(&self, other: &Self) -> bool {
        self.user == other.user && self.secret.expose_secret() == other.secret.expose_secret()
    }
}

impl Login {
    fn new(user: &str, secret: &str) -> Option<Self> {
        (!secret.is_empty()).then(|| Self { user: user.to_owned(), secret: SecretString::from(secret) })
    }
}

/// What the values of an `auth` table come to: the user's name goes before the token, and this before `auth`. `None` where
/// nothing is sent: a user without password, or an `auth` that does not decode.
pub fn of_table(user: &str, password: &str, token: &str, auth: &str) -> Option<Login> {
    if !user.is_empty() {
        return Login::new(user, password);
    }
    if !token.is_empty() {
        return Login::new("", token);
    }
    // What a collector hid is a login all the same.
    if auth == formats::redact::MARK {
        return Login::new("", auth);
    }
    // Go's decoder passes over line breaks, and asks for the padding.
    let bytes = STANDARD.decode(auth.replace(['\r', '\n'], "")).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (user, password) = text.split_once(':')?;
    Login::new(user, password.trim_matches('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_before_tokens_and_these_before_encoded_ones() {
        let sent = |user, password, token, auth| {
            of_table(user, password, token, auth).map(|l| (l.user, l.secret.expose_secret().to_owned()))
        };
        let joe = Some(("joe".to_owned(), "pw".to_owned()));
        assert_eq!(sent("joe", "pw", "t", "YW5uOng="), joe);
        assert_eq!(sent("", "", "t", "YW5uOng="), Some((String::new(), "t".to_owned())));
        assert_eq!(sent("", "pw", "", "am9lOnB3"), joe);
        assert_eq!(sent("", "", "", "am9l\nOnB3\n"), joe);
        for (user, auth) in [("joe", "am9lOnB3"), ("", "am9lOnB3="), ("", "am9l"), ("", "")] {
            assert_eq!(sent(user, "", "", auth), None, "{user} {auth}");
        }
        assert!(!format!("{:?}", of_table("joe", "canary", "", "")).contains("canary"));
    }
}
