//! The faults: one row each, and what is derived from a row.

use std::fmt;
use std::str::FromStr;
use vocabulary::Cause;

macro_rules! faults {
    ($($variant:ident, $id:literal, $cause:ident, $meaning:literal;)*) => {
        /// What is broken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault {
            /// Nothing: every rung holds.
            None,
            $(#[doc = $meaning] $variant,)*
        }

        impl Fault {
            /// Every fault, in the order of the rungs that they break.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name on the command line.
            pub const fn id(self) -> &'static str {
                match self {
                    Self::None => "none",
                    $(Self::$variant => $id,)*
                }
            }

            /// What is done, in one English sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    Self::None => "Nothing is broken: every rung holds.",
                    $(Self::$variant => $meaning,)*
                }
            }

            /// The cause that a diagnosis has to name; `None` where nothing is broken.
            pub const fn expected(self) -> Option<Cause> {
                match self {
                    Self::None => None,
                    $(Self::$variant => Some(Cause::$cause),)*
                }
            }
        }
    };
}

faults! {
    NameNotFound, "name-not-found", DnsNotFound, "The name server says that the registry's name does not exist.";
    NameServerFails, "name-server-fails", DnsServerFailure, "The name server answers with a failure.";
    NameServerSilent, "name-server-silent", DnsTimeout, "The name server never answers.";
    Refused, "refused", NetRefused, "Nothing listens at the registry's port.";
    Reset, "reset", NetReset, "The connection is reset after the first bytes.";
    Closed, "closed", NetEof, "The connection is closed in the middle of the handshake.";
    HandshakeStalls, "handshake-stalls", TlsHandshakeTimeout, "The connection is accepted, and the handshake is never answered.";
    PlainHttp, "plain-http", TlsHttpResponseToHttps, "The port speaks plain HTTP.";
    NotTls, "not-tls", TlsNotTls, "The port speaks another protocol: SSH.";
    OldTls, "old-tls", TlsProtocolVersion, "The server refuses the client's versions of TLS.";
    ClientCertificate, "client-certificate", TlsClientCertRequired, "The server demands a client certificate.";
    PrivateCa, "private-ca", TlsUnknownAuthority, "The certificate comes from a private authority that this machine does not trust.";
    SelfSigned, "self-signed", TlsSelfSigned, "The certificate is signed by itself.";
    MissingIntermediate, "missing-intermediate", TlsIncompleteChain, "The root is trusted, and the server does not send the intermediate.";
    Expired, "expired", TlsExpired, "The certificate has expired.";
    NotYetValid, "not-yet-valid", TlsNotYetValid, "The certificate is not valid yet.";
    WrongName, "wrong-name", TlsHostnameMismatch, "The certificate is for another name.";
    AddressWithoutSan, "address-without-san", TlsNoSan, "The image names an address, and the certificate has none.";
    CommonNameOnly, "common-name-only", TlsNoSan, "The certificate carries its name as common name only.";
    WrongUsage, "wrong-usage", TlsWrongUsage, "The certificate is made for clients, not for servers.";
    HttpsRequired, "https-required", TlsHttpsRequired, "The client speaks plain HTTP to a TLS port.";
    NeverAnswers, "never-answers", NetTimeout, "The handshake succeeds, and no request is ever answered.";
    LoginPage, "login-page", RegistryBadResponse, "A login page in HTML comes in place of every answer.";
    NotARegistry, "not-a-registry", RegistryNotARegistry, "A web server without the registry's API answers.";
    RedirectLoop, "redirect-loop", RegistryRedirectLoop, "Every request is redirected to itself.";
    ServerError, "server-error", RegistryServerError, "The registry fails with 500.";
    Unavailable, "unavailable", RegistryUnavailable, "The front end answers 503: its backend is down.";
    RateLimited, "rate-limited", RateLimited, "The registry answers 429 with Retry-After.";
    NoChallenge, "no-challenge", AuthChallengeInvalid, "The registry answers 401 and does not say how to log in.";
    TokenServiceDown, "token-service-down", AuthTokenEndpointUnreachable, "The registry works, and its token service cannot be reached.";
    RealmScheme, "realm-scheme", AuthRealmMisconfigured, "The challenge sends clients to a token service in plain HTTP.";
    NoCredentials, "no-credentials", AuthNoCredentials, "The registry wants a password, and there is none.";
    WrongPassword, "wrong-password", AuthBadCredentials, "The password is wrong.";
    TokenUnknown, "token-unknown", AuthTokenRejected, "The registry does not know the key that signs the tokens.";
    ClockSkew, "clock-skew", AuthClockSkew, "The token service's clock is ahead: its tokens are not valid yet for the registry.";
    InsufficientScope, "insufficient-scope", AuthInsufficientScope, "The token does not grant the pull.";
    RepositoryAs401, "repository-as-401", AuthRepositoryMissingAs401, "The repository does not exist, which the registry answers with 401.";
    StripsAuthorization, "strips-authorization", ProxyStripsAuthorization, "A front end drops the Authorization header.";
    Denied, "denied", AuthzDenied, "The account may not pull this image.";
    BlockedByGateway, "blocked-by-gateway", AuthzBlockedByGateway, "A firewall's page answers 403.";
    HeadRefused, "head-refused", RegistryHeadBlocked, "A filter refuses HEAD and passes GET.";
    RepositoryMissing, "repository-missing", RepositoryUnknown, "The repository does not exist.";
    TagMissing, "tag-missing", ManifestUnknown, "The tag does not exist; one like it does.";
    Garbage, "garbage", ManifestInvalid, "The manifest is cut in the middle of its JSON.";
    Endless, "endless", ManifestInvalid, "The manifest never ends.";
    Schema1, "schema-1", ManifestUnsupportedType, "The manifest is of the old schema 1.";
    WrongPlatform, "wrong-platform", ManifestPlatformMissing, "The image has no variant for this platform.";
    BlobMissing, "blob-missing", BlobUnknown, "A layer that the manifest names is missing.";
    BlobTruncated, "blob-truncated", BlobTruncated, "A layer's download ends before its length.";
    DigestMismatch, "digest-mismatch", BlobDigestMismatch, "The configuration's content does not have its digest.";
    BlobStoreDown, "blob-store-down", BlobRedirectFailed, "Layers are redirected to a host that cannot be reached.";
}

impl Fault {
    /// The one that is worth seeing first.
    pub const TELLING: Self = Self::PrivateCa;
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// No fault has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault is named {0:?}; --list shows them")]
pub struct UnknownFault(pub String);

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.iter().chain([&Self::None]).find(|fault| fault.id() == id);
        named.copied().ok_or_else(|| UnknownFault(id.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_lead_back() {
        let ids: HashSet<_> = Fault::ALL.iter().map(|fault| fault.id()).collect();
        assert_eq!(ids.len(), Fault::ALL.len());
        for fault in Fault::ALL {
            assert_eq!(fault.id().parse(), Ok(*fault));
            assert!(fault.expected().is_some());
        }
        assert_eq!("none".parse(), Ok(Fault::None));
        assert!("no such".parse::<Fault>().is_err());
    }
}
