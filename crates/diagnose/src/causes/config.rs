//! Roots that lie in a node's registry configuration: one row for each fault that `faults` can find.

use crate::question::{Answers, Question};
use crate::questions::config::{certain, number, remedies, subjects, there};
use crate::row::{Expect, Row, proof, settles};
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

/// As what a configuration shows that is not accepted at all, beside the above.
const REFUSED: &[Cause] = &[
    Cause::RuntimeConfigInvalid,
    Cause::RuntimeUnavailable,
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHttpResponseToHttps,
    Cause::DnsNotFound,
    Cause::DnsServerFailure,
    Cause::DnsTimeout,
    Cause::NetRefused,
    Cause::NetTimeout,
    Cause::NetUnreachable,
    Cause::RateLimited,
    Cause::AuthNoCredentials,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::ManifestUnknown,
    Cause::SandboxImage,
];

/// As what a key at the wrong place shows: what the entry without it does.
const MISPLACED: &[Cause] = &[
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHttpResponseToHttps,
    Cause::TlsExpired,
    Cause::TlsHostnameMismatch,
    Cause::TlsNoSan,
    Cause::TlsClientCertRequired,
    Cause::DnsNotFound,
    Cause::DnsServerFailure,
    Cause::DnsTimeout,
    Cause::NetRefused,
    Cause::NetTimeout,
    Cause::NetUnreachable,
    Cause::NetReset,
    Cause::NetEof,
    Cause::RegistryBadResponse,
    Cause::RegistryUnavailable,
    Cause::RegistryUnexpectedStatus,
    Cause::RateLimited,
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::ManifestUnknown,
    Cause::RepositoryUnknown,
    Cause::SandboxImage,
    Cause::ConfigMirrorMasksUpstream,
    Cause::ConfigMirrorPathWrong,
    Cause::ConfigMirrorKeyMismatch,
];

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

/// As what mirrors without a way back to the registry show: a source that is blocked, too.
const NO_WAY_BACK: &[Cause] = &[
    Cause::PolicySignature,
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHttpResponseToHttps,
    Cause::TlsExpired,
    Cause::TlsHostnameMismatch,
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
    Cause::SandboxImage,
    Cause::ConfigMirrorMasksUpstream,
];

/// A row: the fault is found, and where it leaves no room, it decides.
const fn row<const CAUSE: usize>(
    cause: Cause,
    shows_as: &'static [Cause],
    expects: &'static [Expect],
) -> Row {
    Row { cause, shows_as, about: subjects::<CAUSE>, expects, remedy: remedies::<CAUSE> }
}

static NOT_RELOADED: Question =
    there::<{ number(Cause::ConfigNotReloaded) }>("ask-config-fault@config-not-reloaded");
static NOT_RELOADED_CERTAIN: Question =
    certain::<{ number(Cause::ConfigNotReloaded) }>("ask-config-decides@config-not-reloaded");
static PATH_LIST_UNSUPPORTED: Question =
    there::<{ number(Cause::ConfigPathListUnsupported) }>("ask-config-fault@config-path-list");
static PATH_LIST_UNSUPPORTED_CERTAIN: Question =
    certain::<{ number(Cause::ConfigPathListUnsupported) }>("ask-config-decides@config-path-list");
static VERSION_MISMATCH: Question =
    there::<{ number(Cause::ConfigVersionMismatch) }>("ask-config-fault@config-version-mismatch");
static VERSION_MISMATCH_CERTAIN: Question =
    certain::<{ number(Cause::ConfigVersionMismatch) }>("ask-config-decides@config-version-mismatch");
static WRONG_SECTION: Question =
    there::<{ number(Cause::ConfigWrongSection) }>("ask-config-fault@config-wrong-section");
static WRONG_SECTION_CERTAIN: Question =
    certain::<{ number(Cause::ConfigWrongSection) }>("ask-config-decides@config-wrong-section");
static PATH_UNSET: Question =
    there::<{ number(Cause::ConfigPathUnset) }>("ask-config-fault@config-path-unset");
static PATH_UNSET_CERTAIN: Question =
    certain::<{ number(Cause::ConfigPathUnset) }>("ask-config-decides@config-path-unset");
static MIRRORS_AND_PATH: Question =
    there::<{ number(Cause::ConfigMirrorsAndConfigPath) }>("ask-config-fault@config-mirrors-and-path");
static MIRRORS_AND_PATH_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMirrorsAndConfigPath) }>("ask-config-decides@config-mirrors-and-path");
static LEGACY_INLINE_IGNORED: Question =
    there::<{ number(Cause::ConfigLegacyInlineIgnored) }>("ask-config-fault@config-legacy-inline");
static LEGACY_INLINE_IGNORED_CERTAIN: Question =
    certain::<{ number(Cause::ConfigLegacyInlineIgnored) }>("ask-config-decides@config-legacy-inline");
