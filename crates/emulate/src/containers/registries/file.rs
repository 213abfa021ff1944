//! One file of registries.conf's kind, the old form and the new.

use super::{Endpoint, Registry, Usage};
use crate::containerd::At;
use formats::toml_tree::{self, TomlTable, TomlValue};
use std::rc::Rc;

/// What one file says.
pub(super) struct File {
    pub(super) registries: Vec<Registry>,
    pub(super) search: Option<(Vec<String>, At)>,
    pub(super) mode: Option<String>,
    pub(super) aliases: Vec<(String, String)>,
    pub(super) unread: Vec<(String, At)>,
}

/// The keys of the file, of a `[[registry]]` and of a mirror. Source: `tomlConfig`, `Registry`, `Endpoint`.
const TOP: &[&str] = &[
    "registry",
    "registries",
    "aliases",
    "unqualified-search-registries",
    "credential-helpers",
    "short-name-mode",
    "additional-layer-store-auth-helper",
];
const OF_REGISTRY: &[&str] =
    &["prefix", "location", "insecure", "blocked", "mirror-by-digest-only", "mirror", "pull-from-mirror"];
const OF_MIRROR: &[&str] = &["location", "insecure", "pull-from-mirror"];

/// Keys that are passed over without a word.
fn unread(root: &TomlTable, name: &Rc<str>) -> Vec<(String, At)> {
    let of = |table: &TomlTable, known: &[&str]| -> Vec<(String, At)> {
        let unknown = table.entries.iter().filter(|e| !known.contains(&e.key.as_str()));
        unknown.map(|e| (e.key.clone(), At::new(name, e.key_at))).collect()
    };
    let tables = |table: &TomlTable, key: &str| match table.get(key) {
        Some(TomlValue::Tables(all)) => all.clone(),
        _ => Vec::new(),
    };
    let mut found = of(root, TOP);
    for registry in tables(root, "registry") {
        found.extend(of(&registry, OF_REGISTRY));
        found.extend(tables(&registry, "mirror").iter().flat_map(|m| of(m, OF_MIRROR)));
    }
    found
}

/// Why a file is refused, and where.
pub(super) type Invalid = (String, At);

/// Reads one; `is_drop_in` where it is none of the main file.
pub(super) fn read(content: &str, path: &str, is_drop_in: bool) -> Result<File, Invalid> {
    let name: Rc<str> = Rc::from(path);
    let whole = || At::whole(path);
    let tree =
        toml_tree::parse(content).map_err(|p| (format!("toml: {}", p.message), At::new(&name, p.at)))?;
    let root = &tree.root;
    let old = root.table(&["registries"]).is_some_and(|t| {
        ["search", "insecure", "block"]
            .iter()
            .any(|k| t.table(&[k, "registries"]).is_some() || t.find(&[k, "registries"]).is_some())
    });
    let tables = match root.get("registry") {
        Some(TomlValue::Tables(all)) => all.as_slice(),
        None => &[],
        Some(_) => return Err(("incompatible types for \"registry\"".into(), whole())),
    };
    let new = !tables.is_empty() || root.get("unqualified-search-registries").is_some();
    if old && new {
        return Err(("mixing sysregistry v1/v2 is not supported".into(), whole()));
    }
    if old && is_drop_in {
        return Err(("registry must be in v2 format but is in v1".into(), whole()));
    }
    if old {
        return version_1(root, &name);
    }
    let mut registries: Vec<Registry> = Vec::new();
    for table in tables {
        let registry = registry(table, &name)?;
        conflict(&registries, &registry)?;
        // Of equal prefixes in one file the first counts; the check above sees them all.
        registries.push(registry);
    }
    let mut seen = Vec::new();
    registries.retain(|r| {
        let fresh = !seen.contains(&r.prefix);
        seen.push(r.prefix.clone());
        fresh
    });
    let search = match root.entry("unqualified-search-registries") {
        None => None,
        Some(e) => {
            let at = At::new(&name, e.value_at);
            let words = texts(&e.value).ok_or_else(|| ("incompatible types".to_owned(), at.clone()))?;
            let all: Result<Vec<String>, Invalid> = words.iter().map(|w| location(w, &at)).collect();
            Some((all?, at))
        }
    };
    let mode = text(root, "short-name-mode", &name)?.filter(|m| !m.is_empty());
    if let Some(mode) =
        mode.as_ref().filter(|m| !matches!(m.as_str(), "enforcing" | "permissive" | "disabled"))
    {
        return Err((format!("invalid short-name mode: {mode:?}"), whole()));
    }
    let aliases = root.table(&["aliases"]).map(|t| t.entries.as_slice()).unwrap_or_default();
    let aliases =
        aliases.iter().filter_map(|e| Some((e.key.clone(), e.value.as_text()?.to_owned()))).collect();
    Ok(File { registries, search, mode, aliases, unread: unread(root, &name) })
}

