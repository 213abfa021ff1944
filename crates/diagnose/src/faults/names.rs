//! Whether a name that stands in a configuration means a registry, though the runtime may not take it so.

use formats::url::host_of;

/// How a name fits a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// It is the registry's name, as this runtime wants it.
    Exact,
    /// It stands for every registry.
    Any,
    /// It means the registry and is written otherwise: another port or none, a scheme, an alias of Docker Hub.
    Near,
}

/// Host and port of an image's registry.
pub fn parts(name: &str) -> (&str, Option<&str>) {
    match emulate::go::url::split_port(name) {
        Some((host, port)) => (host, Some(port)),
        None => (name, None),
    }
}

/// How a host directory's name fits. `exact` are the names that the runtime looks for.
pub fn of_dir(dir: &str, registry: &str, exact: &[String]) -> Option<Fit> {
    if dir == "_default" {
        return Some(Fit::Any);
    }
    if exact.iter().any(|n| n == dir) {
        return Some(Fit::Exact);
    }
    // `host_5000`, `host-5000`, `https:__host`, `host:5000_` are guesses that people make.
    let mut name =
        dir.trim_start_matches("https").trim_start_matches("http").trim_matches(['_', ':', '/', '-']);
    let (host, _) = parts(registry);
    for sep in ['_', ':', '-', '.'] {
        if let Some((head, port)) = name.rsplit_once(sep)
            && port.len() >= 2
            && port.bytes().all(|b| b.is_ascii_digit())
            && same_host(head, host)
        {
            name = head;
        }
    }
    near(name, registry)
}

/// How a key of a mirrors table fits.
pub fn of_key(key: &str, registry: &str) -> Option<Fit> {
    if key == registry {
        return Some(Fit::Exact);
    }
    if key == "*" {
        return Some(Fit::Any);
    }
    let host = host_of(key);
    near(parts(host).0, registry).or_else(|| near(host, registry))
}

fn near(name: &str, registry: &str) -> Option<Fit> {
    let (host, _) = parts(registry);
    let hub =
        ["registry-1.docker.io", "index.docker.io", "hub.docker.com", "docker.com", "registry.docker.io"];
    let alias = host == "docker.io" && hub.iter().any(|h| same_host(h, name));
    (same_host(name, host) || alias).then_some(Fit::Near)
}

/// Whether a directory's name is the registry's with a typing error: one or two letters of a word of four or more are other
/// ones, too many, missing or exchanged. `registry-1` beside `registry-2`, `eu` beside `us` are names of their own.
pub fn is_misspelt(dir: &str, registry: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect()
    };
    let (dir, registry) = (words(dir), words(registry));
    let odd: Vec<(&String, &String)> = dir.iter().zip(&registry).filter(|(a, b)| a != b).collect();
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    match odd.as_slice() {
        [(a, b)] if dir.len() == registry.len() => {
            let allowed = if b.len() < 7 { 1 } else { 2 };
            a.len().min(b.len()) >= 4 && digits(a) == digits(b) && strsim::osa_distance(a, b) <= allowed
        }
        _ => false,
    }
}

fn same_host(a: &str, b: &str) -> bool {
    a.trim_matches(['[', ']']).eq_ignore_ascii_case(b.trim_matches(['[', ']']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories() {
        let exact =
            ["r.example.com_5000_".to_owned(), "r.example.com:5000".to_owned(), "_default".to_owned()];
        let fit = |d: &str| of_dir(d, "r.example.com:5000", &exact);
        assert_eq!(fit("r.example.com:5000"), Some(Fit::Exact));
        assert_eq!(fit("r.example.com_5000_"), Some(Fit::Exact));
        assert_eq!(fit("_default"), Some(Fit::Any));
        for near in [
            "r.example.com",
            "r.example.com_5000",
            "r.example.com:443",
            "R.example.com",
            "https:__r.example.com",
        ] {
            assert_eq!(fit(near), Some(Fit::Near), "{near}");
        }
        for other in ["example.com", "certs.d", "x.r.example.com", "quay.io"] {
            assert_eq!(fit(other), None, "{other}");
        }
    }

    #[test]
    fn typing_errors() {
        for (dir, registry) in [
            ("registy.example.com", "registry.example.com"),
            ("harbro.example.com:8443", "harbor.example.com:8443"),
            ("quay.exmaple.com", "quay.example.com"),
            ("registry-typpo.example.com", "registry-typo.example.com"),
        ] {
            assert!(is_misspelt(dir, registry), "{dir}");
        }
        for (dir, registry) in [
            ("registry1.example.com", "registry2.example.com"),
            ("registry-eu.example.com", "registry-us.example.com"),
            ("registry-a.example.com", "registry-b.example.com"),
            ("prod.example.com", "test.example.com"),
            ("registry.example.com:5000", "registry.example.com:5001"),
            ("registry.example.org", "registry.example.com"),
            ("registry.example.com", "registry.example.com"),
        ] {
            assert!(!is_misspelt(dir, registry), "{dir}");
        }
    }

    #[test]
    fn keys() {
        assert_eq!(of_key("docker.io", "docker.io"), Some(Fit::Exact));
        assert_eq!(of_key("*", "docker.io"), Some(Fit::Any));
        assert_eq!(of_key("registry-1.docker.io", "docker.io"), Some(Fit::Near));
        assert_eq!(of_key("https://r:5000", "r:5000"), Some(Fit::Near));
        assert_eq!(of_key("r", "r:5000"), Some(Fit::Near));
        assert_eq!(of_key("docker.io", "r:5000"), None);
    }
}
