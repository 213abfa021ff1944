//! Chains from the server's certificate to a root: Go's `(*Certificate).buildChains` and `isValid`.

use super::signature::{self, Checked};
use super::{Why, constraints, outside_of_its_dates, parse};
use crate::go::GoVersion;
use formats::certificate::Certificate;
use jiff::Timestamp;
use std::sync::Arc;

/// Go gives up after so many candidates, so that a hostile chain cannot keep it busy.
const MAX_CANDIDATES: usize = 100;

/// What a certificate is in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Leaf,
    Intermediate,
    Root,
}

/// The chains that lead to a root, not yet checked for usage and names.
pub(super) struct Found {
    pub chains: Vec<Vec<Arc<Certificate>>>,
    /// Something on the way could not be checked here; there might be more chains.
    pub undecided: Option<String>,
}

/// Why there are none.
pub(super) enum Stop {
    Refused(Why),
    Undecided(String),
}

/// What is searched, and how.
pub(super) struct Search<'a> {
    go: GoVersion,
    roots: &'a [Arc<Certificate>],
    intermediates: Vec<&'a Arc<Certificate>>,
    now: Timestamp,
}

/// What one search has used up and come across.
#[derive(Default)]
struct Progress {
    candidates: usize,
    undecided: Option<String>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        go: GoVersion,
        roots: &'a [Arc<Certificate>],
        sent: &'a [Arc<Certificate>],
        now: Timestamp,
    ) -> Self {
        let mut intermediates: Vec<&Arc<Certificate>> = Vec::new();
        for certificate in sent {
            if !intermediates.iter().any(|known| known.der == certificate.der) {
                intermediates.push(certificate);
            }
        }
        Self { go, roots, intermediates, now }
    }

    /// All chains from `leaf` to a root.
    pub(super) fn chains(&self, leaf: &Arc<Certificate>) -> Result<Found, Stop> {
        let mut progress = Progress::default();
        let result = self.climb(&[Arc::clone(leaf)], &mut progress);
        match (result, progress.undecided) {
            (Ok(chains), undecided) => Ok(Found { chains, undecided }),
            (Err(_), Some(reason)) => Err(Stop::Undecided(reason)),
            (Err(why), None) => Err(Stop::Refused(why)),
        }
    }

    fn climb(
        &self,
        below: &[Arc<Certificate>],
        progress: &mut Progress,
    ) -> Result<Vec<Vec<Arc<Certificate>>>, Why> {
        let Some(child) = below.last() else { return Ok(Vec::new()) };
        let mut chains = Vec::new();
        let mut hint: Option<(Box<Why>, String)> = None;
        // As in Go, the last candidate that got as far as its own validity decides the error.
        let mut error: Option<Why> = None;
        let from_roots = likeliest_first(child, self.roots.iter()).into_iter().map(|c| (Role::Root, c));
        let from_sent = likeliest_first(child, self.intermediates.iter().copied());
        for (role, parent) in from_roots.chain(from_sent.into_iter().map(|c| (Role::Intermediate, c))) {
            progress.candidates += 1;
            if progress.candidates > MAX_CANDIDATES {
                error = Some(Why::TooManyCandidates);
                break;
            }
            if has_no_key(parent) || stands_in(parent, below) {
                continue;
            }
            match signature::check(self.go, child, parent) {
                Checked::Good => {}
                Checked::Bad(why) => {
                    hint.get_or_insert_with(|| (Box::new(why), candidate_name(parent)));
                    continue;
                }
                Checked::Undecided(reason) => {
                    progress.undecided.get_or_insert(reason);
                    continue;
                }
            }
            if let Err(why) = self.check_valid(parent, below, role) {
                hint.get_or_insert_with(|| (Box::new(why.clone()), candidate_name(parent)));
                error = Some(why);
                continue;
            }
            error = None;
            let mut chain = below.to_vec();
            chain.push(Arc::clone(parent));
            if role == Role::Root {
                chains.push(chain);
            } else {
                match self.climb(&chain, progress) {
                    Ok(longer) => chains.extend(longer),
                    Err(Why::TooManyCandidates) => {
                        error = Some(Why::TooManyCandidates);
                        break;
                    }
                    Err(why) => error = Some(why),
                }
            }
        }
        match error {
            _ if !chains.is_empty() => Ok(chains),
            Some(why) => Err(why),
            None => Err(Why::UnknownAuthority {
                hint,
                self_signed: below.len() == 1 && child.names_itself_as_issuer(),
                missing_issuer: child.issuer.to_string(),
            }),
        }
    }

    /// Whether a certificate may be the next of a chain.
    pub(super) fn check_valid(
        &self,
        certificate: &Certificate,
        below: &[Arc<Certificate>],
        role: Role,
    ) -> Result<(), Why> {
        if parse::has_unhandled_critical_extension(certificate) {
            return Err(Why::UnhandledCriticalExtension);
        }
        if below.last().is_some_and(|child| child.issuer.der != certificate.subject.der) {
            return Err(Why::IssuerNameMismatch);
        }
        if let Some(why) = outside_of_its_dates(certificate, self.now) {
            return Err(why);
        }
        if !self.go.constrains_whole_chains()
            && let Some(held_to) = &certificate.name_constraints
        {
            constraints::check_below(self.go, below, held_to).map_err(Why::NameNotPermitted)?;
        }
        if role == Role::Intermediate && !certificate.basic.is_some_and(|basic| basic.ca) {
            return Err(Why::NotAuthorizedToSign);
        }
        if let Some(limit) = certificate.basic.and_then(|basic| basic.path_len) {
            let intermediates = below.len().saturating_sub(1);
            if u32::try_from(intermediates).map_or(true, |count| count > limit) {
                return Err(Why::TooManyIntermediates);
            }
        }
        Ok(())
    }
}

