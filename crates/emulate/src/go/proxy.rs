//! Which proxy a Go program uses for a URL, from its environment.
//!
//! Follows `golang.org/x/net/http/httpproxy` `proxy.go` (Go 1.26). It is not curl's rule set: upper-case names come
//! first, `ALL_PROXY` does not exist, loopback is always direct, `.example.com` leaves out `example.com` itself, and
//! only commas separate.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};

/// The variables that count, as a process has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    https: Option<Variable>,
    http: Option<Variable>,
    no_proxy: Option<Variable>,
    cgi: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Variable {
    name: &'static str,
    value: String,
}

impl Environment {
    /// Reads the variables through a function, so that a process's own and a unit file's environment both fit.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let first = |names: [&'static str; 2]| {
            names
                .into_iter()
                .find_map(|name| get(name).filter(|v| !v.is_empty()).map(|value| Variable { name, value }))
        };
        Self {
            https: first(["HTTPS_PROXY", "https_proxy"]),
            http: first(["HTTP_PROXY", "http_proxy"]),
            no_proxy: first(["NO_PROXY", "no_proxy"]),
            cgi: get("REQUEST_METHOD").is_some_and(|v| !v.is_empty()),
        }
    }

    /// Decides for one URL. `host` is without brackets.
    pub fn decide(&self, https: bool, host: &str, port: u16) -> Decision {
        let Some(variable) = (if https { &self.https } else { &self.http }) else {
            return Decision::Direct(Reason::NoneSet);
        };
        if !https && self.cgi {
            return Decision::Refused;
        }
        if let Some(entry) = self.bypass(host, port) {
            return Decision::Direct(entry);
        }
        Decision::Through { variable: variable.name, proxy: Proxy::parse(&variable.value) }
    }

    fn bypass(&self, host: &str, port: u16) -> Option<Reason> {
        let ip: Option<IpAddr> = host.parse().ok();
        if host == "localhost" || ip.is_some_and(|ip| unmapped(ip).is_loopback()) {
            return Some(Reason::Loopback);
        }
        let host = host.trim().to_ascii_lowercase();
        let list = &self.no_proxy.as_ref()?.value;
        let entries: Vec<String> =
            list.split(',').map(|e| e.trim().to_lowercase()).filter(|e| !e.is_empty()).collect();
        entries.into_iter().find(|entry| matches(entry, &host, port, ip)).map(Reason::NoProxy)
    }
}

/// What is done with a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// No proxy, for this reason.
    Direct(Reason),
    /// Through this proxy, which this variable names.
    Through {
        /// `HTTPS_PROXY`.
        variable: &'static str,
        /// The proxy, or the text that is no usable URL.
        proxy: Proxy,
    },
    /// Go refuses `HTTP_PROXY` in a CGI environment.
    Refused,
}

/// Why no proxy is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// No variable names one for this scheme.
    NoneSet,
    /// `localhost` and loopback addresses are always direct.
    Loopback,
    /// This entry of NO_PROXY matches, in lower case.
    NoProxy(String),
}

/// A proxy's URL. Its user and password, if any, never show.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// `http`, `https`, `socks5`; something else is an error at connect.
    pub scheme: String,
    /// User and password, percent-decoded.
    pub user: Option<(String, String)>,
    /// Host without brackets.
    pub host: String,
    /// The port, where the URL has a usable one, else the scheme's.
    pub port: u16,
    /// What makes the URL unusable, in Go's words.
    pub problem: Option<String>,
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{}://{open}{}{close}:{}", self.scheme, self.host, self.port)
    }
}

