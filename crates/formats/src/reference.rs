//! Image references, verbatim and as the runtimes complete them.
//!
//! The grammar is that of github.com/distribution/reference v0.6 (`regexp.go`, `normalize.go`), which containerd,
//! Docker, CRI-O and the kubelet share. What a runtime then asks (mirrors, endpoints) is left to `emulate`.

use std::fmt;

/// One reference, its parts as they stand in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference<'a> {
    /// The text, verbatim.
    pub raw: &'a str,
    /// The first component, where it is a registry's host (with its port).
    pub host: Option<&'a str>,
    /// The repository as written: no host, no tag, no digest.
    pub path: &'a str,
    /// The tag.
    pub tag: Option<&'a str>,
    /// The digest, `algorithm:hex`.
    pub digest: Option<&'a str>,
}

/// Why a text is no reference, in the words of the library that the runtimes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid<'a> {
    /// Nothing matches: a scheme, a blank, an empty tag, two colons.
    #[error("invalid reference format")]
    Format,
    /// The repository has upper-case letters.
    #[error("invalid reference format: repository name ({0}) must be lowercase")]
    Uppercase(&'a str),
    /// 64 hexadecimal digits would be read as an image id.
    #[error("invalid repository name ({0}), cannot specify 64-byte hexadecimal strings")]
    Identifier(&'a str),
    /// More than 255 bytes of repository.
    #[error("repository name must not be more than 255 characters")]
    TooLong,
    /// The digest's algorithm is none of sha256, sha384, sha512 (`opencontainers/go-digest` `Digest.Validate`).
    #[error("unsupported digest algorithm")]
    DigestAlgorithm,
    /// The digest is too short or too long for its algorithm.
    #[error("invalid checksum digest length")]
    DigestLength,
    /// The digest has upper-case digits.
    #[error("invalid checksum digest format")]
    DigestFormat,
}

impl<'a> Reference<'a> {
    /// Parses a reference as the kubelet and the runtimes do.
    ///
    /// # Errors
    /// [`Invalid`] says which rule refuses the text; runtimes make no request for such a text.
    pub fn parse(raw: &'a str) -> Result<Self, Invalid<'a>> {
        if raw.len() == 64 && raw.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f')) {
            return Err(Invalid::Identifier(raw));
        }
        let (host, rest) = split_host(raw);
        let remote = rest.split(':').next().unwrap_or_default();
        let upper = |c: char| if c.is_ascii() { c.is_ascii_uppercase() } else { c.is_uppercase() };
        if remote.chars().any(upper) {
            return Err(Invalid::Uppercase(remote));
        }
        let (named, digest) = match rest.split_once('@') {
            Some((name, digest)) => (name, Some(digest)),
            None => (rest, None),
        };
        let last = named.rfind('/').map_or(0, |slash| slash + 1);
        let (path, tag) = match named.get(last..).and_then(|name| name.find(':')) {
            Some(colon) => (&named[..last + colon], Some(&named[last + colon + 1..])),
            None => (named, None),
        };
        if host.is_some_and(|h| !is_host(h)) || tag.is_some_and(|t| !is_tag(t)) {
            return Err(Invalid::Format);
        }
        if !path.split('/').all(is_component) || digest.is_some_and(|d| !is_digest(d)) {
            return Err(Invalid::Format);
        }
        let found = Self { raw, host, path, tag, digest };
        if found.library().len() + path.len() > 255 {
            return Err(Invalid::TooLong);
        }
        digest.map_or(Ok(found), |d| check_digest(d).map(|()| found))
    }

    /// The registry that is asked: `docker.io` for names without a host.
    pub fn registry(&self) -> &'a str {
        match self.host {
            None | Some("index.docker.io") => "docker.io",
            Some(host) => host,
        }
    }

    /// The repository as the registry knows it: `library/` filled in on Docker Hub.
    pub fn repository(&self) -> String {
        format!("{}{}", self.library(), self.path)
    }

    /// What stands before names without a slash on Docker Hub.
    fn library(&self) -> &'static str {
        if self.registry() == "docker.io" && !self.path.contains('/') { "library/" } else { "" }
    }

    /// What the manifest is asked by: the digest, else the tag, else `latest`.
    pub fn by(&self) -> &'a str {
        self.digest.or(self.tag).unwrap_or("latest")
    }

    /// The host and port that serve the registry's API; Docker Hub's name differs from its host.
    pub fn api_host(&self) -> &'a str {
        match self.registry() {
            "docker.io" => "registry-1.docker.io",
            registry => registry,
        }
    }

    /// Registry and repository, without tag and digest.
    pub fn name(&self) -> String {
        format!("{}/{}", self.registry(), self.repository())
    }
}

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.raw)
    }
}

