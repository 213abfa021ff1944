//! registries.conf and its drop-ins, as `pkg/sysregistriesv2` reads and merges them.

use crate::containerd::At;
use crate::files::{Entry, Files, join};
use formats::toml_tree::{self, TomlTable, TomlValue};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The main file. It may be missing.
pub const MAIN: &str = "/etc/containers/registries.conf";
const DROP_INS: &str = "/etc/containers/registries.conf.d";

/// What the files come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// The files that were read, in order.
    pub files: Vec<String>,
    /// The registries; of equal prefixes only the one that counts.
    pub registries: Vec<Registry>,
    /// Where short names are looked for.
    pub search: Vec<String>,
    /// Where that stands.
    pub search_at: Option<At>,
    /// `enforcing`, `permissive`, `disabled`; empty where nothing says it.
    pub short_name_mode: String,
    /// Short names that stand for full ones.
    pub aliases: BTreeMap<String, String>,
    /// Keys that nobody reads, each with its place.
    pub unread: Vec<(String, At)>,
    /// What a later file says otherwise: what, the place that is lost, the place that counts.
    pub overridden: Vec<(String, At, At)>,
    /// Why nothing can be pulled, and where that stands.
    pub invalid: Option<(String, Option<At>)>,
    /// Paths of which nothing is known.
    pub assumed: Vec<String>,
}

/// One `[[registry]]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registry {
    /// The prefix of names that it serves.
    pub prefix: String,
    /// Itself.
    pub own: Endpoint,
    /// Whether it may not be asked at all.
    pub blocked: bool,
    /// Whether its mirrors are for digests only.
    pub digest_only: bool,
    /// Its mirrors, in order.
    pub mirrors: Vec<Endpoint>,
    /// Where it stands.
    pub at: Option<At>,
}

/// A registry or a mirror of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Endpoint {
    /// What replaces the prefix; empty leaves the name as it is.
    pub location: String,
    /// Whether it may be asked without TLS or verification.
    pub insecure: bool,
    /// Where that is said.
    pub insecure_at: Option<At>,
    /// What it is asked for, for mirrors.
    pub usage: Usage,
    /// Where it stands.
    pub at: Option<At>,
}

/// `pull-from-mirror`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Usage {
    /// Everything.
    #[default]
    All,
    /// Digests.
    Digests,
    /// Tags.
    Tags,
}

impl Registry {
    /// What it says, whatever its place.
    fn says(&self) -> impl PartialEq {
        let of = |e: &Endpoint| (e.location.clone(), e.insecure, e.usage);
        (of(&self.own), self.blocked, self.digest_only, self.mirrors.iter().map(of).collect::<Vec<_>>())
    }

    /// What is asked for a name, in order: mirrors that serve it, then the registry itself.
    pub fn sources(&self, by_digest: bool) -> Vec<Endpoint> {
        let serves = |m: &&Endpoint| {
            (!self.digest_only || by_digest)
                && match m.usage {
                    Usage::All => true,
                    Usage::Digests => by_digest,
                    Usage::Tags => !by_digest,
                }
        };
        self.mirrors.iter().filter(serves).chain([&self.own]).cloned().collect()
    }
}

impl Config {
    /// The registry that serves a full name: the longest prefix; of equal ones there is only one.
    pub fn serving(&self, name: &str) -> Option<&Registry> {
        let mut best: Option<&Registry> = None;
        for registry in &self.registries {
            if matched(name, &registry.prefix).is_some()
                && best.is_none_or(|b| registry.prefix.len() > b.prefix.len())
            {
                best = Some(registry);
            }
        }
        best
    }

    /// How errors name the files.
    pub fn wording(&self) -> String {
        format!("{MAIN} or {DROP_INS}")
    }
}

/// The part of a name that a prefix covers. A prefix must end at `/`, `:`, `@` or the end; `example.com` so covers
/// `example.com:5000` too. Source: `refMatchingPrefix`.
pub fn matched(name: &str, prefix: &str) -> Option<usize> {
    let ends = |at: usize| matches!(name.as_bytes().get(at), None | Some(b':' | b'/' | b'@'));
    if let Some(domain) = prefix.strip_prefix('*').filter(|d| d.starts_with('.')) {
        let at = name.find(domain)?;
        let end = at + domain.len();
        return (!name.get(..at)?.contains('/') && ends(end)).then_some(end);
    }
    (!prefix.is_empty() && name.starts_with(prefix) && ends(prefix.len())).then_some(prefix.len())
}

/// A name with its prefix replaced. Source: `rewriteReference`.
pub fn rewritten(name: &str, prefix: &str, location: &str) -> Result<String, String> {
    if location.is_empty() {
        return Ok(name.to_owned());
    }
    let end =
        matched(name, prefix).ok_or_else(|| format!("invalid prefix '{prefix}' for reference '{name}'"))?;
    Ok(format!("{location}{}", name.get(end..).unwrap_or_default()))
}

