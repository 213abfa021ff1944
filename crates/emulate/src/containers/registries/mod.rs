//! registries.conf and its drop-ins, as `pkg/sysregistriesv2` reads and merges them.

mod file;

use crate::containerd::At;
use crate::files::{Entry, Files, join};
use std::collections::BTreeMap;

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
        match file::read(&text, path, n > 0) {
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

fn merge(config: &mut Config, file: file::File, path: &str) {
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