/// `splitDockerDomain`: what is before the first slash is a host if it has a dot, a colon or an upper-case letter, or
/// is `localhost`.
fn split_host(raw: &str) -> (Option<&str>, &str) {
    match raw.split_once('/') {
        Some((first, rest))
            if first.contains(['.', ':'])
                || first == "localhost"
                || first.bytes().any(|b| b.is_ascii_uppercase()) =>
        {
            (Some(first), rest)
        }
        _ => (None, raw),
    }
}

/// `domainAndPort`: labels of letters, digits and inner hyphens, or an IPv6 address in brackets; then a port.
fn is_host(host: &str) -> bool {
    let (name, port) = match host.strip_prefix('[').and_then(|h| h.split_once(']')) {
        Some((address, rest)) => {
            let v6 = !address.is_empty() && address.bytes().all(|b| b.is_ascii_hexdigit() || b == b':');
            return v6 && rest.strip_prefix(':').map_or(rest.is_empty(), is_port);
        }
        None => match host.rsplit_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    port.is_none_or(is_port)
        && name.split('.').all(|label| {
            !label.is_empty()
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
                && !label.starts_with('-')
                && !label.ends_with('-')
        })
}

fn is_port(port: &str) -> bool {
    !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit())
}

/// `pathComponent`: lower-case letters and digits, joined by one dot, one or two underscores, or hyphens.
fn is_component(component: &str) -> bool {
    // How many separators stand since the last letter or digit, and which.
    let (mut between, mut alike) = (0_usize, b'a');
    for byte in component.bytes() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => (between, alike) = (0, b'a'),
            b'.' if between == 0 => (between, alike) = (1, byte),
            b'_' if between < 2 && (between == 0 || alike == b'_') => (between, alike) = (between + 1, byte),
            b'-' if between == 0 || alike == b'-' => (between, alike) = (between + 1, byte),
            _ => return false,
        }
    }
    between == 0 && component.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
}

fn is_tag(tag: &str) -> bool {
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    tag.len() <= 128
        && tag.bytes().next().is_some_and(word)
        && tag.bytes().all(|b| word(b) || matches!(b, b'.' | b'-'))
}

/// `digestPat`: words of letters and digits, and 32 or more hexadecimal digits.
fn is_digest(digest: &str) -> bool {
    let Some((algorithm, hex)) = digest.split_once(':') else { return false };
    let is_word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic()) && w.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    algorithm.split(['-', '_', '+', '.']).all(is_word)
        && hex.len() >= 32
        && hex.bytes().all(|b| b.is_ascii_hexdigit())
}

fn check_digest(digest: &str) -> Result<(), Invalid<'static>> {
    let (algorithm, hex) = digest.split_once(':').ok_or(Invalid::Format)?;
    let length = match algorithm {
        "sha256" => 64,
        "sha384" => 96,
        "sha512" => 128,
        _ => return Err(Invalid::DigestAlgorithm),
    };
    if hex.len() != length {
        return Err(Invalid::DigestLength);
    }
    if hex.bytes().any(|b| b.is_ascii_uppercase()) { Err(Invalid::DigestFormat) } else { Ok(()) }
}

/// The registry that a text would be asked at, with its port: `docker.io` for names without a host, also where the rest
/// of the text is no valid reference. `None` for an empty text.
pub fn registry_of(reference: &str) -> Option<String> {
    if reference.is_empty() {
        return None;
    }
    Some(match split_host(reference).0 {
        None | Some("index.docker.io") => "docker.io".to_owned(),
        Some(host) => host.to_owned(),
    })
}

/// The reference with registry, `library/` and tag filled in, as runtimes print it; total over any text.
pub fn normalized(reference: &str) -> String {
    let host = registry_of(reference).unwrap_or_default();
    let rest = split_host(reference).1;
    let rest =
        if host == "docker.io" && !rest.contains('/') { format!("library/{rest}") } else { rest.to_owned() };
    let last = rest.rsplit('/').next().unwrap_or_default();
    let tagged = rest.contains('@') || last.contains(':');
    if tagged { format!("{host}/{rest}") } else { format!("{host}/{rest}:latest") }
}

/// Registry and repository, without tag and digest; total over any text.
pub fn repository_of(reference: &str) -> String {
    let full = normalized(reference);
    let full = full.split('@').next().unwrap_or_default();
    match full.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => name.to_owned(),
        _ => full.to_owned(),
    }
}