/// Candidates by name, those with the right key identifier first: Go's `findPotentialParents`.
fn likeliest_first<'a>(
    child: &Certificate,
    pool: impl Iterator<Item = &'a Arc<Certificate>>,
) -> Vec<&'a Arc<Certificate>> {
    let mut candidates: Vec<_> = pool.filter(|c| c.subject.der == child.issuer.der).collect();
    candidates.sort_by_key(|c| {
        if c.subject_key_id == child.authority_key_id {
            0
        } else if c.subject_key_id.is_empty() != child.authority_key_id.is_empty() {
            1
        } else {
            2
        }
    });
    candidates
}

/// Go passes over keys of kinds that it does not know.
fn has_no_key(certificate: &Certificate) -> bool {
    use formats::certificate::KeyKind;
    const X25519: &str = "1.3.101.110";
    matches!(&certificate.key.kind, KeyKind::Other(oid) if oid != X25519)
}

/// Loops of cross-signed authorities are cut by name, key and alternative names.
fn stands_in(candidate: &Certificate, chain: &[Arc<Certificate>]) -> bool {
    let alt_names =
        |c: &Certificate| c.extensions.iter().find(|e| e.oid == "2.5.29.17").map(|e| e.value.clone());
    let wanted = alt_names(candidate);
    for certificate in chain {
        if certificate.subject.der != candidate.subject.der || certificate.key.info != candidate.key.info {
            continue;
        }
        match (&wanted, alt_names(certificate)) {
            (None, None) => return true,
            (None, Some(_)) | (Some(_), None) => return false,
            (Some(a), Some(b)) if *a == b => return true,
            (Some(_), Some(_)) => {}
        }
    }
    false
}

/// How Go names a candidate in a hint.
fn candidate_name(certificate: &Certificate) -> String {
    let subject = &certificate.subject;
    match (subject.common_name(), subject.organization()) {
        (Some(name), _) if !name.is_empty() => name.to_owned(),
        (_, Some(organization)) => organization.to_owned(),
        _ => format!("serial:{}", certificate.serial_decimal),
    }
}
