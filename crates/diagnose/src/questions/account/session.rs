//! Command-line secrets of OpenID Connect users: good only while the user's session can be renewed.

use super::entry_in_use;
use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::Say;

/// Words of an ended session. Sources: RFC 6749 section 5.2; goharbor/harbor src/server/middleware/security/oidc_cli.go.
const ENDED: &[&str] = &[
    "invalid_grant",
    "failed to refresh token",
    "session not found",
    "session not active",
    "session has expired",
    "refresh token expired",
    "refresh token is invalid",
    "token has been expired or revoked",
];

/// Words that lines about such sessions have.
const ABOUT: &[&str] = &["oidc", "OIDC", "oauth2", "invalid_grant", "refresh token"];

fn lines<'a>(case: &Case<'a>) -> Vec<Line<'a>> {
    let mut all: Vec<Line<'a>> =
        ABOUT.iter().flat_map(|word| case.lines_with(word).iter().copied().collect::<Vec<_>>()).collect();
    all.retain(|l| {
        let lower = l.text.to_ascii_lowercase();
        ENDED.iter().any(|w| lower.contains(w))
    });
    all
}

fn ended(case: &Case<'_>, _: &Pull<'_>, _: &Subject) -> Seen {
    match lines(case).first() {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-session-ended"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

fn of_user(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some(user) = entry_in_use(case, pull, subject).and_then(|(_, e)| e.user.as_deref()) else {
        return Seen::Blind(Why::NotAsked);
    };
    let names = |l: &&Line<'_>| {
        l.text.split(|c: char| c.is_whitespace() || ",:;\"'()[]".contains(c)).any(|word| word == user)
    };
    match lines(case).iter().find(names) {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-session-ended-of").with("user", user))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry say that a user's session cannot be renewed?
pub static SESSION_ENDED: Question = Question { id: "ask-session-ended", ask: ended, test: None };

/// Is it the session of the secret's user?
pub static SESSION_OF_USER: Question = Question { id: "ask-session-of-user", ask: of_user, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::{Scene, secret};

    #[test]
    fn the_registrys_log_says_whose_session_ended() {
        let scene = |line: &str| {
            Scene::pod("harbor.example.com/shop/web:1", &["regcred"])
                .secret(secret("shop", "regcred", "harbor.example.com"))
                .document(facts::Place::Registry, "registry/core.log", line)
        };
        let about = Subject::Secret { namespace: "shop".into(), name: "regcred".into() };
        let own = scene(
            "[oidc_cli.go:68]: failed to verify secret, username: puller, error: failed to refresh token, oauth2: \"invalid_grant\"",
        );
        assert_eq!(own.ask(&SESSION_ENDED, &about), Some(Answer::Yes));
        assert_eq!(own.ask(&SESSION_OF_USER, &about), Some(Answer::Yes));
        let other = scene(
            "[oidc_cli.go:68]: failed to verify secret, username: jroe, error: oauth2: \"invalid_grant\"",
        );
        assert_eq!(other.ask(&SESSION_ENDED, &about), Some(Answer::Yes));
        assert_eq!(other.ask(&SESSION_OF_USER, &about), None);
        assert_eq!(scene("oidc login succeeded for puller").ask(&SESSION_ENDED, &about), None);
    }
}
