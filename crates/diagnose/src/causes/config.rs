//! Roots that lie in a node's registry configuration: one row for each fault that `faults` can find.

use crate::question::{Answers, Question};
use crate::questions::config::{certain, number, remedies, subjects, there};
use crate::row::{Row, proof, settles};
use vocabulary::Cause;

/// As what a setting that is not in force can show: whatever the registry itself, or the wrong way to it, answers.
const ANY: &[Cause] = &[
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHttpResponseToHttps,
    Cause::TlsHttpsRequired,
    Cause::TlsNotTls,
    Cause::TlsExpired,
    Cause::TlsNotYetValid,
    Cause::TlsHostnameMismatch,
    Cause::TlsNoSan,
    Cause::TlsWrongUsage,
    Cause::TlsInsecureAlgorithm,
    Cause::TlsClientCertRequired,
    Cause::TlsHandshake,
    Cause::TlsHandshakeTimeout,
    Cause::TlsIncompleteChain,
    Cause::DnsNotFound,
    Cause::DnsServerFailure,
    Cause::DnsTimeout,
    Cause::NetRefused,
    Cause::NetTimeout,
    Cause::NetUnreachable,
    Cause::NetReset,
    Cause::NetEof,
    Cause::RegistryBadResponse,
    Cause::RegistryServerError,
    Cause::RegistryUnavailable,
    Cause::RegistryUnexpectedStatus,
    Cause::RateLimited,
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthTokenRejected,
    Cause::AuthTokenEndpointUnreachable,
    Cause::AuthInsufficientScope,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::ManifestUnknown,
    Cause::RepositoryUnknown,
    Cause::RuntimeTimeout,
    Cause::SandboxImage,
    Cause::ConfigMirrorMasksUpstream,
];

/// As what a configuration shows that is not accepted at all.
const REFUSED: &[Cause] =
    &with::<{ ANY.len() + 2 }>(&[Cause::RuntimeConfigInvalid, Cause::RuntimeUnavailable]);

/// As what a configuration shows that was changed since the start: the old proxy's words, too.
const OLD: &[Cause] = &with::<{ ANY.len() + 4 }>(&[
    Cause::ProxyUnreachable,
    Cause::ProxyRejected,
    Cause::ProxyAuthRequired,
    Cause::ProxyUpstreamFailed,
]);

/// As what a key at the wrong place shows: what the entry without it does.
const MISPLACED: &[Cause] =
    &with::<{ ANY.len() + 2 }>(&[Cause::ConfigMirrorPathWrong, Cause::ConfigMirrorKeyMismatch]);

/// As what a file under another name shows: a CA under a client certificate's name, too.
const MISNAMED: &[Cause] = &with::<{ ANY.len() + 1 }>(&[Cause::TlsCaFileUnreadable]);

/// As what mirrors without a way back to the registry show: a source that is blocked, too.
const NO_WAY_BACK: &[Cause] = &with::<{ ANY.len() + 1 }>(&[Cause::PolicySignature]);

/// These beside any.
const fn with<const ALL: usize>(more: &[Cause]) -> [Cause; ALL] {
    let mut all = [ANY[0]; ALL];
    let mut n = 0;
    while n < ALL {
        all[n] = if n < more.len() { more[n] } else { ANY[n - more.len()] };
        n += 1;
    }
    all
}

/// As what a TLS setting that is not read can show.
const TLS: &[Cause] = &[
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsExpired,
    Cause::TlsNotYetValid,
    Cause::TlsHostnameMismatch,
    Cause::TlsNoSan,
    Cause::TlsIncompleteChain,
    Cause::TlsClientCertRequired,
    Cause::TlsHandshake,
    Cause::SandboxImage,
];

/// As what one endpoint of several can fail.
const MASKED: &[Cause] = &[
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHttpResponseToHttps,
    Cause::DnsNotFound,
    Cause::DnsServerFailure,
    Cause::DnsTimeout,
    Cause::NetRefused,
    Cause::NetTimeout,
    Cause::NetUnreachable,
    Cause::NetReset,
    Cause::NetEof,
    Cause::RegistryUnavailable,
    Cause::RegistryServerError,
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthTokenRejected,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::ManifestUnknown,
    Cause::RepositoryUnknown,
    Cause::RateLimited,
];

/// The rows: a fault, the name that its two questions share, and what it can show as. It is shown where it is found, and
/// decided where it leaves no room.
macro_rules! faults {
    ($($cause:ident, $name:literal, $shows_as:expr;)*) => {
        /// The rows.
        pub static ROWS: &[Row] = &[$({
            const FAULT: usize = number(Cause::$cause);
            static FOUND: Question = there::<FAULT>(concat!("ask-config-fault@", $name));
            static CERTAIN: Question = certain::<FAULT>(concat!("ask-config-decides@", $name));
            Row {
                cause: Cause::$cause,
                shows_as: $shows_as,
                about: subjects::<FAULT>,
                expects: &[proof(&FOUND, Answers::YES), settles(&CERTAIN, Answers::YES)],
                remedy: remedies::<FAULT>,
            }
        }),*];
    };
}

faults! {
    ConfigNotReloaded, "config-not-reloaded", OLD;
    ConfigPathListUnsupported, "config-path-list", ANY;
    ConfigVersionMismatch, "config-version-mismatch", REFUSED;
    ConfigWrongSection, "config-wrong-section", ANY;
    ConfigPathUnset, "config-path-unset", ANY;
    ConfigMirrorsAndConfigPath, "config-mirrors-and-path", REFUSED;
    ConfigLegacyInlineIgnored, "config-legacy-inline", TLS;
    ConfigWrongFileName, "config-file-name", MISNAMED;
    ConfigWrongFileLocation, "config-file-location", ANY;
    ConfigHostDirMismatch, "config-host-dir", ANY;
    ConfigHostsTomlInvalid, "config-hosts-toml", ANY;
    ConfigMissingOnNode, "config-missing-on-node", ANY;
    ConfigMirrorKeyMismatch, "config-mirror-key", ANY;
    ConfigRegistriesYamlStructure, "config-registries-yaml", MISPLACED;
    ConfigCapabilities, "config-capabilities", ANY;
    ConfigOverridePathMissing, "config-override-path", ANY;
    ConfigMirrorPathWrong, "config-mirror-path", ANY;
    ConfigServerWrong, "config-server", ANY;
    ConfigDefaultNoFallback, "config-no-fallback", NO_WAY_BACK;
    ConfigMirrorByDigestOnly, "config-digest-only", ANY;
    ConfigMirrorMasksUpstream, "config-masks-upstream", MASKED;
    RuntimeConfigInvalid, "runtime-config", &[Cause::RuntimeUnavailable];
}
