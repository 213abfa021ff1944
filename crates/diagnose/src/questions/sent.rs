//! Whether a pull went out with credentials: by the client's own words, and by what the kubelet had in hand.

use super::secrets::{named_at, names_none};
use super::words;
use crate::case::Case;
use crate::lines::{Line, told};
use crate::pull::{Observation, Pull};
use crate::pull_secrets::{self, Made, Presence};
use crate::question::{Answer, Question, Seen};
use crate::questions::places::REPOSITORY_THERE;
use crate::subject::Subject;
use emulate::kubelet::{image_name, keyring};
use facts::{CommandOutput, Why};
use report::{Evidence, Locator, Say};
use vocabulary::{Cause, Operation, Stage};

/// What a client says when it asked the token service without, and with, a user name. containerd says which of the two
/// it did: `core/remotes/docker/authorizer.go` (`fetchToken`), 1.4 to 2.3.
const ANONYMOUS: &[&str] = &["fetch anonymous token"];
/// And what it says too where it had some and the registry did not take them: containerd answers a Basic challenge that
/// comes after a token so (containerd#11103), docker where it has none. Only what the pod carries tells them apart.
const NO_BASIC: &str = "no basic auth credentials";
const WITH_USER: &[&str] = &["fetch oauth token"];

fn by_words(o: &Observation<'_>) -> Option<bool> {
    let says = |list: &[&str]| list.iter().any(|w| o.text.contains(w));
    if says(ANONYMOUS) || says(&[NO_BASIC]) || o.reading.cause == Cause::AuthNoCredentials {
        Some(false)
    } else if says(WITH_USER) || o.reading.cause == Cause::AuthBadCredentials {
        Some(true)
    } else {
        None
    }
}

