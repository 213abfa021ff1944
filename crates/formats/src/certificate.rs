//! X.509 certificates, as DER or PEM, into a plain struct.
//!
//! Answers what a certificate says. Whether a client would trust it is for `emulate::go::x509`.

mod extensions;
mod moment;
mod name;

pub use extensions::{AltNames, BasicConstraints, Extension, IpRange, NameConstraints, Subtrees};
pub use moment::Moment;
pub use name::{Attribute, Name};

use sha2::{Digest, Sha256};
use x509_parser::asn1_rs::{Any, FromDer, Oid};
use x509_parser::certificate::X509Certificate;
use x509_parser::public_key::PublicKey;
use x509_parser::x509::AlgorithmIdentifier;

/// The largest certificate that is looked at, in bytes. Go's handshake takes at most 64 KiB of them in all.
pub const MAX_CERTIFICATE_BYTES: usize = 64 * 1024;

/// What one certificate says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The whole certificate.
    pub der: Vec<u8>,
    /// The signed part of it.
    pub signed_part: Vec<u8>,
    /// 1, 2 or 3.
    pub version: u32,
    /// The serial number's bytes, as they stand.
    pub serial: Vec<u8>,
    /// The serial number in decimal, where it is not negative.
    pub serial_decimal: String,
    /// Who it is for.
    pub subject: Name,
    /// Who signed it.
    pub issuer: Name,
    /// From when.
    pub not_before: Moment,
    /// Until when.
    pub not_after: Moment,
    /// How it is signed.
    pub signature_algorithm: Algorithm,
    /// The signature's bytes.
    pub signature: Vec<u8>,
    /// The public key.
    pub key: Key,
    /// Every extension, in order, as it stands.
    pub extensions: Vec<Extension>,
    /// The alternative names; `None` where the extension is missing.
    pub alt_names: Option<AltNames>,
    /// Whether it may sign others; `None` where the extension is missing.
    pub basic: Option<BasicConstraints>,
    /// Key usage, bit 0 being digitalSignature; `None` where the extension is missing.
    pub key_usage: Option<u16>,
    /// Extended key usages as dotted object identifiers; `None` where the extension is missing.
    pub extended_key_usage: Option<Vec<String>>,
    /// The names that a certificate authority is held to.
    pub name_constraints: Option<NameConstraints>,
    /// The identifier of its key; empty where it is missing.
    pub subject_key_id: Vec<u8>,
    /// The identifier of its issuer's key; empty where it is missing.
    pub authority_key_id: Vec<u8>,
    /// Where the issuer's certificate can be fetched (authority information access).
    pub issuer_urls: Vec<String>,
}

/// An algorithm identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// Dotted.
    pub oid: String,
    /// The parameters' tag and content; `None` where there are none.
    pub parameters: Option<(u32, Vec<u8>)>,
}

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// What kind of key it is.
    pub kind: KeyKind,
    /// The whole SubjectPublicKeyInfo.
    pub info: Vec<u8>,
    /// The key itself: PKCS#1 for RSA, the point for elliptic curves.
    pub bytes: Vec<u8>,
}

/// What kind of key it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// RSA, with the length of its modulus.
    Rsa {
        /// Bits of the modulus.
        bits: usize,
    },
    /// An elliptic curve, by its object identifier.
    Ec {
        /// Dotted; empty where none is named.
        curve: String,
    },
    /// Ed25519.
    Ed25519,
    /// DSA.
    Dsa,
    /// Another, by its object identifier.
    Other(String),
}

impl std::fmt::Display for KeyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rsa { bits } => write!(f, "RSA {bits}"),
            Self::Ec { curve } => match curve.as_str() {
                CURVE_P224 => f.write_str("ECDSA P-224"),
                CURVE_P256 => f.write_str("ECDSA P-256"),
                CURVE_P384 => f.write_str("ECDSA P-384"),
                CURVE_P521 => f.write_str("ECDSA P-521"),
                other => write!(f, "ECDSA {other}"),
            },
            Self::Ed25519 => f.write_str("Ed25519"),
            Self::Dsa => f.write_str("DSA"),
            Self::Other(oid) => write!(f, "key {oid}"),
        }
    }
}

/// The curve P-224.
pub const CURVE_P224: &str = "1.3.132.0.33";
/// The curve P-256.
pub const CURVE_P256: &str = "1.2.840.10045.3.1.7";
/// The curve P-384.
pub const CURVE_P384: &str = "1.3.132.0.34";
/// The curve P-521.
pub const CURVE_P521: &str = "1.3.132.0.35";

/// Why some bytes are no certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertificateError {
    /// More than [`MAX_CERTIFICATE_BYTES`].
    #[error("the certificate is larger than {MAX_CERTIFICATE_BYTES} bytes")]
    TooLarge,
    /// Not the DER of a certificate.
    #[error("not a certificate: {0}")]
    Malformed(String),
    /// Bytes follow it.
    #[error("bytes follow the certificate")]
    TrailingData,
    /// One extension stands in it twice.
    #[error("the extension {0} stands in it twice")]
    DuplicateExtension(String),
    /// A known extension cannot be read.
    #[error("the extension {0} cannot be read")]
    BadExtension(String),
}