static WRONG_FILE_NAME: Question =
    there::<{ number(Cause::ConfigWrongFileName) }>("ask-config-fault@config-file-name");
static WRONG_FILE_NAME_CERTAIN: Question =
    certain::<{ number(Cause::ConfigWrongFileName) }>("ask-config-decides@config-file-name");
static WRONG_FILE_LOCATION: Question =
    there::<{ number(Cause::ConfigWrongFileLocation) }>("ask-config-fault@config-file-location");
static WRONG_FILE_LOCATION_CERTAIN: Question =
    certain::<{ number(Cause::ConfigWrongFileLocation) }>("ask-config-decides@config-file-location");
static HOST_DIR_MISMATCH: Question =
    there::<{ number(Cause::ConfigHostDirMismatch) }>("ask-config-fault@config-host-dir");
static HOST_DIR_MISMATCH_CERTAIN: Question =
    certain::<{ number(Cause::ConfigHostDirMismatch) }>("ask-config-decides@config-host-dir");
static HOSTS_TOML_INVALID: Question =
    there::<{ number(Cause::ConfigHostsTomlInvalid) }>("ask-config-fault@config-hosts-toml");
static HOSTS_TOML_INVALID_CERTAIN: Question =
    certain::<{ number(Cause::ConfigHostsTomlInvalid) }>("ask-config-decides@config-hosts-toml");
static MISSING_ON_NODE: Question =
    there::<{ number(Cause::ConfigMissingOnNode) }>("ask-config-fault@config-missing-on-node");
static MISSING_ON_NODE_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMissingOnNode) }>("ask-config-decides@config-missing-on-node");
static MIRROR_KEY_MISMATCH: Question =
    there::<{ number(Cause::ConfigMirrorKeyMismatch) }>("ask-config-fault@config-mirror-key");
static MIRROR_KEY_MISMATCH_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMirrorKeyMismatch) }>("ask-config-decides@config-mirror-key");
static REGISTRIES_YAML_STRUCTURE: Question =
    there::<{ number(Cause::ConfigRegistriesYamlStructure) }>("ask-config-fault@config-registries-yaml");
static REGISTRIES_YAML_STRUCTURE_CERTAIN: Question =
    certain::<{ number(Cause::ConfigRegistriesYamlStructure) }>("ask-config-decides@config-registries-yaml");
static CAPABILITIES: Question =
    there::<{ number(Cause::ConfigCapabilities) }>("ask-config-fault@config-capabilities");
static CAPABILITIES_CERTAIN: Question =
    certain::<{ number(Cause::ConfigCapabilities) }>("ask-config-decides@config-capabilities");
static OVERRIDE_PATH_MISSING: Question =
    there::<{ number(Cause::ConfigOverridePathMissing) }>("ask-config-fault@config-override-path");
static OVERRIDE_PATH_MISSING_CERTAIN: Question =
    certain::<{ number(Cause::ConfigOverridePathMissing) }>("ask-config-decides@config-override-path");
static MIRROR_PATH_WRONG: Question =
    there::<{ number(Cause::ConfigMirrorPathWrong) }>("ask-config-fault@config-mirror-path");
static MIRROR_PATH_WRONG_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMirrorPathWrong) }>("ask-config-decides@config-mirror-path");
static SERVER_WRONG: Question =
    there::<{ number(Cause::ConfigServerWrong) }>("ask-config-fault@config-server");
static SERVER_WRONG_CERTAIN: Question =
    certain::<{ number(Cause::ConfigServerWrong) }>("ask-config-decides@config-server");
static DEFAULT_NO_FALLBACK: Question =
    there::<{ number(Cause::ConfigDefaultNoFallback) }>("ask-config-fault@config-no-fallback");
static DEFAULT_NO_FALLBACK_CERTAIN: Question =
    certain::<{ number(Cause::ConfigDefaultNoFallback) }>("ask-config-decides@config-no-fallback");
static MIRROR_BY_DIGEST_ONLY: Question =
    there::<{ number(Cause::ConfigMirrorByDigestOnly) }>("ask-config-fault@config-digest-only");
static MIRROR_BY_DIGEST_ONLY_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMirrorByDigestOnly) }>("ask-config-decides@config-digest-only");
static MIRROR_MASKS_UPSTREAM: Question =
    there::<{ number(Cause::ConfigMirrorMasksUpstream) }>("ask-config-fault@config-masks-upstream");
static MIRROR_MASKS_UPSTREAM_CERTAIN: Question =
    certain::<{ number(Cause::ConfigMirrorMasksUpstream) }>("ask-config-decides@config-masks-upstream");

