//! Roots that lie in the credentials of a pull: which secret, how attached, what became of it.

pub mod account;
pub mod attachment;
pub mod controllers;
pub mod node;
mod remedies;
pub mod secret;

use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets;
use crate::question::{Answer, Seen};
use crate::questions::places::REPOSITORY_THERE;
use crate::subject::Subject;
use vocabulary::{Cause, Operation};

/// As what a pull without fitting credentials shows: refused, or told that there is nothing, by registries that hide
/// what they do not show; or counted among the anonymous.
const WITHOUT: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::Unknown,
];

/// One hypothesis for each secret that the pod names; where it names none, or is unknown, one about the pod.
fn named_secrets(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation != Operation::Pull || plainly_missing(case, pull) {
        return Vec::new();
    }
    let named = pull_secrets::named(case, pull).unwrap_or_default();
    if named.is_empty() {
        return vec![pod(pull)];
    }
    named
        .into_iter()
        .map(|n| Subject::Secret { namespace: pull.namespace.to_owned(), name: n.name })
        .collect()
}

/// Whether the registry answered without a word of credentials that the tag is not there: no secret would change that. Some
/// registries hide so what they do not show, which is known where others are served this image.
fn plainly_missing(case: &Case<'_>, pull: &Pull<'_>) -> bool {
    const OF_CREDENTIALS: &[&str] = &["credential", "logged in", "login", "authoriz", "denied"];
    let said = pull.deciding().map(|o| o.text.to_ascii_lowercase()).unwrap_or_default();
    let there = || (REPOSITORY_THERE.ask)(case, pull, &pod(pull));
    pull.symptom() == Cause::ManifestUnknown
        && !OF_CREDENTIALS.iter().any(|w| said.contains(w))
        && !matches!(there(), Seen::Is(Answer::Yes, _))
}

/// The pod. Of one that only events speak of, or that was printed, it is not known which secrets it names: those of its
/// namespace that fail alike are taken for one failure.
fn pod(pull: &Pull<'_>) -> Subject {
    let name = if pull.pod.is_some_and(pull_secrets::says_its_own) { pull.pod_name } else { "" };
    Subject::Pod { namespace: pull.namespace.to_owned(), name: name.to_owned() }
}

/// The pod's service account.
fn account(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation != Operation::Pull || plainly_missing(case, pull) {
        return Vec::new();
    }
    let name = pull.pod.map_or("default", |p| p.service_account.as_str());
    vec![Subject::ServiceAccount { namespace: pull.namespace.to_owned(), name: name.to_owned() }]
}

#[cfg(test)]
mod tests {
    use crate::testing::{Scene, account, entry, manager, secret};
    use vocabulary::{Cause, Confidence};

    const IMAGE: &str = "harbor.example.com:8443/shop/web:1";
    const HOST: &str = "harbor.example.com:8443";
    const CANNOT: &str =
        "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.";

    fn missing() -> Scene {
        let scene = Scene::pod(IMAGE, &["regcred"]).event("FailedToRetrieveImagePullSecret", CANNOT);
        scene.change(|s| s.coverage.secrets_elsewhere = true)
    }

    #[test]
    fn printed_pods_that_fail_alike_are_one_failure() {
        let said = format!(
            "Failed to pull image \"{IMAGE}\": failed to pull and unpack image \"{IMAGE}\": failed to resolve image: pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed"
        );
        let incidents = |printed: bool| {
            let scene = Scene::pod(IMAGE, &[]).change(|s| {
                let waits = s.pods[0].clone();
                s.pods = ["web-1", "web-2"]
                    .map(|name| {
                        let mut pod = waits.clone();
                        (pod.meta.name, pod.printed) = (name.into(), printed);
                        pod.containers[0].waiting.as_mut().unwrap().message = said.clone();
                        pod
                    })
                    .into();
            });
            let report = crate::diagnose(&scene.snapshot);
            report.incidents.iter().map(|i| (i.cause, i.affected.pulls)).collect::<Vec<_>>()
        };
        assert_eq!(incidents(true), [(Cause::AuthInsufficientScope, 2)]);
        // Each is known to name none
        assert_eq!(incidents(false).iter().map(|(_, pulls)| pulls).sum::<u64>(), 2);
    }

