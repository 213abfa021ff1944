//! Scheme, host and port: where a connection goes, and what a credential is bound to.

use std::fmt;
use std::net::IpAddr;
use url::{Host, Url};

/// Where a URL's requests go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// TLS or plain HTTP.
    pub https: bool,
    /// The host without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Origin {
    /// From `host`, `host:port` or `[v6]:port` as references have it; `None` where it is none of these.
    pub fn of_host(text: &str, https: bool) -> Option<Self> {
        let scheme = if https { "https" } else { "http" };
        let url = Url::parse(&format!("{scheme}://{text}/")).ok()?;
        if !url.username().is_empty()
            || url.password().is_some()
            || url.path() != "/"
            || url.query().is_some()
        {
            return None;
        }
        Self::of_url(&url)
    }

    /// From an http or https URL; `None` for others.
    pub fn of_url(url: &Url) -> Option<Self> {
        let https = match url.scheme() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let host = match url.host()? {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Some(Self { https, host, port: url.port_or_known_default()? })
    }

    /// From an endpoint's URL: the origin, and the path below which the API lives, without a slash at its end.
    pub fn of_endpoint(text: &str) -> Option<(Self, String)> {
        let url = Url::parse(text).ok()?;
        Some((Self::of_url(&url)?, url.path().trim_end_matches('/').to_owned()))
    }

    /// `registry.example.com`, `registry.example.com:5000`, `[::1]:5000`: the port only where it is not the scheme's.
    pub fn authority(&self) -> String {
        let host = self.bracketed();
        let usual = if self.https { 443 } else { 80 };
        if self.port == usual { host } else { format!("{host}:{}", self.port) }
    }

    /// Host and port, always with the port.
    pub fn address(&self) -> String {
        format!("{}:{}", self.bracketed(), self.port)
    }

    /// Whether the host is a loopback address or `localhost`.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.ip().is_some_and(|ip| ip.is_loopback())
    }

    /// The host, where it is an address.
    pub fn ip(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    fn bracketed(&self) -> String {
        if self.host.contains(':') { format!("[{}]", self.host) } else { self.host.clone() }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.https { "https" } else { "http" }, self.authority())
    }
}

/// A URL as it may be shown: no user, no fragment, and of the query only the names. Signed URLs carry secrets there.
pub(crate) fn shown(url: &Url) -> String {
    let mut shown = url.clone();
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    shown.set_fragment(None);
    let public =
        |name: &str| matches!(name, "service" | "scope" | "account" | "client_id" | "ns" | "n" | "last");
    let query: Vec<String> = url
        .query_pairs()
        .map(|(name, value)| if public(&name) { format!("{name}={value}") } else { format!("{name}=...") })
        .collect();
    shown.set_query(None);
    if query.is_empty() { shown.to_string() } else { format!("{shown}?{}", query.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_references_become_origins() {
        let of = |text: &str| Origin::of_host(text, true).map(|o| (o.to_string(), o.address()));
        assert_eq!(
            of("registry.example.com"),
            Some(("https://registry.example.com".into(), "registry.example.com:443".into()))
        );
        assert_eq!(of("[::1]:5000"), Some(("https://[::1]:5000".into(), "[::1]:5000".into())));
        assert_eq!(of("192.0.2.1:5000").unwrap().0, "https://192.0.2.1:5000");
        assert_eq!(of("user@registry.example.com"), None);
        assert_eq!(of("a b"), None);
    }

    #[test]
    fn secrets_of_urls_do_not_show() {
        let url = Url::parse("https://u:p@blobs.example.com/x?X-Amz-Signature=abc&scope=repository:a:pull#f")
            .unwrap();
        assert_eq!(shown(&url), "https://blobs.example.com/x?X-Amz-Signature=...&scope=repository:a:pull");
    }
}