/// `[registries.search]`, `.insecure`, `.block` of version 1.
fn version_1(root: &TomlTable, name: &Rc<str>) -> Result<File, Invalid> {
    let list = |kind: &str| -> Result<Vec<(String, At)>, Invalid> {
        let Some(entry) = root.find(&["registries", kind, "registries"]) else { return Ok(Vec::new()) };
        let at = At::new(name, entry.value_at);
        let words = texts(&entry.value).ok_or_else(|| ("incompatible types".to_owned(), at.clone()))?;
        words.iter().map(|w| Ok((location(w, &at)?, at.clone()))).collect()
    };
    let mut registries: Vec<Registry> = Vec::new();
    for (kind, all) in [("block", list("block")?), ("insecure", list("insecure")?)] {
        for (location, at) in all {
            let known = registries.iter().position(|r| r.prefix == location);
            let n = known.unwrap_or_else(|| {
                let own =
                    Endpoint { location: location.clone(), at: Some(at.clone()), ..Endpoint::default() };
                registries.push(Registry { prefix: location, own, at: Some(at), ..Registry::default() });
                registries.len() - 1
            });
            if let Some(registry) = registries.get_mut(n) {
                registry.blocked |= kind == "block";
                if kind == "insecure" {
                    registry.own.insecure = true;
                    registry.own.insecure_at = registry.own.at.clone();
                }
            }
        }
    }
    let search = list("search")?;
    let at = search.first().map_or_else(|| At::whole(name), |(_, at)| at.clone());
    let search = Some((search.into_iter().map(|(l, _)| l).collect(), at));
    Ok(File { registries, search, mode: None, aliases: Vec::new(), unread: unread(root, name) })
}

fn registry(table: &TomlTable, name: &Rc<str>) -> Result<Registry, Invalid> {
    let at = place(table, name);
    let own = endpoint(table, name)?;
    let prefix = match text(table, "prefix", name)?.filter(|p| !p.is_empty()) {
        Some(prefix) => location(&prefix, &at)?,
        None if own.location.is_empty() => {
            return Err(("invalid condition: both location and prefix are unset".into(), at));
        }
        None => own.location.clone(),
    };
    if own.location.is_empty() && !prefix.starts_with("*.") {
        let words = "invalid condition: location is unset and prefix is not in the format: *.example.com";
        return Err((words.into(), at));
    }
    if text(table, "pull-from-mirror", name)?.is_some_and(|p| !p.is_empty()) {
        let words = format!("pull-from-mirror must not be set for a non-mirror registry {prefix:?}");
        return Err((words, at));
    }
    let digest_only = flag(table, "mirror-by-digest-only", name)?;
    let mut mirrors = Vec::new();
    if let Some(TomlValue::Tables(all)) = table.get("mirror") {
        for inner in all {
            let mirror = mirror(inner, name)?;
            if mirror.location.is_empty() {
                return Err(("invalid condition: mirror location is unset".into(), place(inner, name)));
            }
            if digest_only && inner.get("pull-from-mirror").is_some() {
                let words = format!(
                    "cannot set mirror usage mirror-by-digest-only for the registry ({prefix:?}) and pull-from-mirror for per-mirror ({:?}) at the same time",
                    mirror.location
                );
                return Err((words, place(inner, name)));
            }
            mirrors.push(mirror);
        }
    }
    Ok(Registry { prefix, own, blocked: flag(table, "blocked", name)?, digest_only, mirrors, at: Some(at) })
}

