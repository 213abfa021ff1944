//! The name that the kubelet looks credentials up by: the reference after Docker's normalisation, without tag and
//! digest. Follows kubernetes `pkg/util/parsers/parsers.go` `ParseImageName` and distribution/reference v0.6
//! `ParseNormalizedNamed`.

use regex::Regex;
use std::sync::LazyLock;

/// Why a reference does not parse; the kubelet then says `InvalidImageName` and asks nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidImageName;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| {
    let label = r"(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
    let host = format!(r"(?:{label}(?:\.{label})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?");
    let component = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*";
    let name = format!(r"(?:{host}/)?{component}(?:/{component})*");
    let digest = r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
    Regex::new(&format!(r"^({name})(?::[\w][\w.-]{{0,127}})?(?:@{digest})?$")).expect("constant pattern")
});

/// The longest repository path that the reference library takes.
const LONGEST_PATH: usize = 255;

/// The name without tag and digest, with host and `library/` filled in.
pub fn lookup_name(image: &str) -> Result<String, InvalidImageName> {
    let is_identifier = image.len() == 64 && image.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    if is_identifier {
        return Err(InvalidImageName);
    }
    let (host, path) = split_host(image);
    let path =
        if host == "docker.io" && !path.contains('/') { format!("library/{path}") } else { path.to_owned() };
    let whole = format!("{host}/{path}");
    let found = REFERENCE.captures(&whole).and_then(|c| c.get(1)).ok_or(InvalidImageName)?;
    let name = found.as_str();
    let too_long = name.split_once('/').is_some_and(|(_, p)| p.len() > LONGEST_PATH);
    // The path must be lower case even where the pattern could take its first part for a host.
    let lower = name.split_once('/').is_some_and(|(h, p)| h == host && !p.contains(char::is_uppercase));
    if too_long || !lower { Err(InvalidImageName) } else { Ok(name.to_owned()) }
}

/// `splitDockerDomain`: the first part is a host where it looks like one.
fn split_host(image: &str) -> (&str, &str) {
    let Some((first, rest)) = image.split_once('/') else { return ("docker.io", image) };
    let is_host = first.contains(['.', ':']) || first == "localhost" || first.to_lowercase() != first;
    match first {
        "index.docker.io" => ("docker.io", rest),
        _ if is_host => (first, rest),
        _ => ("docker.io", image),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed_and_stripped() {
        for (image, name) in [
            ("nginx", "docker.io/library/nginx"),
            ("acme/app:1", "docker.io/acme/app"),
            ("index.docker.io/acme/app", "docker.io/acme/app"),
            ("registry-1.docker.io/acme/app", "registry-1.docker.io/acme/app"),
            ("localhost/app", "localhost/app"),
            ("[2001:db8::10]:5000/team/app:1", "[2001:db8::10]:5000/team/app"),
        ] {
            assert_eq!(lookup_name(image).as_deref(), Ok(name), "{image}");
        }
    }

    #[test]
    fn what_is_no_reference_is_refused() {
        for image in [
            "",
            ":tag",
            "app:",
            "app@sha256:12",
            "a//b",
            "app:a b",
            "Team/app/",
            "https://harbor.example.com/a",
        ] {
            assert_eq!(lookup_name(image), Err(InvalidImageName), "{image}");
        }
        assert_eq!(lookup_name(&"a".repeat(64)), Err(InvalidImageName));
        assert_eq!(lookup_name(&"a/".repeat(200)), Err(InvalidImageName));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_answered(text in ".{0,200}") {
            let _ = lookup_name(&text);
        }
    }
}
