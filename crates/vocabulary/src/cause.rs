//! The causes: one row each, and everything that is derived from a row.
//!
//! What a cause is recognised by, and how it is told from its rivals, is in `diagnose`; its words are in `render`.

use crate::Stage;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// How deep a cause reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// What one observation shows.
    Symptom,
    /// What explains a symptom.
    Root,
}

macro_rules! causes {
    ($($variant:ident, $id:literal, $stage:ident, $level:ident, $meaning:literal;)*) => {
        /// Why a pull or push fails: a stable id, `area.kebab-name`. Ids never change meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Cause {
            $(#[doc = $meaning] $variant,)*
        }

        impl Cause {
            /// Every cause, in the order of the vocabulary.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The stable id.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The rung at which a pull usually ends when this is its cause.
            pub const fn stage(self) -> Stage {
                match self { $(Self::$variant => Stage::$stage,)* }
            }

            /// Whether one observation shows it, or it explains one.
            pub const fn level(self) -> Level {
                match self { $(Self::$variant => Level::$level,)* }
            }

            /// One English sentence: what it means.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

causes! {
    ReferenceInvalid, "reference.invalid", Reference, Root, "The image reference does not parse; no request was made.";
    ReferenceShortName, "reference.short-name", Reference, Root, "An unqualified name is refused or resolved to another registry than meant.";
    ReferenceMissingRegistryHost, "reference.missing-registry-host", Reference, Root, "The image names no registry, so Docker Hub is asked.";
    PolicyNeverPull, "policy.never-pull", Policy, Root, "imagePullPolicy is Never and the image is not on the node.";
    PolicySignature, "policy.signature", Policy, Root, "A signature or trust policy of the runtime refuses the image.";
    PolicyCredentialsNotVerified, "policy.credentials-not-verified", Policy, Root, "The image is on the node, but this pod has shown no credentials that may use it.";
    KubeletPullQps, "kubelet.pull-qps", Policy, Root, "The kubelet's own pull rate limit was exceeded.";
    SandboxImage, "sandbox.image", Sandbox, Root, "The pod sandbox (pause) image cannot be had.";
    SandboxCni, "sandbox.cni", Sandbox, Root, "The pod's network set-up failed; no image pull was reached.";
    CredentialsSecretMissing, "credentials.secret-missing", Credentials, Root, "A pull secret that the pod or its service account names does not exist.";
    CredentialsWrongNamespace, "credentials.wrong-namespace", Credentials, Root, "The secret exists, but in another namespace than the pod.";
    CredentialsWrongType, "credentials.wrong-type", Credentials, Root, "The secret's type is not one that the kubelet takes for a pull secret.";
    CredentialsWrongKey, "credentials.wrong-key", Credentials, Root, "The secret has the right type and the wrong data key.";
    CredentialsMalformed, "credentials.malformed", Credentials, Root, "The secret's content does not decode: base64, JSON, or user:password form.";
    CredentialsHostMismatch, "credentials.host-mismatch", Credentials, Root, "No entry's key matches the image's registry (host, port, scheme, path, IP against name, Docker Hub's names).";
    CredentialsUsernameMangled, "credentials.username-mangled", Credentials, Root, "User name or password was changed on the way in (shell expansion, escaping, newline).";
    CredentialsNotAttached, "credentials.not-attached", Credentials, Root, "A right secret exists and neither the pod nor its service account names it.";
    CredentialsOverriddenByPod, "credentials.overridden-by-pod", Credentials, Root, "The pod's own imagePullSecrets hide those of its service account.";
    CredentialsPodPredatesSecret, "credentials.pod-predates-secret", Credentials, Root, "The service account or secret was mended after the pod was made.";
    CredentialsExpired, "credentials.expired", Authorization, Root, "The credentials were right once and have expired (cloud tokens, robot accounts).";
    CredentialsRevertedByController, "credentials.reverted-by-controller", Credentials, Root, "A controller's reconcile puts the secret or service account back.";
    CredentialsPrunedByGitops, "credentials.pruned-by-gitops", Credentials, Root, "A GitOps tool prunes the object, which carries its labels or annotations.";
    CredentialsGarbageCollected, "credentials.garbage-collected", Credentials, Root, "An owner reference left in a copied secret makes garbage collection delete it.";
    CredentialsProviderFailed, "credentials.provider-failed", Credentials, Symptom, "A kubelet credential provider plugin failed or timed out.";
    CredentialsProviderMisconfigured, "credentials.provider-misconfigured", Credentials, Root, "The credential provider does not cover this image (matchImages, version, missing binary, role).";
    CredentialsNotUsedForMirror, "credentials.not-used-for-mirror", Credentials, Root, "Credentials that exist are not sent to the mirror that is really asked.";
    DnsNotFound, "dns.not-found", Dns, Symptom, "The name does not exist for the resolver that was asked.";
    DnsServerFailure, "dns.server-failure", Dns, Symptom, "The resolver answered with a failure or refused.";
    DnsTimeout, "dns.timeout", Dns, Symptom, "The resolver did not answer.";
    DnsNodeResolverBroken, "dns.node-resolver-broken", Dns, Root, "The node's resolver fails where pods' or other nodes' works.";
    DnsInconsistentResolvers, "dns.inconsistent-resolvers", Dns, Root, "The node's resolvers have different views, and which one answers is chance.";
    DnsClusterNameOnNode, "dns.cluster-name-on-node", Dns, Root, "The registry is named by a name that only the cluster's DNS knows; the node's does not.";
    DnsWrongAddress, "dns.wrong-address", Dns, Root, "The name resolves to an address that is not the registry.";
    NetRefused, "net.refused", Connect, Symptom, "The address answered and nothing listens at the port.";
    NetTimeout, "net.timeout", Connect, Symptom, "No answer from the address (connect or read).";
    NetUnreachable, "net.unreachable", Connect, Symptom, "No route to the address.";
    NetReset, "net.reset", Connect, Symptom, "The connection was reset.";
    NetEof, "net.eof", Connect, Symptom, "The connection was closed before an answer.";
    NetHairpin, "net.hairpin", Connect, Root, "A node cannot reach a service address that leads back to itself.";
    NetLocalhostNodeport, "net.localhost-nodeport", Connect, Root, "The registry is addressed as localhost and a node port, which the node's proxy mode does not serve.";
    NetMtuBlackhole, "net.mtu-blackhole", Connect, Root, "Large packets are lost on the way: the handshake or the download stalls.";
    ProxyUnreachable, "proxy.unreachable", Connect, Root, "The configured proxy cannot be reached.";
    ProxyAuthRequired, "proxy.auth-required", Connect, Root, "The proxy asks for credentials (407).";
    ProxyRejected, "proxy.rejected", Connect, Root, "The proxy refuses to connect to this host.";
    ProxyMisconfigured, "proxy.misconfigured", Connect, Root, "The proxy setting itself is wrong (scheme, syntax).";
    ProxyUpstreamFailed, "proxy.upstream-failed", Connect, Symptom, "The proxy accepted the request and could not reach the host.";
    ProxyNoProxyMissing, "proxy.no-proxy-missing", Connect, Root, "The registry is internal and NO_PROXY does not cover it.";
    ProxyNotInUnit, "proxy.not-in-unit", Connect, Root, "A proxy is needed and the runtime's own environment has none (it is set elsewhere).";
    ProxyStripsAuthorization, "proxy.strips-authorization", Authorization, Root, "A proxy or front end drops or replaces the Authorization header.";
    TlsUnknownAuthority, "tls.unknown-authority", Tls, Symptom, "The client does not trust the issuer of the certificate.";
    TlsSelfSigned, "tls.self-signed", Tls, Symptom, "The certificate is signed by itself and not trusted.";
    TlsIncompleteChain, "tls.incomplete-chain", Tls, Root, "The server does not send an intermediate that the client needs.";
    TlsExpired, "tls.expired", Tls, Symptom, "The certificate has expired by the client's clock.";
    TlsNotYetValid, "tls.not-yet-valid", Tls, Symptom, "The certificate is not valid yet by the client's clock.";
    TlsHostnameMismatch, "tls.hostname-mismatch", Tls, Symptom, "The certificate is for other names or addresses.";
    TlsNoSan, "tls.no-san", Tls, Symptom, "The certificate has no usable subject alternative name (common name only, or no IP SAN).";
    TlsInsecureAlgorithm, "tls.insecure-algorithm", Tls, Symptom, "The certificate's signature or key kind is refused.";
    TlsClientCertRequired, "tls.client-cert-required", Tls, Symptom, "The server demands a client certificate, which was not given or not accepted.";
    TlsWrongUsage, "tls.wrong-usage", Tls, Symptom, "The certificate is not made for this use (key usage).";
    TlsHandshake, "tls.handshake", Tls, Symptom, "The handshake failed in another way (alert, no common cipher).";
    TlsHandshakeTimeout, "tls.handshake-timeout", Tls, Symptom, "The handshake did not finish.";
    TlsProtocolVersion, "tls.protocol-version", Tls, Symptom, "No common TLS version.";
    TlsHttpResponseToHttps, "tls.http-response-to-https", Tls, Symptom, "The client speaks TLS and the port speaks plain HTTP.";
    TlsNotTls, "tls.not-tls", Tls, Symptom, "The port speaks neither TLS nor HTTP.";
    TlsHttpsRequired, "tls.https-required", Http, Symptom, "The client speaks plain HTTP to a TLS port.";
    TlsCaFileUnreadable, "tls.ca-file-unreadable", Tls, Symptom, "A configured CA or certificate file cannot be read or holds no certificate.";
    TlsInterception, "tls.interception", Tls, Root, "A device on the way presents its own certificate.";
    ClockNode, "clock.node", Tls, Root, "The node's clock is wrong, and what depends on it (certificate validity, signed requests) fails.";
    ConfigPathListUnsupported, "config.path-list-unsupported", Tls, Root, "config_path is a list, which the pull path in use takes for one directory: no host configuration is read.";
    ConfigWrongSection, "config.wrong-section", Tls, Root, "The setting stands under a plugin or section that this version does not read for pulls.";
    ConfigVersionMismatch, "config.version-mismatch", Tls, Root, "The configuration file's version and its sections do not belong together.";
    ConfigWrongFileName, "config.wrong-file-name", Tls, Root, "A host configuration file has a name that is never read.";
    ConfigWrongFileLocation, "config.wrong-file-location", Tls, Root, "The configuration was put where this runtime or distribution does not look.";
    ConfigPathUnset, "config.path-unset", Tls, Root, "No configuration directory is in force, so host configuration is never read.";
    ConfigLegacyInlineIgnored, "config.legacy-inline-ignored", Tls, Root, "The setting stands in inline tables that this version no longer reads.";
    ConfigHostDirMismatch, "config.host-dir-mismatch", Tls, Root, "The host directory's name does not match the image's host and port.";
    ConfigServerWrong, "config.server-wrong", Http, Root, "The server or host address in the host configuration is not where the registry answers.";
    ConfigMissingOnNode, "config.missing-on-node", Tls, Root, "This node lacks a configuration or CA that the others have.";
    ConfigHostsTomlInvalid, "config.hosts-toml-invalid", Http, Root, "hosts.toml does not parse or means something else than intended.";
    ConfigNotReloaded, "config.not-reloaded", Tls, Root, "The file was changed after the process that reads it only at its start had started.";
    ConfigMirrorsAndConfigPath, "config.mirrors-and-config-path", Http, Root, "Inline mirrors or configs and config_path exclude each other.";
    ConfigMirrorKeyMismatch, "config.mirror-key-mismatch", Http, Root, "The mirror is configured for another registry name than the image's.";
    ConfigMirrorPathWrong, "config.mirror-path-wrong", Manifest, Root, "The mirror's URL has a path or rewrite that leads to another repository.";
    ConfigOverridePathMissing, "config.override-path-missing", Manifest, Root, "The mirror's API lives under a path, and override_path (or its like) is not set or not as needed.";
    ConfigMirrorByDigestOnly, "config.mirror-by-digest-only", Manifest, Root, "The mirror rule serves digests only, and the image is named by tag.";
    ConfigCapabilities, "config.capabilities", Manifest, Root, "The host entry lacks the capability (pull, resolve) that the request needs.";
    ConfigDefaultNoFallback, "config.default-no-fallback", Http, Root, "A catch-all mirror has no fall-back to the registry itself.";
    ConfigMirrorMasksUpstream, "config.mirror-masks-upstream", Http, Root, "The error shown comes from one host of several and hides the one that matters.";
    ConfigRegistriesYamlStructure, "config.registries-yaml-structure", Tls, Root, "k3s or RKE2 registries.yaml has its keys at the wrong place.";
    RuntimeConfigInvalid, "runtime.config-invalid", Runtime, Symptom, "The runtime refuses its configuration.";
    RegistryRedirectLoop, "registry.redirect-loop", Http, Symptom, "Redirects never reach the API (scheme or host ping-pong between front end and registry).";
    RegistryBadResponse, "registry.bad-response", Http, Symptom, "The answer is not the registry API's (HTML, wrong type, truncated JSON).";
    RegistryServerError, "registry.server-error", Http, Symptom, "The registry answered 500 or a like error.";
    RegistryUnavailable, "registry.unavailable", Http, Symptom, "The registry answered 502, 503 or 504, or its front end says that it is down.";
    RegistryUnexpectedStatus, "registry.unexpected-status", Http, Symptom, "An HTTP status that the protocol does not give here (400, 405, 409, 412 and the like) without words that say more.";
    RegistryNotARegistry, "registry.not-a-registry", Http, Root, "The host answers, and is no registry.";
    RegistryHeadBlocked, "registry.head-blocked", Http, Root, "HEAD is refused where GET passes: a filter on the method.";
    RegistryMirrorUnhealthy, "registry.mirror-unhealthy", Http, Root, "The mirror or cache is broken and its answer ends the pull.";
    RegistryUpstreamForbidden, "registry.upstream-forbidden", Http, Root, "A proxy cache's own access to its upstream is refused, and it passes that on in other words.";
    RegistryStorageLost, "registry.storage-lost", Manifest, Root, "The registry lost its storage: what was pushed is gone.";
    RegistryBodyLimit, "registry.body-limit", Http, Root, "A front end limits the size of a request body.";
    RegistryTokenRealmDisabled, "registry.token-realm-disabled", Token, Root, "The registry's token realm or login source is switched off.";
    RateLimited, "rate.limited", Http, Root, "A rate limit was reached (429 or the registry's own words for it).";
    AuthUnauthorized, "auth.unauthorized", Authorization, Symptom, "401: credentials missing or wrong, or the repository is hidden.";
    AuthChallengeInvalid, "auth.challenge-invalid", Token, Symptom, "The challenge is missing, malformed or of a kind that the client does not know.";
    AuthNoCredentials, "auth.no-credentials", Authorization, Symptom, "The client had no credentials to send.";
    AuthBadCredentials, "auth.bad-credentials", Authorization, Symptom, "The credentials were refused.";
    AuthTokenEndpointUnreachable, "auth.token-endpoint-unreachable", Token, Symptom, "The token service cannot be reached, though the registry can.";
    AuthTokenRejected, "auth.token-rejected", Token, Symptom, "A token was issued and the registry does not accept it, or the token service answered with an error.";
    AuthInsufficientScope, "auth.insufficient-scope", Authorization, Symptom, "The token does not grant what was asked.";
    AuthClockSkew, "auth.clock-skew", Authorization, Root, "Token service and registry disagree on the time, or a signed request's time is off.";
    AuthRealmMisconfigured, "auth.realm-misconfigured", Token, Root, "The challenge's realm points to the wrong scheme, host or port.";
    AuthOidcSessionExpired, "auth.oidc-session-expired", Authorization, Root, "The command-line secret of an OIDC user needs a renewed login.";
    AuthRepositoryMissingAs401, "auth.repository-missing-as-401", Authorization, Root, "The credentials are sound; the repository does not exist (or is hidden), answered as 401 or 403.";
    AuthzDenied, "authz.denied", Authorization, Symptom, "403: the account may not do this.";
    AuthzDeniedOrMissing, "authz.denied-or-missing", Authorization, Symptom, "The client's words leave open whether access is denied or the repository is missing.";
    AuthzIpBlocked, "authz.ip-blocked", Authorization, Root, "The registry refuses the client's address.";
    AuthzBlockedByGateway, "authz.blocked-by-gateway", Authorization, Root, "A front end or firewall, not the registry, refuses the request.";
    ManifestUnknown, "manifest.unknown", Manifest, Symptom, "The tag or digest does not exist in a repository that does.";
    ManifestInvalid, "manifest.invalid", Manifest, Symptom, "The manifest does not parse.";
    RepositoryUnknown, "repository.unknown", Manifest, Symptom, "The repository or project does not exist.";
    ManifestBlocked, "manifest.blocked", Manifest, Root, "A registry policy (scan, signature, quarantine) withholds the manifest.";
    ManifestUnsupportedType, "manifest.unsupported-type", Manifest, Root, "The client does not understand the manifest's type (schema 1, an artifact).";
    ManifestPlatformMissing, "manifest.platform-missing", Platform, Root, "The image has no variant for the node's platform.";
    BlobUnknown, "blob.unknown", Blob, Symptom, "A blob that the manifest names is missing.";
    BlobDigestMismatch, "blob.digest-mismatch", Blob, Symptom, "The content does not have the digest that was asked for.";
    BlobTruncated, "blob.truncated", Blob, Symptom, "The download ended before its length.";
    BlobRedirectFailed, "blob.redirect-failed", Blob, Root, "The host that blobs are redirected to cannot be reached, resolved or trusted.";
    StorageDiskFull, "storage.disk-full", Unpack, Root, "The node (or registry) has no space or inodes left.";
    StorageReadOnly, "storage.read-only", Unpack, Root, "The store is read-only.";
    StorageLayerCorrupt, "storage.layer-corrupt", Unpack, Symptom, "A layer does not unpack.";
    StorageSnapshotter, "storage.snapshotter", Unpack, Symptom, "The snapshotter or storage driver failed.";
    CacheGcRemovedImage, "cache.gc-removed-image", Manifest, Root, "The image was only on the node and was removed there by garbage collection.";
    PushDenied, "push.denied", Authorization, Root, "The push was refused: no right to write.";
    PushUploadUnknown, "push.upload-unknown", Http, Root, "The registry does not know the upload session (replicas without shared state or storage).";
    PushTooLarge, "push.too-large", Http, Root, "A front end refuses the size of the upload.";
    PushQuota, "push.quota", Http, Root, "The project's quota is used up.";
    PushImmutableTag, "push.immutable-tag", Http, Root, "The tag exists and may not be overwritten.";
    PushReadOnly, "push.read-only", Http, Root, "The registry takes no writes (read-only mode, pull-through cache).";
    PushLocationScheme, "push.location-scheme", Http, Root, "The upload address that the registry answers has the wrong scheme or host (front end headers).";
    PushFailedLocalOnly, "push.failed-local-only", Manifest, Root, "The push failed: the image is only on the node that built it.";
    RuntimeUnavailable, "runtime.unavailable", Runtime, Symptom, "The runtime or its socket does not answer.";
    RuntimeTimeout, "runtime.timeout", Runtime, Symptom, "The pull outran a deadline of the client.";
    RuntimeCancelled, "runtime.cancelled", Runtime, Symptom, "The pull was cancelled.";
    RuntimeNameReserved, "runtime.name-reserved", Runtime, Symptom, "An earlier attempt still holds the name.";
    RuntimePullConflict, "runtime.pull-conflict", Runtime, Symptom, "Another pull of the same content is in the way.";
    NotAPullFailure, "not-a-pull-failure", Other, Symptom, "The text speaks of something else than a failing pull or push.";
    Unknown, "unknown", Other, Symptom, "A pull failure whose cause the evidence does not show.";
}

impl Cause {
    /// The part of the id before the dot; the whole id where there is none.
    pub fn area(self) -> &'static str {
        self.id().split('.').next().unwrap_or_default()
    }

    /// Whether this explains symptoms rather than being one.
    pub fn is_root(self) -> bool {
        self.level() == Level::Root
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A text that is no id of the vocabulary.
#[derive(Debug, PartialEq, Eq)]
pub struct UnknownCause(pub String);

impl fmt::Display for UnknownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no cause has the id {:?}", self.0)
    }
}

impl std::error::Error for UnknownCause {}

impl FromStr for Cause {
    type Err = UnknownCause;

    fn from_str(id: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|c| c.id() == id).ok_or_else(|| UnknownCause(id.to_owned()))
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.id())
    }
}

impl<'de> Deserialize<'de> for Cause {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let id = String::deserialize(d)?;
        id.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for Cause {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cause".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let ids: Vec<_> = Self::ALL.iter().map(|c| c.id()).collect();
        schemars::json_schema!({ "type": "string", "enum": ids, "description": "A stable cause id; new ones may be added." })
    }
}
