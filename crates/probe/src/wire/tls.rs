//! One TLS handshake as Go's client makes it, and everything that can be seen of it.
//!
//! rustls speaks no CBC suites, no RSA key exchange and nothing below TLS 1.2, where Go still offers ECDHE with CBC:
//! a refused handshake can be this client's lack, and the alert is kept so that it can be told.

use crate::trouble::{Trouble, broken};
use crate::wire::tap::{Heard, Tap, as_go_shows};
use crate::wire::verifier::{Presented, Recorder};
use rustls::client::{ResolvesClientCert, Resumption};
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::ServerName;
use rustls::sign::CertifiedKey;
use rustls::{AlertDescription, ClientConfig, SignatureScheme};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use vocabulary::{Cause, Stage};

/// Any byte stream that a connection can be made of.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// A stream whose layers do not matter any more.
pub(crate) type Wire = Box<dyn Duplex>;

/// How large the first message is, and the client certificate that is offered where one is asked for.
#[derive(Clone, Debug)]
pub(crate) enum Hello {
    /// With the key share of X25519MLKEM768 first, as Go since 1.24.
    AsGo(Option<Arc<CertifiedKey>>),
    /// Without it: one packet, which gets through where large ones are lost or disliked.
    Small(Option<Arc<CertifiedKey>>),
}

/// What was seen of one handshake.
pub(crate) struct Handshake {
    pub(crate) presented: Presented,
    pub(crate) version: Option<String>,
    pub(crate) cipher: Option<String>,
    pub(crate) client_certificate_asked: bool,
    pub(crate) client_certificate_sent: bool,
    pub(crate) alert: Option<String>,
    pub(crate) first_bytes: Option<String>,
    pub(crate) result: Result<Wire, Trouble>,
}

/// The key exchanges in Go's order.
static AS_GO: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| {
    use aws_lc_rs::kx_group::{SECP256R1, SECP384R1, X25519, X25519MLKEM768};
    let kx_groups = vec![X25519MLKEM768, X25519, SECP256R1, SECP384R1];
    Arc::new(CryptoProvider { kx_groups, ..aws_lc_rs::default_provider() })
});

static SMALL: LazyLock<Arc<CryptoProvider>> = LazyLock::new(|| {
    use aws_lc_rs::kx_group::{SECP256R1, SECP384R1, X25519};
    Arc::new(CryptoProvider {
        kx_groups: vec![X25519, SECP256R1, SECP384R1],
        ..aws_lc_rs::default_provider()
    })
});

/// Offers the client certificate, where there is one, and remembers being asked for it.
#[derive(Debug)]
struct Offer {
    asked: AtomicBool,
    certificate: Option<Arc<CertifiedKey>>,
}

impl ResolvesClientCert for Offer {
    fn resolve(&self, _issuers: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.asked.store(true, Ordering::Relaxed);
        self.certificate.clone().filter(|c| c.key.choose_scheme(schemes).is_some())
    }

    fn has_certs(&self) -> bool {
        // Asked only where this says yes; where there is none, nothing is offered all the same.
        true
    }
}

/// Shakes hands with a server for a host. The clients that pull images offer no ALPN, and neither does this.
pub(crate) async fn handshake(
    wire: Wire,
    host: &str,
    way: (Option<SocketAddr>, SocketAddr),
    hello: Hello,
    limit: Duration,
) -> Handshake {
    let (provider, certificate) = match hello {
        Hello::AsGo(certificate) => (&*AS_GO, certificate),
        Hello::Small(certificate) => (&*SMALL, certificate),
    };
    let has_certificate = certificate.is_some();
    let recorder = Arc::new(Recorder::new(provider.signature_verification_algorithms));
    let offer = Arc::new(Offer { asked: AtomicBool::new(false), certificate });
    let mut seen = Handshake {
        presented: Presented::default(),
        version: None,
        cipher: None,
        client_certificate_asked: false,
        client_certificate_sent: false,
        alert: None,
        first_bytes: None,
        result: Err(Trouble::new(Stage::Tls, Cause::TlsHandshake, "tls: handshake not begun")),
    };
    let config = ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_safe_default_protocol_versions()
        .map(|b| b.dangerous().with_custom_certificate_verifier(Arc::clone(&recorder) as _))
        .map(|b| b.with_client_cert_resolver(Arc::clone(&offer) as _));
    let (Ok(mut config), Ok(name)) = (config, ServerName::try_from(host.to_owned())) else {
        let words = format!("tls: {host:?} cannot be a server's name");
        seen.result = Err(Trouble::new(Stage::Tls, Cause::TlsHandshake, words));
        return seen;
    };
    // Each handshake must show the chain, so none may be resumed.
    config.resumption = Resumption::disabled();
    let (tapped, heard) = Tap::on(wire);
    let done = timeout(limit, TlsConnector::from(Arc::new(config)).connect(name, tapped)).await;
    seen.presented = recorder.presented();
    seen.client_certificate_asked = offer.asked.load(Ordering::Relaxed);
    seen.client_certificate_sent = seen.client_certificate_asked && has_certificate;
    seen.result = match done {
        Err(_) => {
            Err(Trouble::new(Stage::Tls, Cause::TlsHandshakeTimeout, "net/http: TLS handshake timeout"))
        }
        Ok(Ok(stream)) => {
            let session = stream.get_ref().1;
            seen.version =
                session.protocol_version().and_then(|v| v.as_str()).map(|v| v.replace("TLSv1_", "TLS 1."));
            seen.cipher =
                session.negotiated_cipher_suite().and_then(|c| c.suite().as_str()).map(str::to_owned);
            if seen.presented.signature_holds == Some(true) {
                Ok(Box::new(stream) as Wire)
            } else {
                let words = "tls: invalid signature by the server certificate";
                Err(Trouble::new(Stage::Tls, Cause::TlsHandshake, words))
            }
        }
        Ok(Err(error)) => Err(failure(&error, &heard, way, &mut seen)),
    };
    seen
}

