//! A proxy on the way. Connection errors behind `proxyconnect` are turned into the proxy's in `decide`; here stand the
//! bare reason phrases, which Go prints for a proxy's answer to CONNECT (net/http `transport.go`, `dialConn`).

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::fact(&["proxy authentication required"], ProxyAuthRequired),
    Row::fact(&["proxyauthenticationrequired"], ProxyAuthRequired),
    Row::fact(&["407 authenticationrequired"], ProxyAuthRequired),
    Row::fact(&["|authenticationrequired"], ProxyAuthRequired).after_url(),
    Row::fact(&["error connecting to proxy"], ProxyUnreachable),
    Row::fact(&["error connecting to proxy", "%22http"], ProxyMisconfigured),
    Row::fact(&["unable to connect to proxy"], ProxyUnreachable),
    Row::fact(&["cannot connect to proxy"], ProxyUnreachable),
    Row::fact(&["could not resolve proxy"], ProxyUnreachable),
    Row::sentence(&["invalid domain name", "proxy"], ProxyMisconfigured).also(&[DnsNotFound]),
    Row::sentence(&["too many colons in address", "proxy"], ProxyMisconfigured),
    Row::sentence(&["missing port in address", "proxy"], ProxyMisconfigured),
    Row::sentence(&["after host", "invalid port", "proxy"], ProxyMisconfigured),
    Row::sentence(&["lookup http:", "proxyconnect"], ProxyMisconfigured).also(&[DnsNotFound]),
    Row::sentence(&["lookup https:", "proxyconnect"], ProxyMisconfigured).also(&[DnsNotFound]),
    Row::sentence(&["lookup http on", "proxyconnect"], ProxyMisconfigured).also(&[DnsNotFound]),
    Row::sentence(&["lookup https on", "proxyconnect"], ProxyMisconfigured).also(&[DnsNotFound]),
    Row::sentence(&["unknown port", "proxyconnect"], ProxyMisconfigured),
    Row::fact(&["invalid proxy address"], ProxyMisconfigured),
    Row::fact(&["invalid proxy url"], ProxyMisconfigured),
    Row::fact(&["unknown scheme", "proxy"], ProxyMisconfigured),
    Row::fact(&["unsupported protocol scheme", "proxyconnect"], ProxyMisconfigured),
    Row::fact(&["refusing to use http_proxy value in cgi environment"], ProxyMisconfigured),
    Row::fact(&["socks connect"], ProxyUnreachable),
    // What a SOCKS server replied (golang.org/x/net `internal/socks`, `Reply`).
    Row::sentence(&["socks connect", "general socks server failure"], ProxyUpstreamFailed),
    Row::sentence(&["socks connect", "unknown error network unreachable"], ProxyUpstreamFailed)
        .also(&[NetUnreachable]),
    Row::sentence(&["socks connect", "unknown error host unreachable"], ProxyUpstreamFailed)
        .also(&[NetUnreachable]),
    Row::sentence(&["socks connect", "unknown error connection refused"], ProxyUpstreamFailed)
        .also(&[NetRefused]),
    Row::sentence(&["socks connect", "ttl expired"], ProxyUpstreamFailed).also(&[NetTimeout]),
    Row::sentence(&["socks connect", "not allowed by ruleset"], ProxyRejected),
    Row::sentence(&["socks connect", "no acceptable authentication methods"], ProxyAuthRequired),
    Row::sentence(&["socks connect", "username/password authentication failed"], ProxyAuthRequired),
    // Node's words for a proxy that did not connect.
    Row::sentence(&["tunneling socket could not be established"], ProxyUpstreamFailed)
        .also(&[ProxyRejected, RegistryUnavailable])
        .unless(&["statuscode=403", "statuscode=407"]),
    Row::sentence(&["tunneling socket could not be established", "statuscode=403"], ProxyRejected)
        .also(&[AuthzDenied]),
    Row::sentence(&["tunneling socket could not be established", "statuscode=407"], ProxyAuthRequired),
    // A setting that is no address (net `Dial`, net/url `Parse`).
    Row::fact(&["invalid url escape"], ProxyMisconfigured).also(&[
        AuthRealmMisconfigured,
        ConfigServerWrong,
        ReferenceInvalid,
    ]),
    Row::sentence(&["invalid userinfo", "proxy"], ProxyMisconfigured),
    Row::sentence(&["first path segment in url", "proxy"], ProxyMisconfigured),
    Row::sentence(&["missing protocol scheme", "proxy"], ProxyMisconfigured),
    Row::fact(&["dial tcp: missing address"], ProxyMisconfigured)
        .also(&[ReferenceInvalid, ConfigServerWrong]),
    Row::fact(&["missing port in address"], ProxyMisconfigured).also(&[ReferenceInvalid, ConfigServerWrong]),
    Row::fact(&["too many colons in address"], ReferenceInvalid).also(&[ProxyMisconfigured]),
    Row::fact(&["invalid port", "dial tcp"], ReferenceInvalid).also(&[ProxyMisconfigured, ConfigServerWrong]),
    Row::fact(&["unknown port", "dial tcp"], ReferenceInvalid).also(&[ProxyMisconfigured, ConfigServerWrong]),
    Row::fact(&["|forbidden"], ProxyRejected).after_url().also(&[AuthzDenied, AuthzIpBlocked]),
    Row::fact(&["|authentication required"], ProxyAuthRequired).after_url().also(&[AuthUnauthorized]),
    Row::fact(&["|unauthorized"], ProxyAuthRequired)
        .after_url()
        .also(&[AuthUnauthorized])
        .unless(&["|unauthorized:"]),
    Row::fact(&["|not found"], ProxyRejected).after_url().also(&[ManifestUnknown]),
    Row::fact(&["|method not allowed"], ProxyRejected).after_url().also(&[RegistryUnexpectedStatus]),
    Row::fact(&["|bad request"], ProxyRejected).after_url().also(&[RegistryUnexpectedStatus]),
    Row::fact(&["|too many requests"], ProxyRejected).after_url().also(&[RateLimited]),
    Row::fact(&["|internal server error"], ProxyUpstreamFailed).after_url().also(&[
        ProxyRejected,
        RegistryServerError,
        RegistryUnavailable,
    ]),
    Row::fact(&["|bad gateway"], ProxyUpstreamFailed).after_url().also(&[RegistryUnavailable]),
    Row::fact(&["|bad gateway:"], ProxyUpstreamFailed).after_url().also(&[RegistryUnavailable]),
    Row::fact(&["|service unavailable"], ProxyUpstreamFailed).after_url().also(&[RegistryUnavailable]),
    Row::fact(&["|service temporarily unavailable"], ProxyUpstreamFailed)
        .after_url()
        .also(&[RegistryUnavailable]),
    Row::fact(&["|gateway timeout"], ProxyUpstreamFailed)
        .after_url()
        .also(&[RegistryUnavailable, NetTimeout]),
    Row::fact(&["|gateway time-out"], ProxyUpstreamFailed)
        .after_url()
        .also(&[RegistryUnavailable, NetTimeout]),
];
