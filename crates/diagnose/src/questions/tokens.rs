//! Tokens that the registry does not accept, by its own log: for another audience, from another issuer, under another key.

use crate::case::Case;
use crate::lines::{Line, Source};
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::questions::clocks::is_beside;
use crate::subject::Subject;
use facts::{Place, Why};
use formats::reference::repository_of;
use formats::transcript::{command, line_time};
use report::Say;

/// What Distribution's log says of such a token (distribution registry/auth/token/token.go). What it says of a token's time
/// is a question of clocks.
const REFUSED: &[&str] = &[
    "token intended for another audience",
    "token from untrusted issuer",
    "token signed by untrusted key",
    "failed to verify token",
];

/// At most this many seconds lie between the two lines that a registry writes of one request.
const ONE_REQUEST: i64 = 2;

/// Whether a line is of the registry's log, saved or printed.
fn is_logged(case: &Case<'_>, line: &Line<'_>, pull: &Pull<'_>) -> bool {
    let of_log = match line.source {
        Source::Document(_) => line.place() == Some(Place::Registry),
        Source::Output(o) => command(&o.command).has("logs"),
        Source::File(..) => false,
    };
    of_log && case.is_of_registry(line, pull)
}

/// What is to be compared with the token: the registry's own name for itself.
fn service<'a>(case: &Case<'a>) -> Option<Line<'a>> {
    let is_set = |l: &&Line<'a>| {
        l.place() == Some(Place::Registry)
            && l.text.trim_start().strip_prefix("service:").is_some_and(|v| !v.trim().is_empty())
    };
    case.lines_with("service:").iter().find(is_set).copied()
}

fn refused(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let logged = |words: &&str| case.lines_with(words).iter().find(|l| is_logged(case, l, pull)).copied();
    let Some(line) = REFUSED.iter().find_map(logged) else { return Seen::Blind(Why::NotAsked) };
    let mut shown = vec![line.shows(Say::new("evidence-token-not-accepted"))];
    let own = service(case).filter(|_| line.text.contains("audience"));
    shown.extend(own.map(|l| l.shows(Say::new("evidence-registrys-service"))));
    Seen::Is(crate::question::Answer::Yes, shown)
}

/// Does the registry's log say that the token itself is not accepted?
pub static TOKEN_REFUSED: Question = Question { id: "ask-token-refused", ask: refused, test: None };

/// The same at the time of the failure, beside the registry's line on the request for this image.
fn refused_for_image(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let whole = repository_of(&pull.image);
    let path = format!("/v2/{}/", whole.split_once('/').map_or(whole.as_str(), |(_, path)| path));
    let requests = case.lines_with(&path);
    let of_image = |l: &&Line<'_>| {
        let at = line_time(l.text);
        requests
            .iter()
            .find(|r| {
                let same = at.zip(line_time(r.text));
                r.path() == l.path()
                    && r.text.contains("invalid token")
                    && same.is_some_and(|(a, b)| (a.as_second() - b.as_second()).abs() <= ONE_REQUEST)
            })
            .is_some()
    };
    let line = REFUSED.iter().find_map(|words| {
        let lines = case.lines_with(words);
        lines.iter().filter(|l| is_logged(case, l, pull) && is_beside(l, pull)).find(of_image).copied()
    });
    line.map_or(Seen::Blind(Why::NotAsked), |l| Seen::yes(l.shows(Say::new("evidence-token-not-accepted"))))
}

/// Does it say so of the request for this image?
pub static TOKEN_REFUSED_FOR_IMAGE: Question =
    Question { id: "ask-token-refused-for-image", ask: refused_for_image, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;
    use vocabulary::{Cause, Confidence};

    fn logged(place: Place, line: &str, uri: &str) -> Scene {
        let log = format!(
            "time=\"2026-11-30T10:04:59Z\" level=error msg=\"{line}\"\n\
             time=\"2026-11-30T10:04:59Z\" level=warning msg=\"error authorizing context: invalid token\" http.request.uri=\"{uri}\"\n"
        );
        Scene::pod("r.example.com/team/a:1", &[]).document(place, "registry/registry.log", &log)
    }

    #[test]
    fn a_registry_says_what_it_does_not_accept_of_a_token() {
        let uri = "/v2/team/a/manifests/1";
        for line in [
            "token intended for another audience: \\\"r.example.com\\\"",
            "token from untrusted issuer: \\\"other\\\"",
            "token signed by untrusted key with ID: \\\"ABCD\\\"",
        ] {
            let scene = logged(Place::Registry, line, uri);
            assert_eq!(scene.ask(&TOKEN_REFUSED, &Subject::Cluster), Some(Answer::Yes), "{line}");
            assert_eq!(scene.verdict(), (Cause::AuthTokenRejected, Confidence::Confirmed), "{line}");
        }
        let audience = "token intended for another audience";
        let other = logged(Place::Registry, audience, "/v2/team/b/manifests/1");
        assert_eq!(other.ask(&TOKEN_REFUSED_FOR_IMAGE, &Subject::Cluster), None, "of another repository");
        assert_eq!(other.verdict().1, Confidence::Likely);
        let time = logged(Place::Registry, "token not to be used before 2026-11-30", uri);
        assert_eq!(time.ask(&TOKEN_REFUSED, &Subject::Cluster), None, "a question of clocks");
        assert_eq!(
            logged(Place::Node, audience, uri).ask(&TOKEN_REFUSED, &Subject::Cluster),
            None,
            "not the registry's"
        );
    }
}
