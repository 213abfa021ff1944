//! What Go refuses while it parses a certificate. Its parser is stricter than ours in a few places that matter.

use crate::go::{GoVersion, quoted};
use formats::certificate::{
    CURVE_P224, CURVE_P256, CURVE_P384, CURVE_P521, Certificate, CertificateError, KeyKind,
};
use std::fmt;

/// Why Go's parser refuses a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseProblem {
    /// Bytes follow it.
    TrailingData,
    /// A serial number below zero, refused since Go 1.23.
    NegativeSerial,
    /// A curve that Go does not know.
    UnsupportedCurve,
    /// An extension that must not be critical is, refused since Go 1.23; Go's name of it.
    MarkedCritical(&'static str),
    /// An extension stands in it twice; its object identifier, which Go names since 1.23.
    DuplicateExtension(Option<String>),
    /// A known extension cannot be read; Go's words.
    BadExtension(&'static str),
    /// Anything else. Go names the field, this does not.
    Malformed,
}

impl fmt::Display for ParseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrailingData => f.write_str("x509: trailing data"),
            Self::NegativeSerial => f.write_str("x509: negative serial number"),
            Self::UnsupportedCurve => f.write_str("x509: unsupported elliptic curve"),
            Self::MarkedCritical(what) => write!(f, "x509: {what} incorrectly marked critical"),
            Self::DuplicateExtension(None) => f.write_str("x509: certificate contains duplicate extensions"),
            Self::DuplicateExtension(Some(oid)) => {
                write!(f, "x509: certificate contains duplicate extension with OID {}", quoted(oid))
            }
            Self::BadExtension(words) => write!(f, "x509: {words}"),
            Self::Malformed => f.write_str("x509: malformed certificate"),
        }
    }
}

/// Extensions of which Go refuses a critical one (RFC 5280 says that they must not be).
const NEVER_CRITICAL: &[(&str, &str)] = &[
    ("2.5.29.14", "subject key identifier"),
    ("2.5.29.35", "authority key identifier"),
    ("1.3.6.1.5.5.7.1.1", "authority info access"),
];

const UNREADABLE: &[(&str, &str)] = &[
    ("2.5.29.14", "invalid subject key identifier"),
    ("2.5.29.15", "invalid key usage"),
    ("2.5.29.17", "invalid subject alternative names"),
    ("2.5.29.19", "invalid basic constraints"),
    ("2.5.29.30", "invalid NameConstraints extension"),
    ("2.5.29.35", "invalid authority key identifier"),
    ("2.5.29.37", "invalid extended key usages"),
];

/// Reads a certificate as that release of Go would.
pub(super) fn parse(go: GoVersion, der: &[u8]) -> Result<Certificate, ParseProblem> {
    let certificate = Certificate::from_der(der).map_err(|error| match error {
        CertificateError::TooLarge | CertificateError::Malformed(_) => ParseProblem::Malformed,
        CertificateError::TrailingData => ParseProblem::TrailingData,
        CertificateError::DuplicateExtension(oid) => {
            ParseProblem::DuplicateExtension(go.parses_strictly().then_some(oid))
        }
        CertificateError::BadExtension(oid) => UNREADABLE
            .iter()
            .find(|(known, _)| *known == oid)
            .map_or(ParseProblem::Malformed, |(_, words)| ParseProblem::BadExtension(words)),
    })?;
    if go.parses_strictly() && certificate.serial_is_negative() {
        return Err(ParseProblem::NegativeSerial);
    }
    if let KeyKind::Ec { curve } = &certificate.key.kind
        && ![CURVE_P224, CURVE_P256, CURVE_P384, CURVE_P521].contains(&curve.as_str())
    {
        return Err(ParseProblem::UnsupportedCurve);
    }
    if go.parses_strictly() {
        let critical = certificate.extensions.iter().filter(|e| e.critical);
        for extension in critical {
            if let Some((_, name)) = NEVER_CRITICAL.iter().find(|(oid, _)| *oid == extension.oid) {
                return Err(ParseProblem::MarkedCritical(name));
            }
        }
    }
    Ok(certificate)
}

/// Whether a critical extension is in it that Go does not handle.
pub(super) fn has_unhandled_critical_extension(certificate: &Certificate) -> bool {
    /// What Go reads, whatever is in it.
    const HANDLED: &[&str] = &[
        "2.5.29.14",
        "2.5.29.15",
        "2.5.29.19",
        "2.5.29.31",
        "2.5.29.32",
        "2.5.29.33",
        "2.5.29.35",
        "2.5.29.36",
        "2.5.29.37",
        "2.5.29.54",
        "1.3.6.1.5.5.7.1.1",
    ];
    certificate.extensions.iter().filter(|e| e.critical).any(|e| match e.oid.as_str() {
        // Names of kinds that Go does not read count as not handled.
        "2.5.29.17" => certificate.alt_names.as_ref().is_none_or(|names| {
            names.dns.is_empty() && names.ips.is_empty() && names.emails.is_empty() && names.uris.is_empty()
        }),
        "2.5.29.30" => certificate
            .name_constraints
            .as_ref()
            .is_none_or(|c| c.permitted.others > 0 || c.excluded.others > 0),
        oid => !HANDLED.contains(&oid),
    })
}
