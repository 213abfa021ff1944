//! What a failing pull met: where it was when it failed, and whether a setting would have changed that.

use super::chain::Chain;
use crate::pull::Pull;
use emulate::containerd::Endpoint;
use emulate::go::url;
use formats::url::scheme_of;
use vocabulary::{Cause, Stage};

/// What the deciding words say of the last request.
#[derive(Clone, Debug)]
pub struct Aim {
    /// The image's registry.
    pub registry: String,
    /// The host that serves it: Docker Hub's differs.
    pub own_host: String,
    /// The URL, verbatim; empty where the words have none.
    pub url: String,
    /// The host that was asked, with its port; the registry's where the words have none.
    pub host: String,
    /// The scheme; empty where the words have none.
    pub scheme: String,
    /// Whether the request carried the mark of a mirror (`?ns=`).
    pub marked: bool,
    /// What it met.
    pub symptom: Cause,
    /// Whether the words show that a CA of the right name was read, and has another key.
    pub ca_was_read: bool,
    /// What the host was seen to present.
    pub chain: Chain,
    /// Whether another host than the registry was seen, by hand, to have the image.
    pub had_elsewhere: bool,
}

/// What a setting would provide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Provides {
    /// Another host is asked before the registry.
    pub mirror: bool,
    /// A CA for the registry's own host.
    pub ca: bool,
    /// No verification of the registry's own host.
    pub skip_verify: bool,
    /// Plain HTTP for the registry's own host.
    pub http: bool,
    /// A client certificate for the registry's own host.
    pub client: bool,
    /// A credential.
    pub auth: bool,
    /// A proxy on the way to the registry.
    pub proxy: bool,
}

impl Aim {
    /// What a pull met.
    pub fn of(pull: &Pull<'_>, chain: Chain, had_elsewhere: bool) -> Self {
        let registry = pull.registry.clone();
        let own_host =
            if registry == "docker.io" { "registry-1.docker.io".to_owned() } else { registry.clone() };
        let words = pull.reading();
        let url = words.and_then(|r| r.url.clone()).unwrap_or_default();
        let scheme = scheme_of(&url).unwrap_or_default().to_owned();
        let named = words.and_then(|r| r.endpoint_host.clone());
        let from_url = url::parse(&url).ok().map(|u| u.host).filter(|h| !h.is_empty());
        let host = from_url.or(named).unwrap_or_else(|| own_host.clone());
        let marked = url.contains("?ns=") || url.contains("&ns=");
        // Go names the candidate that it tried (crypto/x509 verify.go, UnknownAuthorityError).
        let ca_was_read = pull
            .deciding()
            .is_some_and(|o| o.text.contains("while trying to verify candidate authority certificate"));
        Self {
            registry,
            own_host,
            host,
            scheme,
            marked,
            symptom: pull.symptom(),
            url,
            ca_was_read,
            chain,
            had_elsewhere,
        }
    }

    /// Whether the registry itself was asked, and no mirror.
    pub fn at_registry(&self) -> bool {
        same_endpoint(&self.host, &self.own_host)
    }

    /// Whether the words name a request at all.
    pub fn is_known(&self) -> bool {
        !self.url.is_empty()
    }

    /// Whether a setting would help by nothing but what nobody has seen: a CA, while the chain is there to see; a mirror
    /// that may refuse or lack the image just as the registry does.
    pub fn rests_on_unseen(&self, provides: &Provides) -> bool {
        let answered = matches!(self.symptom.stage(), Stage::Token | Stage::Authorization | Stage::Manifest);
        let by_mirror = answered
            && !self.had_elsewhere
            && self.needs(provides)
            && !self.needs(&Provides { mirror: false, ..*provides });
        by_mirror || self.rests_on_unseen_ca(provides)
    }

    fn rests_on_unseen_ca(&self, provides: &Provides) -> bool {
        self.chain == Chain::Unvouched
            && self.needs(provides)
            && !self.needs(&Provides { ca: false, ..*provides })
    }

    /// Whether what a setting provides would have changed what was met.
    pub fn needs(&self, provides: &Provides) -> bool {
        use Cause as C;
        let s = self.symptom;
        let stage = s.stage();
        // A mirror helps wherever the registry itself could not give the image.
        let on_the_way = matches!(
            stage,
            Stage::Dns
                | Stage::Connect
                | Stage::Tls
                | Stage::Http
                | Stage::Token
                | Stage::Authorization
                | Stage::Manifest
        );
        (provides.mirror && on_the_way && self.at_registry())
            || (provides.ca
                && !self.ca_was_read
                && self.chain != Chain::Inspected
                && matches!(s, C::TlsUnknownAuthority | C::TlsSelfSigned | C::TlsIncompleteChain))
            || (provides.skip_verify && is_certificate(s))
            || (provides.http && matches!(s, C::TlsHttpResponseToHttps | C::TlsNotTls | C::TlsHandshake))
            || (provides.http && self.scheme == "https" && stage == Stage::Connect)
            || (provides.client && matches!(s, C::TlsClientCertRequired | C::TlsHandshake))
            || (provides.auth && matches!(stage, Stage::Authorization | Stage::Token))
            || (provides.proxy && matches!(stage, Stage::Dns | Stage::Connect) && s.area() != "proxy")
    }
}

/// Symptoms that no verification would not have met.
fn is_certificate(symptom: Cause) -> bool {
    matches!(
        symptom,
        Cause::TlsUnknownAuthority
            | Cause::TlsSelfSigned
            | Cause::TlsIncompleteChain
            | Cause::TlsExpired
            | Cause::TlsNotYetValid
            | Cause::TlsHostnameMismatch
            | Cause::TlsNoSan
            | Cause::TlsWrongUsage
            | Cause::TlsInsecureAlgorithm
    )
}

impl Provides {
    /// What endpoints would provide for a registry.
    pub fn of(endpoints: &[Endpoint], aim: &Aim) -> Self {
        let own: Vec<&Endpoint> =
            endpoints.iter().filter(|e| same_endpoint(&e.host, &aim.own_host)).collect();
        let first = endpoints.first();
        Self {
            mirror: first.is_some_and(|e| !same_endpoint(&e.host, &aim.own_host) && e.is_asked()),
            ca: own.iter().any(|e| !e.ca.is_empty()),
            skip_verify: own.iter().any(|e| e.skip_verify),
            http: own.iter().any(|e| e.scheme == "http" || e.http_fallback),
            client: own.iter().any(|e| !e.client.is_empty()),
            ..Self::default()
        }
    }
}

/// What is asked of an endpoint.
pub trait Asked {
    /// Whether a pull asks it at all.
    fn is_asked(&self) -> bool;
}

impl Asked for Endpoint {
    fn is_asked(&self) -> bool {
        use emulate::containerd::Capability;
        self.capabilities.has(Capability::Pull)
    }
}

/// Whether two hosts are the same, the default port written or not.
pub fn same_endpoint(a: &str, b: &str) -> bool {
    let plain = |h: &str| h.trim_end_matches(":443").to_ascii_lowercase();
    plain(a) == plain(b)
}
