//! What the chain around the deciding words changes about their cause: whose connection it was, what was being unpacked
//! or fetched, which operation it was.

use super::decide::Verdict;
use super::marks::Mark;
use super::request::Request;
use super::row::Weight;
use super::scene::Scene;
use vocabulary::Cause::{self, *};

fn is_network(cause: Cause) -> bool {
    matches!(cause.area(), "dns" | "net")
}

/// What the chain around the leaf changes.
pub(crate) fn around(scene: &Scene<'_>, mut v: Verdict) -> Verdict {
    let request = v.request.and_then(|n| scene.requests.get(n));
    let between = |from: usize| scene.text.get(from..v.leaf.0).unwrap_or_default();
    if scene.has(Mark::ProxyConnect) {
        if is_network(v.cause) {
            v.also = vec![v.cause];
            v.cause = ProxyUnreachable;
        } else if matches!(v.cause, TlsNotTls | TlsHttpResponseToHttps) {
            v.also = vec![v.cause];
            v.cause = ProxyMisconfigured;
        }
    } else if scene.has(Mark::Lookup) && !between(scene.last_of(Mark::Lookup)).contains("://") {
        match v.cause {
            NetTimeout | RuntimeTimeout => v.cause = DnsTimeout,
            NetRefused | NetUnreachable | NetReset | NetEof => v.cause = DnsServerFailure,
            _ => {}
        }
        if v.cause == DnsServerFailure && scene.words().contains("[::1]:53") {
            v.also.push(DnsNodeResolverBroken);
        }
    }
    // `https://10.0.0.5:2376/v1.41/images/create`: the engine's own API was asked, and no registry.
    if is_network(v.cause) && request.is_some_and(|r| r.path.starts_with("/v1.")) {
        v.also.insert(0, v.cause);
        v.cause = RuntimeUnavailable;
    }
    if scene.has(Mark::Provider)
        && matches!(v.cause.area(), "auth" | "authz" | "net" | "dns" | "tls" | "runtime")
    {
        v.also.insert(0, v.cause);
        v.cause = CredentialsProviderFailed;
    }
    // What does not answer while a layer is unpacked is the snapshotter's socket.
    if v.cause == RuntimeUnavailable && scene.has(Mark::Unpack) {
        (v.cause, v.also) = (StorageSnapshotter, vec![RuntimeUnavailable]);
    }
    if scene.has(Mark::RegistryLog) && v.cause != RegistryServerError {
        v.also.insert(0, v.cause);
        v.cause = RegistryServerError;
    }
    if v.cause == BlobDigestMismatch && v.also.contains(&BlobTruncated) && fewer(scene, v.leaf.0) {
        (v.cause, v.also) = (BlobTruncated, vec![BlobDigestMismatch, NetEof]);
    }
    if v.cause == BlobTruncated {
        let direct = request.is_some_and(|r| {
            r.end <= v.leaf.0 && {
                let words = between(r.end).trim_matches(['"', '\'', ':', ' ']);
                // net/http says so of an answer that never came whole.
                words.is_empty() || words.ends_with("transport connection broken")
            }
        });
        if scene.has(Mark::Unpack) {
            (v.cause, v.also) = (StorageLayerCorrupt, vec![BlobTruncated]);
        } else if direct {
            (v.cause, v.also) = (NetEof, vec![BlobTruncated]);
        }
    }
    let answered = v.status.is_some() || matches!(v.weight, Weight::Stock | Weight::Code);
    if scene.has(Mark::Token) || request.is_some_and(Request::is_token) && answered && !is_network(v.cause) {
        token(&mut v);
    } else if request.is_some_and(Request::is_token) && is_network(v.cause) {
        v.also.push(AuthTokenEndpointUnreachable);
    }
    v
}

/// `failed size validation: 12467913 != 94124544`, `unexpected commit size 5, expected 9`, `expected 9, got 5`: fewer bytes
/// than there should be.
fn fewer(scene: &Scene<'_>, from: usize) -> bool {
    let words = scene.text.get(from..scene.record.span.end).unwrap_or_default();
    let link = words.split(['"', '\n']).next().unwrap_or_default();
    let numbers = |part: &str| -> Vec<u64> {
        part.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|n| n.parse().ok()).collect()
    };
    let swapped = link.split_once("expected ").filter(|(_, rest)| rest.contains("got "));
    match (swapped, numbers(swapped.map_or(link, |(_, rest)| rest)).as_slice()) {
        (Some(_), [expected, got, ..]) | (None, [got, expected, ..]) => got < expected,
        _ => false,
    }
}

/// A token service that did not answer, or answered with an error.
fn token(v: &mut Verdict) {
    if is_network(v.cause) || v.cause == RuntimeTimeout {
        v.also.retain(|c| *c != v.cause);
        v.also.insert(0, v.cause);
        v.cause = AuthTokenEndpointUnreachable;
        return;
    }
    let refused = matches!(
        v.cause,
        AuthUnauthorized
            | AuthzDenied
            | AuthzDeniedOrMissing
            | RegistryUnexpectedStatus
            | RegistryServerError
            | RegistryUnavailable
            | ManifestUnknown
            | AuthzBlockedByGateway
    );
    if refused && v.weight < Weight::Sentence {
        let symptom = v.cause;
        v.cause = AuthTokenRejected;
        v.also.insert(0, symptom);
        for more in [AuthBadCredentials, AuthNoCredentials, AuthRepositoryMissingAs401] {
            if matches!(symptom, AuthUnauthorized | AuthzDenied) && !v.also.contains(&more) {
                v.also.push(more);
            }
        }
    }
}

/// What the operation changes: a refusal of a push is the push's own cause.
pub(crate) fn operation_changes(v: &mut Verdict, operation: vocabulary::Operation, words: &str) {
    if operation != vocabulary::Operation::Push {
        return;
    }
    let speaks_of_access = words.contains("access to the requested resource")
        || words.contains("to access repository")
        || words.contains("unauthorized to ")
        // That a client was checking push permissions says what it did, and nothing of the answer.
        || words.matches("ermissions").count() > words.matches("push permissions").count()
        || words.contains("action: push");
    match v.cause {
        AuthzDenied | AuthzDeniedOrMissing => {
            let mut also = vec![AuthzDenied, AuthNoCredentials, AuthUnauthorized];
            also.append(&mut v.also);
            also.retain(|c| *c != AuthzDeniedOrMissing);
            (v.cause, v.also) = (PushDenied, also);
        }
        AuthUnauthorized if speaks_of_access => {
            (v.cause, v.also) = (PushDenied, vec![AuthUnauthorized, AuthzDenied, AuthNoCredentials]);
        }
        AuthUnauthorized => v.also.insert(0, PushDenied),
        _ => {}
    }
}

/// What the place adds to the readings: the sandbox's image, a blob on another host than the registry's.
pub(crate) fn place_changes(
    v: &mut Verdict,
    marks: u64,
    operation: vocabulary::Operation,
    request: Option<&Request<'_>>,
    registry: Option<&str>,
) {
    if operation == vocabulary::Operation::Sandbox
        && !matches!(v.cause, SandboxImage | SandboxCni | RuntimeNameReserved)
    {
        v.also.push(SandboxImage);
    }
    let elsewhere = match request {
        Some(r) => r.is_blob() && registry.is_none_or(|host| host != r.host) && r.namespace().is_none(),
        None => marks & Mark::Blob.bit() != 0,
    };
    if elsewhere && matches!(v.cause.area(), "dns" | "net" | "tls" | "proxy" | "authz") {
        v.also.push(BlobRedirectFailed);
    }
}
