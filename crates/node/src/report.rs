//! The node report: what `pullproof node -o json` prints, and `diagnose --from` and `compare` read.

use serde::Serialize;
use std::collections::BTreeMap;

/// What a node's runtime would do for an image. Paths are as on the node.
#[derive(Clone, Debug, Serialize)]
pub struct NodeReport {
    /// The form's version.
    pub schema: &'static str,
    /// The runtime.
    pub runtime: Runtime,
    /// The image that was asked for.
    pub image: Option<String>,
    /// The image's registry with its port: what host directories are looked up by.
    pub registry: Option<String>,
    /// The hosts directory that is taken.
    pub host_dir: Option<String>,
    /// The endpoints, in the order in which they are tried.
    pub endpoints: Vec<Endpoint>,
    /// What fails every pull of this image before any request, in the runtime's words.
    pub errors: Vec<String>,
    /// What is worth a word: settings that nobody reads, and the like.
    pub notes: Vec<Note>,
    /// Paths of which nothing is known, taken as not there.
    pub blind_spots: Vec<String>,
}

/// The runtime and its configuration.
#[derive(Clone, Debug, Serialize)]
pub struct Runtime {
    /// `containerd`.
    pub name: &'static str,
    /// As given.
    pub version: String,
    /// `ok`, `daemon-fails`, `cri-not-loaded`.
    pub state: &'static str,
    /// `local` or `transfer`.
    pub pull_path: &'static str,
    /// The settings in force.
    pub config: Config,
}

/// The settings in force.
#[derive(Clone, Debug, Serialize)]
pub struct Config {
    /// The files in the order in which they are read, each with its version.
    pub files: Vec<(String, i64)>,
    /// `config_path`, as it stands.
    pub config_path: Option<String>,
    /// The names of the inline mirrors.
    pub mirrors: Vec<String>,
    /// The hosts of inline tables; whether they hold credentials is all that is said of these.
    pub hosts: Vec<String>,
    /// What forces the local pull path.
    pub local_because: Option<String>,
    /// The pause image.
    pub sandbox_image: Option<String>,
}

/// One endpoint.
#[derive(Clone, Debug, Serialize)]
pub struct Endpoint {
    /// Scheme, host, path.
    pub url: String,
    /// `pull`, `resolve`, `push`, `referrers`.
    pub capabilities: Vec<&'static str>,
    /// Files with certificates that are trusted beside the system's.
    pub ca: Vec<String>,
    /// Whether nothing is verified.
    pub skip_verify: bool,
    /// Client certificates.
    pub client: Vec<ClientPair>,
    /// Headers that are added; secret ones are hidden.
    pub headers: BTreeMap<String, Vec<String>>,
    /// Whether the path replaces `/v2`.
    pub override_path: bool,
    /// Whether plain HTTP is tried after TLS failed.
    pub http_fallback: bool,
}

/// A client certificate and its key.
#[derive(Clone, Debug, Serialize)]
pub struct ClientPair {
    /// The certificate's file.
    pub cert: String,
    /// The key's, where it has one of its own.
    pub key: Option<String>,
}

/// Something worth a word, and where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct Note {
    /// Its kind and what it is about.
    pub what: String,
}
