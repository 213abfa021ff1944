//! Who wrote, deleted or put back a secret or a service account: audit logs, field managers, what controllers say.

mod actor;
mod reverted;
mod taken;

use crate::subject::Subject;
use facts::AuditEntry;

pub use actor::audit_evidence;
pub use reverted::{NODE_SECRET_REVERTED, REVERTED, node_secrets};
pub use taken::{COLLECTED, PRUNED, PRUNING_SEEN};

/// The namespace and name of the secret that the subject is.
fn secret_of(subject: &Subject) -> Option<(&str, &str)> {
    match subject {
        Subject::Secret { namespace, name } => Some((namespace, name)),
        _ => None,
    }
}

fn succeeded(entry: &&AuditEntry) -> bool {
    (200..300).contains(&entry.status)
}
