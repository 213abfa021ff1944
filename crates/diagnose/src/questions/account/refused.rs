//! Whether the account that the pull used was refused elsewhere too, by the same name: then the password is wrong, or
//! the account is.

use super::entry_in_use;
use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Question, Seen, Test};
use crate::questions::hosts::same_host;
use crate::requests::Request;
use crate::subject::Subject;
use facts::{CommandOutput, Place, Why};
use formats::transcript;
use report::{Evidence, Say};
use vocabulary::Phase;

/// Clients that log in.
const CLIENTS: &[&str] =
    &["docker", "podman", "nerdctl", "buildah", "skopeo", "helm", "oras", "crane", "regctl"];

/// Whether a command names the user: as a word of its own, or before the colon of `-u`.
fn names_user(command: &str, user: &str) -> bool {
    command
        .split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '='))
        .any(|w| w == user || w.strip_prefix(user).is_some_and(|rest| rest.starts_with(':')))
}

fn login_refused(o: &CommandOutput, user: &str, registry: &str) -> bool {
    let command = transcript::command(&o.command);
    let text = o.text.to_ascii_lowercase();
    CLIENTS.contains(&command.program)
        && command.has("login")
        && command.arguments.iter().any(|a| same_host(a, registry))
        && names_user(&o.command, user)
        && (text.contains("unauthorized") || text.contains("incorrect username or password"))
}

/// A request with this user that was refused where the repository plays no part, or that another password passed.
fn request_refused<'r>(all: &'r [Request<'r>], user: &str, pull: &Pull<'_>) -> Option<&'r Request<'r>> {
    // The token service that the pull itself asked judges the account as the registry would.
    let asked = |host: &str| {
        let of_token = pull.observations.iter().filter(|o| o.reading.phase == Some(Phase::Token));
        of_token.filter_map(|o| o.reading.endpoint_host.as_deref()).any(|token| same_host(token, host))
    };
    let own = |r: &&Request<'_>| {
        (same_host(r.curl.host(), &pull.registry) || asked(r.curl.host()))
            && r.curl.with_credential
            && !r.curl.with_token
            && names_user(&r.output.command, user)
    };
    all.iter().filter(own).find(|r| {
        let path = r.curl.path().split('?').next().unwrap_or_default();
        let of_account = path == "/v2/" || path == "/v2" || path.contains("token") || path.contains("auth");
        let other_passes =
            || all.iter().filter(own).any(|o| o.curl.url == r.curl.url && o.curl.status() == Some(200));
        let refused = match r.curl.status() {
            Some(status) => status == 401,
            // A body alone: what Docker Hub's token service says of a password.
            None => r.curl.body.to_ascii_lowercase().contains("incorrect username or password"),
        };
        refused && (of_account || other_passes())
    })
}

fn refused(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let entry = entry_in_use(case, pull, subject).and_then(|(_, e)| e.user.clone());
    let Some(user) = entry.filter(|u| u.len() > 2) else { return Seen::Blind(Why::NotAsked) };
    let says = || Say::new("evidence-account-refused").with("user", &*user);
    let login = case.snapshot.outputs.iter().find(|o| login_refused(o, &user, &pull.registry));
    if let Some(o) = login {
        return Seen::yes(Evidence {
            at: output_at(o, o.origin.line),
            says: says(),
            quote: o.text.trim().chars().take(200).collect(),
        });
    }
    if let Some(request) = request_refused(case.requests(), &user, pull) {
        return Seen::yes(request.shows(says()));
    }
    // Harbor's core says whom it could not authenticate (src/server/middleware/security, 2.x).
    let lines = case.lines_with(&user);
    let told = lines.iter().find(|l| {
        l.place() == Some(Place::Registry) && l.text.to_ascii_lowercase().contains("failed to authenticate")
    });
    told.map_or(Seen::Blind(Why::NotAsked), |line| Seen::yes(line.shows(says())))
}

/// Was the same account refused by hand, or in the registry's own log?
pub static ACCOUNT_REFUSED: Question = Question {
    id: "ask-account-refused",
    ask: refused,
    test: Some(Test {
        cost: 3,
        vantage: "kubectl",
        command: |_, pull, _| format!("pullproof creds {} -n {} --check", pull.image, pull.namespace),
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::{Scene, secret};
    use vocabulary::{Cause, Confidence};

    fn scene() -> Scene {
        Scene::pod("h.example.com/team/app:1", &["regcred"])
            .secret(secret("shop", "regcred", "h.example.com"))
            .words("failed to authorize: failed to fetch oauth token: 401 Unauthorized")
    }

    fn ask(scene: &Scene) -> Option<Answer> {
        scene.ask(&ACCOUNT_REFUSED, &Subject::Secret { namespace: "shop".into(), name: "regcred".into() })
    }

    #[test]
    fn the_same_account_is_refused_by_hand() {
        let token = "curl -sS -o /dev/null -w %{http_code} -u puller:*** https://h.example.com/service/token";
        assert_eq!(scene().output(token, "401\n").verdict(), (Cause::AuthBadCredentials, Confidence::Likely));
        assert_eq!(ask(&scene().output(token, "200\n")), None);
        assert_eq!(ask(&scene().output(&token.replace("puller", "other"), "401\n")), None);
        let manifest = "curl -sS -o /dev/null -w %{http_code} -u puller:*** https://h.example.com/v2/team/app/manifests/1";
        assert_eq!(ask(&scene().output(manifest, "401\n")), None, "the repository may be what is missing");
        let two = scene().output(manifest, "401\n").output(manifest, "200\n");
        assert_eq!(ask(&two), Some(Answer::Yes));
    }

    #[test]
    fn the_token_service_that_was_asked_judges_the_account() {
        let words = "failed to authorize: failed to fetch oauth token: unexpected status from POST request to https://auth.example.net/token: 401 Unauthorized";
        let asked = |host: &str, text: &str| {
            let command =
                format!("curl -sS -u puller:*** https://{host}/token?scope=repository:team/app:pull");
            ask(&scene().stating(words).output(&command, text))
        };
        let wrong = r#"{"details":"incorrect username or password"}"#;
        assert_eq!(asked("auth.example.net", wrong), Some(Answer::Yes));
        assert_eq!(asked("auth.example.net", r#"{"token":"x"}"#), None);
        assert_eq!(asked("auth.example.org", wrong), None, "another registry's");
    }

    #[test]
    fn logins_and_the_registrys_log_count() {
        let login = |user: &str, host: &str| {
            ask(&scene().output(
                &format!("docker login {host} -u '{user}' -p ***"),
                "Error response from daemon: Get \"https://h.example.com/v2/\": unauthorized: authentication required",
            ))
        };
        assert_eq!(login("puller", "h.example.com"), Some(Answer::Yes));
        assert_eq!(login("puller", "other.example.com"), None);
        assert_eq!(login("pull", "h.example.com"), None);
        let logged = |place| {
            ask(&scene().document(
                place,
                "x/core.log",
                "[ERROR] failed to authenticate robot account: puller",
            ))
        };
        assert_eq!(logged(Place::Registry), Some(Answer::Yes));
        assert_eq!(logged(Place::Kube), None);
    }
}
