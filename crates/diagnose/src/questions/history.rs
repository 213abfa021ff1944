//! Who wrote, deleted or put back a secret or a service account.

use facts::AuditEntry;
use report::{Evidence, Locator, Say};

/// An entry of an audit log as evidence.
pub fn audit_evidence(entry: &AuditEntry) -> Evidence {
    Evidence {
        at: Locator::File {
            node: String::new(),
            path: entry.origin.source.clone(),
            line: entry.origin.line,
            column: 0,
            snippet: String::new(),
        },
        says: Say::new("evidence-audit")
            .with("user", &*entry.user)
            .with("verb", &*entry.verb)
            .with("object", format!("{} {}/{}", entry.resource, entry.namespace, entry.name))
            .with("at", entry.at.map(|t| t.to_string()).unwrap_or_default()),
        quote: format!("{} {} {}/{}", entry.user, entry.verb, entry.resource, entry.name),
    }
}
