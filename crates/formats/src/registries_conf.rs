//! registries.conf of CRI-O and podman, version 2: registries, their mirrors, and what each may be asked for.
//!
//! Follows containers/image `pkg/sysregistriesv2` and containers-registries.conf(5). Which entry serves an image is decided
//! by [`serving`]; what is asked, and with which credential, is left to those who ask.

use crate::toml_tree::{self, TomlProblem, TomlTable, TomlValue};

/// One `[[registry]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Registry {
    /// The prefix of image names that it serves.
    pub prefix: String,
    /// What replaces the prefix.
    pub location: String,
    /// The line of its first key, from 1.
    pub line: u32,
    /// Whether it may be asked without TLS or verification.
    pub insecure: bool,
    /// Whether it may not be asked at all.
    pub blocked: bool,
    /// The line of `mirror-by-digest-only = true`.
    pub digest_only: Option<u32>,
    /// Its mirrors, in order.
    pub mirrors: Vec<Mirror>,
}

/// One `[[registry.mirror]]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mirror {
    /// What replaces the prefix.
    pub location: String,
    /// Whether it may be asked without TLS or verification.
    pub insecure: bool,
    /// Whether it is asked for digests only, and the line that says so.
    pub digest_only: Option<u32>,
    /// Whether it is asked for tags only.
    pub tag_only: bool,
}

/// Reads a file.
///
/// # Errors
///
/// The text is no TOML.
pub fn parse(text: &str) -> Result<Vec<Registry>, TomlProblem> {
    let tree = toml_tree::parse(text)?;
    let Some(TomlValue::Tables(tables)) = tree.root.get("registry") else { return Ok(Vec::new()) };
    Ok(tables.iter().map(registry).collect())
}

fn registry(table: &TomlTable) -> Registry {
    let location = text(table, "location");
    let prefix = Some(text(table, "prefix")).filter(|p| !p.is_empty()).unwrap_or_else(|| location.clone());
    let digest_only = flag_line(table, "mirror-by-digest-only");
    let mirrors = match table.get("mirror") {
        Some(TomlValue::Tables(all)) => all.iter().map(|m| mirror(m, digest_only)).collect(),
        _ => Vec::new(),
    };
    Registry {
        prefix,
        location,
        line: table.entries.first().map_or(0, |e| e.key_at.line),
        insecure: flag_line(table, "insecure").is_some(),
        blocked: flag_line(table, "blocked").is_some(),
        digest_only,
        mirrors,
    }
}

fn mirror(table: &TomlTable, of_registry: Option<u32>) -> Mirror {
    let from = text(table, "pull-from-mirror");
    let own = table.entry("pull-from-mirror").filter(|_| from == "digest-only").map(|e| e.key_at.line);
    Mirror {
        location: text(table, "location"),
        insecure: flag_line(table, "insecure").is_some(),
        digest_only: own.or(of_registry),
        tag_only: from == "tag-only",
    }
}

fn text(table: &TomlTable, key: &str) -> String {
    table.get(key).and_then(TomlValue::as_text).unwrap_or_default().to_owned()
}

fn flag_line(table: &TomlTable, key: &str) -> Option<u32> {
    table.entry(key).filter(|e| e.value == TomlValue::Flag(true)).map(|e| e.key_at.line)
}

/// The entry that serves an image: the longest prefix that ends at a boundary of the name, a wildcard included.
pub fn serving<'r>(registries: &'r [Registry], image: &str) -> Option<&'r Registry> {
    registries.iter().filter(|r| fits(&r.prefix, image)).max_by_key(|r| r.prefix.len())
}

fn fits(prefix: &str, image: &str) -> bool {
    if let Some(domain) = prefix.strip_prefix("*.") {
        let host = image.split(['/', ':', '@']).next().unwrap_or_default();
        return host.strip_suffix(domain).is_some_and(|h| h.ends_with('.') && h.len() > 1);
    }
    !prefix.is_empty()
        && image.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', ':', '@']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "unqualified-search-registries = [\"docker.io\"]\n\n[[registry]]\n  prefix = \"\"\n  location = \"docker.io/team\"\n  mirror-by-digest-only = true\n\n  [[registry.mirror]]\n    location = \"m:5000/team\"\n\n[[registry]]\nlocation = \"docker.io\"\ninsecure = true\n[[registry.mirror]]\nlocation = \"n\"\npull-from-mirror = \"tag-only\"\n";

    #[test]
    fn registries_with_their_mirrors() {
        let all = parse(FILE).unwrap();
        assert_eq!(all[0].prefix, "docker.io/team");
        assert_eq!((all[0].line, all[0].digest_only), (4, Some(6)));
        assert_eq!(all[0].mirrors[0].digest_only, Some(6));
        assert!(all[1].insecure && all[1].mirrors[0].tag_only && all[1].mirrors[0].digest_only.is_none());
    }

    #[test]
    fn the_longest_prefix_serves() {
        let all = parse(FILE).unwrap();
        let of = |image: &str| serving(&all, image).map(|r| r.prefix.as_str());
        assert_eq!(of("docker.io/team/app:1"), Some("docker.io/team"));
        assert_eq!(of("docker.io/teams/app:1"), Some("docker.io"));
        assert_eq!(of("quay.io/x"), None);
        assert!(fits("*.example.com", "a.b.example.com/x") && !fits("*.example.com", "example.com/x"));
        assert!(fits("example.com", "example.com:5000/x"));
    }

    proptest! {
        #[test]
        fn never_panics(text in "(\\[\\[registry(\\.mirror)?\\]\\]|location|prefix|=|\"|true|\n| |[a-z.]){0,40}") {
            let _ = parse(&text);
        }
    }
}
