//! The name that the kubelet looks credentials up by: the reference after Docker's normalisation, without tag and
//! digest. Follows kubernetes `pkg/util/parsers/parsers.go` `ParseImageName` and distribution/reference v0.6
//! `ParseNormalizedNamed`.

use formats::reference::Reference;

/// Why a reference does not parse; the kubelet then says `InvalidImageName` and asks nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidImageName;

/// The name without tag and digest, with host and `library/` filled in.
pub fn lookup_name(image: &str) -> Result<String, InvalidImageName> {
    Reference::parse(image).map(|r| r.name()).map_err(|_| InvalidImageName)
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
