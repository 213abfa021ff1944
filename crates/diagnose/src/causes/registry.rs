//! Roots on the registry's side, and of what stands in front of it.

use super::way_remedies;
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answers, Question, Seen};
use crate::questions::answers::{
    ADDRESS_REFUSED, FRONT_REFUSES, NOT_A_REGISTRY, UPSTREAM_LIMITS, UPSTREAM_NOT_REACHED, UPSTREAM_REFUSES,
};
use crate::questions::clocks::{WINDOW_LOGGED, WINDOW_REFUSED};
use crate::questions::front::{
    AUTHORIZATION_DROPPED, BASIC_PASSES, DROPPED_ON_OWN_WAY, HEAD_REFUSED, REALM_LEADS_NOWHERE, REALM_WRONG,
    TOKEN_REALM_OFF,
};
use crate::questions::hosts::ASKED_A_MIRROR;
use crate::questions::tokens::{TOKEN_REFUSED, TOKEN_REFUSED_FOR_IMAGE};
use crate::questions::words;
use crate::row::{Row, must, proof, settles};
use crate::subject::Subject;
use vocabulary::Cause;

/// Refusals that a sound credential can meet.
const REFUSALS: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthTokenRejected,
    Cause::AuthBadCredentials,
    Cause::AuthNoCredentials,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::AuthInsufficientScope,
];
/// The same, and the proxy that should not have been on the way: what it did there is the deeper fault.
const STRIPPED: &[Cause] = &[
    Cause::AuthUnauthorized,
    Cause::AuthTokenRejected,
    Cause::AuthBadCredentials,
    Cause::AuthNoCredentials,
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::AuthInsufficientScope,
    Cause::ProxyNoProxyMissing,
];
/// What a token service at the wrong place shows as.
const REALM: &[Cause] = &[
    Cause::AuthTokenEndpointUnreachable,
    Cause::AuthTokenRejected,
    Cause::AuthUnauthorized,
    Cause::AuthNoCredentials,
    Cause::AuthChallengeInvalid,
    Cause::NetTimeout,
    Cause::NetRefused,
    Cause::NetUnreachable,
    Cause::DnsNotFound,
    Cause::TlsHttpResponseToHttps,
    Cause::TlsUnknownAuthority,
];

/// What a barrier in front of the registry shows, that looks at the client or the request and not at the account.
const BARRED: &[Cause] = &[
    Cause::AuthzDenied,
    Cause::AuthzDeniedOrMissing,
    Cause::AuthTokenRejected,
    Cause::RegistryUnexpectedStatus,
    Cause::RegistryBadResponse,
];

fn asked_host(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Host(pull.asked_host().to_owned())]
}

/// The host that was asked by a node. A probe speaks to the registry itself and sees a cache's log no more than anybody:
/// that every registry may be one is no reason to doubt what it answers.
fn cache(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.is_probe() { Vec::new() } else { asked_host(case, pull) }
}

fn registry(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Registry(pull.registry.clone())]
}

fn limit_stated(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    words::stated(pull, Cause::RateLimited)
}

static LIMIT_STATED: Question = Question { id: "words-state-a-rate-limit", ask: limit_stated, test: None };

