//! Directories below `config_path`: names that no image can match, and those that another one hides.

use super::{Finding, Lint};
use crate::containerd::{At, Version, find_host_dir};
use crate::files::{Entry, Files, join};

/// At most this many directories are looked at.
const MOST: usize = 1_000;

/// Every hosts directory of these roots, in order.
pub fn dirs(files: &dyn Files, roots: &[String]) -> Vec<String> {
    let below = |root: &String| -> Vec<String> {
        files.list(root).into_iter().map(|name| join(root, &name)).collect()
    };
    let all = roots.iter().flat_map(below).take(MOST);
    all.filter(|dir| matches!(files.entry(dir), Entry::Dir)).collect()
}

/// What is to be said of the names in these roots.
pub fn lint(files: &dyn Files, roots: &[String], version: &Version) -> Vec<Finding> {
    let mut found = Vec::new();
    for root in roots {
        for name in files.list(root).into_iter().take(MOST) {
            let path = join(root, &name);
            let at = Some(At::whole(&path));
            match files.entry(&path) {
                Entry::Dir => {}
                Entry::File(_) | Entry::Opaque if name.ends_with(".toml") => {
                    found.push(Finding::new(Lint::HostsFileMisplaced, at));
                    continue;
                }
                _ => continue,
            }
            match serves(&name) {
                Ok(None) => {}
                Ok(Some(registry)) => {
                    let taken = find_host_dir(files, roots, &registry, version, &mut Vec::new());
                    if let Ok(Some(by)) = taken
                        && by != path
                    {
                        found.push(Finding::new(Lint::DirShadowed, at).with("dir", path).with("by", by));
                    }
                }
                Err((why, instead)) => {
                    let mut finding = Finding::new(Lint::DirNeverMatches, at).with("name", name);
                    finding = finding.with("why", why);
                    if let Some(instead) = instead {
                        finding = finding.with("instead", instead);
                    }
                    found.push(finding);
                }
            }
        }
    }
    found
}

/// The registry that a directory of this name serves; `None` for the catch-all. The error says why none can be, and what
/// was probably meant.
pub fn serves(name: &str) -> Result<Option<String>, (&'static str, Option<String>)> {
    if name == "_default" {
        return Ok(None);
    }
    if name.starts_with('[') {
        // IPv6 in its odd forms: nothing is claimed of these.
        return Ok(None);
    }
    if matches!(name, "http:" | "https:") {
        return Err(("scheme", None));
    }
    if matches!(name, "registry-1.docker.io" | "index.docker.io" | "hub.docker.com") {
        return Err(("hub", Some("docker.io".to_owned())));
    }
    let digits = |p: &str| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit());
    let (host, port) = match name.strip_suffix('_').and_then(|n| n.rsplit_once('_')) {
        Some((host, port)) if digits(port) => (host, Some(port)),
        _ => match name.rsplit_once(':') {
            Some((host, port)) if digits(port) => (host, Some(port)),
            Some((host, port)) if digits(port.trim_end_matches('_')) => {
                return Err(("form", Some(format!("{host}:{}", port.trim_end_matches('_')))));
            }
            _ => (name, None),
        },
    };
    if !is_domain(host) {
        let meant = host.rsplit_once('_').filter(|(h, p)| is_domain(h) && digits(p) && port.is_none());
        return Err(("form", meant.map(|(h, p)| format!("{h}_{p}_"))));
    }
    let is_host = port.is_some()
        || host.contains('.')
        || host == "localhost"
        || host.bytes().any(|b| b.is_ascii_uppercase());
    if !is_host {
        return Err(("no-host", None));
    }
    Ok(Some(port.map_or_else(|| host.to_owned(), |p| format!("{host}:{p}"))))
}

/// The grammar of a domain in an image reference. Source: distribution/reference regexp.go.
fn is_domain(host: &str) -> bool {
    !host.is_empty()
        && host.split('.').all(|label| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_serve_and_names_that_cannot() {
        let ok = |n: &str| serves(n).unwrap();
        assert_eq!(ok("harbor.example.com").as_deref(), Some("harbor.example.com"));
        assert_eq!(ok("harbor.example.com:5000").as_deref(), Some("harbor.example.com:5000"));
        assert_eq!(ok("harbor_5000_").as_deref(), Some("harbor:5000"));
        assert_eq!(ok("localhost").as_deref(), Some("localhost"));
        assert_eq!(ok("_default"), None);
        for (name, why, instead) in [
            ("https:", "scheme", None),
            ("index.docker.io", "hub", Some("docker.io")),
            ("harbor", "no-host", None),
            ("harbor.example.com_5000", "form", Some("harbor.example.com_5000_")),
            ("harbor.example.com:5000_", "form", Some("harbor.example.com:5000")),
            ("harbor.example.com.", "form", None),
            ("-x.example.com", "form", None),
        ] {
            assert_eq!(serves(name), Err((why, instead.map(str::to_owned))), "{name}");
        }
    }
}
