//! Roots that the registry's own answers name: a policy, a challenge, an upload address, a name without a registry.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::Answers;
use crate::questions::by_hand::{
    BODY_LIMITED, CHALLENGE_HIDDEN, CHALLENGE_MISSING, LOCATION_WRONG, READ_ONLY_SET, REGISTRY_FULL,
    UPLOADS_PLAINLY, WITHHELD,
};
use crate::questions::hostless::{COMPLETED, HOSTLESS, SERVED_THERE};
use crate::row::{Row, decides, proof, settles};
use crate::subject::Subject;
use report::{Remedy, Say, Step};
use vocabulary::{Cause, Operation};

fn image(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation == Operation::Push { Vec::new() } else { vec![Subject::Image(pull.image.clone())] }
}

fn registry(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Registry(pull.registry.clone())]
}

fn pushed_to(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation == Operation::Push {
        vec![Subject::Registry(pull.registry.clone())]
    } else {
        Vec::new()
    }
}

/// What somebody has to do at the registry or in front of it.
fn there(pull: &Pull<'_>, says: &'static str, ask: &'static str) -> Vec<Remedy> {
    vec![Remedy {
        says: Say::new(says).with("registry", &*pull.registry).with("image", &*pull.image),
        scope: Say::new("scope-registry").with("registry", &*pull.registry),
        risk: Say::new("risk-none-running-pods"),
        steps: vec![Step::Ask(Say::new(ask).with("registry", &*pull.registry).with("image", &*pull.image))],
        undo: Vec::new(),
    }]
}

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::ManifestBlocked,
        shows_as: &[Cause::RegistryUnexpectedStatus, Cause::AuthzDenied, Cause::ManifestUnknown],
        about: image,
        expects: &[decides(&WITHHELD, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-meet-policy", "ask-meet-or-exempt"),
    },
    Row {
        cause: Cause::StorageDiskFull,
        shows_as: &[Cause::RegistryServerError, Cause::RegistryUnavailable],
        about: registry,
        expects: &[proof(&REGISTRY_FULL, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-free-registry-storage", "ask-enlarge-registry-volume"),
    },
    Row {
        cause: Cause::AuthChallengeInvalid,
        shows_as: &[Cause::AuthUnauthorized],
        about: registry,
        expects: &[proof(&CHALLENGE_MISSING, Answers::YES), settles(&CHALLENGE_HIDDEN, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-let-challenge-pass", "ask-let-challenge-pass"),
    },
    Row {
        cause: Cause::PushLocationScheme,
        shows_as: &[
            Cause::NetRefused,
            Cause::NetTimeout,
            Cause::DnsNotFound,
            Cause::DnsServerFailure,
            Cause::TlsHttpsRequired,
            Cause::RegistryUnexpectedStatus,
            Cause::RegistryBadResponse,
        ],
        about: pushed_to,
        expects: &[decides(&LOCATION_WRONG, Answers::YES), proof(&UPLOADS_PLAINLY, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-tell-registry-its-address", "ask-forward-proto"),
    },
    Row {
        cause: Cause::RegistryBodyLimit,
        shows_as: &[Cause::PushTooLarge, Cause::NetReset, Cause::NetEof],
        about: pushed_to,
        expects: &[proof(&BODY_LIMITED, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-raise-body-limit", "ask-raise-body-limit"),
    },
    Row {
        cause: Cause::PushReadOnly,
        shows_as: &[
            Cause::RegistryUnexpectedStatus,
            Cause::RegistryBadResponse,
            Cause::RegistryUnavailable,
            Cause::PushDenied,
            Cause::AuthzDenied,
        ],
        about: pushed_to,
        expects: &[proof(&READ_ONLY_SET, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-let-registry-write", "ask-end-read-only"),
    },
    Row {
        cause: Cause::PushLocationScheme,
        shows_as: &[Cause::BlobUnknown, Cause::PushUploadUnknown],
        about: pushed_to,
        expects: &[proof(&LOCATION_WRONG, Answers::YES)],
        remedy: |_, pull, _| there(pull, "remedy-tell-registry-its-address", "ask-forward-proto"),
    },
    Row {
        cause: Cause::ReferenceMissingRegistryHost,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthInsufficientScope,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::CredentialsHostMismatch,
        ],
        about: image,
        expects: &[proof(&HOSTLESS, Answers::YES), settles(&SERVED_THERE, Answers::YES)],
        remedy: |_, pull, _| {
            vec![Remedy {
                says: Say::new("remedy-name-registry").with("image", &*pull.image),
                scope: Say::new("scope-workload-of-pod").with("pod", pull.pod_name),
                risk: Say::new("risk-rollout"),
                steps: vec![Step::Run(format!(
                    "kubectl set image WORKLOAD {}=REGISTRY/{} -n {}",
                    pull.container_name, pull.image, pull.namespace
                ))],
                undo: Vec::new(),
            }]
        },
    },
    Row {
        cause: Cause::ReferenceShortName,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
        ],
        about: image,
        expects: &[proof(&COMPLETED, Answers::YES)],
        remedy: |_, _, _| Vec::new(),
    },
];
