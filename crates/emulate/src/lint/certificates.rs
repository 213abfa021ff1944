//! CA files: there, readable, and holding something that a chain can end at.

use super::{Finding, Lint};
use crate::containerd::At;
use crate::files::{Entry, Files};
use formats::certificate::Certificate;
use formats::pem;

/// What is to be said of one CA file, named at this place.
pub fn ca(files: &dyn Files, path: &str, at: &At) -> Vec<Finding> {
    let finding = |lint| Finding::new(lint, Some(at.clone())).with("file", path);
    let bytes = match files.entry(path) {
        Entry::File(bytes) => bytes,
        Entry::Absent | Entry::NotADirectory => return vec![finding(Lint::CaMissing)],
        Entry::Dir => return vec![finding(Lint::CaNotPem)],
        Entry::Opaque | Entry::Unknown => return Vec::new(),
    };
    let all: Vec<Certificate> =
        pem::certificates(&bytes).iter().filter_map(|der| Certificate::from_der(der).ok()).collect();
    let Some(first) = all.first() else {
        return vec![finding(Lint::CaNotPem)];
    };
    // One that names itself ends a chain: a root, or a server's self-signed certificate that is trusted as such.
    if all.iter().any(Certificate::names_itself_as_issuer) {
        return Vec::new();
    }
    let is_authority = |c: &Certificate| c.basic.as_ref().is_some_and(|b| b.ca);
    let lint = if all.iter().any(is_authority) { Lint::CaIntermediateOnly } else { Lint::CaLeafOnly };
    vec![finding(lint).with("subject", first.subject.to_string())]
}
