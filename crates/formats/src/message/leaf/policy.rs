//! What is decided before any request: the reference, the pull policy, signatures, the kubelet's own limits.

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::fact(&["invalid reference format"], ReferenceInvalid).states(),
    Row::fact(&["unsupported digest algorithm"], ReferenceInvalid).states(),
    Row::fact(&["invalid checksum digest", "parse image"], ReferenceInvalid),
    Row::fact(&["invalidimagename"], ReferenceInvalid),
    Row::fact(&["couldn't parse image"], ReferenceInvalid),
    Row::fact(&["failed to parse image reference"], ReferenceInvalid),
    Row::fact(&["could not parse reference"], ReferenceInvalid),
    // The parser's own reasons (distribution/reference, reference.go): nothing else is asked or said
    Row::fact(&["must be lowercase", "repository name"], ReferenceInvalid).states(),
    Row::fact(&["must be lowercase"], ReferenceInvalid),
    Row::fact(&["64-byte hexadecimal strings"], ReferenceInvalid),
    Row::fact(&["repository name must not be more than"], ReferenceInvalid).states(),
    Row::fact(&["repository name must be canonical"], ReferenceInvalid),
    Row::fact(&["repository name must have at least one component"], ReferenceInvalid).states(),
    Row::fact(&["repository can only contain"], ReferenceInvalid),
    Row::fact(&["tag can only contain"], ReferenceInvalid),
    Row::fact(&["valid rfc 3986 uri authorities"], ReferenceInvalid),
    Row::fact(&["invalid image name"], ReferenceInvalid),
    Row::fact(&["invalid repository name"], ReferenceInvalid),
    Row::fact(&["invalid tag name"], ReferenceInvalid),
    Row::fact(&["name_invalid"], ReferenceInvalid).also(&[RepositoryUnknown]),
    Row::fact(&["name invalid"], ReferenceInvalid).also(&[RepositoryUnknown]),
    Row::fact(&["invalid repository name", "name_invalid"], ReferenceInvalid),
    Row::fact(&["is not a valid repository/tag"], ReferenceInvalid),
    Row::fact(&["is not a valid image reference"], ReferenceInvalid),
    // Short names.
    Row::fact(&["short-name"], ReferenceShortName),
    Row::fact(&["short name mode is enforcing"], ReferenceShortName),
    Row::fact(&["unqualified-search registries"], ReferenceShortName),
    Row::hint(&["in the registries defined in"], Unknown).also(&[ReferenceShortName, ManifestUnknown]),
    Row::fact(&["unqualified image"], ReferenceShortName).also(&[RuntimeConfigInvalid]),
    // The pull policy, and the kubelet's own limits.
    Row::sentence(&["pull policy of never"], PolicyNeverPull).also(&[PolicyCredentialsNotVerified]),
    Row::fact(&["errimageneverpull"], PolicyNeverPull).also(&[PolicyCredentialsNotVerified]),
    Row::sentence(&["pull qps exceeded"], KubeletPullQps).states(),
    // Signatures and trust.
    Row::sentence(&["signature was required"], PolicySignature),
    Row::sentence(&["is rejected by policy"], PolicySignature),
    Row::sentence(&["source image rejected"], PolicySignature),
    Row::guess(&["signature validation failed"], PolicySignature),
    Row::guess(&["signaturevalidationfailed"], PolicySignature),
    Row::sentence(&["signature verification failed"], PolicySignature),
    Row::sentence(&["no valid signature"], PolicySignature),
    Row::sentence(&["no matching signatures"], PolicySignature),
    Row::sentence(&["invalid gpg signature"], PolicySignature),
    // Notary's word for its signatures, and containerd's verifiers (`pkg/imageverifier`).
    Row::sentence(&["trust data"], PolicySignature),
    Row::sentence(&["blocked pull of"], PolicySignature),
    Row::sentence(&["blocking pull of"], PolicySignature),
    Row::sentence(&["is blocked in"], PolicySignature).unless(&["docker.io is blocked in your"]),
];
