//! A control image by hand: the same account gets another image of the same project, and not this one.

use super::registry::is_of;
use crate::case::Case;
use crate::lines::told;
use crate::pull::Pull;
use crate::questions::words::quote;
use crate::requests::Request;
use formats::message;
use formats::reference::repository_of;
use formats::transcript;
use report::{Evidence, Say};

/// The repository that a request of the registry's API is about.
fn repository<'r>(request: &'r Request<'_>) -> Option<&'r str> {
    let rest = request.curl.path().strip_prefix("/v2/")?;
    rest.split_once("/manifests/").or_else(|| rest.split_once("/tags/")).map(|(name, _)| name)
}

/// The user of `-u USER:...`; the password is hidden or not of interest.
pub fn user(command: &str) -> Option<&str> {
    let command = transcript::command(command);
    let value = command.flag("-u").or_else(|| command.flag("--user"))?;
    value.split(':').next().filter(|u| !u.is_empty() && !u.starts_with('$'))
}

/// By whom a repository was asked for: with a password directly, with a token by whoever fetched one for it.
fn account<'r>(case: &'r Case<'_>, request: &'r Request<'_>, name: &str) -> Option<&'r str> {
    if !request.curl.with_token {
        return user(&request.output.command);
    }
    let scope = format!("repository:{name}:");
    let mut all = case.snapshot.outputs.iter().map(|o| o.command.as_str()).filter(|c| c.contains(&scope));
    let first = all.next().and_then(user)?;
    // Of two accounts' tokens for it nothing says which was sent.
    all.all(|c| user(c) == Some(first)).then_some(first)
}

/// Whether the answer refuses the repository. A 404 for a manifest may mean the tag alone.
fn is_refusal(request: &Request<'_>) -> bool {
    let curl = &request.curl;
    match curl.status() {
        Some(401 | 403) => true,
        Some(404) => curl.path().contains("/tags/"),
        Some(_) => false,
        None => curl.api_errors().iter().any(|e| matches!(e.code.as_str(), "UNAUTHORIZED" | "DENIED")),
    }
}

/// Whether two repositories, registry and all, lie in one project. An account may be let into one project alone, so that
/// another project's image says nothing; a repository at the registry's root is in none.
pub fn are_siblings(one: &str, other: &str) -> bool {
    let project = |whole: &str| whole.rsplit_once('/').map(|(p, _)| p.to_owned()).filter(|p| p.contains('/'));
    // A cache of Docker Hub keeps the official images below `library`, in the same project.
    let official =
        |a: &str, b: &str| a.rsplit_once('/').is_some_and(|(p, n)| b == format!("{p}/library/{n}"));
    project(one).is_some()
        && (one != other && project(one) == project(other) || official(one, other) || official(other, one))
}

/// The refusal and the control.
pub fn by_hand(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let whole = repository_of(&pull.image);
    let (registry, path) = whole.split_once('/')?;
    let of_registry = || case.requests().iter().filter(|r| is_of(&pull.registry, r.curl.host()));
    // Somebody who is let in nowhere shows nothing: one success for this repository ends it.
    if of_registry().any(|r| repository(r) == Some(path) && r.curl.status() == Some(200)) {
        return None;
    }
    let refused =
        of_registry().find(|r| repository(r) == Some(path) && r.curl.with_credential && is_refusal(r))?;
    let by = account(case, refused, path)?;
    let (control, image) = of_registry().find_map(|r| {
        let name = repository(r)?;
        let image = format!("{registry}/{name}");
        let passes = r.curl.with_credential && r.curl.status() == Some(200);
        (passes && are_siblings(&image, &whole) && account(case, r, name) == Some(by)).then_some((r, image))
    })?;
    Some(vec![
        refused.shows(Say::new("evidence-refused-here").with("image", &*pull.image)),
        control.shows(Say::new("evidence-control-passes").with("image", image)),
    ])
}

/// The same by the kubelet's word: a pod with the same pull secrets was served another image of the project, and this one
/// is refused.
pub fn by_kubelet(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let (own, refused, whole) = (pull.pod?, pull.deciding()?, repository_of(&pull.image));
    let is_refusal = matches!(refused.reading.cause.area(), "auth" | "authz" | "credentials");
    let alike = |p: &facts::Pod| {
        let same = p.pull_secrets == own.pull_secrets && p.service_account == own.service_account;
        same && !p.printed && !own.printed
    };
    let (event, image) = case.successes_in(pull.namespace).iter().find_map(|e| {
        let image = e.message.strip_prefix("Successfully pulled image \"")?.split('"').next()?;
        let pod = case.pod(&e.namespace, &e.name)?;
        let serves = are_siblings(&repository_of(image), &whole) && alike(pod);
        let over = refused_since(case, e, image) || locked_out_since(case, e, &whole, &alike);
        (serves && !over).then_some((e, image))
    })?;
    let control = told(event, Say::new("evidence-control-passes").with("image", image));
    let says = Say::new("evidence-refused-here").with("image", &*pull.image);
    is_refusal.then(|| vec![quote(refused, says), control])
}

/// Whether the control itself failed after it had passed: what it showed is over.
fn refused_since(case: &Case<'_>, passed: &facts::Event, image: &str) -> bool {
    let at = |e: &facts::Event| e.last.or(e.first);
    let failed = format!("Failed to pull image \"{image}\"");
    let later = |e: &&facts::Event| at(e).is_none_or(|t| at(passed).is_none_or(|passed| t >= passed));
    let mut of_it =
        case.snapshot.events.iter().filter(|e| e.namespace == passed.namespace && e.reason == "Failed");
    of_it.any(|e| e.message.starts_with(&failed) && later(&e))
}