    #[test]
    fn where_not_all_namespaces_were_looked_through_it_may_be_elsewhere() {
        let part = missing().change(|s| s.coverage.secrets_elsewhere = false);
        assert_eq!(part.verdict(), (Cause::CredentialsSecretMissing, Confidence::Likely));
    }

    #[test]
    fn a_missing_secret_is_confirmed_where_the_registry_wanted_credentials() {
        assert_eq!(missing().verdict(), (Cause::CredentialsSecretMissing, Confidence::Confirmed));
        let hidden = missing().symptom(Cause::AuthzDeniedOrMissing).words("pull access denied");
        assert_eq!(hidden.verdict(), (Cause::CredentialsSecretMissing, Confidence::Likely));
    }

    #[test]
    fn a_missing_secret_is_nobodys_fault_where_another_serves() {
        let scene = missing()
            .change(|s| s.pods[0].pull_secrets.push("second".into()))
            .secret(secret("shop", "second", HOST));
        assert_ne!(scene.verdict().0, Cause::CredentialsSecretMissing);
    }

    #[test]
    fn words_of_refused_credentials_clear_the_missing_secret() {
        let scene = missing().words("failed to authorize: failed to fetch oauth token: 401 Unauthorized");
        assert_ne!(scene.verdict().0, Cause::CredentialsSecretMissing);
    }

    #[test]
    fn the_same_name_in_another_namespace_goes_deeper() {
        let scene = missing().secret(secret("default", "regcred", HOST));
        assert_eq!(scene.verdict(), (Cause::CredentialsWrongNamespace, Confidence::Confirmed));
        let own = missing().secret(secret("default", "regcred", "mirror.example.com"));
        assert_eq!(own.verdict().0, Cause::CredentialsSecretMissing, "theirs is for another registry");
    }

    #[test]
    fn type_and_key_are_told_apart() {
        let with = |key: &str, type_: &str| {
            let mut s = secret("shop", "regcred", key);
            s.type_ = type_.into();
            Scene::pod(IMAGE, &["regcred"]).secret(s).verdict()
        };
        let right = "kubernetes.io/dockerconfigjson";
        assert_eq!(with(HOST, "Opaque"), (Cause::CredentialsWrongType, Confidence::Confirmed));
        assert_eq!(
            with("https://harbor.example.com", right),
            (Cause::CredentialsHostMismatch, Confidence::Confirmed)
        );
        assert_eq!(with("mirror.example.com", right), (Cause::CredentialsHostMismatch, Confidence::Likely));
        assert_eq!(with(HOST, right).0, Cause::AuthUnauthorized, "it serves, so the fault lies elsewhere");
    }

    #[test]
    fn words_that_leave_a_missing_repository_open_confirm_no_fault_of_a_secret() {
        let hidden = |scene: Scene| scene.symptom(Cause::AuthzDeniedOrMissing).words("insufficient_scope");
        let absent = |scene: Scene| scene.symptom(Cause::ManifestUnknown).words("web:1: not found");
        let mut opaque = secret("shop", "regcred", HOST);
        opaque.type_ = "Opaque".into();
        let mut broken = secret("shop", "regcred", HOST);
        entry(&mut broken).problem = Some("illegal base64".into());
        let good = || secret("shop", "regcred", HOST);
        let faulty = [
            Scene::pod(IMAGE, &["regcred"]).secret(opaque.clone()),
            Scene::pod(IMAGE, &["regcred"]).secret(broken),
            Scene::pod(IMAGE, &["regcred"]).secret(secret("shop", "regcred", "harbor.example.com")),
            Scene::pod(IMAGE, &[]).account(account("default", &[])).secret(good()),
            Scene::pod(IMAGE, &[]).account(account("default", &["regcred"])).secret(good()),
        ];
        for scene in faulty {
            assert_eq!(scene.verdict().1, Confidence::Confirmed, "{:?}", scene.verdict());
            assert_ne!(hidden(scene.clone()).verdict().1, Confidence::Confirmed);
            let found = absent(scene).verdict();
            assert!(found.0.area() != "credentials" || found.1 != Confidence::Confirmed, "{found:?}");
        }
        let runs = hidden(Scene::pod(IMAGE, &["regcred"]).secret(opaque)).change(|s| {
            let mut other = s.pods[0].clone();
            other.meta.name = "api".into();
            other.containers[0].waiting = None;
            other.containers[0].image_id = "sha256:1".into();
            s.pods.push(other);
        });
        assert_eq!(runs.verdict(), (Cause::CredentialsWrongType, Confidence::Confirmed), "it runs elsewhere");
    }

