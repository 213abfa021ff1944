//! Roots that lie in where an image is, and where it is not.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Answers};
use crate::questions::fallback::ABSENT_BEHIND_FALLBACK;
use crate::questions::front::TOKEN_INVALID;
use crate::questions::places::{
    IMAGE_ON_NODE, LOCAL_ONLY, LOCAL_ONLY_SEEN, LOSS_SEEN, MISSING_OR_HIDDEN, NOT_ELSEWHERE, PUBLIC,
    REMOVED_HERE, REPOSITORY_THERE, STORAGE_LOST, TAG_THERE,
};
use crate::questions::products::HIDES_MISSING;
use crate::questions::sandbox::{PAUSE_BY_ANOTHER_NAME, PAUSE_SET_FOR_KUBELET, SANDBOX_ANONYMOUS};
use crate::questions::sent::SOMETHING_SERVES;
use crate::questions::verified::{KUBELET_VERIFIES, NOT_ALWAYS};
use crate::row::{Row, decides, must, proof, settles};
use crate::subject::Subject;
use formats::reference::repository_of;
use report::{Remedy, Say, Step};
use vocabulary::{Cause, Operation};

fn repository(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation == Operation::Push {
        Vec::new()
    } else {
        vec![Subject::Repository(repository_of(&pull.image))]
    }
}

/// The repository, where the registry refused: who says outright that there is none does not answer as 401.
fn refused_repository(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let refused =
        pull.observations.iter().any(|o| matches!(o.reading.cause.area(), "auth" | "authz" | "credentials"));
    if refused { repository(case, pull) } else { Vec::new() }
}

fn image(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let image = pull.reading().and_then(|r| r.image.clone()).unwrap_or_default();
    let image = if pull.image.is_empty() { image } else { pull.image.clone() };
    if pull.operation == Operation::Push { Vec::new() } else { vec![Subject::Image(image)] }
}

/// The image, as a node keeps it; a probe keeps none.
fn kept_image(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.is_probe() { Vec::new() } else { image(case, pull) }
}

fn sandbox_image(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation == Operation::Sandbox { image(case, pull) } else { Vec::new() }
}

fn registry(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation == Operation::Push {
        Vec::new()
    } else {
        vec![Subject::Registry(pull.registry.clone())]
    }
}

fn remedy(says: Say, scope: Say, risk: &'static str, steps: Vec<Step>) -> Vec<Remedy> {
    vec![Remedy { says, scope, risk: Say::new(risk), steps, undo: Vec::new() }]
}

fn name_another_repository(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let repository = repository_of(&pull.image);
    remedy(
        Say::new("remedy-name-existing-repository").with("repository", &*repository),
        Say::new("scope-workload-of-pod").with("pod", pull.pod_name),
        "risk-rollout",
        vec![
            Step::Ask(Say::new("ask-find-or-push-repository").with("repository", &*repository)),
            Step::Run(format!(
                "kubectl set image WORKLOAD {}=NEW_IMAGE -n {}",
                pull.container_name, pull.namespace
            )),
        ],
    )
}

fn push_or_name_tag(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    remedy(
        Say::new("remedy-push-tag-or-name-existing").with("image", &*pull.image),
        Say::new("scope-workload-of-pod").with("pod", pull.pod_name),
        "risk-rollout",
        vec![Step::Ask(Say::new("ask-push-or-choose-tag").with("image", &*pull.image))],
    )
}

