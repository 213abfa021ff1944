//! TLS: the handshake, the whole chain as it was presented, and Go's verdict on it.

use crate::note::{Note, Step};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::wire::tls::{self, Handshake, Hello, Wire};
use emulate::go::x509::{self, Verdict};
use facts::seen;
use formats::certificate::Certificate;
use formats::interceptors;
use rustls::sign::CertifiedKey;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use vocabulary::{Cause, Stage};

/// A stream whose server was verified.
pub(crate) struct Secured {
    pub(crate) wire: Wire,
    pub(crate) client_certificate_asked: bool,
}

/// Whom to shake hands with.
pub(crate) struct Server<'a> {
    /// Its name, or address.
    pub(crate) host: &'a str,
    /// Both ends of the connection.
    pub(crate) way: (Option<SocketAddr>, SocketAddr),
    /// The client certificate that it may see.
    pub(crate) offer: Option<Arc<CertifiedKey>>,
    /// Whether the emulated client takes any certificate.
    pub(crate) unverified: bool,
}

/// Shakes hands and verifies. `again` opens the way anew, for a second try with a small hello; it is called at most once.
pub(crate) async fn climb(
    wire: Wire,
    server: Server<'_>,
    around: &Surroundings,
    limit: Duration,
    again: impl AsyncFnOnce() -> Option<Wire>,
) -> Step<Secured> {
    let Server { host, way, offer, unverified } = server;
    let mut note = Note::of(Stage::Tls);
    note.see(seen::TLS_SERVER_NAME, if host.parse::<std::net::IpAddr>().is_ok() { "none" } else { host });
    let shaken = tls::handshake(wire, host, way, Hello::AsGo(offer.clone()), limit).await;
    see_handshake(&shaken, &mut note);
    let trust = around.trust();
    for place in &trust.from {
        note.see(seen::ROOTS_FROM, place);
    }
    note.see(seen::ROOTS_COUNT, trust.roots.certificates().len());
    let chain = &shaken.presented.chain;
    see_chain(chain, &trust.roots, &mut note);
    let wire = match shaken.result {
        Ok(wire) => wire,
        Err(trouble) => {
            // A hello that does not fit one packet is lost or disliked by some middle devices.
            if matches!(trouble.symptom, Cause::TlsHandshakeTimeout | Cause::NetReset | Cause::NetEof)
                && let Some(wire) = again().await
            {
                let second = tls::handshake(wire, host, way, Hello::Small(offer), limit).await;
                note.see(seen::TLS_SMALL_HELLO, if second.result.is_ok() { "yes" } else { "no" });
            }
            return note.failed(&trouble);
        }
    };
    let secured = Secured { wire, client_certificate_asked: shaken.client_certificate_asked };
    let trouble = match x509::verify(chain, &trust.roots, host, around.now()) {
        Verdict::Accepted(_) => return note.passed(secured),
        Verdict::Refused(refusal) => Trouble::new(Stage::Tls, refusal.cause, refusal.text),
        Verdict::Undecided(why) => {
            Trouble::new(Stage::Tls, Cause::TlsHandshake, format!("not verified here: {why}"))
        }
    };
    if unverified {
        note.see(seen::TLS_NOT_VERIFIED, &trouble.words);
        return note.passed(secured);
    }
    note.failed(&trouble)
}

fn see_handshake(shaken: &Handshake, note: &mut Note) {
    let facts = [
        (seen::TLS_VERSION, &shaken.version),
        (seen::TLS_CIPHER, &shaken.cipher),
        (seen::TLS_ALERT, &shaken.alert),
        (seen::FIRST_BYTES, &shaken.first_bytes),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            note.see(name, value);
        }
    }
    if shaken.client_certificate_asked {
        note.see(seen::TLS_CLIENT_CERTIFICATE_ASKED, "yes");
        note.see(
            seen::TLS_CLIENT_CERTIFICATE_SENT,
            if shaken.client_certificate_sent { "yes" } else { "no" },
        );
    }
}

