//! The settings of the CRI image service that decide about pulls, as a release reads them from the merged files.
//!
//! Follows `pkg/cri/config` (1.x) and `internal/cri/config`, `plugins/cri/images` (2.x).

use super::load::{self, CRI_IMAGES, GRPC_CRI, Loaded, TRANSFER};
use super::login::{self, Login};
use super::notes::Note;
use super::tree::{At, Branch, Setting, Tree};
use super::version::Version;
use formats::toml_tree::TomlValue;

/// What the image service works with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The value of `config_path` in force; empty for none. `None` where nothing is set and nothing is built in.
    pub config_path: Option<Setting<String>>,
    /// `registry.mirrors`.
    pub mirrors: Vec<Mirror>,
    /// `registry.configs` (and `registry.auths`).
    pub hosts: Vec<HostTable>,
    /// Why the local client pulls where the transfer service would: the setting's name and place.
    pub local_because: Option<(String, Option<At>)>,
    /// The pause image, where it is set.
    pub sandbox_image: Option<Setting<String>>,
    /// `registry.headers` by name.
    pub headers: Vec<(String, Vec<String>)>,
}

/// One table under `registry.mirrors`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    /// Its key: a registry's name, or `*`.
    pub name: String,
    /// Where the key stands.
    pub at: At,
    /// Its endpoints.
    pub endpoints: Vec<String>,
    /// Where they stand.
    pub endpoints_at: Option<At>,
}

/// One table under `registry.configs`.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTable {
    /// Its key: an endpoint's host and port.
    pub host: String,
    /// Where the key stands.
    pub at: At,
    /// Its `tls` table.
    pub tls: Option<TlsTable>,
    /// Whether it holds a credential.
    pub has_auth: bool,
    /// What is sent to that host where a pull brings no credential of its own.
    pub login: Option<Login>,
}

/// `registry.configs.*.tls`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TlsTable {
    /// Where it stands.
    pub at: At,
    /// `insecure_skip_verify`.
    pub skip_verify: bool,
    /// `ca_file`; empty for none.
    pub ca_file: String,
    /// `cert_file`; empty for none.
    pub cert_file: String,
    /// `key_file`; empty for none.
    pub key_file: String,
}

impl Settings {
    /// The table whose login goes to an endpoint, by its host and port, where a pull brings no credential of its own. An
    /// entry of `auths` replaces that of `configs`.
    pub fn login(&self, host: &str) -> Option<(&HostTable, &Login)> {
        let table = self.hosts.iter().rev().find(|t| t.has_auth && t.host == host)?;
        Some((table, table.login.as_ref()?))
    }
}

/// Reads the settings. The error is why the CRI image service does not load.
pub fn read(loaded: &mut Loaded, version: &Version) -> (Settings, Option<(String, Option<At>)>) {
    let section = if version.has_old_toml() { GRPC_CRI } else { CRI_IMAGES };
    note_sections(loaded, section);
    let images = loaded.plugins.branch(&[section]).cloned().unwrap_or_default();
    let mut reader = Reader { wrong: None };
    let mut settings = reader.settings(&images);
    if let Some((key, at)) = reader.wrong {
        let text = format!("failed to load plugin: wrong type of {key:?}");
        return (settings, Some((text, Some(at))));
    }
    if !version.knows_config_path()
        && let Some(set) = settings.config_path.take()
        && let Some(at) = set.at
    {
        loaded.notes.push(Note::KeyNotRead { at, key: "config_path".into() });
    }
    let failure = defaults_and_conflicts(&mut settings, version);
    if failure.is_none() {
        if version.has_transfer() {
            settings.local_because = local_because(&images, &settings);
        }
        if !version.reads_tls_tables() {
            for (host, tls) in settings.hosts.iter().filter_map(|h| Some((&h.host, h.tls.as_ref()?))) {
                loaded.notes.push(Note::TlsTableNotRead { at: tls.at.clone(), host: host.clone() });
            }
        }
    }
    (settings, failure)
}