/// The rows.
pub static ROWS: &[Row] = &[
    row::<{ number(Cause::ConfigNotReloaded) }>(
        Cause::ConfigNotReloaded,
        ANY,
        &[proof(&NOT_RELOADED, Answers::YES), settles(&NOT_RELOADED_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigPathListUnsupported) }>(
        Cause::ConfigPathListUnsupported,
        ANY,
        &[proof(&PATH_LIST_UNSUPPORTED, Answers::YES), settles(&PATH_LIST_UNSUPPORTED_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigVersionMismatch) }>(
        Cause::ConfigVersionMismatch,
        REFUSED,
        &[proof(&VERSION_MISMATCH, Answers::YES), settles(&VERSION_MISMATCH_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigWrongSection) }>(
        Cause::ConfigWrongSection,
        ANY,
        &[proof(&WRONG_SECTION, Answers::YES), settles(&WRONG_SECTION_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigPathUnset) }>(
        Cause::ConfigPathUnset,
        ANY,
        &[proof(&PATH_UNSET, Answers::YES), settles(&PATH_UNSET_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMirrorsAndConfigPath) }>(
        Cause::ConfigMirrorsAndConfigPath,
        REFUSED,
        &[proof(&MIRRORS_AND_PATH, Answers::YES), settles(&MIRRORS_AND_PATH_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigLegacyInlineIgnored) }>(
        Cause::ConfigLegacyInlineIgnored,
        TLS,
        &[proof(&LEGACY_INLINE_IGNORED, Answers::YES), settles(&LEGACY_INLINE_IGNORED_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigWrongFileName) }>(
        Cause::ConfigWrongFileName,
        ANY,
        &[proof(&WRONG_FILE_NAME, Answers::YES), settles(&WRONG_FILE_NAME_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigWrongFileLocation) }>(
        Cause::ConfigWrongFileLocation,
        ANY,
        &[proof(&WRONG_FILE_LOCATION, Answers::YES), settles(&WRONG_FILE_LOCATION_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigHostDirMismatch) }>(
        Cause::ConfigHostDirMismatch,
        ANY,
        &[proof(&HOST_DIR_MISMATCH, Answers::YES), settles(&HOST_DIR_MISMATCH_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigHostsTomlInvalid) }>(
        Cause::ConfigHostsTomlInvalid,
        ANY,
        &[proof(&HOSTS_TOML_INVALID, Answers::YES), settles(&HOSTS_TOML_INVALID_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMissingOnNode) }>(
        Cause::ConfigMissingOnNode,
        ANY,
        &[proof(&MISSING_ON_NODE, Answers::YES), settles(&MISSING_ON_NODE_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMirrorKeyMismatch) }>(
        Cause::ConfigMirrorKeyMismatch,
        ANY,
        &[proof(&MIRROR_KEY_MISMATCH, Answers::YES), settles(&MIRROR_KEY_MISMATCH_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigRegistriesYamlStructure) }>(
        Cause::ConfigRegistriesYamlStructure,
        MISPLACED,
        &[
            proof(&REGISTRIES_YAML_STRUCTURE, Answers::YES),
            settles(&REGISTRIES_YAML_STRUCTURE_CERTAIN, Answers::YES),
        ],
    ),
    row::<{ number(Cause::ConfigCapabilities) }>(
        Cause::ConfigCapabilities,
        ANY,
        &[proof(&CAPABILITIES, Answers::YES), settles(&CAPABILITIES_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigOverridePathMissing) }>(
        Cause::ConfigOverridePathMissing,
        ANY,
        &[proof(&OVERRIDE_PATH_MISSING, Answers::YES), settles(&OVERRIDE_PATH_MISSING_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMirrorPathWrong) }>(
        Cause::ConfigMirrorPathWrong,
        ANY,
        &[proof(&MIRROR_PATH_WRONG, Answers::YES), settles(&MIRROR_PATH_WRONG_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigServerWrong) }>(
        Cause::ConfigServerWrong,
        ANY,
        &[proof(&SERVER_WRONG, Answers::YES), settles(&SERVER_WRONG_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigDefaultNoFallback) }>(
        Cause::ConfigDefaultNoFallback,
        NO_WAY_BACK,
        &[proof(&DEFAULT_NO_FALLBACK, Answers::YES), settles(&DEFAULT_NO_FALLBACK_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMirrorByDigestOnly) }>(
        Cause::ConfigMirrorByDigestOnly,
        ANY,
        &[proof(&MIRROR_BY_DIGEST_ONLY, Answers::YES), settles(&MIRROR_BY_DIGEST_ONLY_CERTAIN, Answers::YES)],
    ),
    row::<{ number(Cause::ConfigMirrorMasksUpstream) }>(
        Cause::ConfigMirrorMasksUpstream,
        MASKED,
        &[proof(&MIRROR_MASKS_UPSTREAM, Answers::YES), settles(&MIRROR_MASKS_UPSTREAM_CERTAIN, Answers::YES)],
    ),
];