/// The most certificates of a chain that are shown.
const MOST_SHOWN: usize = 10;

fn see_chain(chain: &[Vec<u8>], roots: &x509::Roots, note: &mut Note) {
    if chain.is_empty() {
        return;
    }
    note.see(seen::CHAIN_LENGTH, chain.len());
    let read: Vec<Certificate> =
        chain.iter().take(MOST_SHOWN).filter_map(|der| Certificate::from_der(der).ok()).collect();
    for certificate in &read {
        see_certificate(certificate, note);
        if let Some(product) = interceptors::product(&certificate.issuer.to_string()) {
            note.see(seen::CHAIN_INTERCEPTOR, product);
        }
    }
    if let Some(missing) = missing_issuer(&read, roots) {
        note.see(seen::CHAIN_MISSING_ISSUER, missing);
    }
}

/// The issuer at which the chain from the server's own certificate ends without reaching a root.
fn missing_issuer(chain: &[Certificate], roots: &x509::Roots) -> Option<String> {
    let mut current = chain.first()?;
    for _ in 0..chain.len() {
        if current.names_itself_as_issuer() {
            return None;
        }
        if roots.certificates().iter().any(|root| root.subject.der == current.issuer.der) {
            return None;
        }
        match chain.iter().find(|c| c.subject.der == current.issuer.der) {
            Some(next) => current = next,
            None => return Some(current.issuer.to_string()),
        }
    }
    None
}

fn see_certificate(certificate: &Certificate, note: &mut Note) {
    note.see(seen::CERTIFICATE, &certificate.subject);
    note.see(seen::CERTIFICATE_ISSUER, &certificate.issuer);
    if certificate.names_itself_as_issuer() {
        note.see(seen::CERTIFICATE_SELF_ISSUED, "yes");
    }
    note.see(seen::CERTIFICATE_SERIAL, certificate.serial_hex());
    note.see(seen::CERTIFICATE_NOT_BEFORE, certificate.not_before);
    note.see(seen::CERTIFICATE_NOT_AFTER, certificate.not_after);
    if let Some(names) = &certificate.alt_names {
        for name in names.dns.iter().take(50) {
            note.see(seen::CERTIFICATE_NAME, format!("DNS:{name}"));
        }
        for ip in names.ips.iter().take(50) {
            note.see(seen::CERTIFICATE_NAME, format!("IP:{ip}"));
        }
    }
    note.see(seen::CERTIFICATE_KEY, &certificate.key.kind);
    note.see(seen::CERTIFICATE_SIGNATURE, signature(&certificate.signature_algorithm.oid));
    note.see(seen::CERTIFICATE_CA, if certificate.basic.is_some_and(|b| b.ca) { "yes" } else { "no" });
    for usage in certificate.extended_key_usage.iter().flatten().take(10) {
        note.see(seen::CERTIFICATE_USAGE, usage);
    }
    for url in certificate.issuer_urls.iter().take(4) {
        note.see(seen::CERTIFICATE_ISSUER_AT, url);
    }
    note.see(seen::CERTIFICATE_FINGERPRINT, certificate.fingerprint());
}

/// Go's name of a signature algorithm, else its object identifier.
fn signature(oid: &str) -> &str {
    match oid {
        "1.2.840.113549.1.1.4" => "MD5-RSA",
        "1.2.840.113549.1.1.5" => "SHA1-RSA",
        "1.2.840.113549.1.1.10" => "RSAPSS",
        "1.2.840.113549.1.1.11" => "SHA256-RSA",
        "1.2.840.113549.1.1.12" => "SHA384-RSA",
        "1.2.840.113549.1.1.13" => "SHA512-RSA",
        "1.2.840.10045.4.1" => "ECDSA-SHA1",
        "1.2.840.10045.4.3.2" => "ECDSA-SHA256",
        "1.2.840.10045.4.3.3" => "ECDSA-SHA384",
        "1.2.840.10045.4.3.4" => "ECDSA-SHA512",
        "1.3.101.112" => "Ed25519",
        other => other,
    }
}
