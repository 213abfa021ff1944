//! What a pull secret that a pod names is: there, of the right type, readable, for this registry. The subject is the
//! secret; where a pod is known to name none, that is the answer.

use super::words;
use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets::{self, Made, Named, Presence};
use crate::question::{Answer, Question, Seen, Test};
use crate::subject::Subject;
use emulate::kubelet::{image_name, keyring};
use facts::{Secret, Why};
use formats::url::host_of;
use report::{Evidence, Locator, Say};
use vocabulary::Cause;

/// The named secret that the subject is, or the answer where there is none such.
fn find<'a>(case: &Case<'a>, pull: &Pull<'_>, subject: &Subject) -> Result<Named<'a>, Seen> {
    let Some(list) = pull_secrets::named(case, pull) else { return Err(Seen::Blind(Why::NotAsked)) };
    if list.is_empty() {
        return Err(match names_none(pull) {
            Some(evidence) => Seen::no(evidence),
            None => Seen::Blind(Why::NotAsked),
        });
    }
    let Subject::Secret { name, .. } = subject else { return Err(Seen::Blind(Why::NotAsked)) };
    list.into_iter().find(|n| n.name == *name).ok_or(Seen::Blind(Why::NotAsked))
}

fn there<'a>(case: &Case<'a>, pull: &Pull<'_>, subject: &Subject) -> Result<&'a Secret, Seen> {
    match find(case, pull, subject)?.presence {
        Presence::There(secret) => Ok(secret),
        Presence::Gone(evidence) => Err(Seen::Is(Answer::Missing, evidence)),
        Presence::Unknown => Err(Seen::Blind(Why::NotAsked)),
    }
}

/// The evidence that a pod names no pull secret.
pub fn names_none(pull: &Pull<'_>) -> Option<Evidence> {
    let pod = pull.pod.filter(|p| !p.printed && p.pull_secrets.iter().all(String::is_empty))?;
    Some(Evidence {
        at: Locator::Object {
            kind: "Pod".into(),
            namespace: pod.meta.namespace.clone(),
            name: pod.meta.name.clone(),
            field: "spec.imagePullSecrets".into(),
        },
        says: Say::new("evidence-pod-names-no-secret"),
        quote: String::new(),
    })
}

fn exists(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match find(case, pull, subject) {
        Err(seen) => seen,
        Ok(Named { at, name, presence, .. }) => match presence {
            Presence::There(secret) => Seen::yes(Evidence {
                at: pull_secrets::secret_at(secret, "metadata.name"),
                says: Say::new("evidence-secret-is-there").with("name", name),
                quote: String::new(),
            }),
            Presence::Gone(mut evidence) => {
                evidence.insert(0, named_at(at, &name));
                Seen::Is(Answer::Missing, evidence)
            }
            Presence::Unknown => Seen::Blind(Why::NotAsked),
        },
    }
}

/// The place that names a secret, as evidence.
pub fn named_at(at: Locator, name: &str) -> Evidence {
    Evidence { at, says: Say::new("evidence-names-secret").with("name", name), quote: name.to_owned() }
}

