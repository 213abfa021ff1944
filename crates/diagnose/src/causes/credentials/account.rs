//! Roots that lie in the account behind a credential that was sent.

use super::{named_secrets, remedies};
use crate::question::{Answer, Answers};
use crate::questions::account::{
    ACCOUNT_REFUSED, CHANGED_SINCE, EXPIRED, EXPIRY_STATED, MANGLED, MANGLING_SEEN, SCOPES_LACK,
    SESSION_ENDED, SESSION_OF_USER, WORKED_BEFORE,
};
use crate::questions::by_hand::CHALLENGE_MISSING;
use crate::questions::sent::{SENT, SOMETHING_SERVES};
use crate::row::{Row, must, proof, settles};
use vocabulary::Cause;

/// As what refused credentials show.
const REFUSED: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthBadCredentials,
    Cause::AuthTokenRejected,
    Cause::AuthInsufficientScope,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
];

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::CredentialsExpired,
        shows_as: REFUSED,
        about: named_secrets,
        expects: &[
            proof(&EXPIRED, Answers::STALE),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
            settles(&EXPIRY_STATED, Answers::STALE),
            settles(&WORKED_BEFORE, Answers::YES),
        ],
        remedy: remedies::renew,
    },
    Row {
        cause: Cause::AuthBadCredentials,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthTokenRejected,
            Cause::AuthzDeniedOrMissing,
        ],
        about: named_secrets,
        expects: &[
            proof(&ACCOUNT_REFUSED, Answers::YES),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
            must(&CHALLENGE_MISSING, Answers::NO),
        ],
        remedy: remedies::renew,
    },
    Row {
        cause: Cause::AuthBadCredentials,
        shows_as: &[Cause::AuthUnauthorized, Cause::AuthTokenRejected],
        about: named_secrets,
        expects: &[
            proof(&CHANGED_SINCE, Answers::YES),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
            must(&CHALLENGE_MISSING, Answers::NO),
        ],
        remedy: remedies::renew,
    },
    Row {
        cause: Cause::AuthInsufficientScope,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: named_secrets,
        expects: &[
            proof(&SCOPES_LACK, Answers::YES),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
        ],
        remedy: remedies::renew,
    },
    Row {
        cause: Cause::CredentialsUsernameMangled,
        shows_as: REFUSED,
        about: named_secrets,
        expects: &[
            proof(&MANGLED, Answers::of(&[Answer::Yes, Answer::Mismatch])),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
            settles(&MANGLING_SEEN, Answers::YES),
        ],
        remedy: remedies::recreate_secret,
    },
    Row {
        cause: Cause::AuthOidcSessionExpired,
        shows_as: REFUSED,
        about: named_secrets,
        expects: &[
            proof(&SESSION_ENDED, Answers::YES),
            must(&SOMETHING_SERVES, Answers::YES),
            must(&SENT, Answers::YES),
            settles(&SESSION_OF_USER, Answers::YES),
        ],
        remedy: remedies::robot_instead,
    },
];