/// Whether a repository of the registry that had been served is refused to such a pod after the control had passed: then
/// the account lost its access, and what it was served before shows nothing of this image.
fn locked_out_since(
    case: &Case<'_>,
    passed: &facts::Event,
    own: &str,
    alike: &dyn Fn(&facts::Pod) -> bool,
) -> bool {
    let at = |e: &facts::Event| e.last.or(e.first);
    let registry = |whole: &str| whole.split('/').next().map(str::to_owned);
    let served = |repository: &str| {
        case.successes_in(&passed.namespace).iter().any(|e| {
            let image =
                e.message.strip_prefix("Successfully pulled image \"").and_then(|r| r.split('"').next());
            image.is_some_and(|i| repository_of(i) == repository)
        })
    };
    let refused =
        |e: &facts::Event| matches!(message::read(&e.message).cause.area(), "auth" | "authz" | "credentials");
    case.snapshot.events.iter().filter(|e| e.namespace == passed.namespace && e.reason == "Failed").any(|e| {
        let image = e.message.strip_prefix("Failed to pull image \"").and_then(|r| r.split('"').next());
        image.map(repository_of).is_some_and(|other| {
            other != own
                && registry(&other) == registry(own)
                && at(e).zip(at(passed)).is_some_and(|(failed, passed)| failed > passed)
                && case.pod(&e.namespace, &e.name).is_none_or(alike)
                && served(&other)
                && refused(e)
        })
    })
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
        assert!(!found(&[request("joe", "team/apii", "404"), request("joe", "team/api", "200")]), "the tag");
        let passes = request("joe", "team/apii", "200");
        assert!(!found(&[own, passes, request("joe", "team/api", "200")]));
    }

    #[test]
    fn a_pod_with_the_same_secrets_is_a_control() {
        let served = |secrets: &[&str], image: &str| {
            let event = format!("Successfully pulled image \"{image}\" in 1s");
            Scene::pod("r.example.com/team/apii:1", &["regcred"]).event("Pulled", &event).change(|s| {
                let mut well = s.pods[0].clone();
                well.meta.name = "well".into();
                well.pull_secrets = secrets.iter().map(|s| (*s).to_owned()).collect();
                s.pods.push(well);
                s.events[0].name = "well".into();
            })
        };
        let found = |scene: Scene| by_kubelet(&Case::new(&scene.snapshot), &scene.pull()).is_some();
        assert!(found(served(&["regcred"], "r.example.com/team/api:1")));
        assert!(!found(served(&["other"], "r.example.com/team/api:1")), "another account");
        assert!(!found(served(&["regcred"], "r.example.com/public/api:1")), "another project");
        let over = |clock: &str| {
            let scene = served(&["regcred"], "r.example.com/team/api:1");
            scene
                .event("Failed", "Failed to pull image \"r.example.com/team/api:1\": 401 Unauthorized")
                .change(|s| {
                    s.events[0].last = crate::testing::at("10:00:00");
                    s.events[1].last = crate::testing::at(clock);
                    s.events[1].name = "api".into();
                })
        };
        assert!(found(over("09:00:00")));
        assert!(!found(over("11:00:00")), "the control is refused now, too");
        let locked_out = |image: &str, words: &str| {
            let scene = served(&["regcred"], "r.example.com/team/api:1");
            scene.event("Failed", &format!("Failed to pull image \"{image}\": {words}")).change(|s| {
                s.events[0].last = crate::testing::at("10:00:00");
                s.events[1].last = crate::testing::at("11:00:00");
                s.events[1].name = "next".into();
            })
        };
        let refused = "unauthorized: authentication required";
        assert!(!found(locked_out("r.example.com/team/api:2", refused)), "it is let in no more");
        assert!(found(locked_out("r.example.com/team/api:2", "not found")), "the tag");
        assert!(found(locked_out("r.example.com/team/never:1", refused)), "never served");
        let verdict = served(&["regcred"], "r.example.com/team/api:1").verdict();
        let missing = vocabulary::Cause::AuthRepositoryMissingAs401;
        assert_eq!(verdict, (missing, vocabulary::Confidence::Likely), "it may be hidden from the account");
    }

    #[test]
    fn projects() {
        assert!(are_siblings("r.example.com/team/a", "r.example.com/team/b"));
        assert!(are_siblings("r.example.com/hub/a", "r.example.com/hub/library/a"));
        assert!(!are_siblings("r.example.com/hub/a", "r.example.com/hub/library/b"));
        assert!(!are_siblings("r.example.com/a", "r.example.com/library/a"), "no project");
        assert!(!are_siblings("r.example.com/team/a", "r.example.com/team/a"));
        assert!(!are_siblings("r.example.com/team/a", "r.example.com/team/sub/a"));
        assert!(!are_siblings("r.example.com/a", "r.example.com/b"), "no project");
    }

    #[test]
    fn what_a_robot_of_one_project_is_refused_may_be_there() {
        let verdict = |control: &str| {
            let scene = [request("robot", "team/apii", "401"), request("robot", control, "200")]
                .iter()
                .fold(Scene::pod("r.example.com/team/apii:1", &[]), |s, (c, text)| s.output(c, text));
            let scene = scene.symptom(vocabulary::Cause::AuthUnauthorized);
            scene.ask(&super::super::REPOSITORY_THERE, &crate::subject::Subject::Cluster)
        };
        assert_eq!(verdict("team/api"), Some(crate::question::Answer::Missing));
        assert_eq!(verdict("other/api"), None);
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