/// Whether two references name the same image, however complete each is.
pub fn same(a: &str, b: &str) -> bool {
    a == b || normalized(a) == normalized(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parts(raw: &str) -> Option<(String, String, Option<&str>, Option<&str>)> {
        let r = Reference::parse(raw).ok()?;
        Some((r.registry().to_owned(), r.repository(), r.tag, r.digest))
    }

    #[test]
    fn what_runtimes_accept() {
        let hub = |repository: &str, tag| Some(("docker.io".to_owned(), repository.to_owned(), tag, None));
        assert_eq!(parts("nginx"), hub("library/nginx", None));
        assert_eq!(parts("nginx:1.27"), hub("library/nginx", Some("1.27")));
        assert_eq!(parts("acme/app"), hub("acme/app", None));
        assert_eq!(parts("index.docker.io/acme/app:1"), hub("acme/app", Some("1")));
        let at =
            |host: &str, repository: &str, tag| Some((host.to_owned(), repository.to_owned(), tag, None));
        assert_eq!(parts("localhost/app"), at("localhost", "app", None));
        assert_eq!(parts("localhost:5000/app:x"), at("localhost:5000", "app", Some("x")));
        assert_eq!(parts("[2001:db8::1]:5000/app"), at("[2001:db8::1]:5000", "app", None));
        // An upper-case first component is a host, not a user of Docker Hub.
        assert_eq!(parts("UPPER/app"), at("UPPER", "app", None));
        assert_eq!(
            parts("harbor.example.com/a/b__c/d--e.f"),
            at("harbor.example.com", "a/b__c/d--e.f", None)
        );
        let digest = format!("sha256:{}", "a".repeat(64));
        let raw = format!("harbor.example.com/a/b:v1@{digest}");
        let r = Reference::parse(&raw).unwrap();
        assert_eq!(
            (r.tag, r.digest, r.name().as_str()),
            (Some("v1"), Some(&*digest), "harbor.example.com/a/b")
        );
        assert_eq!((r.by(), r.api_host()), (&*digest, "harbor.example.com"));
        let hub = Reference::parse("nginx").unwrap();
        assert_eq!((hub.by(), hub.api_host()), ("latest", "registry-1.docker.io"));
    }

    #[test]
    fn what_runtimes_refuse() {
        for raw in [
            "",
            "https://harbor.example.com/a",
            "harbor.example.com/a:",
            "harbor.example.com/a::v1",
            "harbor.example.com/a :v1",
            "harbor.example.com/a/",
            "harbor.example.com/a:${TAG}",
            "a//b",
            "-a",
            "a___b",
            "harbor.example.com/a:v1\n",
        ] {
            assert_eq!(Reference::parse(raw), Err(Invalid::Format), "{raw:?}");
        }
        let words = |raw: &str| Reference::parse(raw).unwrap_err().to_string();
        let at = |digest: &str| words(&format!("harbor.example.com/a@{digest}"));
        assert_eq!(
            words("harbor.example.com/Team/app:V1"),
            "invalid reference format: repository name (Team/app) must be lowercase"
        );
        assert!(words(&"a".repeat(64)).contains("64-byte hexadecimal"));
        assert_eq!(at("sha256:abc"), "invalid reference format");
        assert_eq!(at("md6:0123456789abcdef0123456789abcdef"), "unsupported digest algorithm");
        assert_eq!(at("sha256:0123456789abcdef0123456789abcdef"), "invalid checksum digest length");
        assert_eq!(at(&format!("sha256:{}", "A".repeat(64))), "invalid checksum digest format");
        assert!(words(&format!("a.example.com/{}", "a".repeat(256))).contains("255"));
    }

    #[test]
    fn completed_names() {
        assert_eq!(normalized("nginx"), "docker.io/library/nginx:latest");
        assert_eq!(normalized("index.docker.io/acme/app:1"), "docker.io/acme/app:1");
        assert_eq!(repository_of("harbor.example.com:8443/a/b:1"), "harbor.example.com:8443/a/b");
        assert!(same("busybox", "docker.io/library/busybox:latest"));
        assert!(!same("busybox:1", "busybox:2"));
    }

    proptest! {
        #[test]
        fn any_text_has_an_answer(text in "\\PC*") {
            let _ = (Reference::parse(&text), normalized(&text), repository_of(&text), registry_of(&text));
        }

        #[test]
        fn a_reference_is_its_parts(host in "[a-z]{1,8}\\.com(:[0-9]{2,4})?", path in "[a-z0-9]{1,8}(/[a-z0-9]{1,8}){0,2}", tag in "[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}") {
            let raw = format!("{host}/{path}:{tag}");
            let r = Reference::parse(&raw).unwrap();
            prop_assert_eq!(r.host, Some(host.as_str()));
            prop_assert_eq!(r.path, path.as_str());
            prop_assert_eq!(r.tag, Some(tag.as_str()));
        }
    }
}
