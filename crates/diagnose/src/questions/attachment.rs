//! How pull secrets get to a pod: its own list, its service account's, and when each was written.

use super::secrets::names_none;
use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets::{self, Made, Presence};
use crate::question::{Answer, Question, Seen, Test};
use crate::subject::Subject;
use emulate::kubelet::{admission, image_name};
use facts::{Pod, Secret, ServiceAccount, Why};
use jiff::Timestamp;
use report::{Evidence, Locator, Say};

/// The pod's service account, where it is in the Snapshot.
pub fn account_of<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<&'a ServiceAccount> {
    let name = pull.pod.map_or("default", |p| p.service_account.as_str());
    case.account(pull.namespace, if name.is_empty() { "default" } else { name })
}

/// A field of a service account, as a place.
pub fn account_at(account: &ServiceAccount, field: &str) -> Locator {
    Locator::Object {
        kind: "ServiceAccount".into(),
        namespace: account.meta.namespace.clone(),
        name: account.meta.name.clone(),
        field: field.to_owned(),
    }
}

/// A service account's list as evidence.
pub fn list_shown(account: &ServiceAccount) -> Evidence {
    let says = if account.pull_secrets.is_empty() {
        "evidence-account-names-none"
    } else {
        "evidence-account-names"
    };
    names_shown(account_at(account, "imagePullSecrets"), says, &account.pull_secrets)
}

fn pod_at(pod: &Pod, field: &str) -> Locator {
    Locator::Object {
        kind: "Pod".into(),
        namespace: pod.meta.namespace.clone(),
        name: pod.meta.name.clone(),
        field: field.to_owned(),
    }
}

fn names_shown(at: Locator, says: &'static str, names: &[String]) -> Evidence {
    Evidence { at, says: Say::new(says).with("names", names.join(", ")), quote: names.join(", ") }
}

/// A secret that is there, by its name in the pull's namespace.
fn there<'a>(case: &Case<'a>, pull: &Pull<'_>, name: &str) -> Option<&'a Secret> {
    match pull_secrets::presence(case, pull, name) {
        Presence::There(secret) => Some(secret),
        Presence::Gone(_) | Presence::Unknown => None,
    }
}

fn account_serves(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(account) = account_of(case, pull) else { return Seen::Blind(Why::NotAsked) };
    let secrets: Vec<&Secret> = account.pull_secrets.iter().filter_map(|n| there(case, pull, n)).collect();
    let served = pull_secrets::serving(&secrets, &pull.image);
    if let Some((secret, entry)) = served.iter().find(|(_, e)| e.user.is_some()) {
        return Seen::Is(
            Answer::Yes,
            vec![
                names_shown(
                    account_at(account, "imagePullSecrets"),
                    "evidence-account-names",
                    &account.pull_secrets,
                ),
                Evidence {
                    at: pull_secrets::entry_at(secret, entry),
                    says: Say::new("evidence-entry-serves")
                        .with("key", &*entry.key)
                        .with("image", &*pull.image),
                    quote: entry.key.clone(),
                },
            ],
        );
    }
    let readable = secrets.iter().all(|s| !matches!(pull_secrets::made(s), Made::Blind(_)));
    let all_known = account
        .pull_secrets
        .iter()
        .all(|n| !matches!(pull_secrets::presence(case, pull, n), Presence::Unknown));
    // Who owns the account may have emptied its list: then "names none" is what is left, and not how it came to be.
    let owned = !account.meta.owners.is_empty();
    // Where the pod is not known, neither is which account it has, nor what it names itself.
    let pod_known = pull_secrets::named(case, pull).is_some();
    if readable && all_known && pod_known && !owned && image_name::lookup_name(&pull.image).is_ok() {
        let says = if account.pull_secrets.is_empty() {
            "evidence-account-names-none"
        } else {
            "evidence-account-serves-not"
        };
        return Seen::no(names_shown(account_at(account, "imagePullSecrets"), says, &account.pull_secrets));
    }
    Seen::Blind(Why::NotAsked)
}

/// The last time at which something shows the account's list (or the account) to have been written.
fn account_written(case: &Case<'_>, account: &ServiceAccount) -> Option<(Timestamp, Evidence)> {
    let meta = &account.meta;
    let wrote_list = |m: &&facts::FieldManager| {
        m.fields.is_empty() || m.fields.iter().any(|f| f.contains("imagePullSecrets"))
    };
    let by_manager = meta.managers.iter().filter(wrote_list).filter_map(|m| {
        let says =
            Say::new("evidence-written-by").with("manager", &*m.manager).with("at", m.time?.to_string());
        let field = format!("metadata.managedFields[{}].time", m.manager);
        Some((
            m.time?,
            Evidence { at: account_at(account, &field), says, quote: format!("{} {}", m.manager, m.time?) },
        ))
    });
    let by_audit = case
        .audit_of("serviceaccounts", &meta.namespace, &meta.name)
        .filter(|a| a.pull_secrets.is_some() && (200..300).contains(&a.status))
        .filter_map(|a| Some((a.at?, super::history::audit_evidence(a))));
    let created = meta.created.map(|at| {
        let says = Say::new("evidence-created-at").with("at", at.to_string());
        (at, Evidence { at: account_at(account, "metadata.creationTimestamp"), says, quote: at.to_string() })
    });
    by_manager.chain(by_audit).chain(created).max_by_key(|(at, _)| *at)
}

