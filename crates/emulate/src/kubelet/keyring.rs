//! Which entries of pull secrets match an image, in which order. Follows kubernetes `pkg/credentialprovider/keyring.go`
//! (`Add`, `URLsMatch`, `Lookup`, `isDefaultRegistryMatch`), 1.25 to 1.36.

use super::registry_url::{self, RegistryUrl};

/// The entry that serves Docker Hub where nothing else matched.
const DEFAULT_REGISTRY_KEY: &str = "index.docker.io";

/// Why a registry key does not serve an image: the first test that fails, in the kubelet's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Miss {
    /// The key is no URL and was dropped with a line in the kubelet's log.
    Unparsable,
    /// The ports differ; there are no default ports.
    Port,
    /// The hosts have different numbers of labels.
    LabelCount,
    /// The key's path is no prefix of the image's.
    Path,
    /// A label differs.
    Label,
}

/// The key as the kubelet indexes it: host and path, without scheme and API version. `None` where it drops the entry.
pub fn index_key(key: &str) -> Option<String> {
    let rest = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")).unwrap_or(key);
    let url = registry_url::parse(rest)?;
    let path = match url.path.as_slice() {
        [b'/', b'v', b'1' | b'2', rest @ ..] if rest.starts_with(b"/") => rest,
        whole => whole,
    };
    if path.is_empty() || path == b"/" {
        return Some(url.host);
    }
    Some(format!("{}{}", url.host, String::from_utf8_lossy(path)))
}

/// Whether an indexed key (or a `matchImages` pattern) serves a looked-up name.
pub fn matches(pattern: &str, name: &str) -> Result<(), Miss> {
    let (Some(pattern), Some(name)) = (registry_url::parse(pattern), registry_url::parse(name)) else {
        return Err(Miss::Unparsable);
    };
    urls_match(&pattern, &name)
}

fn urls_match(pattern: &RegistryUrl, name: &RegistryUrl) -> Result<(), Miss> {
    let (pattern_labels, pattern_port) = pattern.labels_and_port();
    let (name_labels, name_port) = name.labels_and_port();
    if pattern_port != name_port {
        return Err(Miss::Port);
    }
    if pattern_labels.len() != name_labels.len() {
        return Err(Miss::LabelCount);
    }
    if !name.path.starts_with(&pattern.path) {
        return Err(Miss::Path);
    }
    let all = pattern_labels.iter().zip(&name_labels).all(|(p, n)| glob(p.as_bytes(), n.as_bytes()));
    if all { Ok(()) } else { Err(Miss::Label) }
}

/// Why one registry key, verbatim, does or does not serve a looked-up name by the rules for keys (without the fall-back
/// for Docker Hub, which depends on all keys).
pub fn serves(key: &str, name: &str) -> Result<(), Miss> {
    matches(&index_key(key).ok_or(Miss::Unparsable)?, name)
}

/// The positions of the entries that a pull is tried with, in order. `keys` are the registry keys of all pull secrets,
/// in the order of the secrets and of their entries.
pub fn lookup<'k>(keys: impl IntoIterator<Item = &'k str>, name: &str) -> Vec<usize> {
    let mut index: Vec<(String, usize)> =
        keys.into_iter().enumerate().filter_map(|(at, key)| Some((index_key(key)?, at))).collect();
    // Keys by bytes, descending; equal ones in the order of the secrets.
    index.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let found: Vec<usize> =
        index.iter().filter(|(key, _)| matches(key, name).is_ok()).map(|(_, at)| *at).collect();
    if found.is_empty() && is_default_registry(name) {
        return index.iter().filter(|(key, _)| key == DEFAULT_REGISTRY_KEY).map(|(_, at)| *at).collect();
    }
    found
}

/// Whether the name asks Docker Hub.
pub fn is_default_registry(name: &str) -> bool {
    match name.split_once('/') {
        None => !name.is_empty(),
        Some(("", _)) => false,
        Some(("docker.io" | "index.docker.io", _)) => true,
        Some((first, _)) => !first.contains(['.', ':']),
    }
}

/// Go's `filepath.Match` for one host label. Only the last star is ever tried again, so cost stays bounded.
fn glob(mut pattern: &[u8], mut text: &[u8]) -> bool {
    let mut again: Option<(&[u8], &[u8])> = None;
    loop {
        let step = match pattern {
            [] => text.is_empty().then_some((pattern, text)),
            [b'*', rest @ ..] => {
                again = Some((rest, text));
                Some((rest, text))
            }
            [b'[', rest @ ..] => match (class(rest, text.first().copied()), text) {
                (Some((true, rest)), [_, text @ ..]) => Some((rest, text)),
                _ => None,
            },
            [p, rest @ ..] => text.split_first().filter(|(t, _)| *t == p).map(|(_, text)| (rest, text)),
        };
        match (step, again) {
            (Some(([], [])), _) => return true,
            (Some(next), _) => (pattern, text) = next,
            (None, Some((after_star, [_, left @ ..]))) => {
                again = Some((after_star, left));
                (pattern, text) = (after_star, left);
            }
            (None, _) => return false,
        }
    }
}

/// A character class after its opening bracket: whether it holds the byte, and what follows it.
fn class(pattern: &[u8], byte: Option<u8>) -> Option<(bool, &[u8])> {
    let (negated, mut rest) = match pattern {
        [b'^', rest @ ..] => (true, rest),
        whole => (false, whole),
    };
    let byte = byte?;
    let mut held = false;
    let mut first = true;
    loop {
        match rest {
            [b']', after @ ..] if !first => return Some((held != negated, after)),
            [low, b'-', high, after @ ..] if *high != b']' => {
                held |= (*low..=*high).contains(&byte);
                rest = after;
            }
            [one, after @ ..] => {
                held |= *one == byte;
                rest = after;
            }
            [] => return None,
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn stars_stand_for_any_part_of_a_label() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("*", "harbor", true),
            ("ha*", "harbor", true),
            ("*or", "harbor", true),
            ("h*b*r", "harbor", true),
            ("h*x", "harbor", false),
            ("", "harbor", false),
            ("[a-h]arbor", "harbor", true),
            ("[^h]arbor", "harbor", false),
        ] {
            assert_eq!(glob(pattern.as_bytes(), text.as_bytes()), fits, "{pattern} {text}");
        }
        assert!(!glob("*a".repeat(200).as_bytes(), "b".repeat(4000).as_bytes()));
    }

    proptest! {
        #[test]
        fn any_key_and_name_are_answered(key in ".{0,80}", name in ".{0,80}") {
            let _ = serves(&key, &name);
            let _ = lookup([key.as_str()], &name);
        }

        #[test]
        fn a_key_serves_its_own_host(host in "[a-z]{1,8}(\\.[a-z]{1,8}){0,3}(:[0-9]{1,5})?") {
            prop_assert_eq!(serves(&host, &format!("{host}/team/app")), Ok(()));
        }
    }
}