fn elsewhere(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let named = match find(case, pull, subject) {
        Err(seen) => return seen,
        Ok(named) => named,
    };
    if let Presence::There(secret) = named.presence {
        return Seen::no(Evidence {
            at: pull_secrets::secret_at(secret, "metadata.namespace"),
            says: Say::new("evidence-secret-is-there").with("name", named.name),
            quote: String::new(),
        });
    }
    // Many namespaces have a secret of this name for a registry of their own: one that was read and does not serve this
    // image is not the one that is missing here, and among several that were not read nobody knows which would be.
    let namesakes = || case.secrets_named(&named.name).iter().filter(|s| s.meta.namespace != pull.namespace);
    let serving: Vec<&Secret> =
        namesakes().copied().filter(|s| pull_secrets::content_matches(s, &pull.image).is_some()).collect();
    // One whose type says that it is no pull secret is a namesake by chance
    let may_serve =
        |s: &&Secret| s.docker_config.seen().is_none() && !matches!(pull_secrets::made(s), Made::WrongType);
    let unread: Vec<&Secret> = namesakes().copied().filter(may_serve).collect();
    let candidates = match (serving.is_empty(), unread.len()) {
        (false, _) => serving,
        (true, 0 | 1) => unread,
        (true, _) => return Seen::Blind(Why::NotAsked),
    };
    let objects = candidates.into_iter().map(|s| Evidence {
        at: pull_secrets::secret_at(s, "metadata.namespace"),
        says: Say::new("evidence-secret-in-other-namespace")
            .with("name", s.meta.name.clone())
            .with("namespace", s.meta.namespace.clone()),
        quote: s.meta.namespace.clone(),
    });
    let listed = pull_secrets::listed(case, &named.name)
        .into_iter()
        .filter(|(namespace, ..)| !namespace.is_empty() && namespace != pull.namespace)
        .map(|(.., evidence)| evidence);
    let found: Vec<Evidence> = objects.chain(listed).take(4).collect();
    if !found.is_empty() {
        return Seen::Is(Answer::Elsewhere, found);
    }
    match pull_secrets::listed_everywhere(case).then(|| pull_secrets::absent(case, pull, &named.name)) {
        Some(evidence) if !evidence.is_empty() => Seen::Is(Answer::No, evidence),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// An object from which a controller would make the secret, refused for want of the data key of its type: the API
/// server's own words in its status (kubernetes pkg/apis/core/validation, ValidateSecret).
fn maker_refused(case: &Case<'_>, subject: &Subject) -> Option<Evidence> {
    let Subject::Secret { namespace, name } = subject else { return None };
    let maker = case.snapshot.others.iter().find(|o| {
        o.meta.namespace == *namespace
            && o.json.contains(name.as_str())
            && o.json.contains("data[.dockerconfig")
            && o.json.contains("Required value")
    })?;
    Some(Evidence {
        at: Locator::Object {
            kind: maker.kind.clone(),
            namespace: maker.meta.namespace.clone(),
            name: maker.meta.name.clone(),
            field: "status.conditions".into(),
        },
        says: Say::new("evidence-secret-refused-for-key").with("name", &**name),
        quote: "data[.dockerconfigjson]: Required value".into(),
    })
}

/// Whether a secret's entries are known, and all of them are for other registries.
fn for_others(secret: &Secret, pull: &Pull<'_>) -> bool {
    let entries = secret.docker_config.seen().map_or(&[][..], |c| c.entries.as_slice());
    let Ok(name) = image_name::lookup_name(&pull.image) else { return false };
    !entries.is_empty()
        && pull_secrets::content_matches(secret, &pull.image).is_none()
        && !entries.iter().any(|e| near(&e.key, &name))
}

fn type_fits(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let secret = match there(case, pull, subject) {
        Err(seen) => {
            let refused = maker_refused(case, subject);
            return refused.map_or(seen, |shown| Seen::Is(Answer::Mismatch, vec![shown]));
        }
        Ok(secret) => secret,
    };
    let at = |says: Say, field: &str, quote: &str| Evidence {
        at: pull_secrets::secret_at(secret, field),
        says,
        quote: quote.to_owned(),
    };
    match pull_secrets::made(secret) {
        // Of the right type it would not have served either.
        Made::WrongType if for_others(secret, pull) => Seen::Blind(Why::NotAsked),
        Made::WrongType => Seen::Is(
            Answer::WrongKind,
            vec![at(
                Say::new("evidence-secret-type-not-read").with("type", &*secret.type_),
                "type",
                &secret.type_,
            )],
        ),
        Made::WrongKey => {
            let keys = secret.keys.join(", ");
            Seen::Is(
                Answer::Mismatch,
                vec![at(Say::new("evidence-secret-key-missing").with("keys", &*keys), "data", &keys)],
            )
        }
        Made::Entries(_) | Made::Broken(_) | Made::Blind(_) => {
            Seen::yes(at(Say::new("evidence-secret-type-fits"), "type", &secret.type_))
        }
    }
}

fn decodes(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let secret = match there(case, pull, subject) {
        Err(seen) => return seen,
        Ok(secret) => secret,
    };
    let Some(config) = secret.docker_config.seen() else { return Seen::Blind(Why::NotAsked) };
    let at = |field: String, words: &str, key: &str| Evidence {
        at: pull_secrets::secret_at(secret, &field),
        says: Say::new("evidence-secret-does-not-decode").with("key", key),
        quote: words.to_owned(),
    };
    if let Some(problem) = &config.problem {
        return Seen::Is(Answer::Malformed, vec![at(format!("data[{}]", config.found_in), problem, "")]);
    }
    if let Some(key) = config.misplaced.first() {
        let evidence = Evidence {
            at: pull_secrets::secret_at(secret, &format!("data[{}]", config.found_in)),
            says: Say::new("evidence-entry-outside-auths").with("key", &**key),
            quote: config.misplaced.join(", "),
        };
        return Seen::Is(Answer::Malformed, vec![evidence]);
    }
    let broken = config.entries.iter().find_map(|e| Some((e, e.problem.as_deref()?)));
    if let Some((entry, problem)) = broken {
        let field = format!("data[{}].auths[{}].auth", config.found_in, entry.key);
        return Seen::Is(Answer::Malformed, vec![at(field, problem, &entry.key)]);
    }
    if let Some(entry) = pull_secrets::content_matches(secret, &pull.image).filter(|e| e.user.is_none()) {
        return Seen::Is(
            Answer::Malformed,
            vec![Evidence {
                at: pull_secrets::entry_at(secret, entry),
                says: Say::new("evidence-entry-without-user").with("key", &*entry.key),
                quote: entry.key.clone(),
            }],
        );
    }
    if config.entries.is_empty() {
        // Of the right type, with its key, and without the one member that the kubelet reads.
        let read =
            matches!(pull_secrets::made(secret), Made::Entries([])) && config.found_in == ".dockerconfigjson";
        if read && !config.has_auths {
            let evidence = Evidence {
                at: pull_secrets::secret_at(secret, &format!("data[{}]", config.found_in)),
                says: Say::new("evidence-secret-without-auths"),
                quote: String::new(),
            };
            return Seen::Is(Answer::Malformed, vec![evidence]);
        }
        return Seen::Blind(Why::NotAsked);
    }
    Seen::yes(pull_secrets::keys_shown(secret, &config.entries, Say::new("evidence-secret-decodes")))
}

/// As `decodes`; where the content is not known, the kubelet's words count.
fn decodes_not(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match decodes(case, pull, subject) {
        Seen::Blind(_) => match words::stated(pull, Cause::CredentialsMalformed) {
            Seen::Is(_, evidence) => Seen::Is(Answer::Malformed, evidence),
            blind => blind,
        },
        seen => seen,
    }
}

fn serves(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let secret = match there(case, pull, subject) {
        Err(seen) => return seen,
        Ok(secret) => secret,
    };
    if image_name::lookup_name(&pull.image).is_err() {
        return Seen::Blind(Why::NotAsked);
    }
    match pull_secrets::made(secret) {
        // Nothing of it is read, so nothing of it is for another registry
        Made::Entries(_) if secret.docker_config.seen().is_some_and(|c| !c.misplaced.is_empty()) => {
            Seen::Blind(Why::Unreadable)
        }
        // A list of registries that is there and empty serves none.
        Made::Entries([]) if !secret.docker_config.seen().is_some_and(|c| c.has_auths) => {
            Seen::Blind(Why::NotAsked)
        }
        Made::Entries(entries) => match pull_secrets::content_matches(secret, &pull.image) {
            Some(entry) => Seen::yes(Evidence {
                at: pull_secrets::entry_at(secret, entry),
                says: Say::new("evidence-entry-serves").with("key", &*entry.key).with("image", &*pull.image),
                quote: entry.key.clone(),
            }),
            None => {
                let says = Say::new("evidence-no-entry-serves").with("image", &*pull.image);
                Seen::Is(Answer::Mismatch, vec![pull_secrets::keys_shown(secret, entries, says)])
            }
        },
        Made::WrongType | Made::WrongKey | Made::Broken(_) => Seen::Blind(Why::Unreadable),
        Made::Blind(why) => Seen::Blind(why),
    }
}

/// Whether a key was meant for this image's registry and misses it by form: port, path, scheme, a name of Docker Hub,
/// a short name, letter case.
fn meant_for_it(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let secret = match there(case, pull, subject) {
        Err(seen) => return seen,
        Ok(secret) => secret,
    };
    let Made::Entries(entries) = pull_secrets::made(secret) else { return Seen::Blind(Why::Unreadable) };
    let Ok(name) = image_name::lookup_name(&pull.image) else { return Seen::Blind(Why::NotAsked) };
    match entries.iter().find(|e| near(&e.key, &name)) {
        Some(entry) => Seen::yes(Evidence {
            at: pull_secrets::entry_at(secret, entry),
            says: Say::new("evidence-key-nearly-fits")
                .with("key", &*entry.key)
                .with("registry", &*pull.registry),
            quote: entry.key.clone(),
        }),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Whether key and image name the same host in forms that the kubelet holds apart.
fn near(key: &str, name: &str) -> bool {
    let bare = |text: &str| -> String {
        host_of(text.trim()).split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase()
    };
    let hub = |host: &str| {
        matches!(
            host,
            "docker.io"
                | "index.docker.io"
                | "registry-1.docker.io"
                | "hub.docker.com"
                | "registry.hub.docker.com"
        )
    };
    let (key_host, image_host) = (bare(key), bare(name));
    let short = |a: &str, b: &str| !a.is_empty() && b.split('.').next() == Some(a) && b.contains('.');
    !key_host.is_empty()
        && (key_host == image_host
            || (hub(&key_host) && hub(&image_host))
            || short(&key_host, &image_host)
            || short(&image_host, &key_host)
            || keyring::serves(&key_host, &image_host).is_ok())
}

const fn kubectl(command: fn(&Case<'_>, &Pull<'_>, &Subject) -> String) -> Option<Test> {
    Some(Test { cost: 3, vantage: "kubectl", command })
}

/// The secret's namespace and name in a command; a placeholder where the subject is no secret.
fn of(pull: &Pull<'_>, subject: &Subject) -> (String, String) {
    match subject {
        Subject::Secret { namespace, name } => (namespace.clone(), name.clone()),
        _ => (pull.namespace.to_owned(), "SECRET".into()),
    }
}

/// Is the secret that the pod names there?
pub static EXISTS: Question = Question {
    id: "ask-secret-exists",
    ask: exists,
    test: kubectl(|_, pull, subject| {
        let (namespace, name) = of(pull, subject);
        format!("kubectl get secret {name} -n {namespace}")
    }),
};

/// Is a secret of that name in another namespace?
pub static ELSEWHERE: Question = Question {
    id: "ask-secret-elsewhere",
    ask: elsewhere,
    test: kubectl(|_, pull, subject| {
        format!("kubectl get secrets -A --field-selector metadata.name={}", of(pull, subject).1)
    }),
};

/// Does the kubelet read secrets of its type, and has it the data key of the type?
pub static TYPE_FITS: Question = Question {
    id: "ask-secret-type-fits",
    ask: type_fits,
    test: kubectl(|_, pull, subject| {
        let (namespace, name) = of(pull, subject);
        format!("kubectl get secret {name} -n {namespace} -o jsonpath='{{.type}}'")
    }),
};

/// Does its content decode to a user name and a password?
pub static DECODES: Question = Question { id: "ask-secret-decodes", ask: decodes, test: None };

/// Does its content, or the kubelet's word on it, show that it does not decode?
pub static DECODES_NOT: Question = Question {
    id: "ask-secret-malformed",
    ask: decodes_not,
    test: kubectl(|_, pull, subject| {
        let (namespace, name) = of(pull, subject);
        format!("pullproof creds {} -n {namespace} --secret {name}", pull.image)
    }),
};

/// Does one of its entries serve the image?
pub static SERVES: Question = Question {
    id: "ask-secret-serves-image",
    ask: serves,
    test: kubectl(|_, pull, subject| {
        let (namespace, name) = of(pull, subject);
        format!("pullproof creds {} -n {namespace} --secret {name}", pull.image)
    }),
};

/// Was one of its keys meant for this registry, in a form that does not match?
pub static MEANT_FOR_IT: Question =
    Question { id: "ask-key-meant-for-registry", ask: meant_for_it, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, secret};

    fn about(name: &str) -> Subject {
        Subject::Secret { namespace: "shop".into(), name: name.into() }
    }

    #[test]
    fn a_secret_in_hand_exists_and_absence_alone_says_nothing() {
        let scene = Scene::pod("harbor.example.com/shop/web:1", &["regcred"]);
        assert_eq!(scene.ask(&EXISTS, &about("regcred")), None);
        let scene = scene.secret(secret("shop", "regcred", "harbor.example.com"));
        assert_eq!(scene.ask(&EXISTS, &about("regcred")), Some(Answer::Yes));
    }

    #[test]
    fn the_kubelets_event_a_log_line_and_a_list_show_absence() {
        let pod = || Scene::pod("harbor.example.com/shop/web:1", &["regcred"]);
        let event = pod().event(
            "FailedToRetrieveImagePullSecret",
            "Unable to retrieve some image pull secrets (other, regcred); attempting to pull the image may not succeed.",
        );
        let log = pod().log(
            r#"Unable to retrieve pull secret shop/regcred for shop/web due to secret "regcred" not found."#,
        );
        let list = pod().output("kubectl get secrets -n shop", "NAME   TYPE   DATA\nother  Opaque 1\n");
        let none = pod().output("kubectl get secrets -n shop", "No resources found in shop namespace.");
        let kubectl = pod().output(
            "kubectl get secret regcred -n shop",
            "Error from server (NotFound): secrets \"regcred\" not found",
        );
        for scene in [event, log, list, none, kubectl] {
            assert_eq!(scene.ask(&EXISTS, &about("regcred")), Some(Answer::Missing), "{scene:?}");
        }
        let other_namespace = pod().log(
            r#"Unable to retrieve pull secret bank/regcred for bank/web due to secret "regcred" not found."#,
        );
        assert_eq!(other_namespace.ask(&EXISTS, &about("regcred")), None);
        let other_list = pod().output("kubectl get secrets -n bank", "NAME   TYPE   DATA\nother  Opaque 1\n");
        assert_eq!(other_list.ask(&EXISTS, &about("regcred")), None);
    }

    #[test]
    fn a_pod_that_names_none_has_none_missing() {
        let scene = Scene::pod("harbor.example.com/shop/web:1", &[]);
        let pod = Subject::Pod { namespace: "shop".into(), name: "web".into() };
        assert_eq!(scene.ask(&EXISTS, &pod), Some(Answer::No));
        assert_eq!(Scene::events_only("harbor.example.com/shop/web:1").ask(&EXISTS, &pod), None);
    }

    #[test]
    fn another_namespace_is_seen_in_objects_and_in_lists() {
        let pod = || Scene::pod("harbor.example.com/shop/web:1", &["regcred"]);
        let object = pod().secret(secret("default", "regcred", "harbor.example.com"));
        assert_eq!(object.ask(&ELSEWHERE, &about("regcred")), Some(Answer::Elsewhere));
        let list = "NAMESPACE  NAME     TYPE                            DATA\n\
                    default    regcred  kubernetes.io/dockerconfigjson  1\n";
        let listed = pod().output("kubectl get secrets -A", list);
        assert_eq!(listed.ask(&ELSEWHERE, &about("regcred")), Some(Answer::Elsewhere));
        let nowhere =
            pod().output("kubectl get secrets -A", "NAMESPACE  NAME   TYPE\ndefault    other  Opaque\n");
        assert_eq!(nowhere.ask(&ELSEWHERE, &about("regcred")), Some(Answer::No));
        assert_eq!(pod().ask(&ELSEWHERE, &about("regcred")), None);
    }

    #[test]
    fn type_key_and_content_are_told_apart() {
        let pod = || Scene::pod("harbor.example.com/shop/web:1", &["regcred"]);
        let with = |change: &dyn Fn(&mut Secret)| {
            let mut s = secret("shop", "regcred", "harbor.example.com");
            change(&mut s);
            pod().secret(s)
        };
        let fine = with(&|_| ());
        assert_eq!(fine.ask(&TYPE_FITS, &about("regcred")), Some(Answer::Yes));
        assert_eq!(fine.ask(&DECODES, &about("regcred")), Some(Answer::Yes));
        assert_eq!(fine.ask(&SERVES, &about("regcred")), Some(Answer::Yes));
        let opaque = with(&|s| s.type_ = "Opaque".into());
        assert_eq!(opaque.ask(&TYPE_FITS, &about("regcred")), Some(Answer::WrongKind));
        assert_eq!(opaque.ask(&SERVES, &about("regcred")), None);
        let metadata = with(&|s| s.docker_config = facts::Observed::Blind(Why::Forbidden));
        assert_eq!(metadata.ask(&TYPE_FITS, &about("regcred")), Some(Answer::Yes));
        assert_eq!(metadata.ask(&DECODES, &about("regcred")), None);
        assert_eq!(metadata.ask(&SERVES, &about("regcred")), None);
    }

    #[test]
    fn entries_outside_of_auths_are_malformed_and_within_it_not() {
        let with = |misplaced: &[&str]| {
            let mut s = secret("shop", "regcred", "harbor.example.com");
            if let facts::Observed::Seen(config) = &mut s.docker_config {
                config.has_auths = misplaced.is_empty();
                config.misplaced = misplaced.iter().map(|k| (*k).to_owned()).collect();
                config.entries.truncate(usize::from(config.has_auths));
            }
            Scene::pod("harbor.example.com/shop/web:1", &["regcred"]).secret(s)
        };
        let outside = with(&["harbor.example.com"]);
        assert_eq!(outside.ask(&DECODES_NOT, &about("regcred")), Some(Answer::Malformed));
        assert_eq!(outside.ask(&SERVES, &about("regcred")), None);
        let within = with(&[]);
        assert_eq!(within.ask(&DECODES_NOT, &about("regcred")), Some(Answer::Yes));
        assert_eq!(within.ask(&SERVES, &about("regcred")), Some(Answer::Yes));
    }

    #[test]
    fn near_keys_are_seen_and_foreign_ones_not() {
        for (key, name, expected) in [
            ("https://registry.example.com/", "registry.example.com:5000/a/b", true),
            ("Registry.Example.Com", "registry.example.com/a", true),
            ("registry-1.docker.io", "docker.io/library/nginx", true),
            ("registry", "registry.example.com/a", true),
            ("oci://registry.example.com", "registry.example.com/a", true),
            ("mirror.example.com", "registry.example.com/a", false),
            ("", "registry.example.com/a", false),
        ] {
            assert_eq!(near(key, name), expected, "{key} {name}");
        }
    }

    #[test]
    fn a_secret_that_its_maker_could_not_write_lacks_the_key() {
        let made = |message: &str| {
            let json = format!(
                r#"{{"metadata":{{"name":"regcred"}},"status":{{"conditions":[{{"type":"Synced","status":"False","message":"{message}"}}]}}}}"#
            );
            Scene::pod("r.example.com/a:1", &["regcred"])
                .other("SealedSecret", "shop", "regcred", &json)
                .ask(&TYPE_FITS, &Subject::Secret { namespace: "shop".into(), name: "regcred".into() })
        };
        assert_eq!(
            made("Secret is invalid: data[.dockerconfigjson]: Required value"),
            Some(Answer::Mismatch)
        );
        assert_eq!(made("no key could decrypt secret"), None);
    }

    #[test]
    fn content_without_auths_is_no_list_of_registries() {
        let with = |has_auths: bool, type_: &str| {
            let mut secret = secret("shop", "a", "r.example.com");
            secret.type_ = type_.into();
            if let facts::Observed::Seen(config) = &mut secret.docker_config {
                config.entries.clear();
                config.has_auths = has_auths;
            }
            let subject = Subject::Secret { namespace: "shop".into(), name: "a".into() };
            Scene::pod("r.example.com/a:1", &["a"]).secret(secret).ask(&DECODES_NOT, &subject)
        };
        assert_eq!(with(false, "kubernetes.io/dockerconfigjson"), Some(Answer::Malformed));
        assert_eq!(with(true, "kubernetes.io/dockerconfigjson"), None, "an empty list is one");
        assert_eq!(with(false, "Opaque"), None, "the kubelet does not read it at all");
    }
}