/// Whether the pod was made before the account's list was what it is now. Admission copies the list when a pod is made
/// and never again, so an empty list beside an account that has one says so by itself.
fn predates(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(pod) = pull.pod.filter(|p| !p.printed) else { return Seen::Blind(Why::NotAsked) };
    if let Some(seen) = frozen_secret(case, pull, pod) {
        return seen;
    }
    let Some(account) = account_of(case, pull) else { return Seen::Blind(Why::NotAsked) };
    let due = admission::pull_secrets(&[], &account.pull_secrets, pod.is_static);
    if due.is_empty() {
        let says = if pod.is_static { "evidence-static-pod" } else { "evidence-account-names-none" };
        return Seen::no(names_shown(account_at(account, "imagePullSecrets"), says, &account.pull_secrets));
    }
    let mut evidence = vec![names_shown(
        account_at(account, "imagePullSecrets"),
        "evidence-account-names",
        &account.pull_secrets,
    )];
    let written = account_written(case, account);
    let later = written.as_ref().zip(pod.meta.created).map(|((at, _), made)| *at > made);
    let created = pod.meta.created.map(|at| Evidence {
        at: pod_at(pod, "metadata.creationTimestamp"),
        says: Say::new("evidence-created-at").with("at", at.to_string()),
        quote: at.to_string(),
    });
    if let Some(none) = names_none(pull) {
        evidence.insert(0, none);
        if later == Some(true) {
            evidence.extend(created);
            evidence.extend(written.map(|(_, e)| e));
        }
        return Seen::Is(Answer::Yes, evidence);
    }
    if pod.pull_secrets == account.pull_secrets {
        return Seen::Is(
            Answer::No,
            vec![names_shown(pod_at(pod, "spec.imagePullSecrets"), "evidence-pod-names", &pod.pull_secrets)],
        );
    }
    match later {
        Some(true) => {
            evidence.insert(
                0,
                names_shown(pod_at(pod, "spec.imagePullSecrets"), "evidence-pod-names", &pod.pull_secrets),
            );
            evidence.extend(created);
            evidence.extend(written.map(|(_, e)| e));
            Seen::Is(Answer::Yes, evidence)
        }
        // No later write is on record; one that left no trace stays possible.
        Some(false) | None => Seen::Blind(Why::NotAsked),
    }
}

/// An immutable secret that is younger than the pod: the kubelet keeps what it read first.
/// Source: kubernetes pkg/kubelet/util/manager/watch_based_manager.go, 1.36.
fn frozen_secret(case: &Case<'_>, pull: &Pull<'_>, pod: &Pod) -> Option<Seen> {
    let made = pod.meta.created?;
    let secret = pod
        .pull_secrets
        .iter()
        .filter_map(|n| there(case, pull, n))
        .find(|s| s.immutable && s.meta.created.is_some_and(|c| c > made))?;
    let at = secret.meta.created.map(|t| t.to_string()).unwrap_or_default();
    Some(Seen::yes(Evidence {
        at: pull_secrets::secret_at(secret, "immutable"),
        says: Say::new("evidence-immutable-younger").with("at", &*at),
        quote: at,
    }))
}

