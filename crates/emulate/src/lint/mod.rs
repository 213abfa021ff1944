//! What is wrong, without effect or unsafe in a node's files, each with its place: pure functions of the files and of what
//! a runtime's version makes of them. Whether it is why a pull fails is left to `diagnose`.

mod certificates;
mod containerd;
mod defects;
mod hosts_dirs;
mod hosts_files;
mod registries_yaml;

pub use containerd::{insecure, lint as containerd};
pub use defects::{DEFECTS, Defect};
pub use registries_yaml::lint as registries_yaml;

use crate::containerd::{At, Version};
use crate::files::Files;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It keeps pulls from working as the file says.
    Error,
    /// Something is not in force, or is unsafe.
    Warning,
    /// Worth a word.
    Note,
}

impl Level {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

macro_rules! lints {
    ($($(#[doc = $doc:literal])+ $name:ident = $id:literal $level:ident;)+) => {
        /// What can be found. Ids never change meaning; the sentence of each stands in the catalogue under `lint-<id>`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Lint { $($(#[doc = $doc])+ $name,)+ }

        impl Lint {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its id.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)+ }
            }

            /// How much it matters.
            pub const fn level(self) -> Level {
                match self { $(Self::$name => Level::$level,)+ }
            }
        }
    };
}

lints! {
    /// The daemon does not start with these files. Args: `error`.
    DaemonFails = "daemon-fails" Error;
    /// The CRI image service does not load. Args: `error`.
    CriNotLoaded = "cri-not-loaded" Error;
    /// A file is dropped as a whole; only the log says so. Args: `reason`.
    FileDropped = "file-dropped" Error;
    /// A list of directories is taken for one. Args: `value`.
    PathListAsOneDirectory = "path-list-as-one-directory" Error;
    /// Registry settings in a section that this version does not read. Args: `section`.
    SectionNotRead = "section-not-read" Error;
    /// A later file replaces a whole section. Args: `lost`.
    SectionReplaced = "section-replaced" Error;
    /// Nothing reads this key where it stands. Args: `key`.
    KeyNotRead = "key-not-read" Warning;
    /// The migration from version 2 drops this key. Args: `key`.
    LostInMigration = "lost-in-migration" Warning;
    /// `config_path` of the transfer plugin, which nobody reads.
    TransferConfigPath = "transfer-config-path" Warning;
    /// TLS settings in a table that 2.x does not read. Args: `host`.
    TlsTableNotRead = "tls-table-not-read" Error;
    /// A directory name that no image can match. Args: `name`, `why`, and `instead` where it can be told.
    DirNeverMatches = "directory-never-matches" Warning;
    /// A hosts directory that another one hides. Args: `dir`, `by`.
    DirShadowed = "directory-shadowed" Warning;
    /// A hosts.toml that lies where none is looked for.
    HostsFileMisplaced = "hosts-file-misplaced" Warning;
    /// Certificates beside a hosts.toml that does not name them. Args: `file`.
    CertBesideHostsFile = "certificate-not-used" Warning;
    /// A key that the file does not have. Args: `key`, and `instead` where it can be told.
    UnknownKey = "unknown-key" Warning;
    /// A key of the file's root that stands in a host's table. Args: `key`.
    KeyInHostTable = "key-in-host-table" Error;
    /// A URL whose path gets a second `/v2`. Args: `url`.
    PathDoubled = "path-doubled" Error;
    /// An address that is no usable URL. Args: `url`.
    AddressUnusable = "address-unusable" Error;
    /// A `server` that does not serve the registry API. Args: `url`, `instead`.
    ServerWithoutApi = "server-without-api" Error;
    /// The CA stands with a host, and the same host is asked again without it. Args: `host`.
    CaNotForServer = "ca-not-for-server" Warning;
    /// A CA file that is not there. Args: `file`.
    CaMissing = "ca-missing" Error;
    /// A CA file without a certificate. Args: `file`.
    CaNotPem = "ca-not-pem" Error;
    /// A certificate file without a certificate, which is passed over without a word. Args: `file`.
    CaNotPemSkipped = "ca-not-pem-skipped" Warning;
    /// Without policy.json nothing can be pulled.
    PolicyMissing = "policy-missing" Error;
    /// A CA file that holds a server's own certificate only. Args: `file`, `subject`.
    CaLeafOnly = "ca-leaf-only" Warning;
    /// A CA file without a root. Args: `file`, `subject`.
    CaIntermediateOnly = "ca-intermediate-only" Note;
    /// A client certificate that cannot be loaded. Args: `error`.
    ClientUnusable = "client-unusable" Error;
    /// Certificates are not verified. Args: `host`.
    SkipVerify = "skip-verify" Warning;
    /// A registry is asked without TLS. Args: `host`.
    PlainHttp = "plain-http" Warning;
    /// A login that no endpoint is looked up by. Args: `host`, and `instead` where it can be told.
    LoginNeverSent = "login-never-sent" Warning;
    /// A login without a password, or with an `auth` that does not decode. Args: `host`.
    LoginUnusable = "login-unusable" Warning;
    /// A file of which the agent makes the runtime's own at its start, and has not.
    MadeAtStart = "made-at-start" Note;
    /// Two files that are both read say different things; the place is the one that counts. Args: `what`, `other`.
    FilesDisagree = "files-disagree" Warning;
    /// A file does not parse. Args: `error`.
    Syntax = "syntax" Error;
    /// A file is newer than the process that reads it at its start only. Args: `changed`, `started`.
    NewerThanProcess = "newer-than-process" Warning;
    /// A unit sets a variable that the running process does not have so. Args: `name`.
    EnvironmentNotInForce = "environment-not-in-force" Warning;
    /// The running process reports another value than the files have. Args: `value`.
    RunningConfigDiffers = "running-config-differs" Warning;
    /// The running daemon has no CRI service.
    RunningWithoutCri = "running-without-cri" Error;
    /// The program on disk is not the one that runs.
    ProgramReplaced = "program-replaced" Note;
    /// The image is in a namespace that the kubelet does not see. Args: `namespaces`.
    ImageInvisible = "image-invisible" Warning;
    /// A credential plugin of the kubelet whose program is not there. Args: `file`.
    PluginMissing = "plugin-missing" Error;
    /// Short of room for images. Args: `what`, `free`.
    StoreFull = "store-full" Warning;
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub lint: Lint,
    /// Where; `None` for what is built in.
    pub at: Option<At>,
    /// What its sentence names.
    pub args: Vec<(&'static str, String)>,
    /// Upstream's defect, where it is one.
    pub defect: Option<&'static Defect>,
}

impl Finding {
    /// A finding without arguments.
    pub fn new(lint: Lint, at: Option<At>) -> Self {
        Self { lint, at, args: Vec::new(), defect: None }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}

/// What is to be said of certificate files that are read for a host: of each as a whole.
pub(crate) fn certificate_files(files: &dyn Files, paths: &[String]) -> Vec<Finding> {
    paths.iter().flat_map(|path| certificates::ca(files, path, &At::whole(path))).collect()
}

/// What is to be said of one hosts directory, where there is one.
pub fn hosts_dir(files: &dyn Files, dir: Option<&str>, version: &Version) -> Vec<Finding> {
    dir.map_or_else(Vec::new, |dir| hosts_files::lint(files, dir, version))
}

/// Worst first, then by place; each once.
pub fn ordered(mut all: Vec<Finding>) -> Vec<Finding> {
    all.sort_by(|a, b| {
        let key = |f: &Finding| (f.lint.level(), f.at.clone(), f.lint, f.args.clone());
        key(a).cmp(&key(b))
    });
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let ids: std::collections::BTreeSet<_> = Lint::ALL.iter().map(|l| l.id()).collect();
        assert_eq!(ids.len(), Lint::ALL.len());
    }
}
