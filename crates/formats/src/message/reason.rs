//! Reasons that no row knows. Go's chains say what was being done before they say why it failed, so a reason in no table
//! still has its step: a lookup, a connection, a handshake (net `net.go` `OpError`, net `DNSError`, crypto/tls `alert.go`).

use super::scene::Scene;
use vocabulary::Cause::{self, *};

/// What a step's failure means, and what else it may be; the innermost step comes first.
const STEPS: &[(&str, Cause, &[Cause])] = &[
    (": lookup ", DnsServerFailure, &[DnsTimeout, DnsNotFound]),
    ("remote error: tls: ", TlsHandshake, &[TlsProtocolVersion, TlsClientCertRequired]),
    (": x509: ", TlsHandshake, &[TlsUnknownAuthority, TlsInterception]),
    (": tls: ", TlsHandshake, &[TlsNotTls]),
    (": connect: ", NetUnreachable, &[NetRefused]),
    (": connectex: ", NetUnreachable, &[NetRefused, NetTimeout]),
    (": socket: ", NetUnreachable, &[RuntimeUnavailable]),
    (": bind: ", NetUnreachable, &[RuntimeUnavailable]),
    (": read: ", NetReset, &[NetEof]),
    (": write: ", NetReset, &[NetEof]),
    (": wsarecv: ", NetReset, &[NetEof]),
    (": wsasend: ", NetReset, &[NetEof]),
    (": http2: ", NetReset, &[NetEof, RegistryBadResponse]),
];

/// The last step of a request in the record that ends in a reason, with what it means and where the reason stands.
pub(crate) fn unread(scene: &Scene<'_>, from: usize) -> Option<(Cause, &'static [Cause], (usize, usize))> {
    let words = scene.text.get(from..scene.record.span.end)?;
    let asked = scene.requests.iter().find(|r| r.asked && r.is_registry())?.end.checked_sub(from)?;
    STEPS.iter().find_map(|(step, cause, also)| {
        let at = words.rfind(step).filter(|at| *at >= asked)? + step.len();
        // `lookup NAME on SERVER:53: reason`; the others have their reason at once.
        let after = words.get(at..)?;
        let reason = if *step == ": lookup " { at + after.find(": ")? + 2 } else { at };
        let end = reason + link(words.get(reason..)?);
        (end > reason + 2).then_some((*cause, *also, (from + reason, from + end)))
    })
}

/// How long the link is; nothing for one that was cut off.
fn link(rest: &str) -> usize {
    let end = rest.find(['\n', '"', ',']).unwrap_or(rest.len());
    let words = rest.get(..end).unwrap_or_default().trim_end();
    if words.ends_with("...") || words.ends_with('\u{2026}') { 0 } else { words.len() }
}
