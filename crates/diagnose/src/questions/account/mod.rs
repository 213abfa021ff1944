//! The account behind a credential: whether it is spelled as the registry has it, and whether it has run out.

mod changed;
mod known;
mod lifetime;
mod refused;
mod scopes;
mod session;
mod spelling;

pub use changed::CHANGED_SINCE;
pub use known::Account;
pub use lifetime::{EXPIRED, EXPIRY_STATED, WORKED_BEFORE};
pub use refused::ACCOUNT_REFUSED;
pub use scopes::SCOPES_LACK;
pub use session::{SESSION_ENDED, SESSION_OF_USER};
pub use spelling::{MANGLED, MANGLING_SEEN};

use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets::{self, Presence};
use crate::subject::Subject;
use facts::{AuthEntry, Secret};

/// The secret that the subject is and its entry for the pull's image, whoever the user.
fn entry_in_use<'a>(
    case: &Case<'a>,
    pull: &Pull<'_>,
    subject: &Subject,
) -> Option<(&'a Secret, &'a AuthEntry)> {
    let Subject::Secret { namespace, name } = subject else { return None };
    if namespace != pull.namespace {
        return None;
    }
    let Presence::There(secret) = pull_secrets::presence(case, pull, name) else { return None };
    let (_, entry) = pull_secrets::serving(&[secret], &pull.image).into_iter().next()?;
    Some((secret, entry))
}
