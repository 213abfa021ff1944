//! Roots on the way to a registry: names, routes, proxies, clocks, devices that sign anew.

use super::way_remedies;
use crate::case::Case;
use crate::pull::Pull;
use crate::question::Answers;
use crate::questions::chains::{CHAIN_INCOMPLETE, INSPECTOR_SEEN, INTERCEPTED, RUN_OUT_SEEN};
use crate::questions::clocks::{NODE_CLOCK_OFF, SIGNATURE_OFF};
use crate::questions::hosts::{BLOB_ELSEWHERE, BLOB_HOST_DEAD, CLUSTER_NAME, name_of};
use crate::questions::local_ports::{IS_NODE_PORT, LOOPBACK_SERVED, local_port};
use crate::questions::names::{ADDRESS_DIFFERS, RESOLVER_FAILS, RESOLVERS_DISAGREE, RIGHT_ADDRESS_SERVES};
use crate::questions::own_target::ONLY_TARGET;
use crate::questions::proxies::{DIRECT_WORKS, PROXY_ELSEWHERE, THROUGH_PROXY};
use crate::questions::routes::{MTU_ABOVE_PATH, OTHERS_PASS, OWN_ADDRESS};
use crate::row::{Row, decides, must, proof, settles};
use crate::subject::Subject;
use vocabulary::Cause;

/// A name that does not resolve.
const NAMES: &[Cause] = &[Cause::DnsNotFound, Cause::DnsServerFailure, Cause::DnsTimeout];
/// A connection that does not come about, and a handshake that does not finish.
const WAYS: &[Cause] = &[
    Cause::NetTimeout,
    Cause::NetRefused,
    Cause::NetReset,
    Cause::NetEof,
    Cause::NetUnreachable,
    Cause::TlsHandshakeTimeout,
];
/// What a missing proxy shows as.
const NO_WAY_OUT: &[Cause] = &[
    Cause::NetTimeout,
    Cause::NetRefused,
    Cause::NetUnreachable,
    Cause::DnsNotFound,
    Cause::DnsTimeout,
    Cause::DnsServerFailure,
    Cause::TlsHandshakeTimeout,
];
/// What a proxy in the wrong place shows as.
const WRONG_WAY: &[Cause] = &[
    Cause::ProxyUnreachable,
    Cause::ProxyRejected,
    Cause::ProxyAuthRequired,
    Cause::ProxyUpstreamFailed,
    Cause::NetTimeout,
    Cause::NetEof,
    Cause::NetReset,
    Cause::RegistryBadResponse,
    Cause::RegistryUnavailable,
    Cause::AuthzDenied,
    Cause::AuthzBlockedByGateway,
    Cause::TlsHandshakeTimeout,
    Cause::TlsUnknownAuthority,
];
/// What a blob host that cannot be had shows as.
const BLOB: &[Cause] = &[
    Cause::DnsNotFound,
    Cause::DnsServerFailure,
    Cause::DnsTimeout,
    Cause::NetTimeout,
    Cause::NetRefused,
    Cause::NetReset,
    Cause::NetEof,
    Cause::NetUnreachable,
    Cause::TlsUnknownAuthority,
    Cause::TlsHandshakeTimeout,
    Cause::TlsHostnameMismatch,
    Cause::TlsExpired,
    Cause::AuthzDenied,
];

/// What a host shows that is asked in the registry's place.
const ANOTHER_HOST: &[Cause] = &[
    Cause::NetRefused,
    Cause::NetTimeout,
    Cause::NetUnreachable,
    Cause::NetReset,
    Cause::NetEof,
    Cause::TlsUnknownAuthority,
    Cause::TlsSelfSigned,
    Cause::TlsHostnameMismatch,
    Cause::TlsNoSan,
    Cause::TlsExpired,
    Cause::TlsHandshake,
    Cause::TlsHandshakeTimeout,
    Cause::TlsHttpResponseToHttps,
    Cause::TlsNotTls,
    Cause::RegistryBadResponse,
    Cause::RegistryUnexpectedStatus,
    Cause::RegistryUnavailable,
    Cause::RegistryNotARegistry,
    Cause::ManifestUnknown,
    Cause::RepositoryUnknown,
];

fn host(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Host(pull.asked_host().to_owned())]
}

/// The host that was asked, where it is a name that can lead elsewhere.
fn name(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if name_of(pull.asked_host()).parse::<std::net::IpAddr>().is_ok() { Vec::new() } else { host(case, pull) }
}

fn node(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    vec![Subject::Node(pull.node.to_owned())]
}

/// The node whose runtime has a unit of its own, and whose credential provider signs; a probe has neither.
fn unit(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.is_probe() { Vec::new() } else { vec![Subject::Node(pull.node.to_owned())] }
}

/// The node, where the registry is addressed as the machine itself and a port.
fn node_with_local_registry(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if local_port(pull).is_some() { vec![Subject::Node(pull.node.to_owned())] } else { Vec::new() }
}