    #[test]
    fn a_tag_that_is_plainly_missing_is_no_fault_of_a_secret() {
        let cause = |said: &str| {
            let failed = format!("Failed to pull image \"{IMAGE}\": {said}");
            let scene = Scene::pod(IMAGE, &["regcred"]).event("FailedToRetrieveImagePullSecret", CANNOT);
            crate::diagnose(&scene.event("Failed", &failed).snapshot).incidents[0].cause
        };
        let plain = format!(
            "rpc error: code = NotFound desc = failed to pull and unpack image \"{IMAGE}\": failed to resolve image: {IMAGE}: not found"
        );
        assert_eq!(cause(&plain), Cause::ManifestUnknown);
        let hides = "You may not be logged in for it, this may be because there are no credentials on this request.  details: (Error: image shop/web:1 not found)";
        assert_eq!(cause(hides), Cause::CredentialsSecretMissing);
    }

    #[test]
    fn a_secret_for_other_registries_is_not_of_the_wrong_type_for_this_one() {
        let mut foreign = secret("shop", "regcred", "mirror.example.com");
        foreign.type_ = "Opaque".into();
        let verdict = Scene::pod(IMAGE, &["regcred"]).secret(foreign).verdict();
        assert_ne!(verdict.0, Cause::CredentialsWrongType);
    }

    #[test]
    fn who_names_the_secret_decides_between_three_causes() {
        let good = || secret("shop", "regcred", HOST);
        let unattached = Scene::pod(IMAGE, &[]).account(account("default", &[])).secret(good());
        assert_eq!(unattached.verdict(), (Cause::CredentialsNotAttached, Confidence::Confirmed));
        // A named secret whose content is passed over is what was meant to serve
        let mut outside = secret("shop", "mine", HOST);
        if let facts::Observed::Seen(config) = &mut outside.docker_config {
            config.entries.clear();
            config.has_auths = false;
            config.misplaced = vec![HOST.into()];
        }
        let named =
            Scene::pod(IMAGE, &["mine"]).account(account("default", &[])).secret(good()).secret(outside);
        assert_eq!(named.verdict().0, Cause::CredentialsMalformed);
        let unseen = Scene::pod(IMAGE, &["mine"]).account(account("default", &[])).secret(good());
        assert_eq!(unseen.verdict(), (Cause::CredentialsNotAttached, Confidence::Likely));
        let late = Scene::pod(IMAGE, &[]).account(account("default", &["regcred"])).secret(good());
        assert_eq!(late.verdict(), (Cause::CredentialsPodPredatesSecret, Confidence::Confirmed));
        let hidden = Scene::pod(IMAGE, &["other"])
            .account(account("default", &["regcred"]))
            .secret(good())
            .secret(secret("shop", "other", "mirror.example.com"));
        assert_eq!(hidden.verdict(), (Cause::CredentialsOverriddenByPod, Confidence::Confirmed));
        let renamed = missing()
            .account(account("default", &["new"]))
            .change(|s| s.service_accounts[0].meta.managers.push(manager("provisioner", "10:01:00")))
            .secret(secret("shop", "new", HOST));
        assert_eq!(renamed.verdict(), (Cause::CredentialsPodPredatesSecret, Confidence::Confirmed));
    }

    #[test]
    fn an_unknown_account_leaves_two_causes() {
        let scene = Scene::pod(IMAGE, &[]).secret(secret("shop", "regcred", HOST));
        assert_eq!(scene.verdict(), (Cause::CredentialsNotAttached, Confidence::Likely));
    }

    #[test]
    fn no_credentials_are_suspected_in_sandboxes_and_pushes() {
        for operation in [vocabulary::Operation::Sandbox, vocabulary::Operation::Push] {
            let mut scene = missing();
            scene.operation = operation;
            assert_ne!(scene.verdict().0.area(), "credentials", "{operation}");
        }
    }
}
