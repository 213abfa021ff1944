//! An image without a registry in its name, in a pod whose pull secrets are all for one other registry.

use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets::{self, Made, Presence};
use crate::pushed;
use crate::question::{Answer, Question, Seen};
use crate::questions::hosts::same_host;
use crate::subject::Subject;
use facts::Why;
use formats::reference;
use formats::url::host_of;
use report::{Evidence, Say};

/// The path of an image that names no registry, and no other thing that could be one.
fn bare_path<'p>(pull: &'p Pull<'_>) -> Option<&'p str> {
    let image = pull.image.as_str();
    let path = image.split(['@', ':']).next().unwrap_or_default();
    let first = path.split('/').next().unwrap_or_default();
    (pull.registry == "docker.io" && path.contains('/') && !first.contains('.')).then_some(path)
}

/// The one registry that every attached secret is for, with the evidence.
fn meant(case: &Case<'_>, pull: &Pull<'_>) -> Option<(String, Vec<Evidence>)> {
    let mut hosts: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    for named in pull_secrets::named(case, pull)? {
        let Presence::There(secret) = named.presence else { return None };
        let Made::Entries(entries) = pull_secrets::made(secret) else { return None };
        hosts.extend(entries.iter().map(|e| host_of(&e.key).to_owned()));
        shown.push(pull_secrets::keys_shown(secret, entries, Say::new("evidence-secret-is-for")));
    }
    hosts.sort_unstable();
    hosts.dedup();
    match hosts.as_slice() {
        [only] if !same_host(only, "docker.io") => Some((only.clone(), shown)),
        _ => None,
    }
}

/// A build job that pushed this very path and tag to a registry of its own, and none to Docker Hub.
fn pushed_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let hub = reference::normalized(&pull.image);
    let path = hub.split_once('/')?.1;
    let all = pushed::all(case);
    if all.iter().any(|p| reference::same(&p.image, &pull.image)) {
        return None;
    }
    all.iter()
        .find(|p| p.image.split_once('/').is_some_and(|(_, rest)| rest == path))
        .map(pushed::Pushed::shows)
}

fn hostless(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some(path) = bare_path(pull) else { return Seen::Blind(Why::NotAsked) };
    if let Some(shown) = pushed_elsewhere(case, pull) {
        return Seen::yes(shown);
    }
    let Some((host, mut shown)) = meant(case, pull) else { return Seen::Blind(Why::NotAsked) };
    // Something else must say that the image is of that registry: a pod may carry a secret that it does not need.
    if let Seen::Is(answer, served) = served_there(case, pull, subject) {
        shown.extend(served);
        return Seen::Is(answer, shown);
    }
    let whole = format!("{host}/{path}");
    let line = case.lines_with(&whole).first().copied().or_else(|| {
        let of_host = case.lines_with(&host);
        let of_path = case.lines_with(path);
        let near = of_host.iter().find(|h| {
            h.text.contains("egistry") && of_path.iter().any(|p| p.path() == h.path() && p.number != h.number)
        });
        near.copied()
    });
    match line {
        Some(line) => {
            shown.push(line.shows(Say::new("evidence-image-belongs-to").with("registry", &*host)));
            Seen::Is(Answer::Yes, shown)
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// The same path was answered with success by the registry that the secrets are for.
fn served_there(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let found = bare_path(pull).zip(meant(case, pull)).and_then(|(path, (host, _))| {
        case.requests().iter().find(|r| {
            same_host(r.curl.host(), &host)
                && r.curl.path().starts_with(&format!("/v2/{path}/"))
                && r.curl.status() == Some(200)
        })
    });
    match found {
        Some(request) => Seen::yes(request.shows(Say::new("evidence-served-there"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the name lack the registry that the pod's secrets are for?
pub static HOSTLESS: Question = Question { id: "ask-name-without-registry", ask: hostless, test: None };

/// Does that registry serve the image under this name?
pub static SERVED_THERE: Question = Question { id: "ask-served-there", ask: served_there, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, secret};
    use vocabulary::{Cause, Confidence};

    #[test]
    fn a_job_that_pushed_the_same_path_elsewhere_shows_the_registry() {
        let with = |image: &str, repository: &str| {
            let log =
                format!("The push refers to repository [{repository}]\n1: digest: sha256:9d2c size: 947");
            Scene::pod(image, &[])
                .document(facts::Place::Ci, "ci/push.log", &log)
                .ask(&HOSTLESS, &Subject::Cluster)
        };
        assert_eq!(with("team/app:1", "h.example.com/team/app"), Some(Answer::Yes));
        assert_eq!(with("team/app:2", "h.example.com/team/app"), None, "another tag");
        assert_eq!(with("team/app:1", "docker.io/team/app"), None, "it is on Docker Hub");
        assert_eq!(with("r.example.com/team/app:1", "h.example.com/team/app"), None);
    }

    fn scene(image: &str, key: &str) -> Scene {
        Scene::pod(image, &["regcred"])
            .secret(secret("shop", "regcred", key))
            .symptom(Cause::AuthzDeniedOrMissing)
            .words("pull access denied")
    }

    #[test]
    fn a_name_without_its_registry_is_told_from_a_foreign_secret() {
        let served = "curl -sS -o /dev/null -w %{http_code} https://h.example.com/v2/team/app/manifests/1";
        let with = |image: &str, key: &str| scene(image, key).output(served, "200\n").verdict();
        let found = (Cause::ReferenceMissingRegistryHost, Confidence::Confirmed);
        assert_eq!(with("team/app:1", "h.example.com"), found);
        assert_ne!(with("team/app:1", "other.example.com").0, Cause::ReferenceMissingRegistryHost);
        assert_ne!(with("h.example.com/team/app:1", "h.example.com").0, Cause::ReferenceMissingRegistryHost);
        let bare = scene("team/app:1", "h.example.com");
        assert_eq!(bare.ask(&HOSTLESS, &Subject::Cluster), None);
        let values = "global:\n  registry: h.example.com\nimage:\n  repository: team/app\n";
        let told = bare.document(facts::Place::Kube, "kube/values.yaml", values);
        assert_eq!(told.verdict(), (Cause::ReferenceMissingRegistryHost, Confidence::Likely));
    }
}
