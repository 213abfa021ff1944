//! Whether a credential provider plugin is asked about an image. Follows kubernetes
//! `pkg/credentialprovider/plugin/plugin.go` (`isImageAllowed`), 1.26 to 1.36.

use super::keyring::{self, Miss};

/// Whether some `matchImages` pattern covers the looked-up name; else why each does not, in their order.
pub fn covers<'p>(patterns: impl IntoIterator<Item = &'p str>, name: &str) -> Result<(), Vec<Miss>> {
    let mut misses = Vec::new();
    for pattern in patterns {
        match keyring::matches(pattern, name) {
            Ok(()) => return Ok(()),
            Err(miss) => misses.push(miss),
        }
    }
    Err(misses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_without_port_does_not_cover_a_registry_with_one() {
        let patterns = ["*", "*.*", "*.*.*", "*.*.*.*"];
        let misses = covers(patterns, "192.0.2.60:5000/library/nginx").expect_err("no pattern has the port");
        assert_eq!(misses, [Miss::Port; 4]);
        assert_eq!(covers(patterns, "192.0.2.60/library/nginx"), Ok(()));
    }

    #[test]
    fn a_pattern_with_a_scheme_never_covers() {
        assert!(covers(["https://registry.example.com"], "registry.example.com/a").is_err());
    }
}
