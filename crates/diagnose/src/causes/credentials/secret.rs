//! Roots that lie in a secret which the pod names.

use super::{WITHOUT, named_secrets, remedies};
use crate::question::Answers;
use crate::questions::places::REPOSITORY_THERE;
use crate::questions::secrets::{DECODES_NOT, ELSEWHERE, EXISTS, MEANT_FOR_IT, SERVES, TYPE_FITS};
use crate::questions::sent::{GONE_FOR_GOOD, IMAGE_WITHHELD, REFUSED_FOR_WANT, SENT, SOMETHING_SERVES};
use crate::row::{Row, assures, decides, hint, must, proof, settles};
use vocabulary::Cause;

const WITHOUT_AND_MISSING: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthInsufficientScope,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::RepositoryUnknown,
    Cause::Unknown,
    Cause::CredentialsSecretMissing,
];

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::CredentialsSecretMissing,
        shows_as: WITHOUT,
        about: named_secrets,
        expects: &[
            proof(&EXISTS, Answers::MISSING),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            must(&ELSEWHERE, Answers::NO),
            hint(&REFUSED_FOR_WANT, Answers::YES, 2),
            settles(&GONE_FOR_GOOD, Answers::YES),
        ],
        remedy: remedies::create_secret,
    },
    Row {
        cause: Cause::CredentialsWrongNamespace,
        shows_as: WITHOUT_AND_MISSING,
        about: named_secrets,
        expects: &[
            proof(&ELSEWHERE, Answers::ELSEWHERE),
            proof(&EXISTS, Answers::MISSING),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            settles(&GONE_FOR_GOOD, Answers::YES),
        ],
        remedy: remedies::copy_secret,
    },
    Row {
        cause: Cause::CredentialsWrongType,
        shows_as: WITHOUT,
        about: named_secrets,
        expects: &[
            decides(&TYPE_FITS, Answers::WRONG_KIND),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::retype_secret,
    },
    Row {
        cause: Cause::CredentialsWrongKey,
        shows_as: WITHOUT,
        about: named_secrets,
        expects: &[
            decides(&TYPE_FITS, Answers::MISMATCH),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::retype_secret,
    },
    Row {
        cause: Cause::CredentialsMalformed,
        shows_as: WITHOUT,
        about: named_secrets,
        expects: &[
            decides(&DECODES_NOT, Answers::MALFORMED),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::recreate_secret,
    },
    Row {
        cause: Cause::CredentialsHostMismatch,
        shows_as: WITHOUT,
        about: named_secrets,
        expects: &[
            proof(&SERVES, Answers::MISMATCH),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            settles(&MEANT_FOR_IT, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::rekey_secret,
    },
];
