//! Registry keys as Go's `net/url` reads them (Go 1.25.5 and newer, which refuse brackets and second colons in names),
//! as far as the kubelet's keyring depends on it.

/// Host (with port, without user information) and decoded path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegistryUrl {
    pub host: String,
    pub path: Vec<u8>,
}

/// Parses what follows `https://`. `None` where `url.Parse` answers with an error.
pub(super) fn parse(rest: &str) -> Option<RegistryUrl> {
    if rest.bytes().any(|b| b < 0x20 || b == 0x7f) {
        return None;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    unescape(fragment)?;
    let rest = rest.split_once('?').map_or(rest, |(before, _)| before);
    let (authority, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    let host = match authority.rsplit_once('@') {
        Some((user, host)) if valid_user(user) => host,
        Some(_) => return None,
        None => authority,
    };
    valid_host(host)?;
    Some(RegistryUrl { host: host.to_owned(), path: unescape(path)? })
}

/// `validUserinfo`.
fn valid_user(user: &str) -> bool {
    user.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&b))
        && unescape(user).is_some()
}

/// `parseHost`, `validOptionalPort`, and the characters that `unescape` takes in a host.
fn valid_host(host: &str) -> Option<()> {
    let (name, port) = if let Some(inner) = host.strip_prefix('[') {
        let (name, port) = inner.rsplit_once(']')?;
        let is_v6 = name.split('%').next().unwrap_or_default().parse::<std::net::Ipv6Addr>().is_ok();
        (is_v6.then_some(name)?, port)
    } else {
        match host.find(':') {
            Some(at) => host.split_at(at),
            None => (host, ""),
        }
    };
    let bracketed = host.starts_with('[');
    let good = |b: u8| {
        b >= 0x80
            || b.is_ascii_alphanumeric()
            || b"-_.~!$&'()*+,;=<>\"".contains(&b)
            || (bracketed && b":%".contains(&b))
    };
    let port_ok = port.strip_prefix(':').map_or(port.is_empty(), |p| p.bytes().all(|b| b.is_ascii_digit()));
    (port_ok && name.bytes().all(good)).then_some(())
}

/// Percent escapes; `None` for a broken one.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b != b'%' {
            out.push(b);
            continue;
        }
        let hex = |b: u8| (b as char).to_digit(16);
        let value = hex(bytes.next()?)? * 16 + hex(bytes.next()?)?;
        out.push(u8::try_from(value).ok()?);
    }
    Some(out)
}

impl RegistryUrl {
    /// Host labels and port, as `SplitURL`: `net.SplitHostPort`, or the whole host where that fails.
    pub fn labels_and_port(&self) -> (Vec<&str>, &str) {
        let (host, port) = match self.host.rsplit_once(':') {
            Some((name, port)) if name.starts_with('[') && name.ends_with(']') => {
                (name.trim_start_matches('[').trim_end_matches(']'), port)
            }
            Some((name, port)) if !name.contains([':', '[', ']']) => (name, port),
            _ => (self.host.as_str(), ""),
        };
        (host.split('.').collect(), port)
    }
}
