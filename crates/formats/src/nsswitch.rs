//! The `hosts:` line of `/etc/nsswitch.conf`: which sources a lookup of a name consults, in which order, and after which
//! outcome no more. Follows nsswitch.conf(5).

/// One source with what is said in brackets behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// `files`, `dns`, `mdns4_minimal`.
    pub name: String,
    criteria: Vec<Criterion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Criterion {
    negated: bool,
    status: String,
    action: String,
}

impl Source {
    /// Whether the lookup ends with this source after an outcome: `success`, `notfound`, `unavail`, `tryagain`.
    pub fn ends_after(&self, status: &str) -> bool {
        let said = self.criteria.iter().rev().find(|c| (c.status == status) != c.negated);
        said.map_or(status == "success", |c| c.action == "return")
    }

    /// Whether the brackets say no more than what counts without them.
    pub fn is_standard(&self) -> bool {
        let standard = |c: &Criterion| {
            !c.negated
                && match c.status.as_str() {
                    "success" => c.action == "return",
                    "notfound" | "unavail" | "tryagain" => c.action == "continue",
                    _ => false,
                }
        };
        self.criteria.iter().all(standard)
    }
}

/// The line of the sources of names, as it stands; `None` where the file has none.
pub fn hosts_line(text: &str) -> Option<&str> {
    text.lines().map(|l| l.split('#').next().unwrap_or_default()).find_map(|l| {
        let (database, rest) = l.split_once(':')?;
        (database.trim() == "hosts").then_some(rest.trim())
    })
}

/// The sources in order; `None` where the file has no such line.
pub fn hosts(text: &str) -> Option<Vec<Source>> {
    let mut sources: Vec<Source> = Vec::new();
    let mut rest = hosts_line(text)?;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (criteria, after) = inner.split_once(']').unwrap_or((inner, ""));
            if let Some(source) = sources.last_mut() {
                source.criteria.extend(criteria.split_ascii_whitespace().filter_map(criterion));
            }
            rest = after.trim_start();
        } else {
            let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '[').unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            sources.push(Source { name: name.to_owned(), criteria: Vec::new() });
            rest = after.trim_start();
        }
    }
    Some(sources)
}

/// `NOTFOUND=return`, `!UNAVAIL=return`.
fn criterion(text: &str) -> Option<Criterion> {
    let (status, action) = text.split_once('=')?;
    let (negated, status) = status.strip_prefix('!').map_or((false, status), |s| (true, s));
    Some(Criterion { negated, status: status.to_ascii_lowercase(), action: action.to_ascii_lowercase() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_sources_in_order() {
        let read =
            |line: &str| hosts(line).map(|s| s.iter().map(|s| s.name.clone()).collect::<Vec<_>>().join(" "));
        assert_eq!(read("passwd: files\nhosts:          files dns\n").as_deref(), Some("files dns"));
        assert_eq!(
            read("hosts: files mdns4_minimal [NOTFOUND=return] dns # desk").as_deref(),
            Some("files mdns4_minimal dns")
        );
        assert_eq!(read("hosts: resolve[!UNAVAIL=return foo=bar] files").as_deref(), Some("resolve files"));
        assert_eq!(read("hosts:").as_deref(), Some(""));
        assert_eq!(read("passwd: files"), None);
    }

    #[test]
    fn what_ends_a_lookup() {
        let all =
            hosts("hosts: files mdns4_minimal [NOTFOUND=return] resolve [!UNAVAIL=return] dns").unwrap();
        let ends = |n: usize, status: &str| all[n].ends_after(status);
        assert!(ends(0, "success") && !ends(0, "notfound"));
        assert!(ends(1, "notfound") && !ends(1, "unavail"));
        assert!(ends(2, "notfound") && ends(2, "success") && !ends(2, "unavail"));
        assert!(all[3].is_standard() && !all[2].is_standard());
    }

    proptest! {
        #[test]
        fn never_panics(text in "(hosts:)?.{0,200}") {
            hosts(&text);
        }
    }
}
