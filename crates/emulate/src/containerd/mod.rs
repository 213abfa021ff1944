//! containerd's CRI image service: from a node's files to the endpoints that a pull asks, in their order.
//!
//! The answer is that of a daemon started on these files. Whether the running one was started after they were written,
//! which proxy and which credential it uses, is left to those who ask.

mod endpoint;
mod endpoints;
mod hosts_dir;
mod hosts_file;
mod load;
mod login;
mod notes;
mod precedence;
mod settings;
mod tree;
mod trust;
mod version;

pub(crate) use endpoint::HostEntry;
pub use endpoint::{Capabilities, Capability, ClientPair, Endpoint, Source};
pub(crate) use hosts_dir::find as find_host_dir;
pub use hosts_dir::names as host_dir_names;
pub(crate) use hosts_file::decode as decode_hosts;
pub use login::Login;
pub use notes::Note;
pub use precedence::{Outcome, reported};
pub use settings::{HostTable, Mirror, Settings, TlsTable};
pub use tree::{At, Setting};
pub use version::Version;

use crate::files::Files;

/// The main file unless the daemon's command line names another.
pub const DEFAULT_CONFIG: &str = "/etc/containerd/config.toml";

/// Whether the image service is there at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// It serves pulls.
    Ok,
    /// The daemon exits at its start.
    DaemonFails {
        /// In its words.
        error: String,
        /// Where the fault stands.
        at: Option<At>,
    },
    /// The daemon runs without the CRI image service: kubelet sees `unknown service runtime.v1.ImageService`.
    CriNotLoaded {
        /// In its words.
        error: String,
        /// Where the fault stands.
        at: Option<At>,
    },
}

/// Which client pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PullPath {
    /// containerd's own client.
    Local,
    /// The transfer service (2.1 and later).
    Transfer,
}

impl PullPath {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Transfer => "transfer",
        }
    }
}

/// What a node's files come to for one image.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolution {
    /// Whether pulls are served.
    pub state: State,
    /// Which client pulls.
    pub pull_path: PullPath,
    /// The registry's name, with its port: what host directories and mirrors are looked up by.
    pub registry: String,
    /// The settings in force.
    pub settings: Settings,
    /// What sections say that are not read, each with its plugin.
    pub unread: Vec<(String, Settings)>,
    /// The configuration files in the order in which they are read, each with its version.
    pub files: Vec<(String, i64)>,
    /// The directories in which hosts directories are looked for.
    pub roots: Vec<String>,
    /// The hosts directory that is taken.
    pub host_dir: Option<String>,
    /// The endpoints, in the order in which they are tried.
    pub endpoints: Vec<Endpoint>,
    /// What fails every pull of this registry before any request.
    pub errors: Vec<String>,
    /// What is worth a word.
    pub notes: Vec<Note>,
    /// Paths of which nothing is known, taken as not there.
    pub assumed: Vec<String>,
}

/// Resolves one image on a node. `config` is the main configuration file.
pub fn resolve(files: &dyn Files, version: &Version, config: &str, image: &str) -> Resolution {
    let registry = formats::reference::registry_of(image).unwrap_or_default();
    let mut loaded = load::load(files, version, config);
    let (settings, failure) = settings::read(&mut loaded, version);
    let unread = settings::unread(&loaded, version);
    let state = match (loaded.fatal.take(), failure) {
        (Some((error, at)), _) => State::DaemonFails { error, at },
        (None, Some((error, at))) => State::CriNotLoaded { error, at },
        (None, None) => State::Ok,
    };
    let pull_path = if version.has_transfer() && settings.local_because.is_none() {
        PullPath::Transfer
    } else {
        PullPath::Local
    };
    let mut r = Resolution {
        state,
        pull_path,
        registry,
        settings,
        unread,
        files: loaded.files,
        roots: Vec::new(),
        host_dir: None,
        endpoints: Vec::new(),
        errors: Vec::new(),
        notes: loaded.notes,
        assumed: loaded.assumed,
    };
    if r.state == State::Ok {
        r.roots = roots(&r.settings, pull_path, &mut r.notes);
        if let Err(error) = fill(files, version, &mut r) {
            r.errors.push(error);
        }
    }
    r.assumed.sort();
    r.assumed.dedup();
    r
}

/// What one hosts directory would come to for a registry, were it the one that is taken.
pub fn read_host_dir(
    files: &dyn Files,
    dir: &str,
    registry: &str,
    version: &Version,
) -> (Vec<Endpoint>, Vec<Note>, Option<String>) {
    let (mut notes, mut assumed) = (Vec::new(), Vec::new());
    let endpoints = hosts_dir::read(files, dir, version, &mut notes, &mut assumed)
        .and_then(|hosts| endpoints::of_hosts(files, Some(hosts), registry, version, &mut assumed));
    match endpoints {
        Ok(endpoints) => (endpoints, notes, None),
        Err(error) => (Vec::new(), notes, Some(error)),
    }
}

/// The hosts directory of a registry and its endpoints, by the hosts code alone: Docker Engine's newer store has no other
/// configuration of containerd's, and `ctr` and nerdctl have only directories that they are told.
///
/// # Errors
/// What fails every pull, in containerd's words.
pub fn resolve_hosts(
    files: &dyn Files,
    roots: &[String],
    registry: &str,
    version: &Version,
) -> Result<(Option<String>, Vec<Endpoint>), String> {
    let (mut notes, mut assumed) = (Vec::new(), Vec::new());
    let dir = hosts_dir::find(files, roots, registry, version, &mut assumed)?;
    let hosts = match &dir {
        Some(dir) => Some(hosts_dir::read(files, dir, version, &mut notes, &mut assumed)?),
        None => None,
    };
    let endpoints = endpoints::of_hosts(files, hosts, registry, version, &mut assumed)?;
    Ok((dir, endpoints))
}

/// Whether client certificates can be loaded, where their files are known.
pub(crate) fn check_client(files: &dyn Files, pairs: &[ClientPair]) -> Result<(), String> {
    trust::check_client(files, pairs, &mut Vec::new())
}

/// The directories that `config_path` comes to. The transfer service takes the whole value for one directory; no release
/// up to 2.4.2 splits it. Source: core/transfer/registry (NewOCIRegistry).
fn roots(settings: &Settings, pull_path: PullPath, notes: &mut Vec<Note>) -> Vec<String> {
    let Some(set) = settings.config_path.as_ref().filter(|s| !s.value.is_empty()) else { return Vec::new() };
    match pull_path {
        PullPath::Local => set.value.split(':').map(str::to_owned).collect(),
        PullPath::Transfer => {
            if set.value.contains(':') {
                notes.push(Note::ListAsOneDirectory { at: set.at.clone(), value: set.value.clone() });
            }
            vec![set.value.clone()]
        }
    }
}

fn fill(files: &dyn Files, version: &Version, r: &mut Resolution) -> Result<(), String> {
    if r.roots.is_empty() && r.pull_path == PullPath::Local {
        r.endpoints = endpoints::of_mirrors(files, &r.settings, &r.registry, version, &mut r.assumed)?;
        return Ok(());
    }
    r.host_dir = hosts_dir::find(files, &r.roots, &r.registry, version, &mut r.assumed)?;
    let hosts = match r.host_dir.clone() {
        Some(dir) => Some(hosts_dir::read(files, &dir, version, &mut r.notes, &mut r.assumed)?),
        None => None,
    };
    r.endpoints = endpoints::of_hosts(files, hosts, &r.registry, version, &mut r.assumed)?;
    Ok(())
}
