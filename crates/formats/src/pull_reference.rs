//! An image reference taken apart as a client does before it asks anything, or the words by which it refuses.
//!
//! Follows `distribution/reference` (`normalize.go`, `reference.go`, `regexp.go`, v0.6), which Docker, containerd's CRI
//! plugin and the kubelet use. Names of registries in other forms (aliases, mirrors) are left to the emulators.

use regex::Regex;
use std::sync::LazyLock;

/// A reference in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullReference {
    /// `docker.io`, `registry.example.com:5000`, `[::1]:5000`.
    pub domain: String,
    /// `library/nginx`, `team/app`.
    pub path: String,
    /// The tag; `latest` where neither tag nor digest is given.
    pub tag: Option<String>,
    /// `sha256:...`.
    pub digest: Option<String>,
    /// Whether the text names the registry.
    pub domain_given: bool,
}

impl PullReference {
    /// What the manifest is asked by: the digest, else the tag.
    pub fn by(&self) -> &str {
        self.digest.as_deref().or(self.tag.as_deref()).unwrap_or("latest")
    }

    /// The host and port that serve this registry's API; Docker Hub's name differs from its host.
    pub fn api_host(&self) -> &str {
        if self.domain == "docker.io" { "registry-1.docker.io" } else { &self.domain }
    }
}

const DOMAIN: &str = r"(?:(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])(?:\.(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9]))*|\[(?:[a-fA-F0-9:]+)\])(?::[0-9]+)?";
const COMPONENT: &str = r"[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*";

/// The whole grammar, anchored: domain, path, tag, digest.
static REFERENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(
        r"^(?:({DOMAIN})/)?({COMPONENT}(?:/{COMPONENT})*)(?::([a-zA-Z0-9_][a-zA-Z0-9_.-]{{0,127}}))?(?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{{32,}}))?$"
    ))
    .ok()
});

/// The most characters of a repository's path.
const MOST_NAME: usize = 255;

/// Takes a reference apart; else the words of the Go library.
pub fn parse(text: &str) -> Result<PullReference, String> {
    if text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
        return Err(format!("invalid repository name ({text}), cannot specify 64-byte hexadecimal strings"));
    }
    let (domain, rest, domain_given) = split_domain(text);
    let path = rest.split('@').next().unwrap_or_default();
    let path = path.split(':').next().unwrap_or_default();
    if path.chars().any(char::is_uppercase) {
        return Err(format!("invalid reference format: repository name ({path}) must be lowercase"));
    }
    let whole = format!("{domain}/{rest}");
    let found = REFERENCE.as_ref().and_then(|r| r.captures(&whole)).ok_or("invalid reference format")?;
    let part = |n| found.get(n).map(|m| m.as_str().to_owned());
    let (path, digest) = (part(2).unwrap_or_default(), part(4));
    if path.len() > MOST_NAME {
        return Err(format!("repository name must not be more than {MOST_NAME} characters"));
    }
    if let Some(digest) = &digest {
        check_digest(digest)?;
    }
    let tag = part(3).or_else(|| digest.is_none().then(|| "latest".to_owned()));
    Ok(PullReference { domain, path, tag, digest, domain_given })
}

fn split_domain(text: &str) -> (String, String, bool) {
    match text.split_once('/') {
        Some((first, rest))
            if first.contains(['.', ':']) || first == "localhost" || first.to_lowercase() != first =>
        {
            if first == "index.docker.io" || first == "docker.io" {
                ("docker.io".to_owned(), official(rest), true)
            } else {
                (first.to_owned(), rest.to_owned(), true)
            }
        }
        _ => ("docker.io".to_owned(), official(text), false),
    }
}

/// Docker Hub's images without a namespace live in `library/`.
fn official(rest: &str) -> String {
    if rest.contains('/') { rest.to_owned() } else { format!("library/{rest}") }
}

/// Follows `opencontainers/go-digest` `Digest.Validate`.
fn check_digest(digest: &str) -> Result<(), String> {
    let (algorithm, hex) = digest.split_once(':').ok_or("invalid reference format")?;
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Err("unsupported digest algorithm".to_owned()),
    };
    if hex.len() != length {
        return Err("invalid checksum digest length".to_owned());
    }
    if hex.bytes().any(|b| b.is_ascii_uppercase()) {
        return Err("invalid checksum digest format".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(text: &str) -> String {
        match parse(text) {
            Ok(r) => format!(
                "{} {} {} {}",
                r.domain,
                r.path,
                r.tag.as_deref().unwrap_or("-"),
                r.digest.as_deref().map_or("-", |d| &d[..10])
            ),
            Err(words) => words,
        }
    }

    #[test]
    fn takes_references_apart_as_the_library_does() {
        let digest = format!("sha256:{}", "a".repeat(64));
        for (text, expected) in [
            ("nginx", "docker.io library/nginx latest -".to_owned()),
            ("team/app:v1", "docker.io team/app v1 -".to_owned()),
            ("index.docker.io/nginx:1.27", "docker.io library/nginx 1.27 -".to_owned()),
            ("localhost/app", "localhost app latest -".to_owned()),
            ("registry.example.com:5000/team/app", "registry.example.com:5000 team/app latest -".to_owned()),
            ("[::1]:5000/app:v1", "[::1]:5000 app v1 -".to_owned()),
            ("UPPER/app:v1", "UPPER app v1 -".to_owned()),
            (
                &format!("registry.example.com/app:v1@{digest}"),
                "registry.example.com app v1 sha256:aaa".to_owned(),
            ),
            (
                &format!("registry.example.com/app@{digest}"),
                "registry.example.com app - sha256:aaa".to_owned(),
            ),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn refuses_in_the_librarys_words() {
        for (text, words) in [
            ("", "invalid reference format"),
            ("https://registry.example.com/app", "invalid reference format"),
            ("registry.example.com/app:", "invalid reference format"),
            ("registry.example.com/app :v1", "invalid reference format"),
            ("registry.example.com/-app", "invalid reference format"),
            (
                "registry.example.com/Team/app:V1",
                "invalid reference format: repository name (Team/app) must be lowercase",
            ),
            ("registry.example.com/app@sha256:abc", "invalid reference format"),
            (
                "registry.example.com/app@sha256:0123456789abcdef0123456789abcdef",
                "invalid checksum digest length",
            ),
            ("registry.example.com/app@md6:0123456789abcdef0123456789abcdef", "unsupported digest algorithm"),
        ] {
            assert_eq!(parse(text), Err(words.to_owned()), "{text}");
        }
        assert!(parse(&"a".repeat(64)).unwrap_err().contains("64-byte hexadecimal"));
        assert!(parse(&format!("registry.example.com/{}", "a".repeat(256))).unwrap_err().contains("255"));
    }

    #[test]
    fn docker_hub_is_served_by_another_host() {
        assert_eq!(parse("nginx").unwrap().api_host(), "registry-1.docker.io");
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,200}") {
            let _ = parse(&text);
        }
    }
}