fn sent(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let kubelets =
        pull.observations.iter().filter(|o| o.vantage.client == "kubelet" || pull.observations.len() == 1);
    match kubelets.into_iter().find_map(|o| Some((o, by_words(o)?))) {
        Some((o, true)) => Seen::yes(words::quote(o, Say::new("evidence-words-credentials-sent"))),
        Some((o, false)) if o.text.contains(NO_BASIC) && matches!(in_hand(case, pull), InHand::Serves(_)) => {
            Seen::Blind(Why::NotAsked)
        }
        Some((o, false)) => Seen::no(words::quote(o, Say::new("evidence-words-anonymous"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// What the pod's own secrets came to, all of them.
enum InHand {
    /// An entry that serves the image and has a user.
    Serves(Evidence),
    /// None does, and why.
    Nothing(Vec<Evidence>),
    /// One of them is unknown.
    Unknown,
}

fn in_hand(case: &Case<'_>, pull: &Pull<'_>) -> InHand {
    let Some(named) = pull_secrets::named(case, pull) else { return InHand::Unknown };
    if pull.operation != Operation::Pull || image_name::lookup_name(&pull.image).is_err() {
        return InHand::Unknown;
    }
    let (mut why_not, mut readable, mut unknown) = (Vec::new(), Vec::new(), false);
    for n in &named {
        match &n.presence {
            Presence::Gone(evidence) => {
                why_not.push(named_at(n.at.clone(), &n.name));
                why_not.extend(evidence.iter().take(2).cloned());
            }
            Presence::Unknown => unknown = true,
            Presence::There(secret) => match pull_secrets::made(secret) {
                Made::Entries(_) => readable.push(*secret),
                Made::Blind(_) => unknown = true,
                Made::WrongType => why_not.push(Evidence {
                    at: pull_secrets::secret_at(secret, "type"),
                    says: Say::new("evidence-secret-type-not-read").with("type", &*secret.type_),
                    quote: secret.type_.clone(),
                }),
                Made::WrongKey => why_not.push(Evidence {
                    at: pull_secrets::secret_at(secret, "data"),
                    says: Say::new("evidence-secret-key-missing").with("keys", secret.keys.join(", ")),
                    quote: secret.keys.join(", "),
                }),
                Made::Broken(words) => why_not.push(Evidence {
                    at: pull_secrets::secret_at(secret, "data"),
                    says: Say::new("evidence-secret-does-not-decode").with("key", ""),
                    quote: words,
                }),
            },
        }
    }
    let matched = pull_secrets::serving(&readable, &pull.image);
    if let Some((secret, entry)) = matched.iter().find(|(_, e)| e.user.is_some()) {
        let says = Say::new("evidence-entry-serves").with("key", &*entry.key).with("image", &*pull.image);
        let evidence = Evidence { at: pull_secrets::entry_at(secret, entry), says, quote: entry.key.clone() };
        return InHand::Serves(evidence);
    }
    if unknown {
        return InHand::Unknown;
    }
    for secret in readable {
        if let Made::Entries(entries) = pull_secrets::made(secret) {
            let says = Say::new("evidence-no-entry-serves").with("image", &*pull.image);
            why_not.push(pull_secrets::keys_shown(secret, entries, says));
        }
    }
    why_not.extend(names_none(pull));
    InHand::Nothing(why_not)
}

/// Where every kubelet looks for a docker configuration.
pub const KUBELETS_OWN: &str = "/var/lib/kubelet/config.json";
/// Where it looks only with HOME in its environment.
pub const IN_ROOTS_HOME: &str = "/root/.docker/config.json";
/// Node files that the kubelet reads docker configurations from, in its order.
const NODE_FILES: &[&str] = &[KUBELETS_OWN, IN_ROOTS_HOME, "/.docker/config.json"];

/// Whether the kubelet of the pull's node looks into root's home, with what shows it: it does where its service has HOME
/// (kubernetes pkg/credentialprovider/config.go, `GetDockerJSONPaths`). `None` where neither its environment nor its log
/// was seen.
pub fn looks_home(case: &Case<'_>, pull: &Pull<'_>) -> Option<(bool, Evidence)> {
    let says = |there: bool| {
        Say::new(if there { "evidence-kubelet-looks-home" } else { "evidence-kubelet-looks-not-home" })
    };
    let of_kubelet = |o: &&CommandOutput| o.command.contains("/environ") && o.command.contains("kubelet");
    if let Some(o) = case.outputs_on(pull.node).find(of_kubelet) {
        let there = o.text.lines().any(|l| l.starts_with("HOME=/root"));
        let at = crate::lines::output_at(o, o.origin.line);
        return Some((there, Evidence { at, says: says(there), quote: String::new() }));
    }
    let here = |l: &&Line<'_>| l.node().is_none_or(|n| pull.node.is_empty() || n == pull.node);
    let lines = case.lines_with("looking for config.json at ");
    let all: Vec<&Line<'_>> = lines.iter().filter(here).collect();
    let home = all.iter().find(|l| l.text.contains("/root/.docker"));
    // The whole list of one look-up: the file of the root folder is the last but for the old names.
    let whole = all.iter().find(|l| l.text.trim_end().ends_with(" /.docker/config.json"));
    home.or(whole).map(|l| (home.is_some(), l.shows(says(home.is_some()))))
}

fn node_file_serves(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let name = image_name::lookup_name(&pull.image).ok()?;
    let facts = case.node_facts(pull.node)?;
    let home = looks_home(case, pull).is_none_or(|(there, _)| there);
    NODE_FILES.iter().filter(|p| home || !p.starts_with("/root/")).find_map(|path| {
        let text = facts.files.get(*path)?.text.seen()?;
        let keys = formats::docker_config::keys(text);
        let matched = keyring::lookup(keys.iter().map(String::as_str), &name);
        let key = keys.get(*matched.first()?)?;
        Some(Evidence {
            at: Locator::File {
                node: facts.name.clone(),
                path: (*path).to_owned(),
                line: 0,
                column: 0,
                snippet: String::new(),
            },
            says: Say::new("evidence-entry-serves").with("key", &**key).with("image", &*pull.image),
            quote: key.clone(),
        })
    })
}

fn something_serves(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    match in_hand(case, pull) {
        InHand::Serves(evidence) => return Seen::yes(evidence),
        InHand::Unknown => {}
        InHand::Nothing(evidence) if node_file_serves(case, pull).is_none() && !evidence.is_empty() => {
            return Seen::Is(Answer::No, evidence);
        }
        InHand::Nothing(_) => {}
    }
    match node_file_serves(case, pull) {
        Some(evidence) => Seen::yes(evidence),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// 401, or the client's own "no credentials": the words of want of credentials, and not of a repository that may be
/// missing. `Blind` for words that leave that open.
fn refused_for_want(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let by_symptom = pull.observations.iter().find(|o| {
        matches!(o.reading.cause, Cause::AuthUnauthorized | Cause::AuthNoCredentials)
            || o.reading.also_possible.first() == Some(&Cause::AuthNoCredentials)
    });
    match (sent(case, pull, subject), by_symptom) {
        (Seen::Is(Answer::Yes, evidence), _) => Seen::Is(Answer::No, evidence),
        (Seen::Is(_, evidence), _) => Seen::Is(Answer::Yes, evidence),
        (Seen::Blind(_), Some(o)) => Seen::yes(words::quote(o, Say::new("evidence-words-want-credentials"))),
        (seen, None) => seen,
    }
}

/// `Yes` where what was asked for is there, and only credentials were wanting: by words that say so, by a repository that
/// is known to be there, by the same image elsewhere. Blind where it may as well be missing: registries that hide what
/// they do not show, and those that say that there is no such thing, answer a mistyped name alike.
fn withheld(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    if let seen @ Seen::Is(Answer::Yes, _) = (REPOSITORY_THERE.ask)(case, pull, subject) {
        return seen;
    }
    let symptom = pull.symptom();
    if symptom.area() == "credentials" {
        return words::stated(pull, symptom);
    }
    if matches!(symptom, Cause::AuthUnauthorized | Cause::AuthNoCredentials | Cause::AuthTokenRejected)
        && let seen @ Seen::Is(Answer::Yes, _) = refused_for_want(case, pull, subject)
    {
        return seen;
    }
    // A plain refusal, or a limit, that its words do not explain with a missing repository.
    let open = [Cause::AuthzDeniedOrMissing, Cause::RepositoryUnknown, Cause::ManifestUnknown];
    let deciding = pull.deciding().filter(|o| {
        matches!(symptom, Cause::RateLimited | Cause::AuthzDenied)
            && o.reading.also_possible.iter().all(|c| !open.contains(c))
    });
    if let Some(o) = deciding {
        return Seen::yes(words::quote(o, Say::new("evidence-words-want-credentials")));
    }
    match symptom.stage() {
        Stage::Authorization | Stage::Token => {
            pulled_elsewhere(case, pull).map_or(Seen::Blind(Why::NotAsked), Seen::yes)
        }
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// A container that runs from the same image, or a pull of it that went well.
fn pulled_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let says = || Say::new("evidence-image-was-pulled").with("image", &*pull.image);
    let pulled = case.successes_in(pull.namespace).iter().find(|e| {
        e.message.starts_with("Successfully pulled image")
            && e.message.split('"').nth(1) == Some(pull.image.as_str())
    });
    let by_event = pulled.map(|e| told(e, says()));
    by_event.or_else(|| {
        let (pod, container) = case.snapshot.pods.iter().find_map(|p| {
            let has = |c: &&facts::Container| c.image == pull.image && !c.image_id.is_empty();
            Some((p, p.containers.iter().find(has)?))
        })?;
        Some(Evidence {
            at: Locator::Object {
                kind: "Pod".into(),
                namespace: pod.meta.namespace.clone(),
                name: pod.meta.name.clone(),
                field: format!("status.containerStatuses[{}].imageID", container.name),
            },
            says: says(),
            quote: container.image_id.clone(),
        })
    })
}

/// Words for what was there and was taken away.
const TAKEN: &[&str] = &["delet", "prun", "remov", "garbage", "revert", "Delet", "Prun", "Remov", "Garbage"];

/// `Yes` where it was refused for want of credentials, all namespaces were looked through, and nothing speaks of anybody
/// who makes or takes away the secret. Blind otherwise: then who does so, or where it is, is the question.
fn gone_for_good(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Subject::Secret { namespace, name } = subject else { return Seen::Blind(Why::NotAsked) };
    if !case.snapshot.coverage.secrets_elsewhere {
        return Seen::Blind(Why::NotAsked);
    }
    let made_by = case.snapshot.others.iter().any(|o| {
        let quoted = format!("\"{name}\"");
        o.json.contains(&quoted)
            && !matches!(
                o.kind.as_str(),
                "Deployment" | "StatefulSet" | "DaemonSet" | "Job" | "CronJob" | "ReplicaSet"
            )
    });
    let taken = case.lines_with(name).iter().any(|l| TAKEN.iter().any(|w| l.text.contains(w)));
    let audited = case.audit_of("secrets", namespace, name).next().is_some();
    if made_by || taken || audited {
        return Seen::Blind(Why::NotAsked);
    }
    match refused_for_want(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Was it refused for want of a secret of which no trace is left?
pub static GONE_FOR_GOOD: Question =
    Question { id: "ask-secret-gone-for-good", ask: gone_for_good, test: None };

/// Is what was asked for there, and withheld for want of credentials?
pub static IMAGE_WITHHELD: Question = Question { id: "ask-image-withheld", ask: withheld, test: None };

/// Do the client's words say that it sent credentials?
pub static SENT: Question = Question { id: "ask-credentials-sent", ask: sent, test: None };

/// Does any secret that the pod names, or a file of its node, serve the image?
pub static SOMETHING_SERVES: Question = Question {
    id: "ask-anything-serves-image",
    ask: something_serves,
    test: Some(crate::question::Test {
        cost: 3,
        vantage: "kubectl",
        command: |_, pull, _| {
            let pod =
                if pull.pod_name.is_empty() { String::new() } else { format!(" --pod {}", pull.pod_name) };
            format!("pullproof creds {} -n {}{pod}", pull.image, pull.namespace)
        },
    }),
};

/// Was it refused for want of credentials?
pub static REFUSED_FOR_WANT: Question =
    Question { id: "ask-refused-for-want-of-credentials", ask: refused_for_want, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, entry, secret};

    const ANY: Subject = Subject::Cluster;

    #[test]
    fn clients_say_whether_they_sent_any() {
        for (words, expected) in [
            ("failed to authorize: failed to fetch anonymous token: 401 Unauthorized", Some(Answer::No)),
            ("failed to authorize: failed to fetch oauth token: 401 Unauthorized", Some(Answer::Yes)),
            ("Get https://registry.example.com/v2/: no basic auth credentials", Some(Answer::No)),
            ("unauthorized: authentication required", None),
        ] {
            let scene = Scene::pod("registry.example.com/a:1", &[]).words(words);
            assert_eq!(scene.ask(&SENT, &ANY), expected, "{words}");
        }
    }

    #[test]
    fn no_basic_credentials_is_said_of_refused_ones_too() {
        let words = "authorization failed: no basic auth credentials";
        let pod = || Scene::pod("harbor.example.com/shop/web:1", &["a"]).words(words);
        assert_eq!(pod().secret(secret("shop", "a", "harbor.example.com")).ask(&SENT, &ANY), None);
        assert_eq!(
            pod().secret(secret("shop", "a", "mirror.example.com")).ask(&SENT, &ANY),
            Some(Answer::No)
        );
    }

    #[test]
    fn every_named_secret_is_weighed() {
        let pod = || Scene::pod("harbor.example.com/shop/web:1", &["a", "b"]);
        let serving = || secret("shop", "a", "harbor.example.com");
        let foreign = || secret("shop", "b", "mirror.example.com");
        assert_eq!(pod().secret(serving()).ask(&SOMETHING_SERVES, &ANY), Some(Answer::Yes));
        assert_eq!(pod().secret(foreign()).ask(&SOMETHING_SERVES, &ANY), None, "secret a is unknown");
        let mut opaque = serving();
        opaque.type_ = "Opaque".into();
        assert_eq!(pod().secret(opaque).secret(foreign()).ask(&SOMETHING_SERVES, &ANY), Some(Answer::No));
        let mut empty = serving();
        entry(&mut empty).user = None;
        assert_eq!(pod().secret(empty).secret(foreign()).ask(&SOMETHING_SERVES, &ANY), Some(Answer::No));
        assert_eq!(Scene::pod("harbor.example.com/a:1", &[]).ask(&SOMETHING_SERVES, &ANY), Some(Answer::No));
        assert_eq!(Scene::events_only("harbor.example.com/a:1").ask(&SOMETHING_SERVES, &ANY), None);
    }

    #[test]
    fn words_that_leave_a_missing_repository_open_are_no_want_of_credentials() {
        let scene = |cause| Scene::pod("registry.example.com/a:1", &[]).symptom(cause).words("denied");
        assert_eq!(scene(Cause::AuthUnauthorized).ask(&REFUSED_FOR_WANT, &ANY), Some(Answer::Yes));
        assert_eq!(scene(Cause::AuthzDeniedOrMissing).ask(&REFUSED_FOR_WANT, &ANY), None);
        assert_eq!(scene(Cause::AuthBadCredentials).ask(&REFUSED_FOR_WANT, &ANY), Some(Answer::No));
    }
}