/// Roots on the registry's side.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::RateLimited,
        shows_as: &[],
        about: asked_host,
        expects: &[proof(&LIMIT_STATED, Answers::YES)],
        remedy: way_remedies::under_the_limit,
    },
    Row {
        cause: Cause::RateLimited,
        shows_as: &[
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::BlobUnknown,
            Cause::RegistryServerError,
            Cause::RegistryUnavailable,
            Cause::RegistryMirrorUnhealthy,
        ],
        about: cache,
        expects: &[proof(&UPSTREAM_LIMITS, Answers::YES)],
        remedy: way_remedies::under_the_limit,
    },
    Row {
        cause: Cause::AuthTokenRejected,
        shows_as: &[Cause::AuthUnauthorized, Cause::AuthInsufficientScope],
        about: registry,
        expects: &[proof(&TOKEN_REFUSED, Answers::YES), settles(&TOKEN_REFUSED_FOR_IMAGE, Answers::YES)],
        remedy: |_, _, _| Vec::new(),
    },
    Row {
        cause: Cause::RegistryMirrorUnhealthy,
        shows_as: &[Cause::RegistryUnavailable, Cause::RegistryServerError, Cause::RegistryBadResponse],
        about: asked_host,
        expects: &[proof(&ASKED_A_MIRROR, Answers::YES)],
        remedy: way_remedies::mend_mirror,
    },
    Row {
        cause: Cause::RegistryMirrorUnhealthy,
        shows_as: &[
            Cause::BlobUnknown,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::RegistryServerError,
            Cause::RegistryUnavailable,
        ],
        about: cache,
        expects: &[proof(&UPSTREAM_NOT_REACHED, Answers::YES)],
        remedy: way_remedies::mend_mirror,
    },
    Row {
        cause: Cause::RegistryUpstreamForbidden,
        shows_as: &[
            Cause::RegistryServerError,
            Cause::RegistryUnavailable,
            Cause::RegistryMirrorUnhealthy,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::AuthUnauthorized,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: cache,
        expects: &[proof(&UPSTREAM_REFUSES, Answers::YES)],
        remedy: way_remedies::renew_upstream,
    },
    Row {
        cause: Cause::RegistryNotARegistry,
        shows_as: &[
            Cause::RegistryBadResponse,
            Cause::RegistryUnexpectedStatus,
            Cause::RegistryRedirectLoop,
            Cause::ManifestUnknown,
            Cause::RepositoryUnknown,
            Cause::AuthChallengeInvalid,
        ],
        about: asked_host,
        expects: &[proof(&NOT_A_REGISTRY, Answers::YES)],
        remedy: way_remedies::name_the_api,
    },
    Row {
        cause: Cause::AuthzIpBlocked,
        shows_as: BARRED,
        about: asked_host,
        expects: &[proof(&ADDRESS_REFUSED, Answers::YES)],
        remedy: way_remedies::let_through,
    },
    Row {
        cause: Cause::AuthzBlockedByGateway,
        shows_as: BARRED,
        about: asked_host,
        expects: &[proof(&FRONT_REFUSES, Answers::YES), must(&ADDRESS_REFUSED, Answers::NO)],
        remedy: way_remedies::let_through,
    },
    Row {
        cause: Cause::RegistryHeadBlocked,
        shows_as: &[
            Cause::RegistryUnexpectedStatus,
            Cause::AuthzDenied,
            Cause::AuthzBlockedByGateway,
            Cause::ManifestUnknown,
        ],
        about: asked_host,
        expects: &[proof(&HEAD_REFUSED, Answers::YES)],
        remedy: way_remedies::let_through,
    },
    Row {
        cause: Cause::RegistryTokenRealmDisabled,
        shows_as: REFUSALS,
        about: registry,
        expects: &[proof(&TOKEN_REALM_OFF, Answers::YES), settles(&BASIC_PASSES, Answers::YES)],
        remedy: way_remedies::realm_on,
    },
    Row {
        cause: Cause::ProxyStripsAuthorization,
        shows_as: STRIPPED,
        about: registry,
        expects: &[proof(&AUTHORIZATION_DROPPED, Answers::YES), settles(&DROPPED_ON_OWN_WAY, Answers::YES)],
        remedy: way_remedies::keep_authorization,
    },
    Row {
        cause: Cause::AuthClockSkew,
        shows_as: REFUSALS,
        about: registry,
        expects: &[proof(&WINDOW_REFUSED, Answers::YES), settles(&WINDOW_LOGGED, Answers::YES)],
        remedy: way_remedies::same_time,
    },
    Row {
        cause: Cause::AuthRealmMisconfigured,
        shows_as: REALM,
        about: registry,
        expects: &[proof(&REALM_WRONG, Answers::YES), settles(&REALM_LEADS_NOWHERE, Answers::YES)],
        remedy: way_remedies::right_realm,
    },
];
