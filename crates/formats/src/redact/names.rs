//! Which names promise a secret value, and which values are none.

use super::MARK;

/// Last words of names whose values are secret.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "pass",
    "pwd",
    "pw",
    "bindpw",
    "token",
    "secret",
    "auth",
    "authorization",
    "cookie",
];
/// Pairs of last words whose values are secret.
const SECRET_PAIRS: &[(&str, &str)] = &[
    ("api", "key"),
    ("access", "key"),
    ("private", "key"),
    ("secret", "key"),
    ("account", "key"),
    ("encryption", "key"),
    ("signing", "key"),
    ("xsrf", "key"),
    ("csrf", "key"),
    ("key", "data"),
];
/// Names that end in such a word and hold a name, a list or a switch.
const HARMLESS: &[&str] = &[
    "imagepullsecret",
    "pullsecret",
    "existingsecret",
    "tlssecret",
    "casecret",
    "usesecret",
    "fromsecret",
    "automountserviceaccounttoken",
    "serviceaccounttoken",
    "requireauth",
    "skipauth",
];

/// Whether a name (a key, a flag, a header, a variable) promises a secret value.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let (last, before) = match words.as_slice() {
        [.., before, last] => (last.as_str(), before.as_str()),
        [last] => (last.as_str(), ""),
        [] => return false,
    };
    let whole = words.concat();
    if HARMLESS.iter().any(|h| whole.ends_with(h)) {
        return false;
    }
    let run_together = [
        "password",
        "passwd",
        "identitytoken",
        "registrytoken",
        "accesstoken",
        "refreshtoken",
        "apikey",
        "accesskey",
        "secretkey",
    ];
    SECRET_WORDS.contains(&last)
        || SECRET_PAIRS.contains(&(before, last))
        || run_together.iter().any(|w| last.ends_with(w))
        || matches!(
            whole.as_str(),
            "dockerconfigjson" | "dockercfg" | "registryauth" | "dockerauthconfig" | "sharedaccesssignature"
        )
}

/// Whether a name promises a password, which no sentence goes on with after a colon.
pub fn is_password(name: &str) -> bool {
    is_secret(name)
        && words(name).last().is_some_and(|w| {
            w.ends_with("password") || matches!(w.as_str(), "passwd" | "passphrase" | "pwd" | "pw")
        })
}

/// Whether a word has what names of objects and spoken words have not: small and capital letters and digits in one.
pub fn looks_random(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().any(|b| b.is_ascii_uppercase())
        && word.bytes().any(|b| b.is_ascii_lowercase())
}

/// Whether a word of running text looks made and not spoken: long, and of several kinds of characters.
pub fn looks_made(word: &str) -> bool {
    let kinds = [
        word.bytes().any(|b| b.is_ascii_digit()),
        word.bytes().skip(1).any(|b| b.is_ascii_uppercase()),
        word.bytes().any(|b| b.is_ascii_lowercase()),
        word.ends_with('='),
    ];
    word.len() >= 8 && kinds.into_iter().filter(|k| *k).count() > 1
}

/// The words of a name: `clientSecret`, `client_secret` and `CLIENT-SECRET` have the same two.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars().take(128) {
        let boundary = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && was_lower);
        if boundary && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Whether a value gives nothing away: empty, a switch, a reference, or hidden before.
pub fn is_harmless(value: &str) -> bool {
    let v = value.trim().trim_matches(['"', '\'']);
    v.is_empty()
        || v.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.' | '<' | '>' | '-'))
        || matches!(
            v.to_ascii_lowercase().as_str(),
            "true"
                | "false"
                | "null"
                | "none"
                | "nil"
                | "yes"
                | "no"
                | "{}"
                | "[]"
                | "~"
                | "basic"
                | "bearer"
                | "|"
                | ">"
        )
        || v.contains(MARK)
        || is_reference(v)
}

/// A shell variable or command, a template, or a value that is encrypted already.
fn is_reference(v: &str) -> bool {
    let whole_variable = v.strip_prefix('$').is_some_and(|rest| {
        rest.starts_with(['(', '{'])
            || (!rest.is_empty()
                && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
    });
    whole_variable
        || v.starts_with('`')
        || v.starts_with("{{")
        || v.starts_with("ENC[")
        || v.starts_with("<(")
}

/// The mark, behind the scheme where the value has one (`Basic ***`).
pub fn hidden(name: &str, value: &str) -> String {
    let header = words(name).last().is_some_and(|w| w == "authorization");
    match value.trim().split_once(' ') {
        Some((scheme, _)) if header && scheme.chars().all(|c| c.is_ascii_alphabetic()) => {
            format!("{scheme} {MARK}")
        }
        _ => MARK.to_owned(),
    }
}