impl Proxy {
    /// Reads a variable's value: a URL, or `host:port`, for which http is assumed.
    pub fn parse(value: &str) -> Self {
        let (scheme, rest) = match value.split_once("://") {
            Some((scheme, rest))
                if !scheme.is_empty() && sound_scheme(scheme) && !authority(rest).is_empty() =>
            {
                (scheme.to_ascii_lowercase(), rest)
            }
            // Nonsense gets "http://" before it, and the result is taken whatever it is.
            _ => ("http".to_owned(), value),
        };
        let authority = authority(rest);
        let (user, address) = match authority.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, authority),
        };
        let user = user.map(|u| {
            let (name, password) = u.split_once(':').unwrap_or((u, ""));
            (decoded(name), decoded(password))
        });
        let default = match scheme.as_str() {
            "https" => 443,
            "socks5" | "socks5h" => 1080,
            _ => 80,
        };
        let (host, port, mut problem) = split_port(address, default);
        if problem.is_none() && !matches!(scheme.as_str(), "http" | "https" | "socks5" | "socks5h") {
            problem = Some(format!("proxy: unknown scheme: {scheme}"));
        }
        Self { scheme, user, host, port, problem }
    }
}

fn sound_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

fn authority(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

fn split_port(address: &str, default: u16) -> (String, u16, Option<String>) {
    let (host, port) = match address.strip_prefix('[') {
        Some(inner) => match inner.split_once(']') {
            Some((host, port)) => (host, port.strip_prefix(':').unwrap_or_default()),
            None => return (address.to_owned(), default, Some("missing ']' in host".to_owned())),
        },
        None => address.rsplit_once(':').unwrap_or((address, "")),
    };
    match port {
        "" => {
            (host.to_owned(), default, host.is_empty().then(|| "no host in the proxy's address".to_owned()))
        }
        port => match port.parse() {
            Ok(port) => (host.to_owned(), port, None),
            Err(_) => {
                (host.to_owned(), default, Some(format!("invalid port {:?} after host", format!(":{port}"))))
            }
        },
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = (first == b'%').then(|| after.get(..2)).flatten().and_then(|h| std::str::from_utf8(h).ok());
        if let Some(byte) = hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether an entry of NO_PROXY, trimmed and in lower case, covers the host.
fn matches(entry: &str, host: &str, port: u16, ip: Option<IpAddr>) -> bool {
    if entry == "*" {
        return true;
    }
    if let Some(network) = Network::parse(entry) {
        return ip.is_some_and(|ip| network.contains(ip));
    }
    let (name, entry_port) = match split_host_port(entry) {
        Some((name, port)) => (name, Some(port)),
        None => (entry, None),
    };
    let port_fits = entry_port.is_none_or(|p| p.is_empty() || p == port.to_string());
    if let Ok(entry_ip) = name.parse::<IpAddr>() {
        return ip.is_some_and(|ip| unmapped(ip) == unmapped(entry_ip)) && port_fits;
    }
    if name.is_empty() || ip.is_some() {
        return false;
    }
    let name = name.strip_prefix('*').filter(|n| n.starts_with('.')).unwrap_or(name);
    let covered = match name.strip_prefix('.') {
        Some(_) => host.ends_with(name),
        None => host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')),
    };
    covered && port_fits
}

/// Go's `net.SplitHostPort`, as far as it matters here: a port after the only colon, or after brackets.
fn split_host_port(entry: &str) -> Option<(&str, &str)> {
    if let Some(inner) = entry.strip_prefix('[') {
        let (host, rest) = inner.split_once(']')?;
        return Some((host, rest.strip_prefix(':')?));
    }
    let (host, port) = entry.split_once(':')?;
    (!port.contains(':')).then_some((host, port))
}

fn unmapped(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(ip, IpAddr::V4),
        IpAddr::V4(_) => ip,
    }
}

struct Network {
    address: IpAddr,
    bits: u32,
}

impl Network {
    fn parse(text: &str) -> Option<Self> {
        let (address, bits) = text.split_once('/')?;
        let address: IpAddr = address.parse().ok()?;
        let bits: u32 = bits.bytes().all(|b| b.is_ascii_digit()).then(|| bits.parse().ok()).flatten()?;
        let width = if address.is_ipv4() { 32 } else { 128 };
        (bits <= width).then_some(Self { address, bits })
    }

    fn contains(&self, ip: IpAddr) -> bool {
        let same = |a: u128, b: u128, width: u32| {
            let shift = width - self.bits;
            shift >= width || a >> shift == b >> shift
        };
        match (self.address, unmapped(ip)) {
            (IpAddr::V4(a), IpAddr::V4(b)) => same(as_number(a), as_number(b), 32),
            (IpAddr::V6(a), IpAddr::V6(b)) => same(u128::from(a), u128::from(b), 128),
            _ => false,
        }
    }
}

fn as_number(ip: Ipv4Addr) -> u128 {
    u128::from(u32::from(ip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(serde::Deserialize)]
    struct Vectors {
        vectors: Vec<Vector>,
    }

    #[derive(serde::Deserialize)]
    struct Vector {
        id: String,
        env: BTreeMap<String, String>,
        url: String,
        proxy: Option<String>,
    }

    fn host_and_port(url: &str) -> (bool, String, u16) {
        let (scheme, rest) = url.split_once("://").unwrap();
        let (host, port, _) = split_port(authority(rest), if scheme == "https" { 443 } else { 80 });
        (scheme == "https", host, port)
    }

    /// The answers of a real Go program, one process each.
    #[test]
    fn decides_as_go_does() {
        let text = include_str!("../../../../tests/data/no-proxy-vectors.json");
        let all: Vectors = serde_json::from_str(text).unwrap();
        assert!(all.vectors.len() >= 39);
        for vector in all.vectors {
            let (https, host, port) = host_and_port(&vector.url);
            let decision = Environment::read(|name| vector.env.get(name).cloned()).decide(https, &host, port);
            match (vector.proxy, decision) {
                (None, Decision::Direct(_)) => {}
                (Some(expected), Decision::Through { proxy, .. }) => {
                    // Go shows the nonsense that it made of a malformed value; here it is a problem of the same value.
                    assert!(
                        proxy.to_string() == expected || proxy.problem.is_some(),
                        "{}: {proxy} against {expected}",
                        vector.id
                    );
                }
                (expected, decision) => panic!("{}: {decision:?} against {expected:?}", vector.id),
            }
        }
    }

    #[test]
    fn credentials_of_a_proxy_do_not_show() {
        let proxy = Proxy::parse("http://joe:s3cr%40t@proxy.example.com:3128/x");
        assert_eq!(proxy.user, Some(("joe".to_owned(), "s3cr@t".to_owned())));
        assert_eq!(
            format!("{proxy} {proxy:?}"),
            "http://proxy.example.com:3128 http://proxy.example.com:3128"
        );
    }

    #[test]
    fn a_proxy_without_a_port_gets_its_schemes() {
        assert_eq!(Proxy::parse("https://proxy.example.com").port, 443);
        assert_eq!(Proxy::parse("proxy.example.com").port, 80);
        assert!(Proxy::parse("ftp://proxy.example.com").problem.unwrap().contains("unknown scheme"));
        assert!(Proxy::parse("http://proxy.example.com:port").problem.is_some());
    }

    #[test]
    fn cgi_refuses_http_proxy() {
        let env = |name: &str| {
            matches!(name, "HTTP_PROXY" | "REQUEST_METHOD").then(|| "http://p.example.com".to_owned())
        };
        assert_eq!(Environment::read(env).decide(false, "registry.example.com", 80), Decision::Refused);
    }

    proptest! {
        #[test]
        fn never_panics(proxy in ".{0,80}", list in ".{0,120}", host in ".{0,60}") {
            let get = |name: &str| match name { "HTTPS_PROXY" => Some(proxy.clone()), "NO_PROXY" => Some(list.clone()), _ => None };
            Environment::read(get).decide(true, &host, 443);
        }
    }
}