impl Certificate {
    /// Reads one certificate from DER.
    ///
    /// # Errors
    /// When the bytes are not exactly one certificate.
    pub fn from_der(der: &[u8]) -> Result<Self, CertificateError> {
        if der.len() > MAX_CERTIFICATE_BYTES {
            return Err(CertificateError::TooLarge);
        }
        let (rest, parsed) =
            X509Certificate::from_der(der).map_err(|e| CertificateError::Malformed(e.to_string()))?;
        if !rest.is_empty() {
            return Err(CertificateError::TrailingData);
        }
        let mut certificate = Self {
            der: der.to_vec(),
            signed_part: parsed.tbs_certificate.as_ref().to_vec(),
            version: parsed.version().0.saturating_add(1),
            serial: parsed.raw_serial().to_vec(),
            serial_decimal: parsed.tbs_certificate.serial.to_string(),
            subject: Name::read(parsed.subject()),
            issuer: Name::read(parsed.issuer()),
            not_before: Moment::from_unix(parsed.validity().not_before.timestamp()),
            not_after: Moment::from_unix(parsed.validity().not_after.timestamp()),
            signature_algorithm: algorithm(&parsed.signature_algorithm),
            signature: parsed.signature_value.data.to_vec(),
            key: key(&parsed)?,
            extensions: Vec::new(),
            alt_names: None,
            basic: None,
            key_usage: None,
            extended_key_usage: None,
            name_constraints: None,
            subject_key_id: Vec::new(),
            authority_key_id: Vec::new(),
            issuer_urls: Vec::new(),
        };
        extensions::read_all(&mut certificate, parsed.extensions())?;
        Ok(certificate)
    }

    /// Whether the serial number is negative, which Go has refused since 1.23.
    pub fn serial_is_negative(&self) -> bool {
        self.serial.first().is_some_and(|byte| byte & 0x80 != 0)
    }

    /// The serial number as `openssl` prints it: pairs of hex digits with colons between them.
    pub fn serial_hex(&self) -> String {
        hex(&self.serial, ":")
    }

    /// Whether subject and issuer are the same name. It does not say that the signature is its own.
    pub fn names_itself_as_issuer(&self) -> bool {
        self.subject.der == self.issuer.der
    }

    /// The SHA-256 of the whole certificate, in hex.
    pub fn fingerprint(&self) -> String {
        hex(&Sha256::digest(&self.der), "")
    }
}

fn hex(bytes: &[u8], between: &str) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(between)
}

fn algorithm(id: &AlgorithmIdentifier<'_>) -> Algorithm {
    Algorithm {
        oid: id.algorithm.to_id_string(),
        parameters: id.parameters.as_ref().map(|any| (any.tag().0, any.data.to_vec())),
    }
}

fn key(parsed: &X509Certificate<'_>) -> Result<Key, CertificateError> {
    let info = parsed.public_key();
    let oid = info.algorithm.algorithm.to_id_string();
    let kind = match oid.as_str() {
        "1.2.840.113549.1.1.1" => match info.parsed() {
            Ok(PublicKey::RSA(rsa)) => KeyKind::Rsa { bits: bit_length(rsa.modulus) },
            _ => return Err(CertificateError::Malformed("invalid RSA public key".to_owned())),
        },
        "1.2.840.10045.2.1" => KeyKind::Ec { curve: curve(info.algorithm.parameters.as_ref()) },
        "1.3.101.112" => KeyKind::Ed25519,
        "1.2.840.10040.4.1" => KeyKind::Dsa,
        _ => KeyKind::Other(oid),
    };
    Ok(Key { kind, info: info.raw.to_vec(), bytes: info.subject_public_key.data.to_vec() })
}

fn curve(parameters: Option<&Any<'_>>) -> String {
    parameters
        .and_then(|any| Oid::try_from(any.clone()).ok())
        .map(|oid| oid.to_id_string())
        .unwrap_or_default()
}

fn bit_length(modulus: &[u8]) -> usize {
    let significant: Vec<u8> = modulus.iter().copied().skip_while(|byte| *byte == 0).collect();
    match significant.first() {
        None => 0,
        Some(first) => significant.len() * 8 - first.leading_zeros() as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..512)) {
            let _ = Certificate::from_der(&bytes);
        }
    }

    #[test]
    fn a_modulus_is_measured_without_its_leading_zeros() {
        assert_eq!(bit_length(&[0, 0x80, 0]), 16);
        assert_eq!(bit_length(&[0x01, 0xff]), 9);
        assert_eq!(bit_length(&[]), 0);
    }
}
