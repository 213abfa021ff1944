//! Roots that lie in how a secret gets to the pod.

use super::{account, pod, remedies};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Answers};
use crate::questions::attachment::{
    ACCOUNT_SERVES, NAMED_ONES, POD_NAMES, PREDATES, UNATTACHED_SERVES, unattached,
};
use crate::questions::places::REPOSITORY_THERE;
use crate::questions::sent::{IMAGE_WITHHELD, SENT, SOMETHING_SERVES};
use crate::row::{Row, assures, decides, must, proof, settles};
use crate::subject::Subject;
use vocabulary::{Cause, Operation};

/// Refused like the others, and the anonymous client's rate limit too.
const ANONYMOUS: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::RateLimited,
];

/// And the roots that are seen at the pod while the account holds the better ones.
const ANONYMOUS_OR_STALE: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::RateLimited,
    Cause::CredentialsSecretMissing,
    Cause::CredentialsHostMismatch,
    Cause::CredentialsNotAttached,
];

fn candidates(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation != Operation::Pull {
        return Vec::new();
    }
    let found: Vec<Subject> = unattached(case, pull)
        .into_iter()
        .map(|s| Subject::Secret { namespace: s.meta.namespace.clone(), name: s.meta.name.clone() })
        .collect();
    if found.is_empty() { vec![pod(pull)] } else { found }
}

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::CredentialsNotAttached,
        shows_as: ANONYMOUS,
        about: candidates,
        expects: &[
            proof(&UNATTACHED_SERVES, Answers::YES),
            // One that the pod names and nobody has seen may be the one that was meant to serve
            assures(&NAMED_ONES, Answers::of(&[Answer::No, Answer::Yes])),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            settles(&ACCOUNT_SERVES, Answers::NO),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::attach_secret,
    },
    Row {
        cause: Cause::CredentialsOverriddenByPod,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::RepositoryUnknown,
            Cause::RateLimited,
            Cause::CredentialsHostMismatch,
        ],
        about: account,
        expects: &[
            decides(&ACCOUNT_SERVES, Answers::YES),
            proof(&POD_NAMES, Answers::YES),
            proof(&SOMETHING_SERVES, Answers::NO),
            must(&NAMED_ONES, Answers::of(&[Answer::Yes, Answer::Mismatch])),
            must(&PREDATES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::name_accounts_secrets_too,
    },
    Row {
        cause: Cause::CredentialsPodPredatesSecret,
        shows_as: ANONYMOUS_OR_STALE,
        about: account,
        expects: &[
            decides(&PREDATES, Answers::YES),
            must(&ACCOUNT_SERVES, Answers::YES),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::remake_pod,
    },
];
