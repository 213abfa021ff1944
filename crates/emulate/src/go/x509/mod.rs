//! The verdict of Go's `crypto/tls` and `crypto/x509` on the certificates that a server presents.
//!
//! Other libraries judge otherwise: a self-signed server certificate with the CA flag that stands in the pool is
//! accepted by Go and refused by webpki, and they differ on weak keys, SHA-1 and name constraints. So chains are
//! built here, by the rules of `(*Certificate).Verify` and `(*Conn).verifyServerCertificate`, and the answers are
//! compared with recorded ones of real Go releases.

mod chain;
mod constraints;
mod hostname;
mod parse;
mod refusal;
mod roots;
mod signature;
mod system;

pub use refusal::{Refusal, Why};
pub use roots::{Added, Roots};
pub use system::{CertificatePlaces, SYSTEM_ROOT_DIRECTORIES, SYSTEM_ROOT_FILES};

use super::GoVersion;
use formats::certificate::{Certificate, KeyKind, Moment};
use jiff::Timestamp;
use std::sync::Arc;

/// What a Go client would say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on. The subjects of the first chain found, the server's certificate first.
    Accepted(Vec<String>),
    /// It stops.
    Refused(Refusal),
    /// Go could tell and this emulation cannot; the reason for people.
    Undecided(String),
}

impl Verdict {
    /// The refusal, if it is one.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Self::Refused(refusal) => Some(refusal),
            Self::Accepted(_) | Self::Undecided(_) => None,
        }
    }
}

/// The verdict of the newest Go on a chain as the server sent it, its own certificate first.
///
/// `host` is the name or address of the URL, without the port.
pub fn verify(chain_der: &[Vec<u8>], roots: &Roots, host: &str, now: Timestamp) -> Verdict {
    verify_as(GoVersion::NEWEST, chain_der, roots, host, now)
}

/// The verdict of one release of Go.
pub fn verify_as(go: GoVersion, chain_der: &[Vec<u8>], roots: &Roots, host: &str, now: Timestamp) -> Verdict {
    match judge(go, chain_der, roots, host, now) {
        Ok(verdict) => verdict,
        Err(why) => Verdict::Refused(Refusal::new(go, why)),
    }
}

fn judge(
    go: GoVersion,
    chain_der: &[Vec<u8>],
    roots: &Roots,
    host: &str,
    now: Timestamp,
) -> Result<Verdict, Why> {
    let mut sent = Vec::new();
    for der in chain_der {
        let certificate = parse::parse(go, der).map_err(Why::Unparsable)?;
        if matches!(certificate.key.kind, KeyKind::Rsa { bits } if bits > 8192) && go.refuses_large_rsa() {
            return Err(Why::RsaKeyTooLarge);
        }
        sent.push(Arc::new(certificate));
    }
    let Some((leaf, intermediates)) = sent.split_first() else { return Err(Why::NoCertificates) };
    if roots.is_missing() {
        return Err(Why::NoSystemRoots);
    }

    let search = chain::Search::new(go, roots.certificates(), intermediates, now);
    search.check_valid(leaf, &[], chain::Role::Leaf)?;
    if !host.is_empty() {
        hostname::check(go, leaf, host)?;
    }
    let found = if roots.contains(leaf) {
        chain::Found { chains: vec![vec![Arc::clone(leaf)]], undecided: None }
    } else {
        match search.chains(leaf) {
            Ok(found) => found,
            Err(chain::Stop::Refused(why)) => return Err(why),
            Err(chain::Stop::Undecided(reason)) => return Ok(Verdict::Undecided(reason)),
        }
    };
    let chain = match first_good(go, &found.chains) {
        Ok(chain) => chain,
        Err(Judged::Refused(why)) => {
            return found.undecided.map_or(Err(why), |reason| Ok(Verdict::Undecided(reason)));
        }
        Err(Judged::Undecided(reason)) => return Ok(Verdict::Undecided(reason)),
    };
    supported_key(go, leaf)?;
    Ok(Verdict::Accepted(chain.iter().map(|c| c.subject.to_string()).collect()))
}

enum Judged {
    Refused(Why),
    Undecided(String),
}

/// The first chain that holds, or what Go says when none does. Name constraints are named before key usage.
fn first_good(go: GoVersion, chains: &[Vec<Arc<Certificate>>]) -> Result<&[Arc<Certificate>], Judged> {
    let mut constrained = None;
    let mut usage = false;
    let mut undecided = None;
    for chain in chains {
        if let Some(subject) = demands_policies(chain) {
            undecided.get_or_insert(format!("certificate policies are demanded by {subject}"));
        } else if !allows_servers(chain) {
            usage = true;
        } else if go.constrains_whole_chains()
            && let Err(detail) = constraints::check(go, chain)
        {
            constrained.get_or_insert(detail);
        } else {
            return Ok(chain);
        }
    }
    match (undecided, constrained, usage) {
        (Some(reason), ..) => Err(Judged::Undecided(reason)),
        (None, Some(detail), _) => Err(Judged::Refused(Why::NameNotPermitted(detail))),
        (None, None, true) => Err(Judged::Refused(Why::IncompatibleUsage)),
        (None, None, false) => Err(Judged::Refused(Why::NoValidChains)),
    }
}

/// Policy constraints of RFC 5280 are not emulated: hardly a private authority uses them.
fn demands_policies(chain: &[Arc<Certificate>]) -> Option<String> {
    let below_the_anchor = chain.len().saturating_sub(1);
    let demanding = |c: &&Arc<Certificate>| c.extensions.iter().any(|e| e.oid == "2.5.29.36");
    chain.iter().take(below_the_anchor).find(demanding).map(|c| c.subject.to_string())
}

/// Whether every certificate that lists usages allows that of a server: Go nests them from the anchor down.
fn allows_servers(chain: &[Arc<Certificate>]) -> bool {
    const ANY: &str = "2.5.29.37.0";
    const SERVER: &str = "1.3.6.1.5.5.7.3.1";
    chain.iter().all(|c| match c.extended_key_usage.as_deref() {
        None | Some([]) => true,
        Some(usages) => usages.iter().any(|usage| usage == ANY || usage == SERVER),
    })
}

/// What the handshake asks of the server's key once its certificate holds.
fn supported_key(go: GoVersion, leaf: &Certificate) -> Result<(), Why> {
    match &leaf.key.kind {
        KeyKind::Rsa { bits } if *bits < 1024 && go.refuses_small_rsa() => {
            Err(Why::RsaKeyTooSmall { bits: *bits })
        }
        KeyKind::Rsa { .. } | KeyKind::Ec { .. } | KeyKind::Ed25519 => Ok(()),
        KeyKind::Dsa => Err(Why::UnsupportedKey("*dsa.PublicKey")),
        KeyKind::Other(oid) if oid == "1.3.101.110" => Err(Why::UnsupportedKey("*ecdh.PublicKey")),
        KeyKind::Other(_) => Err(Why::UnsupportedKey("<nil>")),
    }
}

/// When a certificate's own dates exclude `now`.
fn outside_of_its_dates(certificate: &Certificate, now: Timestamp) -> Option<Why> {
    let moment = Moment::from(now);
    if certificate.not_before.is_after(now) {
        return Some(Why::NotYetValid { now: moment, not_before: certificate.not_before });
    }
    certificate
        .not_after
        .is_before(now)
        .then_some(Why::Expired { now: moment, not_after: certificate.not_after })
}
