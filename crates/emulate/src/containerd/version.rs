//! containerd releases, and what differs between them.

use std::fmt;

/// A release: `1.7.11-k3s2` is 1.7.11 of a vendor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    number: (u32, u32, u32),
    /// What follows the number; empty for upstream's own.
    pub suffix: String,
}

impl Version {
    /// Reads `v2.2.1`, `1.7.11-k3s2`, `1.7.24~ds1`, `2.4`. `None` where no number begins it.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches('v');
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let mut parts = number.split('.').map(|p| p.parse::<u32>().ok());
        let major = parts.next().flatten()?;
        let minor = parts.next().flatten()?;
        let patch = parts.next().flatten().unwrap_or(0);
        let suffix = suffix.trim_start_matches(['-', '~', '+']).to_owned();
        Some(Self { number: (major, minor, patch), suffix })
    }

    /// Whether it is the fork that k3s and RKE2 bring: `2.1.5-k3s1`.
    pub fn is_of_rancher(&self) -> bool {
        self.suffix.starts_with("k3s")
    }

    /// Whether this release is this one or a later one.
    pub fn since(&self, major: u32, minor: u32, patch: u32) -> bool {
        self.number >= (major, minor, patch)
    }

    /// Whether it belongs to this line.
    pub fn line(&self, major: u32, minor: u32) -> bool {
        (self.number.0, self.number.1) == (major, minor)
    }

    /// In 1.6 from one patch on, in 1.7 from another, or in any 2.x: the form in which fixes were carried back.
    fn since_patches(&self, in_1_6: u32, in_1_7: u32) -> bool {
        match self.number {
            (1, 6, p) => p >= in_1_6,
            (1, 7, p) => p >= in_1_7,
            n => n >= (2, 0, 0),
        }
    }

    /// The newest configuration file version that it accepts. Source: version/version.go.
    pub fn newest_config(&self) -> i64 {
        match self.number {
            (1, 0..=2, _) => 1,
            (1, _, _) => 2,
            (2, 0..=2, _) => 3,
            _ => 4,
        }
    }

    /// Whether the CRI configuration has `config_path` at all (1.5).
    pub fn knows_config_path(&self) -> bool {
        self.since(1, 5, 0)
    }

    /// Whether pulls go through the transfer service unless something forces the local client. Commit b694be29a.
    pub fn has_transfer(&self) -> bool {
        self.since(2, 1, 0)
    }

    /// The `config_path` that is compiled in; empty for none. Commits 5386802f8, a20dead7c.
    pub fn default_config_path(&self) -> &'static str {
        if self.since(2, 2, 0) { "/etc/containerd/certs.d:/etc/docker/certs.d" } else { "" }
    }

    /// 2.2.0 and 2.2.1 fill the default in before the check against `mirrors`. Issue 12612.
    pub fn default_conflicts_with_mirrors(&self) -> bool {
        self.line(2, 2) && !self.since(2, 2, 2)
    }

    /// Whether `registry.configs.*.tls` counts.
    pub fn reads_tls_tables(&self) -> bool {
        !self.since(2, 0, 0)
    }

    /// Whether `_default` is looked at.
    pub fn has_default_dir(&self) -> bool {
        self.since_patches(17, 0)
    }

    /// Whether a hosts.toml without any `[host]` table is dropped as a whole. Issue 10027.
    pub fn needs_host_table(&self) -> bool {
        match self.number {
            (1, 7, p) => p < 32,
            n => n < (1, 7, 0),
        }
    }

    /// Whether `dial_timeout` is known.
    pub fn knows_dial_timeout(&self) -> bool {
        if self.line(2, 0) { self.since(2, 0, 7) } else { self.since(2, 1, 0) }
    }

    /// Whether `dial_timeout` alone counts as a TLS setting.
    pub fn dial_timeout_is_tls(&self) -> bool {
        self.line(2, 0) && self.since(2, 0, 7)
    }

    /// Whether the capability `referrers` is known.
    pub fn knows_referrers(&self) -> bool {
        self.since(2, 2, 0)
    }

    /// Which TOML reader it has: go-toml 1 (true) or 2.
    pub fn has_old_toml(&self) -> bool {
        !self.since(2, 0, 0)
    }

    /// How an `http://` endpoint with TLS settings is asked.
    pub fn http_with_tls(&self) -> HttpWithTls {
        match self.number {
            (1, 7, 7) => HttpWithTls::AnyPort,
            (1, 7, p) if p >= 24 => HttpWithTls::AnyPortBut80,
            (1, 7, p) if p >= 8 => HttpWithTls::ExplicitPort,
            (1, 6, p) if p >= 25 => HttpWithTls::ExplicitPort,
            n if n >= (2, 0, 0) => HttpWithTls::AnyPortBut80,
            _ => HttpWithTls::Plain,
        }
    }

    /// How a registry on this machine is asked where nothing is configured for it.
    pub fn localhost(&self) -> Localhost {
        match self.number {
            (1, 7, 7) => Localhost::HttpsThenHttp,
            (1, 7, p) if p >= 8 => Localhost::ByPort,
            (1, 7, _) => Localhost::Http,
            (1, 6, p) if p >= 25 => Localhost::ByPort,
            (1, 6, p) if p >= 9 => Localhost::Http,
            n if n >= (2, 0, 0) => Localhost::ByPort,
            _ => Localhost::LikeRemote,
        }
    }

    /// 2.3.0 to 2.3.4 refuse an imported file that is newer than the main one.
    pub fn refuses_newer_drop_in(&self) -> bool {
        self.line(2, 3) && !self.since(2, 3, 5)
    }
}

/// How an `http://` endpoint that has a CA, a client certificate or `skip_verify` is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpWithTls {
    /// Plain HTTP.
    Plain,
    /// HTTPS first, whatever the port.
    AnyPort,
    /// HTTPS first where a port is given, and is not 80.
    ExplicitPort,
    /// HTTPS first, but for port 80.
    AnyPortBut80,
}

/// How a registry on this machine is asked by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Localhost {
    /// HTTPS, verified.
    LikeRemote,
    /// Plain HTTP.
    Http,
    /// HTTPS unverified, then HTTP.
    HttpsThenHttp,
    /// HTTPS without a port or at 443, HTTP at 80, else HTTPS unverified and then HTTP.
    ByPort,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b, c) = self.number;
        write!(f, "{a}.{b}.{c}")?;
        if self.suffix.is_empty() { Ok(()) } else { write!(f, "-{}", self.suffix) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vendors_are_like_upstream_with_a_suffix() {
        let v = Version::parse("v1.7.11-k3s2").unwrap();
        assert!(v.since(1, 7, 11) && !v.since(1, 7, 12));
        assert_eq!(v.suffix, "k3s2");
        assert_eq!(Version::parse("2.4.0-beta.0").unwrap().to_string(), "2.4.0-beta.0");
        assert_eq!(Version::parse("1.7.24~ds1").unwrap().suffix, "ds1");
        assert!(Version::parse("docker").is_none());
        assert!(Version::parse("").is_none());
    }

    #[test]
    fn fixes_that_were_carried_back() {
        for (v, needs) in [("1.6.39", true), ("1.7.31", true), ("1.7.32", false), ("2.0.0", false)] {
            assert_eq!(Version::parse(v).unwrap().needs_host_table(), needs, "{v}");
        }
        for (v, has) in
            [("1.5.9", false), ("1.6.16", false), ("1.6.17", true), ("1.7.0", true), ("2.1.0", true)]
        {
            assert_eq!(Version::parse(v).unwrap().has_default_dir(), has, "{v}");
        }
    }
}