fn endpoint(table: &TomlTable, name: &Rc<str>) -> Result<Endpoint, Invalid> {
    let at = place(table, name);
    let written = text(table, "location", name)?.unwrap_or_default();
    Ok(Endpoint {
        location: location(&written, &at)?,
        insecure: flag(table, "insecure", name)?,
        insecure_at: table.entry("insecure").map(|e| At::new(name, e.key_at)),
        usage: Usage::All,
        at: Some(at),
    })
}

fn mirror(table: &TomlTable, name: &Rc<str>) -> Result<Endpoint, Invalid> {
    let mut mirror = endpoint(table, name)?;
    mirror.usage = match text(table, "pull-from-mirror", name)?.as_deref() {
        None | Some("" | "all") => Usage::All,
        Some("digest-only") => Usage::Digests,
        Some("tag-only") => Usage::Tags,
        Some(other) => {
            let words =
                format!("unsupported pull-from-mirror value {other:?} for mirror {:?}", mirror.location);
            return Err((words, place(table, name)));
        }
    };
    Ok(mirror)
}

/// The same location twice must agree. Source: `postProcessRegistries`.
fn conflict(before: &[Registry], registry: &Registry) -> Result<(), Invalid> {
    let key =
        |r: &Registry| if r.own.location.is_empty() { r.prefix.clone() } else { r.own.location.clone() };
    let at = || registry.at.clone().unwrap_or_default();
    for other in before.iter().filter(|o| key(o) == key(registry)) {
        for (setting, differs) in [
            ("insecure", other.own.insecure != registry.own.insecure),
            ("blocked", other.blocked != registry.blocked),
        ] {
            if differs {
                let location = &registry.own.location;
                return Err((
                    format!(
                        "registry '{location}' is defined multiple times with conflicting '{setting}' setting"
                    ),
                    at(),
                ));
            }
        }
    }
    Ok(())
}

/// Source: `parseLocation`.
fn location(written: &str, at: &At) -> Result<String, Invalid> {
    let trimmed = written.trim_end_matches('/');
    if trimmed.starts_with("http://") || trimmed.starts_with("https://") {
        return Err((format!("invalid location '{written}': URI schemes are not supported"), at.clone()));
    }
    Ok(trimmed.to_owned())
}

fn place(table: &TomlTable, name: &Rc<str>) -> At {
    table.entries.first().map_or_else(|| At::whole(name), |e| At::new(name, e.key_at))
}

fn text(table: &TomlTable, key: &str, name: &Rc<str>) -> Result<Option<String>, Invalid> {
    match table.entry(key) {
        None => Ok(None),
        Some(e) => match e.value.as_text() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err((format!("incompatible types for {key:?}"), At::new(name, e.value_at))),
        },
    }
}

fn flag(table: &TomlTable, key: &str, name: &Rc<str>) -> Result<bool, Invalid> {
    match table.entry(key) {
        None => Ok(false),
        Some(e) => match e.value {
            TomlValue::Flag(flag) => Ok(flag),
            _ => Err((format!("incompatible types for {key:?}"), At::new(name, e.value_at))),
        },
    }
}

fn texts(value: &TomlValue) -> Option<Vec<String>> {
    let TomlValue::List(list) = value else { return None };
    list.iter().map(|(v, _)| v.as_text().map(str::to_owned)).collect()
}