fn pod_names(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(none) = names_none(pull) {
        return Seen::no(none);
    }
    match pull.pod {
        Some(pod) => Seen::yes(names_shown(
            pod_at(pod, "spec.imagePullSecrets"),
            "evidence-pod-names",
            &pod.pull_secrets,
        )),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Secrets of the pull's namespace that would serve the image and that neither the pod nor its account names.
pub fn unattached<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Vec<&'a Secret> {
    let account = account_of(case, pull);
    let named = |name: &String| {
        pull.pod.is_some_and(|p| p.pull_secrets.contains(name))
            || account.is_some_and(|a| a.pull_secrets.contains(name))
    };
    case.snapshot
        .secrets
        .iter()
        .filter(|s| s.meta.namespace == pull.namespace && !named(&s.meta.name))
        .filter(|s| pull_secrets::content_matches(s, &pull.image).is_some_and(|e| e.user.is_some()))
        .collect()
}

fn unattached_serves(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Subject::Secret { namespace, name } = subject else { return Seen::Blind(Why::NotAsked) };
    let found =
        unattached(case, pull).into_iter().find(|s| s.meta.namespace == *namespace && s.meta.name == *name);
    let Some((secret, entry)) = found.and_then(|s| Some((s, pull_secrets::content_matches(s, &pull.image)?)))
    else {
        return Seen::Blind(Why::NotAsked);
    };
    let mut evidence = vec![Evidence {
        at: pull_secrets::entry_at(secret, entry),
        says: Say::new("evidence-unattached-serves")
            .with("name", &*secret.meta.name)
            .with("image", &*pull.image),
        quote: entry.key.clone(),
    }];
    evidence.extend(names_none(pull));
    evidence.extend(pull_secrets::misplaced(pull));
    Seen::Is(Answer::Yes, evidence)
}

/// What becomes of the secrets that the pod names: `No` where it names none, `Yes` where all are there and meant for
/// other registries, else the first fault.
fn named_ones(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(named) = pull_secrets::named(case, pull) else { return Seen::Blind(Why::NotAsked) };
    if named.is_empty() {
        return names_none(pull).map_or(Seen::Blind(Why::NotAsked), Seen::no);
    }
    let mut evidence = Vec::new();
    for n in named {
        let subject = Subject::Secret { namespace: pull.namespace.to_owned(), name: n.name.clone() };
        let secret = match n.presence {
            Presence::Gone(gone) => return Seen::Is(Answer::Missing, gone),
            Presence::Unknown => return Seen::Blind(Why::NotAsked),
            Presence::There(secret) => secret,
        };
        let ask = |q: &Question| (q.ask)(case, pull, &subject);
        let made = pull_secrets::made(secret);
        if matches!(made, Made::Broken(_) | Made::Entries(_))
            && let Seen::Is(Answer::Malformed, shown) = ask(&super::secrets::DECODES)
        {
            return Seen::Is(Answer::Malformed, shown);
        }
        match made {
            Made::WrongType | Made::WrongKey => {
                if let Seen::Is(_, shown) = ask(&super::secrets::TYPE_FITS) {
                    return Seen::Is(Answer::WrongKind, shown);
                }
            }
            Made::Blind(why) => return Seen::Blind(why),
            Made::Broken(_) => {}
            Made::Entries(entries) => {
                if let Seen::Is(_, shown) = ask(&super::secrets::MEANT_FOR_IT) {
                    return Seen::Is(Answer::Mismatch, shown);
                }
                let says = Say::new("evidence-no-entry-serves").with("image", &*pull.image);
                evidence.push(pull_secrets::keys_shown(secret, entries, says));
            }
        }
    }
    Seen::Is(Answer::Yes, evidence)
}

const fn kubectl(command: fn(&Case<'_>, &Pull<'_>, &Subject) -> String) -> Option<Test> {
    Some(Test { cost: 3, vantage: "kubectl", command })
}

/// Does the account's list serve the image?
pub static ACCOUNT_SERVES: Question = Question {
    id: "ask-account-serves-image",
    ask: account_serves,
    test: kubectl(|_, pull, _| {
        let name = pull.pod.map_or("default", |p| p.service_account.as_str());
        format!("kubectl get serviceaccount {name} -n {} -o yaml --show-managed-fields", pull.namespace)
    }),
};

/// Was the pod made before the secrets were attached?
pub static PREDATES: Question = Question {
    id: "ask-pod-predates-secret",
    ask: predates,
    test: kubectl(|_, pull, _| {
        let name = pull.pod.map_or("default", |p| p.service_account.as_str());
        format!("kubectl get serviceaccount {name} -n {} -o yaml --show-managed-fields", pull.namespace)
    }),
};

/// Does the pod name any pull secret?
pub static POD_NAMES: Question = Question {
    id: "ask-pod-names-secrets",
    ask: pod_names,
    test: kubectl(|_, pull, _| {
        format!(
            "kubectl get pod {} -n {} -o jsonpath='{{.spec.imagePullSecrets}}'",
            pull.pod_name, pull.namespace
        )
    }),
};

/// Would a secret that nobody names serve the image?
pub static UNATTACHED_SERVES: Question = Question {
    id: "ask-unattached-secret-serves",
    ask: unattached_serves,
    test: kubectl(|_, pull, _| {
        format!(
            "kubectl get secrets -n {} --field-selector type=kubernetes.io/dockerconfigjson",
            pull.namespace
        )
    }),
};

/// What becomes of the secrets that the pod names?
pub static NAMED_ONES: Question = Question { id: "ask-named-secrets", ask: named_ones, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, account, at, audit, manager, secret};

    const ANY: Subject = Subject::Cluster;
    const IMAGE: &str = "harbor.example.com/shop/web:1";

    fn about(name: &str) -> Subject {
        Subject::Secret { namespace: "shop".into(), name: name.into() }
    }

    #[test]
    fn an_empty_list_beside_an_account_that_has_one_predates_it() {
        let scene = |secrets: &[&str]| {
            Scene::pod(IMAGE, secrets).account(account("default", &["regcred"])).secret(secret(
                "shop",
                "regcred",
                "harbor.example.com",
            ))
        };
        assert_eq!(scene(&[]).ask(&PREDATES, &ANY), Some(Answer::Yes));
        assert_eq!(scene(&["regcred"]).ask(&PREDATES, &ANY), Some(Answer::No));
        assert_eq!(scene(&["old"]).ask(&PREDATES, &ANY), None, "no later write is on record");
        let fixed = scene(&[]).change(|s| s.pods[0].is_static = true);
        assert_eq!(fixed.ask(&PREDATES, &ANY), Some(Answer::No));
        assert_eq!(
            Scene::pod(IMAGE, &[]).account(account("default", &[])).ask(&PREDATES, &ANY),
            Some(Answer::No)
        );
        assert_eq!(Scene::pod(IMAGE, &[]).ask(&PREDATES, &ANY), None);
    }

    #[test]
    fn a_later_write_of_the_list_is_seen_in_managers_and_in_the_audit_log() {
        let scene = || Scene::pod(IMAGE, &["old"]).account(account("default", &["regcred"]));
        let managed =
            |clock| scene().change(|s| s.service_accounts[0].meta.managers.push(manager("patcher", clock)));
        assert_eq!(managed("10:00:09").ask(&PREDATES, &ANY), Some(Answer::Yes));
        assert_eq!(managed("09:59:00").ask(&PREDATES, &ANY), None);
        let mut patched = audit("11:00:00", "patch", "admin", "serviceaccounts", "default");
        patched.pull_secrets = Some(vec!["regcred".into()]);
        assert_eq!(scene().audit(patched).ask(&PREDATES, &ANY), Some(Answer::Yes));
    }

    #[test]
    fn an_immutable_secret_that_is_younger_is_not_read_again() {
        let mut young = secret("shop", "regcred", "harbor.example.com");
        young.meta.created = at("10:30:00");
        let scene = Scene::pod(IMAGE, &["regcred"]).account(account("default", &[]));
        assert_eq!(scene.clone().secret(young.clone()).ask(&PREDATES, &ANY), Some(Answer::No));
        young.immutable = true;
        assert_eq!(scene.secret(young).ask(&PREDATES, &ANY), Some(Answer::Yes));
    }

    #[test]
    fn a_serving_secret_that_nobody_names_is_seen() {
        let scene = Scene::pod(IMAGE, &[]).secret(secret("shop", "regcred", "harbor.example.com"));
        assert_eq!(scene.ask(&UNATTACHED_SERVES, &about("regcred")), Some(Answer::Yes));
        let named = scene.clone().account(account("default", &["regcred"]));
        assert_eq!(named.ask(&UNATTACHED_SERVES, &about("regcred")), None);
        let elsewhere = Scene::pod(IMAGE, &[]).secret(secret("bank", "regcred", "harbor.example.com"));
        assert_eq!(elsewhere.ask(&UNATTACHED_SERVES, &about("regcred")), None);
    }

    #[test]
    fn the_account_serves_or_serves_not() {
        let scene = |key: &str| {
            Scene::pod(IMAGE, &[])
                .account(account("default", &["regcred"]))
                .secret(secret("shop", "regcred", key))
        };
        assert_eq!(scene("harbor.example.com").ask(&ACCOUNT_SERVES, &ANY), Some(Answer::Yes));
        assert_eq!(scene("mirror.example.com").ask(&ACCOUNT_SERVES, &ANY), Some(Answer::No));
        let unknown = Scene::pod(IMAGE, &[]).account(account("default", &["regcred"]));
        assert_eq!(unknown.ask(&ACCOUNT_SERVES, &ANY), None);
    }

    #[test]
    fn the_named_ones_have_a_first_fault() {
        let with = |s: Secret| Scene::pod(IMAGE, &["regcred"]).secret(s).ask(&NAMED_ONES, &ANY);
        assert_eq!(with(secret("shop", "regcred", "mirror.example.com")), Some(Answer::Yes));
        assert_eq!(with(secret("shop", "regcred", "harbor.example.com:443")), Some(Answer::Mismatch));
        let mut opaque = secret("shop", "regcred", "harbor.example.com");
        opaque.type_ = "Opaque".into();
        assert_eq!(with(opaque), Some(Answer::WrongKind));
        assert_eq!(Scene::pod(IMAGE, &[]).ask(&NAMED_ONES, &ANY), Some(Answer::No));
        assert_eq!(Scene::pod(IMAGE, &["regcred"]).ask(&NAMED_ONES, &ANY), None);
    }
}