/// Roots on the way to a registry.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::DnsClusterNameOnNode,
        shows_as: NAMES,
        about: host,
        expects: &[decides(&CLUSTER_NAME, Answers::YES)],
        remedy: way_remedies::name_for_nodes,
    },
    Row {
        cause: Cause::DnsNodeResolverBroken,
        shows_as: NAMES,
        about: node,
        expects: &[proof(&RESOLVER_FAILS, Answers::YES)],
        remedy: way_remedies::mend_resolver,
    },
    Row {
        cause: Cause::DnsInconsistentResolvers,
        shows_as: NAMES,
        about: node,
        expects: &[decides(&RESOLVERS_DISAGREE, Answers::YES), must(&CLUSTER_NAME, Answers::NO)],
        remedy: way_remedies::one_view,
    },
    Row {
        cause: Cause::DnsWrongAddress,
        shows_as: ANOTHER_HOST,
        about: name,
        expects: &[proof(&ADDRESS_DIFFERS, Answers::YES), settles(&RIGHT_ADDRESS_SERVES, Answers::YES)],
        remedy: way_remedies::right_address,
    },
    Row {
        cause: Cause::NetLocalhostNodeport,
        shows_as: &[Cause::NetRefused, Cause::NetTimeout, Cause::NetReset, Cause::NetEof],
        about: node_with_local_registry,
        expects: &[decides(&LOOPBACK_SERVED, Answers::NO), proof(&IS_NODE_PORT, Answers::YES)],
        remedy: way_remedies::address_of_node,
    },
    Row {
        cause: Cause::BlobRedirectFailed,
        shows_as: BLOB,
        about: host,
        expects: &[proof(&BLOB_ELSEWHERE, Answers::YES), settles(&BLOB_HOST_DEAD, Answers::YES)],
        remedy: way_remedies::ask_network,
    },
    Row {
        cause: Cause::ClockNode,
        shows_as: &[Cause::TlsExpired, Cause::TlsNotYetValid],
        about: node,
        expects: &[decides(&NODE_CLOCK_OFF, Answers::YES)],
        remedy: way_remedies::set_clock,
    },
    Row {
        cause: Cause::ClockNode,
        shows_as: &[
            Cause::CredentialsProviderFailed,
            Cause::CredentialsProviderMisconfigured,
            Cause::AuthNoCredentials,
            Cause::AuthUnauthorized,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: unit,
        expects: &[decides(&SIGNATURE_OFF, Answers::YES), proof(&NODE_CLOCK_OFF, Answers::YES)],
        remedy: way_remedies::set_clock,
    },
    Row {
        cause: Cause::TlsInterception,
        shows_as: &[
            Cause::TlsUnknownAuthority,
            Cause::TlsSelfSigned,
            Cause::TlsHostnameMismatch,
            Cause::TlsHandshake,
            Cause::TlsHandshakeTimeout,
        ],
        about: host,
        expects: &[proof(&INTERCEPTED, Answers::YES), settles(&INSPECTOR_SEEN, Answers::YES)],
        remedy: way_remedies::exempt_or_trust,
    },
    Row {
        cause: Cause::TlsExpired,
        shows_as: &[],
        about: host,
        expects: &[decides(&RUN_OUT_SEEN, Answers::YES)],
        remedy: way_remedies::renew_certificate,
    },
    Row {
        cause: Cause::TlsIncompleteChain,
        shows_as: &[Cause::TlsUnknownAuthority],
        about: host,
        expects: &[proof(&CHAIN_INCOMPLETE, Answers::YES)],
        remedy: way_remedies::send_chain,
    },
    Row {
        cause: Cause::NetMtuBlackhole,
        shows_as: WAYS,
        about: node,
        expects: &[proof(&MTU_ABOVE_PATH, Answers::YES)],
        remedy: way_remedies::lower_mtu,
    },
    Row {
        cause: Cause::NetHairpin,
        shows_as: &[Cause::NetRefused, Cause::NetTimeout, Cause::NetUnreachable],
        about: node,
        expects: &[proof(&OWN_ADDRESS, Answers::YES), proof(&OTHERS_PASS, Answers::YES)],
        remedy: way_remedies::not_through_itself,
    },
    Row {
        cause: Cause::NetHairpin,
        shows_as: &[Cause::NetTimeout, Cause::NetReset],
        about: node,
        expects: &[proof(&ONLY_TARGET, Answers::YES), proof(&OTHERS_PASS, Answers::YES)],
        remedy: way_remedies::not_through_itself,
    },
    Row {
        cause: Cause::ProxyNotInUnit,
        shows_as: NO_WAY_OUT,
        about: unit,
        expects: &[proof(&PROXY_ELSEWHERE, Answers::YES)],
        remedy: way_remedies::proxy_for_unit,
    },
    Row {
        cause: Cause::ProxyNoProxyMissing,
        shows_as: WRONG_WAY,
        about: node,
        expects: &[proof(&THROUGH_PROXY, Answers::YES), proof(&DIRECT_WORKS, Answers::YES)],
        remedy: way_remedies::past_proxy,
    },
];
