//! A verifier that keeps the chain as it was presented and lets the handshake go on, so that a chain which does not
//! verify is evidence instead of an error. Nothing is sent on such a connection: the verdict comes before.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::sync::{Mutex, PoisonError};

/// What the server presented.
#[derive(Clone, Debug, Default)]
pub(crate) struct Presented {
    /// The certificates in DER, the server's own first, in the order of the message.
    pub(crate) chain: Vec<Vec<u8>>,
    /// Whether the handshake was signed with the first certificate's key; `None` where it did not get that far.
    pub(crate) signature_holds: Option<bool>,
}

/// Keeps what a server presents.
#[derive(Debug)]
pub(crate) struct Recorder {
    algorithms: WebPkiSupportedAlgorithms,
    presented: Mutex<Presented>,
}

impl Recorder {
    pub(crate) fn new(algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self { algorithms, presented: Mutex::default() }
    }

    pub(crate) fn presented(&self) -> Presented {
        self.presented.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keys that the library cannot check (small RSA, say) must not end the handshake here either.
    fn note(
        &self,
        verified: &Result<HandshakeSignatureValid, Error>,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.presented.lock().unwrap_or_else(PoisonError::into_inner).signature_holds =
            Some(verified.is_ok());
        Ok(HandshakeSignatureValid::assertion())
    }
}

impl ServerCertVerifier for Recorder {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let mut presented = self.presented.lock().unwrap_or_else(PoisonError::into_inner);
        presented.chain = std::iter::once(end_entity).chain(intermediates).map(|c| c.to_vec()).collect();
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.note(&verify_tls12_signature(message, certificate, signed, &self.algorithms))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.note(&verify_tls13_signature(message, certificate, signed, &self.algorithms))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}