/// What the registry settings of sections say that this release does not look at, each with its plugin.
pub fn unread(loaded: &Loaded, version: &Version) -> Vec<(String, Settings)> {
    let section = if version.has_old_toml() { GRPC_CRI } else { CRI_IMAGES };
    let ids = [GRPC_CRI, CRI_IMAGES, load::CRI_RUNTIME, "cri"];
    let mut found: Vec<(String, Settings)> = Vec::new();
    for id in ids.iter().filter(|id| **id != section || loaded.not_read.is_some()) {
        let branch = match loaded.plugins.branch(&[id]) {
            Some(branch) if *id != section => branch,
            _ => match &loaded.not_read {
                Some((name, branch)) if name == id => branch,
                _ => continue,
            },
        };
        if branch.get("registry").is_some() {
            found.push(((*id).to_owned(), Reader { wrong: None }.settings(branch)));
        }
    }
    if let Some(transfer) = loaded.plugins.branch(&[TRANSFER])
        && let Some(path) = (Reader { wrong: None }).text(transfer, "config_path")
    {
        found.push((TRANSFER.to_owned(), Settings { config_path: Some(path), ..Settings::default() }));
    }
    found
}

/// Sections with registry settings that this release does not look at.
fn note_sections(loaded: &mut Loaded, section: &str) {
    let mut found = Vec::new();
    for id in [GRPC_CRI, CRI_IMAGES, load::CRI_RUNTIME, "cri"] {
        if id != section
            && let Some((_, tree)) = loaded.plugins.get(id)
            && let Some(at) = load::registry_at(tree)
        {
            found.push(Note::SectionNotRead { at, section: id.to_owned() });
        }
    }
    if let Some(transfer) = loaded.plugins.branch(&[TRANSFER])
        && let Some((at, _)) = transfer.get("config_path")
    {
        found.push(Note::TransferConfigPath { at: at.clone() });
    }
    for note in found {
        if !loaded.notes.contains(&note) {
            loaded.notes.push(note);
        }
    }
}

/// Fills in the built-in path and finds the combinations that keep the service from loading.
fn defaults_and_conflicts(settings: &mut Settings, version: &Version) -> Option<(String, Option<At>)> {
    let prefix = if version.has_old_toml() { "invalid plugin config" } else { "invalid cri image config" };
    let default = version.default_config_path();
    let given = settings.config_path.as_ref().is_some_and(|s| !s.value.is_empty());
    let has_mirrors = !settings.mirrors.is_empty();
    let fill_in = !default.is_empty() && !given && (!has_mirrors || version.default_conflicts_with_mirrors());
    let empty_at = settings.config_path.as_ref().and_then(|s| s.at.clone());
    if fill_in {
        settings.config_path = Some(Setting { value: default.to_owned(), at: None });
    }
    let effective = settings.config_path.as_ref().is_some_and(|s| !s.value.is_empty());
    if has_mirrors && effective {
        let at = settings.config_path.as_ref().and_then(|s| s.at.clone()).or(empty_at);
        let at = at.or_else(|| settings.mirrors.first().map(|m| m.at.clone()));
        return Some((format!("{prefix}: `mirrors` cannot be set when `config_path` is provided"), at));
    }
    let tls = settings.hosts.iter().find_map(|h| h.tls.as_ref());
    if let Some(tls) = tls.filter(|_| effective && version.reads_tls_tables()) {
        let text = format!("{prefix}: `configs.tls` cannot be set when `config_path` is provided");
        return Some((text, Some(tls.at.clone())));
    }
    None
}

/// What makes containerd 2.1 and later pull with its own client. Follows `CheckLocalImagePullConfigs`, in its order.
fn local_because(images: &Branch, settings: &Settings) -> Option<(String, Option<At>)> {
    let flag = |key: &str, when: bool| match images.get(key) {
        Some((at, Tree::Leaf(TomlValue::Flag(f)))) if *f == when => Some(at.clone()),
        _ => None,
    };
    let named = |name: &str, at: At| Some((name.to_owned(), Some(at)));
    if let Some(at) = flag("use_local_image_pull", true) {
        return named("use_local_image_pull", at);
    }
    if let Some(at) = flag("disable_snapshot_annotations", false) {
        return named("disable_snapshot_annotations", at);
    }
    if let Some(at) = flag("discard_unpacked_layers", true) {
        return named("discard_unpacked_layers", at);
    }
    if let Some(mirror) = settings.mirrors.first() {
        return named("registry.mirrors", mirror.at.clone());
    }
    if let Some(host) = settings.hosts.first() {
        return named("registry.configs", host.at.clone());
    }
    if let Some((at, Tree::Leaf(TomlValue::Int(n)))) = images.get("max_concurrent_downloads")
        && *n != 3
    {
        return named("max_concurrent_downloads", at.clone());
    }
    flag("image_pull_with_sync_fs", true).and_then(|at| named("image_pull_with_sync_fs", at))
}

/// Reads typed values, and remembers the first that has another type than the release expects.
struct Reader {
    wrong: Option<(String, At)>,
}

