//! Which proxy the environment names for the API server, by the rules of Go's `golang.org/x/net/http/httpproxy`, which
//! kubectl follows.

use http::Uri;
use std::net::IpAddr;

/// The proxy for this server, if any; one that does not parse is none.
pub(crate) fn from_environment(server: &Uri) -> Option<Uri> {
    let read = |upper: &str, lower: &str| {
        [upper, lower].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()))
    };
    let proxy = match server.scheme_str() {
        Some("https") => read("HTTPS_PROXY", "https_proxy")?,
        _ => read("HTTP_PROXY", "http_proxy")?,
    };
    let port = server.port_u16().unwrap_or(if server.scheme_str() == Some("https") { 443 } else { 80 });
    let host = server.host()?.trim_start_matches('[').trim_end_matches(']');
    if excluded(&read("NO_PROXY", "no_proxy").unwrap_or_default(), host, port) {
        return None;
    }
    let with_scheme = if proxy.contains("://") { proxy } else { format!("http://{proxy}") };
    with_scheme.parse().ok()
}

/// Whether `NO_PROXY` takes this host and port out; loopback always is.
fn excluded(no_proxy: &str, host: &str, port: u16) -> bool {
    let address: Option<IpAddr> = host.parse().ok();
    if host == "localhost" || address.is_some_and(|a| a.is_loopback()) {
        return true;
    }
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    no_proxy.split(',').map(|entry| entry.trim().to_ascii_lowercase()).filter(|e| !e.is_empty()).any(
        |entry| {
            if entry == "*" {
                return true;
            }
            if let (Some(net), Some(address)) = (network(&entry), address) {
                return net.0.is_ipv4() == address.is_ipv4()
                    && prefix(net.0, net.1) == prefix(address, net.1);
            }
            let (name, wanted) = match entry.rsplit_once(':') {
                Some((name, p)) if !name.contains(':') || name.ends_with(']') => {
                    (name, p.parse::<u16>().ok())
                }
                _ => (entry.as_str(), None),
            };
            if wanted.is_some_and(|p| p != port) {
                return false;
            }
            let name = name.trim_start_matches('[').trim_end_matches(']');
            if let Ok(listed) = name.parse::<IpAddr>() {
                return address == Some(listed);
            }
            if address.is_some() {
                return false;
            }
            // "*.x.com" and ".x.com" are the same, and leave x.com itself out
            match name.strip_prefix("*.").or_else(|| name.strip_prefix('.')) {
                Some(domain) => host.strip_suffix(domain).is_some_and(|rest| rest.ends_with('.')),
                None => host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')),
            }
        },
    )
}

/// `10.0.0.0/8` as address and length.
fn network(entry: &str) -> Option<(IpAddr, u8)> {
    let (address, length) = entry.split_once('/')?;
    Some((address.parse().ok()?, length.parse().ok()?))
}

/// The first bits of an address.
fn prefix(address: IpAddr, length: u8) -> u128 {
    match address {
        IpAddr::V4(a) => u128::from(u32::from(a).checked_shr(32 - u32::from(length.min(32))).unwrap_or(0)),
        IpAddr::V6(a) => u128::from(a).checked_shr(128 - u32::from(length.min(128))).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::excluded;

    /// The table of `httpproxy/proxy_test.go`'s kinds of entries, each with its contrary.
    #[test]
    fn excludes_as_go_does() {
        for (no_proxy, host, port, out) in [
            ("", "127.0.0.1", 6443, true),
            ("", "localhost", 6443, true),
            ("", "api.example.com", 6443, false),
            ("*", "api.example.com", 6443, true),
            ("example.com", "api.example.com", 6443, true),
            ("example.com", "example.com", 6443, true),
            (".example.com", "example.com", 6443, false),
            ("*.example.com", "api.example.com", 6443, true),
            ("ample.com", "api.example.com", 6443, false),
            ("api.example.com:443", "api.example.com", 6443, false),
            ("api.example.com:6443", "api.example.com", 6443, true),
            ("10.0.0.0/8", "10.1.2.3", 443, true),
            ("10.0.0.0/8", "11.1.2.3", 443, false),
            ("0.0.0.0/0", "11.1.2.3", 443, true),
            ("2001:db8::/32", "2001:db8::1", 443, true),
            ("[2001:db8::1]:443", "2001:db8::1", 443, true),
            (" 192.0.2.7 , x", "192.0.2.7", 443, true),
            ("192.0.2.7", "192.0.2.70", 443, false),
        ] {
            assert_eq!(excluded(no_proxy, host, port), out, "{no_proxy} {host}:{port}");
        }
    }
}
