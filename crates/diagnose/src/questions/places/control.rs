//! A control image by hand: the same account gets another image of the same project, and not this one.

use crate::case::Case;
use crate::pull::Pull;
use crate::requests::Request;
use formats::reference::repository_of;
use report::{Evidence, Say};

/// The repository that a request of the registry's API is about.
fn repository<'r>(request: &'r Request<'_>) -> Option<&'r str> {
    let rest = request.curl.path().strip_prefix("/v2/")?;
    rest.split_once("/manifests/").or_else(|| rest.split_once("/tags/")).map(|(name, _)| name)
}

/// The user of `-u USER:...`, wherever in the line it stands.
fn user(command: &str) -> Option<&str> {
    let (_, rest) = command.split_once("-u ")?;
    rest.trim_start_matches(['\'', '"']).split([':', ' ', '\'', '"']).next().filter(|u| !u.is_empty())
}

/// By whom a repository was asked for: with a password directly, with a token by whoever fetched one for it.
fn account<'r>(case: &'r Case<'_>, request: &'r Request<'_>, name: &str) -> Option<&'r str> {
    if !request.curl.with_token {
        return user(&request.output.command);
    }
    let scope = format!("repository:{name}:");
    case.snapshot.outputs.iter().map(|o| o.command.as_str()).find(|c| c.contains(&scope)).and_then(user)
}

/// The refusal and the control.
pub fn by_hand(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let whole = repository_of(&pull.image);
    let (_, path) = whole.split_once('/')?;
    let (project, _) = path.rsplit_once('/')?;
    let of_registry = || case.requests().iter().filter(|r| r.curl.host() == pull.registry);
    let is_refused = |r: &Request<'_>| {
        matches!(r.curl.status(), Some(401 | 403))
            || r.curl.status().is_none()
                && r.curl.api_errors().iter().any(|e| matches!(e.code.as_str(), "UNAUTHORIZED" | "DENIED"))
    };
    // Somebody who is let in nowhere shows nothing: one success for this repository ends it.
    if of_registry().any(|r| repository(r) == Some(path) && r.curl.status() == Some(200)) {
        return None;
    }
    let refused =
        of_registry().find(|r| repository(r) == Some(path) && r.curl.with_credential && is_refused(r))?;
    let by = account(case, refused, path)?;
    let control = of_registry().find(|r| {
        repository(r).is_some_and(|name| {
            name != path
                && name.rsplit_once('/').is_some_and(|(p, _)| p == project)
                && account(case, r, name) == Some(by)
        }) && r.curl.with_credential
            && r.curl.status() == Some(200)
    })?;
    let image = format!("{}/{}", pull.registry, repository(control).unwrap_or_default());
    Some(vec![
        refused.shows(Say::new("evidence-refused-here").with("image", &*pull.image)),
        control.shows(Say::new("evidence-control-passes").with("image", image)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    fn request(user: &str, name: &str, answer: &str) -> (String, String) {
        let url = format!("https://r.example.com/v2/{name}/manifests/1");
        (format!("curl -sS -o /dev/null -w %{{http_code}} -u {user}:*** {url}"), format!("{answer}\n"))
    }

    fn found(requests: &[(String, String)]) -> bool {
        let scene = requests
            .iter()
            .fold(Scene::pod("r.example.com/team/apii:1", &[]), |s, (command, text)| s.output(command, text));
        by_hand(&Case::new(&scene.snapshot), &scene.pull()).is_some()
    }

    #[test]
    fn a_sibling_for_the_same_account_is_a_control() {
        let own = request("joe", "team/apii", "401");
        assert!(found(&[own.clone(), request("joe", "team/api", "200")]));
        assert!(!found(&[own.clone(), request("ann", "team/api", "200")]), "another account");
        assert!(!found(&[own.clone(), request("joe", "other/api", "200")]), "another project");
        assert!(!found(&[own.clone(), request("joe", "team/api", "401")]), "refused as well");
        let passes = request("joe", "team/apii", "200");
        assert!(!found(&[own, passes, request("joe", "team/api", "200")]));
    }

    #[test]
    fn tokens_belong_to_whoever_fetched_them() {
        let with = |second: &str| {
            let token = |user: &str, name: &str| {
                (
                    format!(
                        "T=$(curl -sS -u {user}:*** \"https://a.example.com/auth?scope=repository:{name}:pull\" | jq -r .token)"
                    ),
                    String::new(),
                )
            };
            let bearer = |name: &str, answer: &str| {
                let url = format!("https://r.example.com/v2/{name}/manifests/1");
                (
                    format!("curl -sS -o /dev/null -w %{{http_code}} -H \"Authorization: Bearer $T\" {url}"),
                    format!("{answer}\n"),
                )
            };
            found(&[
                token("joe", "team/api"),
                bearer("team/api", "200"),
                token(second, "team/apii"),
                bearer("team/apii", "401"),
            ])
        };
        assert!(with("joe"));
        assert!(!with("ann"));
    }
}
