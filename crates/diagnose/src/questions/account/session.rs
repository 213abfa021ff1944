//! Command-line secrets of OpenID Connect users: good only while the user's session can be renewed.

use super::entry_in_use;
use super::lifetime::failed_at;
use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use formats::transcript::line_time;
use jiff::SignedDuration;
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

/// A session that ended longer ago than a day before the failure has been another's since, or was renewed.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

/// Whether a line is of the time of the failure; `None` where either has no time.
fn lately(case: &Case<'_>, pull: &Pull<'_>, line: &Line<'_>) -> Option<bool> {
    let failed = failed_at(case, pull)?;
    Some(failed.duration_since(line_time(line.text)?).abs() <= LATELY)
}

fn lines<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Vec<Line<'a>> {
    let mut all: Vec<Line<'a>> =
        ABOUT.iter().flat_map(|word| case.lines_with(word).iter().copied().collect::<Vec<_>>()).collect();
    all.retain(|l| {
        let lower = l.text.to_ascii_lowercase();
        ENDED.iter().any(|w| lower.contains(w))
            && lately(case, pull, l) != Some(false)
            && case.is_of_registry(l, pull)
    });
    all
}

fn ended(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    match lines(case, pull).first() {
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
    // Without a time of its own a line may be of any year: it hints at a session and settles nothing.
    let now = |l: &&Line<'_>| lately(case, pull, l) == Some(true);
    match lines(case, pull).iter().filter(now).find(names) {
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
            "2026-11-30T10:04:00Z [oidc_cli.go:68]: failed to verify secret, username: puller, error: failed to refresh token, oauth2: \"invalid_grant\"",
        );
        assert_eq!(own.ask(&SESSION_ENDED, &about), Some(Answer::Yes));
        assert_eq!(own.ask(&SESSION_OF_USER, &about), Some(Answer::Yes));
        let old = scene(
            "2024-11-30T10:04:00Z [oidc_cli.go:68]: failed to refresh token for user puller: invalid_grant",
        );
        assert_eq!(old.ask(&SESSION_ENDED, &about), None, "it was two years ago");
        let timeless = scene("[oidc_cli.go:68]: failed to refresh token for user puller: invalid_grant");
        assert_eq!(timeless.ask(&SESSION_ENDED, &about), Some(Answer::Yes));
        assert_eq!(timeless.ask(&SESSION_OF_USER, &about), None);
        let other = scene(
            "[oidc_cli.go:68]: failed to verify secret, username: jroe, error: oauth2: \"invalid_grant\"",
        );
        assert_eq!(other.ask(&SESSION_ENDED, &about), Some(Answer::Yes));
        assert_eq!(other.ask(&SESSION_OF_USER, &about), None);
        assert_eq!(scene("oidc login succeeded for puller").ask(&SESSION_ENDED, &about), None);
    }
}
