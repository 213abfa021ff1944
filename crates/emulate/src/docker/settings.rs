//! daemon.json. Sources: moby `daemon/config/config.go`, `daemon/pkg/registry/config.go` (`ValidateMirror`,
//! `loadInsecureRegistries`).

use crate::containerd::{At, Setting, Version};
use crate::files::{Entry, Files};
use crate::go::url;
use serde_json::Value;
use std::rc::Rc;

/// The file. It may be missing.
pub const DAEMON_JSON: &str = "/etc/docker/daemon.json";
/// Where the older store keeps its data: a daemon that finds some goes on with it.
const OLD_STORE: &str = "/var/lib/docker/image/overlay2";

/// Which store pulls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// containerd's (default of new installations since 29).
    #[default]
    Containerd,
    /// Docker's own.
    Graphdriver,
}

impl Store {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Containerd => "image-store",
            Self::Graphdriver => "graphdriver",
        }
    }
}

/// What daemon.json says about pulls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Whether the file is there.
    pub found: bool,
    /// `registry-mirrors`: of Docker Hub alone.
    pub mirrors: Vec<Setting<String>>,
    /// `insecure-registries`: hosts with ports, and ranges.
    pub insecure: Vec<Setting<String>>,
    /// `features.containerd-snapshotter`, where it is set.
    pub snapshotter: Option<bool>,
    /// `proxies`: `http-proxy`, `https-proxy`, `no-proxy`; they win over the environment.
    pub proxies: Vec<(String, String)>,
    /// Why the daemon does not start.
    pub invalid: Option<(String, Option<At>)>,
}

impl Settings {
    /// Which store a daemon of this version has with these files.
    pub fn store(&self, files: &dyn Files, version: Option<&Version>) -> Store {
        let old = version.is_some_and(|v| !v.since(29, 0, 0));
        let has_old_data = matches!(files.entry(OLD_STORE), Entry::Dir);
        match self.snapshotter {
            Some(true) => Store::Containerd,
            Some(false) => Store::Graphdriver,
            None if old || has_old_data => Store::Graphdriver,
            None => Store::Containerd,
        }
    }
}

/// Reads the file.
pub fn load(files: &dyn Files) -> Settings {
    let mut settings = Settings::default();
    let Entry::File(bytes) = files.entry(DAEMON_JSON) else { return settings };
    settings.found = true;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim().is_empty() {
        return settings;
    }
    let path: Rc<str> = Rc::from(DAEMON_JSON);
    let value: Value = match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) => value,
        Ok(_) => {
            settings.invalid = Some((refused("it is no JSON object"), Some(At::whole(DAEMON_JSON))));
            return settings;
        }
        Err(e) => {
            let at = At { path, line: line(e.line()), column: line(e.column()) };
            settings.invalid = Some((refused(&e.to_string()), Some(at)));
            return settings;
        }
    };
    settings.mirrors = list(&value, "registry-mirrors", &text, &path);
    settings.insecure = list(&value, "insecure-registries", &text, &path);
    settings.snapshotter =
        value.get("features").and_then(|f| f.get("containerd-snapshotter")).and_then(Value::as_bool);
    if let Some(Value::Object(proxies)) = value.get("proxies") {
        settings.proxies =
            proxies.iter().filter_map(|(n, v)| Some((n.clone(), v.as_str()?.to_owned()))).collect();
    }
    let bad = settings.mirrors.iter().find_map(|m| Some((bad_mirror(&m.value)?, m.at.clone())));
    settings.invalid = bad;
    for insecure in &mut settings.insecure {
        // A scheme is taken off with a warning in the log.
        for scheme in ["http://", "https://"] {
            if let Some(rest) = insecure.value.strip_prefix(scheme) {
                insecure.value = rest.to_owned();
            }
        }
    }
    settings
}

fn refused(why: &str) -> String {
    format!("unable to configure the Docker daemon with file {DAEMON_JSON}: {why}")
}

fn line(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn list(value: &Value, key: &str, text: &str, path: &Rc<str>) -> Vec<Setting<String>> {
    let items = value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .filter_map(Value::as_str)
        .map(|item| Setting { value: item.to_owned(), at: place(text, key, item, path) })
        .collect()
}

/// Where a string of a list stands: JSON has no spans, so its text is looked for behind its key.
fn place(text: &str, key: &str, item: &str, path: &Rc<str>) -> Option<At> {
    let from = text.find(&format!("\"{key}\""))?;
    let quoted = serde_json::to_string(item).ok()?;
    let at = from + text.get(from..)?.find(&quoted)?;
    let before = text.get(..at)?;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Some(At { path: Rc::clone(path), line: line(before.matches('\n').count() + 1), column: line(column) })
}

/// Source: `ValidateMirror`.
fn bad_mirror(mirror: &str) -> Option<String> {
    let scheme = match mirror.split_once("://") {
        Some((scheme, _)) if !scheme.is_empty() => scheme,
        _ => {
            return Some(format!(
                "invalid mirror: no scheme specified for {mirror:?}: must use either 'https://' or 'http://'"
            ));
        }
    };
    let Ok(u) = url::parse(mirror) else {
        return Some(format!("invalid mirror: {mirror:?} is not a valid URI"));
    };
    if !matches!(u.scheme.as_str(), "http" | "https") {
        return Some(format!(
            "invalid mirror: unsupported scheme {scheme:?} in {mirror:?}: must use either 'https://' or 'http://'"
        ));
    }
    if mirror.contains(['?', '#']) {
        return Some(format!("invalid mirror: query or fragment at end of the URI {mirror:?}"));
    }
    let authority = mirror.split_once("://").and_then(|(_, rest)| rest.split('/').next());
    // The text would show the user's name and a mark; the name alone is nobody's business either.
    authority
        .is_some_and(|a| a.contains('@'))
        .then(|| "invalid mirror: username/password not allowed in URI".to_owned())
}