fn failure(
    error: &std::io::Error,
    heard: &Heard,
    (local, peer): (Option<SocketAddr>, SocketAddr),
    seen: &mut Handshake,
) -> Trouble {
    let begin = heard.begin();
    let trouble = |cause, words: String| Trouble::new(Stage::Tls, cause, words);
    match rustls_error(error) {
        Some(rustls::Error::AlertReceived(alert)) => {
            let alert = alert_words(*alert);
            seen.alert = Some(alert.1.to_owned());
            alert_trouble(alert, seen.client_certificate_asked)
        }
        _ if begin.starts_with(b"HTTP/") => {
            seen.first_bytes = Some(as_go_shows(&begin));
            let words = "http: server gave HTTP response to HTTPS client";
            trouble(Cause::TlsHttpResponseToHttps, words.to_owned())
        }
        _ if begin.first().is_some_and(|kind| !(20..=24).contains(kind)) => {
            seen.first_bytes = Some(as_go_shows(&begin));
            trouble(Cause::TlsNotTls, "tls: first record does not look like a TLS handshake".to_owned())
        }
        Some(rustls::Error::PeerIncompatible(how)) => {
            let cause = if format!("{how:?}").contains("Tls1") {
                Cause::TlsProtocolVersion
            } else {
                Cause::TlsHandshake
            };
            trouble(cause, format!("tls: {how:?}"))
        }
        Some(other) => trouble(Cause::TlsHandshake, format!("tls: {other}")),
        None => broken(error, Stage::Tls, local, peer),
    }
}

/// The TLS library's error inside of an I/O error.
pub(crate) fn rustls_error(error: &std::io::Error) -> Option<&rustls::Error> {
    error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>())
}

/// A fatal alert from the server as a trouble: which one, and whether a client certificate was asked for before.
pub(crate) fn alert_trouble((code, words): (u8, &str), client_certificate_asked: bool) -> Trouble {
    let symptom = match code {
        70 | 86 => Cause::TlsProtocolVersion,
        116 => Cause::TlsClientCertRequired,
        40 | 42..=46 | 48 | 49 if client_certificate_asked => Cause::TlsClientCertRequired,
        _ => Cause::TlsHandshake,
    };
    Trouble::new(Stage::Tls, symptom, format!("remote error: tls: {words}"))
}

/// An alert's number and Go's words for it (`crypto/tls/alert.go`).
pub(crate) fn alert_words(alert: AlertDescription) -> (u8, &'static str) {
    let code = u8::from(alert);
    let words = match code {
        0 => "close notify",
        10 => "unexpected message",
        20 => "bad record MAC",
        21 => "decryption failed",
        22 => "record overflow",
        30 => "decompression failure",
        40 => "handshake failure",
        42 => "bad certificate",
        43 => "unsupported certificate",
        44 => "revoked certificate",
        45 => "expired certificate",
        46 => "unknown certificate",
        47 => "illegal parameter",
        48 => "unknown certificate authority",
        49 => "access denied",
        50 => "error decoding message",
        51 => "error decrypting message",
        60 => "export restriction",
        70 => "protocol version not supported",
        71 => "insufficient security level",
        80 => "internal error",
        86 => "inappropriate fallback",
        90 => "user canceled",
        100 => "no renegotiation",
        109 => "missing extension",
        110 => "unsupported extension",
        111 => "certificate unobtainable",
        112 => "unrecognized name",
        113 => "bad certificate status response",
        114 => "bad certificate hash value",
        115 => "unknown PSK identity",
        116 => "certificate required",
        120 => "no application protocol",
        _ => "alert",
    };
    (code, words)
}
