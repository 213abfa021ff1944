//! The Go release that built a client: some of its rules, and some of its words, depend on it.

/// A release of Go 1, by its minor number. Real pulls of today are made by Go 1.17 and later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoVersion(pub u16);

impl GoVersion {
    /// The newest that this crate was compared with.
    pub const NEWEST: Self = Self(26);

    /// Reads `go1.22.8`, `1.22` or `go1.25rc1`; `None` for anything that is not Go 1.
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim().trim_start_matches("go").strip_prefix("1.")?;
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok().map(Self)
    }

    /// Errors of certificate verification carry `tls: failed to verify certificate: ` since 1.20.
    pub(crate) fn names_verification(self) -> bool {
        self >= Self(20)
    }

    /// SHA-1 signatures are refused since 1.18.
    pub(crate) fn refuses_sha1(self) -> bool {
        self >= Self(18)
    }

    /// 1.18 to 1.23 name the setting that let SHA-1 pass; 1.24 took it away.
    pub(crate) fn offers_sha1_override(self) -> bool {
        (18..24).contains(&self.0)
    }

    /// Negative serial numbers are refused since 1.23, and so are key identifiers that are marked critical.
    pub(crate) fn parses_strictly(self) -> bool {
        self >= Self(23)
    }

    /// RSA keys below 1024 bits are refused since 1.24.
    pub(crate) fn refuses_small_rsa(self) -> bool {
        self >= Self(24)
    }

    /// A certificate with a hundred names or more is not listed since 1.24.11 and 1.25.5, and since then wildcards are
    /// held to what an authority excludes.
    pub(crate) fn bounds_names(self) -> bool {
        self >= Self(24)
    }

    /// Name constraints were checked while chains were built until 1.25, and on whole chains, after their usage, since.
    pub(crate) fn constrains_whole_chains(self) -> bool {
        self >= Self(26)
    }

    /// RSA keys above 8192 bits are refused by the handshake since 1.21 (and patch releases of 1.19 and 1.20).
    pub(crate) fn refuses_large_rsa(self) -> bool {
        self >= Self(21)
    }
}

impl Default for GoVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_read_from_the_words_that_programs_print() {
        for (text, minor) in
            [("go1.22.8", Some(22)), ("1.17", Some(17)), ("go1.25rc1", Some(25)), ("go2.0", None), ("", None)]
        {
            assert_eq!(GoVersion::parse(text), minor.map(GoVersion), "{text}");
        }
    }
}
