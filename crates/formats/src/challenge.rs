//! `WWW-Authenticate`: the challenges of a registry, as products really write them.
//!
//! Scheme names in any case (Nexus writes `BASIC`), unquoted values (OpenShift), several challenges in one header,
//! and an empty header (Harbor, for a missing project) are all seen in the field. Follows RFC 9110, 11.6.1.

/// One challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// The scheme as written: `Bearer`, `Basic`.
    pub scheme: String,
    /// The parameters in order, names in lower case.
    pub parameters: Vec<(String, String)>,
}

impl Challenge {
    /// Whether the scheme is this one, in any case.
    pub fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// A parameter by its lower-case name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// The most challenges and parameters that are read from one header.
const MOST: usize = 32;

/// Reads one header's value. Any text gives a list, empty where there is no challenge in it.
pub fn parse(header: &str) -> Vec<Challenge> {
    let mut challenges: Vec<Challenge> = Vec::new();
    let mut rest = header;
    while challenges.len() < MOST {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            break;
        }
        let (word, after) = token(rest);
        if word.is_empty() {
            // No token here: skip one character and look again.
            rest = skip(rest);
            continue;
        }
        let after = after.trim_start_matches([' ', '\t']);
        match after.strip_prefix('=') {
            Some(value) if !challenges.is_empty() => {
                let (value, next) = value_of(value.trim_start_matches([' ', '\t']));
                if let Some(last) = challenges.last_mut()
                    && last.parameters.len() < MOST
                {
                    last.parameters.push((word.to_ascii_lowercase(), value));
                }
                rest = next;
            }
            Some(value) => rest = value,
            None => {
                challenges.push(Challenge { scheme: word.to_owned(), parameters: Vec::new() });
                rest = after;
            }
        }
    }
    challenges
}

fn token(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)))
        .unwrap_or(text.len());
    text.split_at(end)
}

fn skip(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// A quoted string with its escapes, or everything up to a comma or blank.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_a_token_challenge() {
        let all = parse(
            r#"Bearer realm="https://auth.example.com/token",service="registry.example.com",scope="repository:a/b:pull repository:c/d:pull",error="insufficient_scope""#,
        );
        assert_eq!(all.len(), 1);
        assert!(all[0].is("bearer"));
        assert_eq!(all[0].get("realm"), Some("https://auth.example.com/token"));
        assert_eq!(all[0].get("scope"), Some("repository:a/b:pull repository:c/d:pull"));
        assert_eq!(all[0].get("error"), Some("insufficient_scope"));
    }

    #[test]
    fn reads_what_products_write() {
        assert!(parse(r#"BASIC realm="Sonatype Nexus Repository Manager""#)[0].is("basic"));
        assert_eq!(
            parse("Bearer realm=https://x.example.com/t,service=openshift")[0].get("service"),
            Some("openshift")
        );
        assert!(parse("").is_empty());
        let two = parse(r#"Negotiate, Basic realm="a, b", Bearer realm="c""#);
        assert_eq!(
            two.iter().map(|c| c.scheme.as_str()).collect::<Vec<_>>(),
            ["Negotiate", "Basic", "Bearer"]
        );
        assert_eq!(two[1].get("realm"), Some("a, b"));
        assert_eq!(parse(r#"Basic realm="say \"hi\"""#)[0].get("realm"), Some(r#"say "hi""#));
    }

    #[test]
    fn a_broken_header_gives_what_it_holds() {
        assert_eq!(
            parse(r#"Bearer realm="https://x.example.com"#)[0].get("realm"),
            Some("https://x.example.com")
        );
        assert!(parse("realm=\"x\"").iter().all(|c| c.get("realm").is_none()));
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,300}") {
            parse(&text);
        }

        #[test]
        fn never_panics_near_the_grammar(text in "((Bearer|Basic|a=|\"|\\\\|,| |=|é)){0,40}") {
            parse(&text);
        }
    }
}