/// Reads the main file, then the drop-ins by name.
pub fn load(files: &dyn Files) -> Config {
    let mut config = Config::default();
    let drop_ins = files.list(DROP_INS).into_iter().filter(|n| n.ends_with(".conf"));
    let paths: Vec<String> =
        [MAIN.to_owned()].into_iter().chain(drop_ins.map(|n| join(DROP_INS, &n))).collect();
    for (n, path) in paths.iter().enumerate() {
        let text = match files.entry(path) {
            Entry::File(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Entry::Absent | Entry::NotADirectory if n == 0 => continue,
            Entry::Dir if n > 0 => continue,
            Entry::Opaque | Entry::Unknown => {
                config.assumed.push(path.clone());
                continue;
            }
            _ => {
                let words = format!("loading registries configuration {path:?}: cannot be read");
                config.invalid = Some((words, Some(At::whole(path))));
                return config;
            }
        };
        match file(&text, path, n > 0) {
            Ok(parsed) => merge(&mut config, parsed, path),
            Err((why, at)) => {
                let words = format!("loading registries configuration {path:?}: {why}");
                config.invalid = Some((words, Some(at)));
                return config;
            }
        }
    }
    config
}

struct File {
    registries: Vec<Registry>,
    search: Option<(Vec<String>, At)>,
    mode: Option<String>,
    aliases: Vec<(String, String)>,
    unread: Vec<(String, At)>,
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

type Invalid = (String, At);

fn merge(config: &mut Config, file: File, path: &str) {
    config.files.push(path.to_owned());
    config.unread.extend(file.unread);
    for registry in file.registries {
        match config.registries.iter_mut().find(|r| r.prefix == registry.prefix) {
            // A later file's table replaces the earlier one as a whole, mirrors included.
            Some(earlier) => {
                if let (Some(lost), Some(by)) = (&earlier.at, &registry.at)
                    && earlier.says() != registry.says()
                {
                    let what = format!("[[registry]] {}", registry.prefix);
                    config.overridden.push((what, lost.clone(), by.clone()));
                }
                *earlier = registry;
            }
            None => config.registries.push(registry),
        }
    }
    if let Some((search, by)) = file.search {
        let lost = config.search_at.replace(by.clone()).filter(|_| config.search != search);
        let what = || "unqualified-search-registries".to_owned();
        config.overridden.extend(lost.map(|lost| (what(), lost, by)));
        config.search = search;
    }
    if let Some(mode) = file.mode {
        config.short_name_mode = mode;
    }
    for (short, full) in file.aliases {
        if full.is_empty() {
            // An empty value takes an alias back.
            config.aliases.remove(&short);
        } else {
            config.aliases.insert(short, full);
        }
    }
}

fn file(content: &str, path: &str, is_drop_in: bool) -> Result<File, Invalid> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    struct Two(&'static str, &'static str);

    impl Files for Two {
        fn entry(&self, path: &str) -> Entry<'_> {
            match path {
                MAIN => Entry::File(Cow::Borrowed(self.0.as_bytes())),
                "/etc/containers/registries.conf.d/50.conf" if !self.1.is_empty() => {
                    Entry::File(Cow::Borrowed(self.1.as_bytes()))
                }
                _ => Entry::Absent,
            }
        }

        fn list(&self, dir: &str) -> Vec<String> {
            if dir == DROP_INS && !self.1.is_empty() {
                vec!["50.conf".into(), "note".into()]
            } else {
                Vec::new()
            }
        }
    }

    const MIRRORED: &str = "[[registry]]\nprefix = \"r/team\"\nlocation = \"r/team\"\n[[registry.mirror]]\nlocation = \"m\"\npull-from-mirror = \"digest-only\"\n[[registry]]\nlocation = \"r\"\ninsecure = true\n";

    #[test]
    fn the_longest_prefix_serves_and_a_drop_in_replaces_it_whole() {
        let config = load(&Two(MIRRORED, ""));
        let team = config.serving("r/team/app:1").unwrap();
        let names =
            |by_digest| team.sources(by_digest).iter().map(|s| s.location.clone()).collect::<Vec<_>>();
        assert_eq!(names(false), ["r/team"]);
        assert_eq!(names(true), ["m", "r/team"]);
        assert_eq!(config.serving("r/teams/app:1").unwrap().prefix, "r");
        let config = load(&Two(MIRRORED, "[[registry]]\nlocation = \"r/team\"\n"));
        assert!(config.serving("r/team/app:1").unwrap().mirrors.is_empty());
        assert_eq!(config.files.len(), 2);
    }

    #[test]
    fn files_that_are_refused() {
        for (text, words) in [
            ("[[registry]]\nlocation = \"https://r\"\n", "URI schemes are not supported"),
            ("[[registry]]\ninsecure = true\n", "both location and prefix are unset"),
            ("[[registry]]\nprefix = \"r\"\n", "location is unset"),
            (
                "[[registry]]\nlocation = \"r\"\n[[registry]]\nprefix = \"a\"\nlocation = \"r\"\ninsecure = true\n",
                "conflicting 'insecure'",
            ),
            (
                "unqualified-search-registries = []\n[registries.search]\nregistries = [\"r\"]\n",
                "mixing sysregistry",
            ),
            ("short-name-mode = \"never\"\n", "invalid short-name mode"),
            ("x = ", "toml"),
        ] {
            let (error, at) = load(&Two(text, "")).invalid.expect(text);
            assert!(error.contains(words), "{error}");
            assert_eq!(&*at.unwrap().path, MAIN);
        }
        let old = load(&Two(
            "[registries.insecure]\nregistries = [\"r\"]\n[registries.block]\nregistries = [\"b\"]\n",
            "",
        ));
        assert!(old.serving("r/x").unwrap().own.insecure && old.serving("b/x").unwrap().blocked);
    }

    #[test]
    fn names_are_rewritten() {
        assert_eq!(rewritten("r:5000/a/b:1", "r", "m/x").unwrap(), "m/x:5000/a/b:1");
        assert_eq!(rewritten("a.example.com/b:1", "*.example.com", "m").unwrap(), "m/b:1");
        assert_eq!(rewritten("a.example.com/b:1", "*.example.com", "").unwrap(), "a.example.com/b:1");
        assert!(matched("x/a.example.com/b", "*.example.com").is_none());
        assert!(matched("example.com/b", "*.example.com").is_none());
    }
}
