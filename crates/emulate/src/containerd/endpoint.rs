//! An endpoint: one URL that a pull would ask, with everything that belongs to asking it.

use super::tree::At;
use super::version::Version;
use std::collections::BTreeMap;

/// What an endpoint may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    /// Content by digest.
    Pull,
    /// A tag's digest.
    Resolve,
    /// Uploads.
    Push,
    /// The referrers API (2.2).
    Referrers,
}

impl Capability {
    /// Its word in hosts.toml, in any case.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "pull" => Self::Pull,
            "resolve" => Self::Resolve,
            "push" => Self::Push,
            "referrers" => Self::Referrers,
            _ => return None,
        })
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pull => "pull",
            Self::Resolve => "resolve",
            Self::Push => "push",
            Self::Referrers => "referrers",
        }
    }
}

/// A set of capabilities.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Capabilities(Vec<Capability>);

impl Capabilities {
    /// All that a release knows.
    pub fn all(version: &Version) -> Self {
        let mut all = vec![Capability::Pull, Capability::Resolve, Capability::Push];
        if version.knows_referrers() {
            all.push(Capability::Referrers);
        }
        Self(all)
    }

    /// Those of an endpoint of the `mirrors` table.
    pub fn of_mirror(version: &Version) -> Self {
        let mut all = vec![Capability::Pull, Capability::Resolve];
        if version.knows_referrers() {
            all.push(Capability::Referrers);
        }
        Self(all)
    }

    /// Adds one.
    pub fn add(&mut self, capability: Capability) {
        if !self.0.contains(&capability) {
            self.0.push(capability);
            self.0.sort_unstable();
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this one is in it.
    pub fn has(&self, capability: Capability) -> bool {
        self.0.contains(&capability)
    }

    /// Their words, in a fixed order.
    pub fn words(&self) -> Vec<&'static str> {
        self.0.iter().map(|c| c.word()).collect()
    }
}

/// A client certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientPair {
    /// The certificate's file.
    pub cert: String,
    /// The key's file; `None` where the certificate's file holds it.
    pub key: Option<String>,
}

/// One host of a hosts directory, before defaults are filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostEntry {
    /// Where it stands.
    pub at: At,
    /// The address as written; empty for the default.
    pub written: String,
    /// Empty where none was given.
    pub scheme: String,
    /// Host and port; empty for the default.
    pub host: String,
    /// The path.
    pub path: String,
    /// What it may be asked for.
    pub capabilities: Capabilities,
    /// Where that is set.
    pub capabilities_at: Option<At>,
    /// CA files; `None` where the key is not there.
    pub ca: Option<Vec<String>>,
    /// Where each of them stands.
    pub ca_at: Vec<At>,
    /// Client certificates.
    pub client: Vec<ClientPair>,
    /// `skip_verify`, where it is set.
    pub skip_verify: Option<bool>,
    /// Where it is set.
    pub skip_verify_at: Option<At>,
    /// Additional headers.
    pub headers: BTreeMap<String, Vec<String>>,
    /// `override_path`.
    pub override_path: bool,
    /// Whether `dial_timeout` is set.
    pub has_dial_timeout: bool,
    /// `rewrite`, which k3s's and RKE2's containerd alone reads: pattern and replacement.
    pub rewrites: Vec<(String, String)>,
    /// Whether it is the file's `server` (or the place of the default).
    pub is_server: bool,
}

/// Where an endpoint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A `[host]` table of hosts.toml.
    HostTable,
    /// `server` of hosts.toml.
    Server,
    /// The registry itself, which nobody named.
    Default,
    /// `registry.mirrors`.
    Mirror,
}

/// One endpoint of a pull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// `https` or `http`: what is spoken first.
    pub scheme: String,
    /// Host and port.
    pub host: String,
    /// The path prefix to which `/<name>/manifests/<reference>` is appended.
    pub path: String,
    /// What it may be asked for.
    pub capabilities: Capabilities,
    /// Where that is set; `None` for all.
    pub capabilities_at: Option<At>,
    /// CA files beside the system's.
    pub ca: Vec<String>,
    /// Client certificates.
    pub client: Vec<ClientPair>,
    /// Whether certificates are not verified.
    pub skip_verify: bool,
    /// Additional headers.
    pub headers: BTreeMap<String, Vec<String>>,
    /// Whether no `/v2` was appended.
    pub override_path: bool,
    /// Whether a TLS failure is followed by plain HTTP.
    pub http_fallback: bool,
    /// Patterns and replacements by which the image's name is written anew there.
    pub rewrites: Vec<(String, String)>,
    /// Where it comes from.
    pub source: Source,
    /// Where it stands; `None` for the default.
    pub at: Option<At>,
}

impl Endpoint {
    /// Its URL.
    pub fn url(&self) -> String {
        format!("{}://{}{}", self.scheme, self.host, self.path)
    }
}
