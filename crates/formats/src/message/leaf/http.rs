//! Answers that are no answer of the registry API: other programs' pages, redirects without end, failing back ends.
//! Plain statuses are read in `status`.

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::form(&["invalid character", "looking for beginning of value"], RegistryBadResponse)
        .also(&[RegistryNotARegistry]),
    Row::form(&["invalid character", "after top-level value"], RegistryBadResponse)
        .also(&[RegistryNotARegistry]),
    Row::form(&["error parsing http"], RegistryBadResponse)
        .also(&[RegistryNotARegistry])
        .unless(&["unexpected end of json input"]),
    Row::form(&["error parsing http response", "unexpected end of json input"], RegistryBadResponse)
        .also(&[NetEof, Unknown]),
    Row::form(&["error unmarshalling content"], RegistryBadResponse),
    Row::form(&["<!doctype"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::form(&["<html"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    // What Go's own mux answers where nobody serves the path (net/http `server.go`, `NotFound`).
    Row::form(&["404 page not found"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::form(&["<?xml"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::fact(&["unexpected media type", "text/html"], RegistryBadResponse),
    Row::fact(&["unexpected media type", "text/plain"], RegistryBadResponse),
    Row::fact(&["unexpected media type", "application/json"], RegistryBadResponse),
    Row::fact(&["unsupported manifest media type", "text/html"], RegistryBadResponse),
    Row::fact(&["unsupported manifest media type", "text/plain"], RegistryBadResponse),
    Row::fact(&["unsupported manifest media type", "application/json"], RegistryBadResponse),
    Row::fact(&["(application/json) from remote"], RegistryBadResponse).also(&[BlobUnknown, ManifestUnknown]),
    Row::fact(&["(text/html) from remote"], RegistryBadResponse),
    Row::fact(&["(text/html; charset"], RegistryBadResponse),
    Row::fact(&["(application/octet-stream) from remote"], RegistryBadResponse)
        .also(&[BlobUnknown, ManifestUnknown]),
    Row::fact(&["missing docker-content-digest header"], RegistryBadResponse),
    Row::fact(&["no docker-content-digest header"], RegistryBadResponse),
    Row::fact(&["response did not include"], RegistryBadResponse),
    Row::fact(&["content range requests ignored"], RegistryBadResponse).also(&[BlobTruncated]),
    Row::fact(&["unhandled content range"], RegistryBadResponse).also(&[BlobTruncated]),
    Row::fact(&["support byte ranges"], RegistryBadResponse).also(&[BlobTruncated]),
    Row::fact(&["content size of zero"], RegistryBadResponse).also(&[ManifestInvalid, BlobTruncated]),
    Row::fact(&["missing content-length"], RegistryBadResponse),
    Row::fact(&["empty content-length"], RegistryBadResponse),
    Row::fact(&["unknown content-length"], RegistryBadResponse),
    Row::fact(&["missing location header"], RegistryBadResponse).also(&[PushLocationScheme]),
    Row::fact(&["response missing location"], RegistryBadResponse),
    Row::fact(&["no location header"], RegistryBadResponse),
    Row::fact(&["invalid checksum digest format"], RegistryBadResponse).also(&[BlobDigestMismatch, Unknown]),
    Row::fact(&["invalid checksum digest length"], RegistryBadResponse)
        .also(&[BlobDigestMismatch])
        .unless(&["parse image"]),
    // No HTTP, or too much of it (net/http `transport.go`, http2 `transport.go`).
    Row::hint(&["transport connection broken"], RegistryBadResponse).also(&[NetEof]),
    Row::fact(&["malformed http version"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::fact(&["malformed mime header"], RegistryBadResponse),
    Row::fact(&["response headers exceeded"], RegistryBadResponse),
    Row::fact(&["http2: frame too large"], RegistryBadResponse).also(&[TlsNotTls, NetReset]),
    Row::fact(&["did not send settings"], RegistryBadResponse).also(&[NetEof]),
    Row::fact(&["parse location"], RegistryBadResponse).also(&[RegistryRedirectLoop, PushLocationScheme]),
    Row::fact(&["stopped after 10 redirects"], RegistryRedirectLoop),
    Row::fact(&["too many redirects"], RegistryRedirectLoop),
    Row::fact(&["redirect loop"], RegistryRedirectLoop),
    Row::fact(&["talk to a v1"], RegistryNotARegistry).also(&[RegistryBadResponse]),
    Row::fact(&["is not a v2 registry"], RegistryNotARegistry),
    Row::fact(&["not a valid registry"], RegistryNotARegistry),
    Row::fact(&["unsupported protocol scheme"], RegistryBadResponse)
        .also(&[AuthRealmMisconfigured, ProxyMisconfigured])
        .unless(&["/token?"]),
    Row::sentence(&["not a docker request"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::fact(&["upstream connect error"], RegistryUnavailable),
    Row::fact(&["no healthy upstream"], RegistryUnavailable),
    Row::fact(&["no available server"], RegistryUnavailable),
    Row::fact(&["default backend - 404"], RegistryBadResponse).also(&[RegistryNotARegistry]),
    Row::fact(&["registry is down for maintenance"], RegistryUnavailable),
    Row::fact(&["service unavailable, try again later"], RegistryUnavailable),
    Row::guess(&["because the registry is unavailable"], RegistryUnavailable),
    Row::guess(&["registryunavailable"], RegistryUnavailable),
    Row::hint(&["maintenance"], RegistryUnavailable),
    // Codes for what is no fault of the request (distribution errcode `register.go`), and a front end's words behind the
    // code that docker gives what it cannot read.
    Row::code(&["unavailable: service unavailable"], RegistryUnavailable),
    Row::code(&["|unknown: internal server error"], RegistryServerError),
    Row::code(&["|unknown: bad gateway"], RegistryUnavailable),
    Row::code(&["|unknown: service unavailable"], RegistryUnavailable),
    Row::code(&["|unknown: gateway time"], RegistryUnavailable),
    Row::code(&["the operation is unsupported"], RegistryUnexpectedStatus)
        .also(&[PushReadOnly, ManifestUnsupportedType]),
    // A status of no meaning, or one that is left out.
    Row::hint(&["unexpected status"], RegistryUnexpectedStatus).also(&[RegistryBadResponse]),
    Row::hint(&["unexpected http status"], RegistryUnexpectedStatus).also(&[RegistryBadResponse]),
    Row::code(&["|unknown: unknown error"], RegistryServerError),
    Row::code(&["|unknown: \"unknown error"], RegistryServerError).also(&[RegistryUnexpectedStatus]),
    Row::fact(&["mirror resolve retries exhausted"], RegistryServerError).also(&[RegistryMirrorUnhealthy]),
    Row::sentence(&["|repository ", "offline|"], RegistryUnavailable).near(),
    Row::code(&["registry: unknown error"], RegistryServerError),
    Row::code(&["an unknown internal error occurred"], RegistryServerError),
    Row::code(&["internal_server_error"], RegistryServerError),
    Row::code(&["error from registry: unknown|"], RegistryUnexpectedStatus).also(&[RegistryServerError]),
    // The registry's own log: its back end failed.
    Row::sentence(&["err.detail", "err.code=unknown"], RegistryServerError),
    Row::sentence(&["s3aws:"], RegistryServerError),
    Row::fact(&["request to mirror failed", "500"], RegistryServerError).also(&[RegistryMirrorUnhealthy]),
    // A proxy cache that its upstream refuses.
    Row::sentence(&["login to dockerhub error"], RegistryUpstreamForbidden)
        .also(&[AuthBadCredentials, RegistryServerError]),
    // A rate limit, by status or in the registry's words.
    Row::sentence(&["toomanyrequests"], RateLimited).states(),
    Row::sentence(&["too_many_request"], RateLimited).states(),
    Row::sentence(&["too many requests"], RateLimited).states(),
    Row::sentence(&["pull rate limit"], RateLimited).states(),
    Row::sentence(&["exceeded your pull"], RateLimited),
    Row::sentence(&["rate exceeded"], RateLimited).states(),
    Row::sentence(&["rate limit exceeded"], RateLimited).states(),
    Row::sentence(&["ratelimit exceeded"], RateLimited).states(),
    Row::sentence(&["rate limit reached"], RateLimited).states(),
    Row::sentence(&["too many failed login attempts"], RateLimited).also(&[AuthBadCredentials]),
    Row::sentence(&["data limit exceeded"], RateLimited),
    Row::sentence(&["quota exceeded for quota metric"], RateLimited),
];
