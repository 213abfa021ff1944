//! The one question that changes something: the runtime is asked to pull, as the kubelet asks it. Never done unasked.

use super::messages::{AuthConfig, ImageSpec, PullImage, PullImageRequest};
use super::wire::{Connection, Trouble};
use super::{DEADLINE, IMAGE};
use formats::redact;
use report::node::{Pull, PullOutcome};
use secrecy::{ExposeSecret, SecretString};
use std::path::Path;
use std::time::{Duration, Instant};

/// What the runtime is to show the registry. Debugging shows no value.
#[derive(Clone, Debug)]
pub struct PullAuth {
    /// The user; empty for tokens.
    pub user: String,
    /// The password or token.
    pub secret: SecretString,
    /// Which of the two it is.
    pub kind: AuthKind,
}

/// What a secret is to a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthKind {
    /// A password.
    Password,
    /// A refresh token.
    IdentityToken,
    /// A token that the registry itself takes.
    RegistryToken,
}

impl PullAuth {
    fn message(&self) -> AuthConfig {
        let secret = self.secret.expose_secret().to_owned();
        let mut message = AuthConfig { username: self.user.clone(), ..AuthConfig::default() };
        match self.kind {
            AuthKind::Password => message.password = secret,
            AuthKind::IdentityToken => message.identity_token = secret,
            AuthKind::RegistryToken => message.registry_token = secret,
        }
        message
    }
}

/// Asks the runtime at this socket to pull, and waits no longer than this. When this ends early, so does the pull.
pub async fn pull(socket: &Path, image: &str, auth: Option<&PullAuth>, deadline: Duration) -> Pull {
    let begun = Instant::now();
    let answer = ask(socket, image, auth, deadline).await;
    let mut pull = Pull {
        image: image.to_owned(),
        user: auth.map(|a| a.user.clone()),
        took_ms: u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX),
        ..Pull::default()
    };
    match answer {
        Ok(done) => {
            pull.outcome = PullOutcome::Pulled;
            pull.image_ref = Some(done.image_ref);
        }
        Err(trouble) => {
            pull.outcome = match trouble {
                Trouble::Status(..) => PullOutcome::Failed,
                _ => PullOutcome::NotAsked,
            };
            if let Trouble::Silent(_) = trouble {
                pull.outcome = PullOutcome::NoAnswer;
            }
            let words = match trouble {
                Trouble::Status(_, words) => words,
                other => other.to_string(),
            };
            pull.error = Some(redact::owned(words));
        }
    }
    pull
}

async fn ask(
    socket: &Path,
    image: &str,
    auth: Option<&PullAuth>,
    deadline: Duration,
) -> Result<PullImage, Trouble> {
    let connection = Connection::open(socket, DEADLINE).await?.within(deadline);
    let question = PullImageRequest {
        image: Some(ImageSpec { image: image.to_owned() }),
        auth: auth.map(PullAuth::message),
    };
    connection.call(&format!("{IMAGE}/PullImage"), None, &question).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debugging_shows_no_password() {
        let auth =
            PullAuth { user: "joe".into(), secret: SecretString::from("canary"), kind: AuthKind::Password };
        let message = auth.message();
        assert_eq!((message.username.as_str(), message.password.as_str()), ("joe", "canary"));
        let question = PullImageRequest { image: None, auth: Some(message) };
        assert!(!format!("{auth:?} {question:?}").contains("canary"));
    }
}
