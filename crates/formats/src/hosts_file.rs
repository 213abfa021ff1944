//! `/etc/hosts` as Go reads it: the addresses of a name, in the order of the lines.
//!
//! Follows `net/hosts.go` (Go 1.26): `#` ends a line, names compare without case and trailing dot.

use std::net::IpAddr;

/// The addresses that a hosts file gives to a name, each once, in order. Empty where the name is not in it.
pub fn addresses(text: &str, name: &str) -> Vec<IpAddr> {
    let wanted = folded(name);
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut fields = line.split_ascii_whitespace();
        let Some(address) =
            fields.next().and_then(|f| f.split('%').next().unwrap_or_default().parse::<IpAddr>().ok())
        else {
            continue;
        };
        if fields.any(|alias| folded(alias) == wanted) && !found.contains(&address) {
            found.push(address);
        }
    }
    found
}

fn folded(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: &str = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n192.0.2.10\tregistry.example.com registry # ours\n\
                        not-an-address registry.example.com\n#192.0.2.99 registry.example.com\n2001:db8::10 Registry.Example.COM.\n";

    #[test]
    fn finds_every_address_of_a_name() {
        assert_eq!(
            addresses(FILE, "localhost"),
            ["127.0.0.1".parse::<IpAddr>().unwrap(), "::1".parse().unwrap()]
        );
        assert_eq!(
            addresses(FILE, "REGISTRY.example.com"),
            ["192.0.2.10".parse::<IpAddr>().unwrap(), "2001:db8::10".parse().unwrap()]
        );
    }

    #[test]
    fn comments_and_other_names_give_nothing() {
        assert!(addresses(FILE, "ours").is_empty());
        assert!(addresses(FILE, "example.com").is_empty());
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,300}", name in ".{0,40}") {
            addresses(&text, &name);
        }
    }
}
