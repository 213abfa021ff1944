//! The `hosts:` line of `/etc/nsswitch.conf`: which sources a lookup of a name consults, in which order.

/// The sources in order, without their `[...]` criteria; `None` where the file has no such line.
pub fn hosts_sources(text: &str) -> Option<Vec<String>> {
    let line = text.lines().map(|l| l.split('#').next().unwrap_or_default()).find_map(|l| {
        let (database, rest) = l.split_once(':')?;
        (database.trim() == "hosts").then_some(rest)
    })?;
    let mut sources = Vec::new();
    let mut rest = line;
    while let Some(word) = rest.split_ascii_whitespace().next() {
        let start = rest.find(word).unwrap_or(0);
        if word.starts_with('[') {
            // Criteria may hold blanks: [NOTFOUND=return UNAVAIL=continue].
            rest = rest[start..].split_once(']').map_or("", |(_, after)| after);
        } else {
            let name = word.split('[').next().unwrap_or(word);
            sources.push(name.to_owned());
            rest = &rest[start + name.len()..];
        }
    }
    Some(sources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_sources_without_criteria() {
        let read = |line: &str| hosts_sources(line).map(|s| s.join(" "));
        assert_eq!(read("passwd: files\nhosts:          files dns\n").as_deref(), Some("files dns"));
        assert_eq!(
            read("hosts: files mdns4_minimal [NOTFOUND=return] dns # desk").as_deref(),
            Some("files mdns4_minimal dns")
        );
        assert_eq!(read("hosts: resolve [!UNAVAIL=return foo=bar] files").as_deref(), Some("resolve files"));
        assert_eq!(read("hosts:").as_deref(), Some(""));
        assert_eq!(read("passwd: files"), None);
    }

    proptest! {
        #[test]
        fn never_panics(text in "(hosts:)?.{0,200}") {
            hosts_sources(&text);
        }
    }
}
