//! Why Go refuses, and the words that it prints for it.

use super::parse::ParseProblem;
use crate::go::{GoVersion, quoted};
use formats::certificate::Moment;
use vocabulary::Cause;

/// A refusal: the text as it ends up behind `Get "https://...": `, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What it shows.
    pub cause: Cause,
    /// Go's words.
    pub text: String,
    /// The same as data.
    pub why: Why,
}

impl Refusal {
    pub(super) fn new(go: GoVersion, why: Why) -> Self {
        let prefix = if why.is_of_the_handshake() || !go.names_verification() {
            ""
        } else {
            "tls: failed to verify certificate: "
        };
        Self { cause: why.cause(), text: format!("{prefix}{}", why.words(go)), why }
    }
}

/// Why Go refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The server sent none.
    NoCertificates,
    /// One that the server sent cannot be parsed.
    Unparsable(ParseProblem),
    /// An RSA key above 8192 bits.
    RsaKeyTooLarge,
    /// The server's RSA key is below 1024 bits.
    RsaKeyTooSmall {
        /// Bits of its modulus.
        bits: usize,
    },
    /// The server's key is of a kind that the handshake does not know; Go's name of the type.
    UnsupportedKey(&'static str),
    /// No root file could be read.
    NoSystemRoots,
    /// A critical extension that Go does not know.
    UnhandledCriticalExtension,
    /// It is past its end: the server's own, an intermediate or the root.
    Expired {
        /// The client's clock.
        now: Moment,
        /// The end.
        not_after: Moment,
    },
    /// It is before its beginning.
    NotYetValid {
        /// The client's clock.
        now: Moment,
        /// The beginning.
        not_before: Moment,
    },
    /// The certificate carries alternative names, and none is the host's.
    OtherNames {
        /// As Go lists them.
        valid_for: String,
        /// The host.
        host: String,
    },
    /// More names than Go lists.
    ManyOtherNames {
        /// How many.
        count: usize,
        /// `names` or `IP SANs`.
        what: &'static str,
        /// The host.
        host: String,
    },
    /// No name of the kind that is wanted.
    NoNames {
        /// The host.
        host: String,
    },
    /// The host is an address, and the certificate has none.
    NoAddresses {
        /// The host.
        host: String,
    },
    /// Only the common name carries the host.
    LegacyCommonName,
    /// No chain leads to a root.
    UnknownAuthority {
        /// The first candidate that did not do: its name, and what was wrong with it.
        hint: Option<(Box<Why>, String)>,
        /// Whether the server's certificate names itself as its issuer.
        self_signed: bool,
        /// The issuer that is neither sent nor trusted, of the last certificate on the way up.
        missing_issuer: String,
    },
    /// A signature of a kind that Go no longer takes.
    InsecureAlgorithm(&'static str),
    /// A signature of a kind that Go does not know.
    UnknownAlgorithm,
    /// Signature and key are of different kinds.
    AlgorithmMismatch {
        /// What the signature wants.
        wanted: &'static str,
        /// Go's name of the key's type.
        key: &'static str,
    },
    /// The issuer's key did not make the signature; Go's words for the kind of key.
    BadSignature(&'static str),
    /// The issuer's RSA key is below 1024 bits.
    SmallIssuerKey {
        /// Bits of its modulus.
        bits: usize,
    },
    /// The issuer has no CA flag, or its key usage forbids it to sign.
    CannotSign,
    /// An intermediate that is no certificate authority.
    NotAuthorizedToSign,
    /// Issuer and subject do not meet.
    IssuerNameMismatch,
    /// More intermediates than a path length allows.
    TooManyIntermediates,
    /// More candidates than Go tries.
    TooManyCandidates,
    /// A name constraint of an authority forbids a name; Go's detail.
    NameNotPermitted(String),
    /// Made for other uses than that of a server.
    IncompatibleUsage,
    /// No chain held.
    NoValidChains,
}

impl Why {
    /// What it shows.
    pub fn cause(&self) -> Cause {
        match self {
            Self::Expired { .. } => Cause::TlsExpired,
            Self::NotYetValid { .. } => Cause::TlsNotYetValid,
            Self::OtherNames { .. } | Self::ManyOtherNames { .. } => Cause::TlsHostnameMismatch,
            Self::NoNames { .. } | Self::NoAddresses { .. } | Self::LegacyCommonName => Cause::TlsNoSan,
            Self::UnknownAuthority { hint, self_signed, .. } => {
                match hint.as_ref().map(|(why, _)| why.cause()) {
                    Some(Cause::TlsInsecureAlgorithm) => Cause::TlsInsecureAlgorithm,
                    _ if *self_signed => Cause::TlsSelfSigned,
                    _ => Cause::TlsUnknownAuthority,
                }
            }
            Self::InsecureAlgorithm(_)
            | Self::UnknownAlgorithm
            | Self::SmallIssuerKey { .. }
            | Self::RsaKeyTooSmall { .. }
            | Self::RsaKeyTooLarge
            | Self::UnsupportedKey(_) => Cause::TlsInsecureAlgorithm,
            Self::IncompatibleUsage
            | Self::NotAuthorizedToSign
            | Self::TooManyIntermediates
            | Self::NameNotPermitted(_) => Cause::TlsWrongUsage,
            Self::NoSystemRoots => Cause::TlsUnknownAuthority,
            Self::AlgorithmMismatch { .. }
            | Self::BadSignature(_)
            | Self::CannotSign
            | Self::IssuerNameMismatch
            | Self::TooManyCandidates
            | Self::NoValidChains => Cause::TlsUnknownAuthority,
            Self::NoCertificates | Self::Unparsable(_) | Self::UnhandledCriticalExtension => {
                Cause::TlsHandshake
            }
        }
    }

    /// These are not the verifier's, and carry no prefix.
    fn is_of_the_handshake(&self) -> bool {
        matches!(
            self,
            Self::NoCertificates
                | Self::Unparsable(_)
                | Self::RsaKeyTooLarge
                | Self::RsaKeyTooSmall { .. }
                | Self::UnsupportedKey(_)
        )
    }

    /// Go's words, without the prefix.
    pub(super) fn words(&self, go: GoVersion) -> String {
        match self {
            Self::NoCertificates => "tls: received empty certificates message".to_owned(),
            Self::Unparsable(problem) => format!("tls: failed to parse certificate from server: {problem}"),
            Self::RsaKeyTooLarge => {
                "tls: server sent certificate containing RSA key larger than 8192 bits".to_owned()
            }
            Self::RsaKeyTooSmall { bits } => {
                format!("tls: invalid signature by the server certificate: {}", small_key(*bits))
            }
            Self::UnsupportedKey(kind) => {
                format!("tls: server's certificate contains an unsupported type of public key: {kind}")
            }
            Self::NoSystemRoots => "x509: failed to load system roots and no roots provided".to_owned(),
            Self::UnhandledCriticalExtension => "x509: unhandled critical extension".to_owned(),
            Self::Expired { now, not_after } => {
                format!("{EXPIRED}current time {now} is after {not_after}")
            }
            Self::NotYetValid { now, not_before } => {
                format!("{EXPIRED}current time {now} is before {not_before}")
            }
            Self::OtherNames { valid_for, host } => {
                format!("x509: certificate is valid for {valid_for}, not {host}")
            }
            Self::ManyOtherNames { count, what, host } => {
                format!("x509: certificate is valid for {count} {what}, but none matched {host}")
            }
            Self::NoNames { host } => {
                format!("x509: certificate is not valid for any names, but wanted to match {host}")
            }
            Self::NoAddresses { host } => {
                format!("x509: cannot validate certificate for {host} because it doesn't contain any IP SANs")
            }
            Self::LegacyCommonName => {
                "x509: certificate relies on legacy Common Name field, use SANs instead".to_owned()
            }
            Self::UnknownAuthority { hint, .. } => {
                let hint = hint.as_ref().map(|(why, name)| {
                    format!(
                        " (possibly because of {} while trying to verify candidate authority certificate {})",
                        quoted(&why.words(go)),
                        quoted(name)
                    )
                });
                format!("x509: certificate signed by unknown authority{}", hint.unwrap_or_default())
            }
            Self::InsecureAlgorithm(name) => {
                let offer = if go.offers_sha1_override() && name.contains("SHA1") && !name.starts_with("DSA")
                {
                    " (temporarily override with GODEBUG=x509sha1=1)"
                } else {
                    ""
                };
                format!("x509: cannot verify signature: insecure algorithm {name}{offer}")
            }
            Self::UnknownAlgorithm => "x509: cannot verify signature: algorithm unimplemented".to_owned(),
            Self::AlgorithmMismatch { wanted, key } => format!(
                "x509: signature algorithm specifies an {wanted} public key, but have public key of type {key}"
            ),
            Self::BadSignature(words) => (*words).to_owned(),
            Self::SmallIssuerKey { bits } => small_key(*bits),
            Self::CannotSign => {
                "x509: invalid signature: parent certificate cannot sign this kind of certificate".to_owned()
            }
            Self::NotAuthorizedToSign => {
                "x509: certificate is not authorized to sign other certificates".to_owned()
            }
            Self::IssuerNameMismatch => {
                "x509: issuer name does not match subject from issuing certificate".to_owned()
            }
            Self::TooManyIntermediates => {
                "x509: too many intermediates for path length constraint".to_owned()
            }
            Self::TooManyCandidates => {
                "x509: signature check attempts limit reached while verifying certificate chain".to_owned()
            }
            Self::NameNotPermitted(detail) => format!(
                "x509: a root or intermediate certificate is not authorized to sign for this name: {detail}"
            ),
            Self::IncompatibleUsage => "x509: certificate specifies an incompatible key usage".to_owned(),
            Self::NoValidChains => "x509: no valid chains built".to_owned(),
        }
    }
}

const EXPIRED: &str = "x509: certificate has expired or is not yet valid: ";

fn small_key(bits: usize) -> String {
    format!(
        "crypto/rsa: {bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)"
    )
}
