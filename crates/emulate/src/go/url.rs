//! Go's reading of a URL, with its errors. Follows `net/url` `Parse`, Go 1.20 to 1.26, as far as host configurations need it.

/// The parts of a URL that a client of registries uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoUrl {
    /// Lower case; empty where there is none.
    pub scheme: String,
    /// With its port; empty where there is none.
    pub host: String,
    /// The path, decoded.
    pub path: String,
    /// Whether a user or password stood in it.
    pub has_user: bool,
}

/// Reads a URL; the error is Go's text, `parse "...": ...`.
pub fn parse(raw: &str) -> Result<GoUrl, String> {
    read(raw).map_err(|e| format!("parse {raw:?}: {e}"))
}

fn read(raw: &str) -> Result<GoUrl, String> {
    let raw = raw.split('#').next().unwrap_or_default();
    if raw.bytes().any(|b| b < 0x20 || b == 0x7f) {
        return Err("net/url: invalid control character in URL".into());
    }
    let (scheme, rest) = split_scheme(raw)?;
    let scheme = scheme.to_ascii_lowercase();
    let mut rest = rest.split('?').next().unwrap_or_default();
    let mut url = GoUrl { scheme, ..GoUrl::default() };
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            return Ok(url);
        }
        if rest.split('/').next().unwrap_or_default().contains(':') {
            return Err("first path segment in URL cannot contain colon".into());
        }
    }
    if let Some(authority) = rest.strip_prefix("//").filter(|r| !url.scheme.is_empty() || !r.starts_with('/'))
    {
        let end = authority.find('/').unwrap_or(authority.len());
        let (authority, path) = authority.split_at(end);
        let host = match authority.rsplit_once('@') {
            Some((user, host)) => {
                if user.bytes().any(|b| !(b.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&b))) {
                    return Err("net/url: invalid userinfo".into());
                }
                url.has_user = true;
                host
            }
            None => authority,
        };
        url.host = read_host(host)?;
        rest = path;
    }
    url.path = unescape(rest)?;
    Ok(url)
}

fn split_scheme(raw: &str) -> Result<(&str, &str), String> {
    for (i, c) in raw.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if i > 0 => {}
            ':' if i == 0 => return Err("missing protocol scheme".into()),
            ':' => return Ok((&raw[..i], &raw[i + 1..])),
            _ => return Ok(("", raw)),
        }
    }
    Ok(("", raw))
}

fn read_host(host: &str) -> Result<String, String> {
    let port = if host.starts_with('[') {
        let end = host.rfind(']').ok_or("missing ']' in host")?;
        &host[end + 1..]
    } else {
        host.rfind(':').map_or("", |i| &host[i..])
    };
    let valid =
        port.is_empty() || port.strip_prefix(':').is_some_and(|p| p.bytes().all(|b| b.is_ascii_digit()));
    if !valid {
        return Err(format!("invalid port {port:?} after host"));
    }
    let allowed =
        |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"".contains(c);
    if let Some(bad) = host.chars().find(|c| !allowed(*c) && *c != '%') {
        return Err(format!("invalid character {:?} in host name", bad.to_string()));
    }
    unescape(host)
}

fn unescape(text: &str) -> Result<String, String> {
    if !text.contains('%') {
        return Ok(text.to_owned());
    }
    let bytes = text.as_bytes();
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&b) = bytes.get(i) {
        if b != b'%' {
            out.push(b);
            i += 1;
            continue;
        }
        let hex = bytes.get(i + 1..i + 3).and_then(|h| std::str::from_utf8(h).ok());
        match hex.filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit())).map(|h| u8::from_str_radix(h, 16)) {
            Some(Ok(value)) => out.push(value),
            _ => {
                let shown =
                    String::from_utf8_lossy(bytes.get(i..(i + 3).min(bytes.len())).unwrap_or_default());
                return Err(format!("invalid URL escape {shown:?}"));
            }
        }
        i += 3;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Whether the host (with or without a port) is this machine by name or by literal address.
/// Follows containerd `docker.IsLocalhost`: an IPv6 address counts only with a port.
pub fn is_localhost(host: &str) -> bool {
    let name = split_port(host).map_or(host, |(name, _)| name);
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Host and port, as Go's `net.SplitHostPort` takes them apart; `None` where there is no port.
pub fn split_port(host: &str) -> Option<(&str, &str)> {
    if let Some(rest) = host.strip_prefix('[') {
        let (name, after) = rest.split_once(']')?;
        return Some((name, after.strip_prefix(':')?));
    }
    let (name, port) = host.rsplit_once(':')?;
    if name.contains(':') { None } else { Some((name, port)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(raw: &str) -> (String, String, String) {
        let u = parse(raw).unwrap();
        (u.scheme, u.host, u.path)
    }

    fn owned(s: &str, h: &str, p: &str) -> (String, String, String) {
        (s.into(), h.into(), p.into())
    }

    #[test]
    fn reads_what_go_reads() {
        assert_eq!(parts("https://a:5000/v2/"), owned("https", "a:5000", "/v2/"));
        assert_eq!(parts("https://u:p@a/x?q#f"), owned("https", "a", "/x"));
        assert_eq!(parts("httpd.example.com"), owned("", "", "httpd.example.com"));
        assert_eq!(parts("httpd:5000"), owned("httpd", "", ""));
        assert_eq!(parts("https://HTTPS://m"), owned("https", "HTTPS:", "//m"));
        assert_eq!(parts("https://[2001:db8::1]:5000"), owned("https", "[2001:db8::1]:5000", ""));
    }

    #[test]
    fn refuses_what_go_refuses() {
        let table = [
            ("https://m ", r#"parse "https://m ": invalid character " " in host name"#),
            ("https://m:x", r#"parse "https://m:x": invalid port ":x" after host"#),
            ("://m", r#"parse "://m": missing protocol scheme"#),
            ("https://[::1", r#"parse "https://[::1": missing ']' in host"#),
            ("https://m/%zz", r#"parse "https://m/%zz": invalid URL escape "%zz""#),
        ];
        for (raw, error) in table {
            assert_eq!(parse(raw).unwrap_err(), error);
        }
    }

    #[test]
    fn localhost_by_name_and_address() {
        for yes in ["localhost", "localhost:5000", "127.0.0.1", "127.3.4.5:80", "[::1]:5000"] {
            assert!(is_localhost(yes), "{yes}");
        }
        for no in ["[::1]", "harbor.example.com", "192.0.2.1:5000", "a.localhost"] {
            assert!(!is_localhost(no), "{no}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(raw in any::<String>()) {
            let _ = parse(&raw);
            let _ = is_localhost(&raw);
        }
    }
}
