//! An image without a registry in its name, in a pod whose pull secrets are all for one other registry.

use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::pull_secrets::{self, Made, Presence};
use crate::pushed;
use crate::question::{Answer, Question, Seen};
use crate::questions::hosts::same_host;
use crate::subject::Subject;
use emulate::containerd::At;
use facts::Why;
use formats::url::host_of;
use formats::{reference, registries_conf};
use report::{Evidence, Say};
use vocabulary::Runtime;

/// The path of an image that names no registry, and no other thing that could be one.
fn bare_path<'p>(pull: &'p Pull<'_>) -> Option<&'p str> {
    let image = pull.image.as_str();
    let path = image.split(['@', ':']).next().unwrap_or_default();
    let first = path.split('/').next().unwrap_or_default();
    (pull.registry == "docker.io" && !first.contains('.')).then_some(path)
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
    // A name of one part is Docker Hub's `library/` to the client, and nothing to whoever pushed it.
    let path = path.strip_prefix("library/").unwrap_or(path);
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
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let ends = |l: &&Line<'_>| l.text.split_once(&whole).is_some_and(|(_, rest)| !rest.starts_with(of_name));
    let line = case.lines_with(&whole).iter().find(ends).copied().or_else(|| {
        // Words like `nginx` stand everywhere.
        if !path.contains('/') {
            return None;
        }
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

/// Whether a name without a registry was completed with one of the node's search list and asked for there: the words name
/// a registry of that list (containers/image pkg/shortnames).
fn completed(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let crio = case.view(pull).filter(|v| v.runtime == Some(Runtime::CriO));
    let (Some(view), Some(_), Some(o)) = (crio, bare_path(pull), pull.deciding()) else {
        return Seen::Blind(Why::NotAsked);
    };
    let asked = |host: &str| {
        let named = |before: &str| o.text.contains(&format!("{before}{host}/"));
        !host.is_empty()
            && !host.ends_with("docker.io")
            && [" in ", "docker://", "https://"].iter().any(|b| named(b))
    };
    let conf = |p: &str| p.starts_with("/etc/containers/registries.conf");
    let image = reference::normalized(&pull.image);
    for (path, file) in view.facts.files.iter().filter(|(p, _)| conf(p)) {
        let Some(text) = file.text.seen() else { continue };
        // A mirror or another location of Docker Hub is asked on purpose.
        let all = registries_conf::parse(text).unwrap_or_default();
        if registries_conf::serving(&all, &image).is_some() {
            return Seen::Blind(Why::NotAsked);
        }
        let listed = |l: &str| {
            let l = l.trim();
            let lists = l.starts_with("unqualified-search-registries") || l.starts_with("registries");
            l.split(['"', '\'']).filter(|_| lists).find(|h| asked(h)).map(str::to_owned)
        };
        let Some((line, host)) = (1..).zip(text.lines()).find_map(|(n, l)| Some((n, listed(l)?))) else {
            continue;
        };
        let at = At { path: path.as_str().into(), line, column: 0 };
        let says =
            Say::new("evidence-name-completed").with("image", pull.image.clone()).with("registry", host);
        return Seen::yes(view.shows(&at, says));
    }
    Seen::Blind(Why::NotAsked)
}

/// Was the name without a registry completed with another than Docker Hub?
pub static COMPLETED: Question = Question { id: "ask-name-completed", ask: completed, test: None };

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

    #[test]
    fn a_name_of_one_part_needs_the_whole_name_elsewhere() {
        let log = |repository: &str| {
            let text =
                format!("The push refers to repository [{repository}]\n1: digest: sha256:9d2c size: 947");
            Scene::pod("app:1", &[]).document(facts::Place::Ci, "ci/push.log", &text)
        };
        assert_eq!(log("h.example.com/app").ask(&HOSTLESS, &Subject::Cluster), Some(Answer::Yes));
        assert_eq!(log("h.example.com/app-base").ask(&HOSTLESS, &Subject::Cluster), None);
        let values = |line: &str| {
            Scene::pod("nginx:1", &["a"])
                .secret(secret("shop", "a", "h.example.com"))
                .document(facts::Place::Ci, "ci/values.yaml", line)
                .ask(&HOSTLESS, &Subject::Cluster)
        };
        assert_eq!(values("image: h.example.com/nginx"), Some(Answer::Yes));
        assert_eq!(values("image: h.example.com/nginx-exporter"), None);
        assert_eq!(values("registry: h.example.com\nimage: nginx"), None);
    }

    #[test]
    fn a_short_name_is_completed_with_the_first_of_a_list() {
        let with = |image: &str, host: &str, conf: &str| {
            let words = format!("reading manifest 1 in {host}/nginx: manifest unknown: manifest unknown");
            Scene::pod(image, &[])
                .stating(&words)
                .change(|s| {
                    let file =
                        facts::NodeFile { text: facts::Observed::Seen(conf.into()), ..Default::default() };
                    s.node_facts.push(facts::NodeFacts {
                        name: "worker-1".into(),
                        name_given: true,
                        runtime: Some(facts::RuntimeVersion {
                            runtime: Runtime::CriO,
                            version: "1.29.1".into(),
                        }),
                        files: [("/etc/containers/registries.conf".to_owned(), file)].into(),
                        ..Default::default()
                    });
                })
                .ask(&COMPLETED, &Subject::Cluster)
        };
        let list = "unqualified-search-registries = [\"r.example.com\", \"docker.io\"]\n";
        assert_eq!(with("nginx:1", "r.example.com", list), Some(Answer::Yes));
        assert_eq!(with("nginx:1", "s.example.com", list), None, "none of the list");
        assert_eq!(with("r.example.com/nginx:1", "r.example.com", list), None, "a whole name");
        let mirrored =
            "unqualified-search-registries = [\"r.example.com\"]\n[[registry]]\nlocation = \"docker.io\"\n";
        assert_eq!(with("nginx:1", "r.example.com", mirrored), None, "asked on purpose");
    }
}