impl Reader {
    fn settings(&mut self, images: &Branch) -> Settings {
        let empty = Branch::default();
        let registry = images.branch(&["registry"]).unwrap_or(&empty);
        for key in [
            "use_local_image_pull",
            "discard_unpacked_layers",
            "disable_snapshot_annotations",
            "image_pull_with_sync_fs",
        ] {
            self.flag(images, key);
        }
        let mut hosts: Vec<HostTable> =
            self.tables(registry, "configs", |reader, host, at, table| HostTable {
                host: host.to_owned(),
                at: at.clone(),
                tls: table.branch(&["tls"]).map(|tls| TlsTable {
                    at: table.get("tls").map(|(at, _)| at.clone()).unwrap_or_default(),
                    skip_verify: reader.flag(tls, "insecure_skip_verify"),
                    ca_file: reader.text(tls, "ca_file").map(|s| s.value).unwrap_or_default(),
                    cert_file: reader.text(tls, "cert_file").map(|s| s.value).unwrap_or_default(),
                    key_file: reader.text(tls, "key_file").map(|s| s.value).unwrap_or_default(),
                }),
                has_auth: table.branch(&["auth"]).is_some_and(|a| !a.entries.is_empty()),
                login: table.branch(&["auth"]).and_then(|auth| reader.login(auth)),
            });
        hosts.extend(self.tables(registry, "auths", |reader, host, at, table| {
            let host =
                host.split_once("://").map_or(host, |(_, rest)| rest.split('/').next().unwrap_or(rest));
            let login = reader.login(table);
            HostTable { host: host.to_owned(), at: at.clone(), tls: None, has_auth: true, login }
        }));
        let pinned = images.branch(&["pinned_images"]).unwrap_or(&empty);
        Settings {
            config_path: self.text(registry, "config_path"),
            mirrors: self.tables(registry, "mirrors", |reader, name, at, table| Mirror {
                name: name.to_owned(),
                at: at.clone(),
                endpoints: reader.texts(table, "endpoint"),
                endpoints_at: table.get("endpoint").map(|(at, _)| at.clone()),
            }),
            hosts,
            local_because: None,
            sandbox_image: self.text(images, "sandbox_image").or_else(|| self.text(pinned, "sandbox")),
            headers: registry.branch(&["headers"]).map_or_else(Vec::new, |headers| {
                headers.entries.iter().map(|(name, ..)| (name.clone(), self.texts(headers, name))).collect()
            }),
        }
    }

    fn login(&mut self, auth: &Branch) -> Option<Login> {
        let mut value = |key| self.text(auth, key).map(|s| s.value).unwrap_or_default();
        login::of_table(&value("username"), &value("password"), &value("identitytoken"), &value("auth"))
    }

    fn wrong(&mut self, key: &str, at: &At) {
        self.wrong.get_or_insert_with(|| (key.to_owned(), at.clone()));
    }

    fn text(&mut self, table: &Branch, key: &str) -> Option<Setting<String>> {
        match table.get(key)? {
            (at, Tree::Leaf(TomlValue::Text(text))) => {
                Some(Setting { value: text.clone(), at: Some(at.clone()) })
            }
            (at, _) => {
                self.wrong(key, at);
                None
            }
        }
    }

    fn flag(&mut self, table: &Branch, key: &str) -> bool {
        match table.get(key) {
            Some((_, Tree::Leaf(TomlValue::Flag(f)))) => *f,
            Some((at, _)) => {
                self.wrong(key, at);
                false
            }
            None => false,
        }
    }

    fn texts(&mut self, table: &Branch, key: &str) -> Vec<String> {
        match table.get(key) {
            Some((at, Tree::Leaf(TomlValue::List(list)))) => {
                let texts: Vec<String> =
                    list.iter().filter_map(|(v, _)| v.as_text().map(str::to_owned)).collect();
                if texts.len() != list.len() {
                    self.wrong(key, at);
                }
                texts
            }
            Some((at, _)) => {
                self.wrong(key, at);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn tables<T>(
        &mut self,
        registry: &Branch,
        key: &str,
        read: impl Fn(&mut Self, &str, &At, &Branch) -> T,
    ) -> Vec<T> {
        let Some((at, tree)) = registry.get(key) else { return Vec::new() };
        let Tree::Branch(branch) = tree else {
            self.wrong(key, at);
            return Vec::new();
        };
        let mut all = Vec::new();
        for (name, at, tree) in &branch.entries {
            match tree {
                Tree::Branch(table) => all.push(read(self, name, at, table)),
                Tree::Leaf(_) => self.wrong(name, at),
            }
        }
        all
    }
}
