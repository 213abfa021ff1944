//! Credentials: where they come from, which one a client would send to a registry, and what goes over the wire.
//!
//! Values live in `SecretString` from the moment they are read, show nowhere, and never reach a Snapshot.

mod docker_file;
mod helper;
mod sources;

pub use sources::{CredentialError, Credentials, Rule};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::{ExposeSecret, SecretString};

/// One credential for one registry.
#[derive(Clone, Debug)]
pub struct Credential {
    /// The user name; empty for tokens.
    pub user: String,
    /// Password or token.
    pub secret: SecretString,
    /// What the secret is.
    pub kind: Kind,
    /// Where it was found.
    pub found: Found,
}

/// What a credential's secret is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A password, for Basic.
    Password,
    /// A refresh token, which the token service changes into a token.
    IdentityToken,
    /// A token that the registry itself takes.
    RegistryToken,
}

impl Kind {
    /// The word used in facts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::IdentityToken => "identity-token",
            Self::RegistryToken => "registry-token",
        }
    }
}

/// Where a credential was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// `standard input`, a file's path, `helper docker-credential-pass`.
    pub source: String,
    /// The entry's key, verbatim.
    pub key: String,
}

/// What is sent with a request.
#[derive(Clone, Debug)]
pub(crate) enum Authorization {
    Basic { user: String, secret: SecretString },
    Bearer(SecretString),
}

impl Authorization {
    pub(crate) fn scheme(&self) -> &'static str {
        match self {
            Self::Basic { .. } => "basic",
            Self::Bearer(_) => "bearer",
        }
    }

    /// The header's value.
    pub(crate) fn value(&self) -> SecretString {
        match self {
            Self::Basic { user, secret } => basic(user, secret),
            Self::Bearer(token) => SecretString::from(format!("Bearer {}", token.expose_secret())),
        }
    }
}

/// The value of a Basic header.
pub(crate) fn basic(user: &str, secret: &SecretString) -> SecretString {
    SecretString::from(format!("Basic {}", STANDARD.encode(format!("{user}:{}", secret.expose_secret()))))
}
