//! Roots that lie in what takes a secret or a service account's list away again.

use super::{account, named_secrets, remedies};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Answers};
use crate::questions::history::{
    COLLECTED, NODE_SECRET_REVERTED, PRUNED, PRUNING_SEEN, REVERTED, node_secrets,
};
use crate::questions::places::REPOSITORY_THERE;
use crate::questions::secrets::EXISTS;
use crate::questions::sent::{IMAGE_WITHHELD, SENT, SOMETHING_SERVES};
use crate::row::{Row, assures, decides, must, proof, settles};
use crate::subject::Subject;
use vocabulary::Cause;

/// As what a pull shows whose secret was taken away, and the roots that stand in front of it.
const TAKEN: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::RateLimited,
    Cause::Unknown,
    Cause::CredentialsSecretMissing,
    Cause::CredentialsWrongNamespace,
];

/// And what a pull shows whose secret or list was put back to what it was.
const PUT_BACK: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthBadCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::RateLimited,
    Cause::CredentialsSecretMissing,
    Cause::CredentialsNotAttached,
    Cause::CredentialsHostMismatch,
    Cause::CredentialsWrongType,
    Cause::CredentialsExpired,
    Cause::CredentialsUsernameMangled,
];

fn secrets_and_account(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let mut all = account(case, pull);
    all.extend(named_secrets(case, pull).into_iter().filter(|s| matches!(s, Subject::Secret { .. })));
    all
}

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::CredentialsPrunedByGitops,
        shows_as: TAKEN,
        about: named_secrets,
        expects: &[
            proof(&PRUNED, Answers::of(&[Answer::Yes, Answer::Stale])),
            must(&EXISTS, Answers::of(&[Answer::Missing, Answer::Yes])),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            settles(&PRUNING_SEEN, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::keep_from_pruning,
    },
    Row {
        cause: Cause::CredentialsGarbageCollected,
        shows_as: TAKEN,
        about: named_secrets,
        expects: &[
            decides(&COLLECTED, Answers::YES),
            must(&EXISTS, Answers::of(&[Answer::Missing, Answer::Yes])),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::copy_secret,
    },
    Row {
        cause: Cause::CredentialsRevertedByController,
        shows_as: PUT_BACK,
        about: secrets_and_account,
        expects: &[
            decides(&REVERTED, Answers::YES),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::mend_at_source,
    },
    Row {
        cause: Cause::CredentialsRevertedByController,
        shows_as: PUT_BACK,
        about: node_secrets,
        expects: &[
            proof(&NODE_SECRET_REVERTED, Answers::YES),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::mend_at_source,
    },
];
