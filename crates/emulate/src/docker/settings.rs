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
    /// Keys that are taken and never read, each with the one that is meant and its place.
    pub unread: Vec<(String, &'static str, Option<At>)>,
    /// Why the daemon does not start.
    pub invalid: Option<(String, Option<At>)>,
}

impl Settings {
    /// Which store a daemon of this version has with these files.
    pub fn store(&self, files: &dyn Files, version: Option<&Version>) -> Store {
        let old = version.is_some_and(|v| !v.since(29, 0, 0));
        // The first releases that know the feature. Source: moby daemon/daemon.go (UsesSnapshotter), 23.0.
        let snapshotter = self.snapshotter.filter(|_| version.is_none_or(|v| v.since(23, 0, 0)));
        let has_old_data = matches!(files.entry(OLD_STORE), Entry::Dir);
        match snapshotter {
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
    // A byte order mark is passed over.
    let text = String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned();
    if text.trim().is_empty() {
        return settings;
    }
    let path: Rc<str> = Rc::from(DAEMON_JSON);
    let value: Value = match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) => value,
        Ok(_) => {
            let words = refused("invalid JSON: it is no object");
            settings.invalid = Some((words, Some(At::whole(DAEMON_JSON))));
            return settings;
        }
        Err(e) => {
            let at = At { path, line: line(e.line()), column: line(e.column()) };
            settings.invalid = Some((refused(&format!("invalid JSON: {e}")), Some(at)));
            return settings;
        }
    };
    settings.unread = misnamed(&value, &text, &path);
    if let Some((why, at)) = unusable(&value, &text, &path) {
        settings.invalid = Some((refused(&why), at));
        return settings;
    }
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

/// The keys that decide about pulls.
const LISTS: [&str; 2] = ["registry-mirrors", "insecure-registries"];
/// The names of flags, which are taken as keys and have no effect there.
const FLAGS: [(&str, &str); 2] =
    [("registry-mirror", "registry-mirrors"), ("insecure-registry", "insecure-registries")];

fn misnamed(value: &Value, text: &str, path: &Rc<str>) -> Vec<(String, &'static str, Option<At>)> {
    let there = FLAGS.iter().filter(|(flag, _)| value.get(flag).is_some());
    there.map(|(flag, meant)| ((*flag).to_owned(), *meant, key_place(text, flag, path))).collect()
}

/// Directives that keep the daemon from starting: misspelt ones of pulls, and values of the wrong type. Seen with
/// `dockerd --validate` of 29.
fn unusable(value: &Value, text: &str, path: &Rc<str>) -> Option<(String, Option<At>)> {
    let top = value.as_object()?;
    let plain = |key: &str| key.to_ascii_lowercase().replace(['-', '_', '.'], "");
    let known = [LISTS[0], LISTS[1], "features", "proxies"];
    let near = |key: &str| {
        !known.contains(&key)
            && FLAGS.iter().all(|(flag, _)| *flag != key)
            && (known.iter().any(|k| plain(k) == plain(key))
                || FLAGS.iter().any(|(f, _)| plain(f) == plain(key)))
    };
    let unknown = |key: &str| {
        let words = format!("the following directives don't match any configuration option: {key}");
        Some((words, key_place(text, key, path)))
    };
    if let Some(key) = top.keys().find(|k| near(k)) {
        return unknown(key);
    }
    if let Some(Value::Object(proxies)) = top.get("proxies")
        && let Some(key) =
            proxies.keys().find(|k| !matches!(k.as_str(), "http-proxy" | "https-proxy" | "no-proxy"))
    {
        return unknown(key);
    }
    let wrong = |key: &str, is: &Value, field: &str, wanted: &str| {
        let kind = match is {
            Value::String(_) => "string",
            Value::Number(_) => "number",
            Value::Bool(_) => "bool",
            Value::Array(_) => "array",
            Value::Object(_) | Value::Null => "object",
        };
        let words = format!(
            "invalid JSON: json: cannot unmarshal {kind} into Go struct field Config.CommonConfig.{field} of type {wanted}"
        );
        Some((words, key_place(text, key, path)))
    };
    for key in LISTS {
        let field = format!("ServiceOptions.{key}");
        match top.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) => {
                if let Some(item) = items.iter().find(|i| !i.is_string() && !i.is_null()) {
                    return wrong(key, item, &field, "string");
                }
            }
            Some(other) => return wrong(key, other, &field, "[]string"),
        }
    }
    match top.get("features") {
        None | Some(Value::Null) => None,
        Some(Value::Object(all)) => {
            let bad = all.values().find(|v| !v.is_boolean() && !v.is_null())?;
            wrong("features", bad, "features", "bool")
        }
        Some(other) => wrong("features", other, "features", "map[string]bool"),
    }
}

/// Where a key stands: JSON has no spans, so it is looked for.
fn key_place(text: &str, key: &str, path: &Rc<str>) -> Option<At> {
    let at = text.find(&serde_json::to_string(key).ok()?)?;
    Some(spot(text.get(..at)?, path))
}

fn spot(before: &str, path: &Rc<str>) -> At {
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    At { path: Rc::clone(path), line: line(before.matches('\n').count() + 1), column: line(column) }
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
    Some(spot(text.get(..at)?, path))
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