/// As what a pause image shows that nobody meant to be asked for.
const UNREACHABLE_PAUSE: &[Cause] = &[
    Cause::NetTimeout,
    Cause::NetRefused,
    Cause::NetUnreachable,
    Cause::DnsNotFound,
    Cause::DnsTimeout,
    Cause::DnsServerFailure,
    Cause::TlsUnknownAuthority,
    Cause::TlsHandshakeTimeout,
    Cause::ManifestUnknown,
    Cause::AuthzDenied,
];

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::AuthRepositoryMissingAs401,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthBadCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: refused_repository,
        expects: &[
            proof(&MISSING_OR_HIDDEN, Answers::MISSING),
            settles(&REPOSITORY_THERE, Answers::MISSING),
            must(&HIDES_MISSING, Answers::YES),
            must(&TOKEN_INVALID, Answers::NO),
            must(&PUBLIC, Answers::NO),
        ],
        remedy: name_another_repository,
    },
    Row {
        cause: Cause::RepositoryUnknown,
        shows_as: &[Cause::ManifestUnknown, Cause::AuthzDeniedOrMissing],
        about: repository,
        expects: &[proof(&REPOSITORY_THERE, Answers::MISSING)],
        remedy: name_another_repository,
    },
    Row {
        cause: Cause::ManifestUnknown,
        shows_as: &[
            Cause::RepositoryUnknown,
            Cause::AuthzDeniedOrMissing,
            Cause::TlsHttpResponseToHttps,
            Cause::ConfigMirrorMasksUpstream,
        ],
        about: image,
        expects: &[decides(&TAG_THERE, Answers::MISSING), must(&REPOSITORY_THERE, Answers::YES)],
        remedy: push_or_name_tag,
    },
    Row {
        cause: Cause::ManifestUnknown,
        shows_as: &[Cause::TlsUnknownAuthority, Cause::TlsSelfSigned, Cause::TlsIncompleteChain],
        about: image,
        expects: &[proof(&ABSENT_BEHIND_FALLBACK, Answers::YES), must(&TAG_THERE, Answers::MISSING)],
        remedy: push_or_name_tag,
    },
    Row {
        cause: Cause::PushFailedLocalOnly,
        shows_as: &[
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::AuthInsufficientScope,
            Cause::AuthUnauthorized,
            Cause::AuthRepositoryMissingAs401,
        ],
        about: image,
        expects: &[
            proof(&LOCAL_ONLY, Answers::of(&[Answer::Yes, Answer::Elsewhere])),
            must(&TAG_THERE, Answers::MISSING),
            must(&IMAGE_ON_NODE, Answers::NO),
            settles(&LOCAL_ONLY_SEEN, Answers::YES),
        ],
        remedy: |_, pull, _| {
            remedy(
                Say::new("remedy-push-image").with("image", &*pull.image),
                Say::new("scope-image").with("image", &*pull.image),
                "risk-none-running-pods",
                vec![
                    Step::Run(format!("docker tag {} REGISTRY/PROJECT/IMAGE:TAG", pull.image)),
                    Step::Run("docker push REGISTRY/PROJECT/IMAGE:TAG".into()),
                ],
            )
        },
    },
    Row {
        cause: Cause::RegistryStorageLost,
        shows_as: &[
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::BlobUnknown,
            Cause::AuthzDeniedOrMissing,
        ],
        about: registry,
        expects: &[
            proof(&STORAGE_LOST, Answers::of(&[Answer::Yes, Answer::Stale])),
            must(&TAG_THERE, Answers::MISSING),
            settles(&LOSS_SEEN, Answers::YES),
        ],
        remedy: |_, pull, _| {
            remedy(
                Say::new("remedy-lasting-storage").with("registry", &*pull.registry),
                Say::new("scope-registry").with("registry", &*pull.registry),
                "risk-registry-restarts",
                vec![
                    Step::Ask(Say::new("ask-give-registry-lasting-volume").with("registry", &*pull.registry)),
                    Step::Ask(Say::new("ask-push-images-again")),
                ],
            )
        },
    },
    Row {
        cause: Cause::CacheGcRemovedImage,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::DnsNotFound,
            Cause::DnsServerFailure,
            Cause::DnsTimeout,
            Cause::NetTimeout,
            Cause::NetRefused,
            Cause::NetUnreachable,
            Cause::SandboxImage,
            Cause::PolicyNeverPull,
        ],
        about: kept_image,
        expects: &[proof(&REMOVED_HERE, Answers::YES), settles(&NOT_ELSEWHERE, Answers::YES)],
        remedy: |_, pull, _| {
            remedy(
                Say::new("remedy-keep-image-on-node").with("node", pull.node),
                Say::new("scope-one-node-first").with("node", pull.node),
                "risk-disk-stays-full",
                vec![
                    Step::Ask(Say::new("ask-load-or-pin-image")),
                    Step::Ask(Say::new("ask-image-from-registry-of-own")),
                    Step::Run("df -h /var/lib/containerd /var/lib/kubelet".into()),
                ],
            )
        },
    },
    Row {
        cause: Cause::SandboxImage,
        shows_as: UNREACHABLE_PAUSE,
        about: sandbox_image,
        expects: &[proof(&PAUSE_SET_FOR_KUBELET, Answers::YES)],
        remedy: |_, _, _| Vec::new(),
    },
    Row {
        cause: Cause::SandboxImage,
        shows_as: UNREACHABLE_PAUSE,
        about: sandbox_image,
        expects: &[proof(&PAUSE_BY_ANOTHER_NAME, Answers::YES)],
        remedy: |_, _, _| Vec::new(),
    },
    Row {
        cause: Cause::SandboxImage,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
        ],
        about: sandbox_image,
        expects: &[proof(&SANDBOX_ANONYMOUS, Answers::YES)],
        remedy: |_, pull, _| {
            remedy(
                Say::new("remedy-reachable-sandbox-image").with("node", pull.node),
                Say::new("scope-one-node-first").with("node", pull.node),
                "risk-runtime-restarts",
                vec![
                    Step::Ask(Say::new("ask-set-sandbox-image")),
                    Step::Run("sudo systemctl restart containerd".into()),
                ],
            )
        },
    },
    Row {
        cause: Cause::PolicyCredentialsNotVerified,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::PolicyNeverPull,
        ],
        about: kept_image,
        expects: &[
            proof(&IMAGE_ON_NODE, Answers::YES),
            proof(&KUBELET_VERIFIES, Answers::YES),
            must(&NOT_ALWAYS, Answers::YES),
            must(&SOMETHING_SERVES, Answers::NO),
        ],
        remedy: |_, pull, _| {
            remedy(
                Say::new("remedy-give-pod-credentials").with("image", &*pull.image),
                Say::new("scope-one-pod").with("pod", pull.pod_name),
                "risk-none-running-pods",
                vec![Step::Ask(Say::new("ask-attach-pull-secret").with("registry", &*pull.registry))],
            )
        },
    },
];
