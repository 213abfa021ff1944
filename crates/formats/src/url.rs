//! The parts of an address as people and files write it, with a scheme or without. Total, and lenient: how Go reads a URL
//! is `emulate::go::url`.

/// The scheme, where one is written.
pub fn scheme_of(url: &str) -> Option<&str> {
    url.split_once("://").map(|(scheme, _)| scheme)
}

/// All behind the scheme.
pub fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// Host and port, without the user's name.
pub fn host_of(url: &str) -> &str {
    let authority = without_scheme(url).split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

/// The path and what follows it; empty where there is none.
pub fn path_of(url: &str) -> &str {
    let rest = without_scheme(url);
    rest.find('/').and_then(|at| rest.get(at..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_falls_into_its_parts() {
        for (url, scheme, host, path) in [
            ("https://u:p@reg.example.com:5000/v2/?ns=a", Some("https"), "reg.example.com:5000", "/v2/?ns=a"),
            ("reg.example.com", None, "reg.example.com", ""),
            ("reg.example.com/team", None, "reg.example.com", "/team"),
            ("http://[fd00::1]:80?x", Some("http"), "[fd00::1]:80", ""),
            ("://", Some(""), "", ""),
            ("", None, "", ""),
        ] {
            assert_eq!((scheme_of(url), host_of(url), path_of(url)), (scheme, host, path), "{url}");
        }
    }
}
