//! Secrets of names and values that stand within a line of another notation: flow YAML, TOML arrays, argument lists,
//! directives of web servers, words of a log.

use super::inline::{group, replace};
use super::{MARK, names};
use regex::Regex;
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("constant pattern"));
    };
}

// `{secret: "x", token: y}`.
pattern!(MEMBER, r#"([{,]\s*["']?)([A-Za-z_][A-Za-z0-9_.-]*)(["']?:\s+)("[^"]*"|'[^']*'|[^\s,{}\[\]"']+)"#);
// `{name: API_TOKEN, value: x}`, also as JSON that does not parse, or as JSON within a JSON string.
pattern!(
    NAMED,
    r#"(\bname\\*["']?\s*:\s*\\*["']?)([A-Za-z0-9_.-]+)(\\*["']?\s*,\s*\\*["']?value\\*["']?\s*:\s*)(\\*"[^"\\]*\\*"|'[^']*'|[^\s,}"'\\]+)"#
);
// `X-Token = ["x", "y"]`.
pattern!(ARRAY, r#"(?m)^(\s*["']?)([A-Za-z_][A-Za-z0-9_.-]*)(["']?\s*[=:]\s*)\[([^\]\n]*)\]?"#);
// `["--password", "x"]`, `[--token, x]`.
pattern!(LISTED_FLAG, r#"(["'\[,\s])(--?[A-Za-z][A-Za-z0-9-]*)(["']?\s*,\s*["']?)([^"',\]\s]+)"#);
// `proxy_set_header Authorization "x";`.
pattern!(
    DIRECTIVE,
    r#"(\b(?:proxy_set_header|add_header|set_header|fastcgi_param|RequestHeader set)\s+)(["']?[A-Za-z0-9_-]+["']?\s+)("[^"]*"|'[^']*'|[^\s;]+)"#
);
// `Bearer x`, `Basic x` in any surroundings.
pattern!(SCHEME, r"(?i)\b(basic|bearer)(\s+)([A-Za-z0-9+/._~-]{8,}={0,2})");
// `auth failed, password: x`.
pattern!(
    SPOKEN,
    r#"(?i)\b(password|passwd|passphrase|api[ _-]?key|token|secret)(:\s+["']?)([^\s"',;{}\[\]]+)"#
);
// `htpasswd -bnB user x`: the password is the last word.
pattern!(HTPASSWD, r"(\bhtpasswd\s+(?:-\S+\s+)*-[A-Za-z]*b[A-Za-z]*\s[^\n|;&]*?)(\S+)(\s*(?:[\n|;&]|$))");

/// All of them, one after the other. `None` where nothing changed.
pub fn all(text: &str) -> Option<String> {
    let mut current = text.to_owned();
    replace(&MEMBER, &mut current, |c, _| {
        let (name, value) = (group(c, 2), group(c, 4));
        let secret = names::is_secret(name) && !names::is_harmless(value);
        secret.then(|| format!("{}{name}{}{}", group(c, 1), group(c, 3), quoted(value)))
    });
    replace(&NAMED, &mut current, |c, _| {
        let (name, value) = (group(c, 2), group(c, 4));
        let secret = names::is_secret(name) && !names::is_harmless(value.trim_matches('\\'));
        secret.then(|| format!("{}{name}{}{}", group(c, 1), group(c, 3), quoted(value)))
    });
    replace(&ARRAY, &mut current, |c, _| {
        let (name, values) = (group(c, 2), group(c, 4));
        if !names::is_secret(name) || !values.contains(['"', '\'']) {
            return None;
        }
        let hidden: Vec<String> = values.split(',').map(hidden_element).collect();
        let hidden = hidden.join(",");
        (hidden != values).then(|| format!("{}{name}{}[{hidden}]", group(c, 1), group(c, 3)))
    });
    replace(&LISTED_FLAG, &mut current, |c, _| {
        let (flag, value) = (group(c, 2), group(c, 4));
        let secret = names::is_secret(flag) && !value.starts_with('-') && !names::is_harmless(value);
        secret.then(|| format!("{}{flag}{}{MARK}", group(c, 1), group(c, 3)))
    });
    replace(&DIRECTIVE, &mut current, |c, _| {
        let (name, value) = (group(c, 2), group(c, 3));
        let secret = names::is_secret(name.trim().trim_matches(['"', '\''])) && !names::is_harmless(value);
        secret.then(|| format!("{}{name}{}", group(c, 1), quoted(value)))
    });
    replace(&SCHEME, &mut current, |c, rest| {
        let value = group(c, 3);
        // `Bearer realm="..."` is a challenge.
        let is_name = rest.starts_with("=\"") || value.ends_with('=') && rest.starts_with('"');
        (names::looks_made(value) && !is_name).then(|| format!("{}{}{MARK}", group(c, 1), group(c, 2)))
    });
    replace(&SPOKEN, &mut current, |c, rest| {
        let value = group(c, 3);
        let last = rest.trim_start_matches(['"', '\'', '.', ')', ']', '}']).trim_start().is_empty();
        let is_password = group(c, 1).to_ascii_lowercase().starts_with("pass");
        let ends_line = rest.starts_with(['\n', '"', '\'', ';', ',']) || last;
        // `token: AADSTS700082: ...` is a message.
        let made = names::looks_made(value) && value.contains(|c: char| c.is_ascii_digit());
        let secret = made && !value.ends_with(':') || is_password && ends_line && !speaks(value);
        (secret && !names::is_harmless(value)).then(|| format!("{}{}{MARK}", group(c, 1), group(c, 2)))
    });
    replace(&HTPASSWD, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2))).then(|| format!("{}{MARK}{}", group(c, 1), group(c, 3)))
    });
    (current != text).then_some(current)
}

/// Words that end an error message behind `password:` and are no password.
fn speaks(word: &str) -> bool {
    ["EOF", "denied", "required", "invalid", "expired", "mismatch"].contains(&word.trim_end_matches('.'))
}

/// The mark, in the quotes that the value has.
fn quoted(value: &str) -> String {
    let open = value.len() - value.trim_start_matches('\\').len();
    let (escape, inner) = value.split_at(open);
    match inner.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => format!("{escape}{quote}{MARK}{escape}{quote}"),
        None => MARK.to_owned(),
    }
}

/// One element of an array with its blanks; a scheme in front of a value stays.
fn hidden_element(element: &str) -> String {
    let value = element.trim();
    if names::is_harmless(value) {
        return element.to_owned();
    }
    let lead = element.len() - element.trim_start().len();
    let inner = value.trim_matches(['"', '\'']);
    let scheme = inner.split_once(' ').map(|(scheme, _)| scheme);
    let scheme = scheme.filter(|s| s.eq_ignore_ascii_case("basic") || s.eq_ignore_ascii_case("bearer"));
    let hidden = scheme.map_or_else(|| MARK.to_owned(), |s| format!("{s} {MARK}"));
    let quote =
        value.chars().next().filter(|c| matches!(c, '"' | '\'')).map(String::from).unwrap_or_default();
    format!("{}{quote}{hidden}{quote}", element.get(..lead).unwrap_or_default())
}
