//! Secret values out of texts and JSON, before these become facts: passwords, tokens, `Authorization` headers, `auth`
//! fields, user information and signed queries of URLs, private keys.
//!
//! Rather too much than too little, but not what a diagnosis needs: names, hosts, user names, schemes, challenges, and
//! the fact that something stood there. Everything removed leaves the mark `***`, so a second pass changes nothing.

mod blocks;
mod flow;
mod inline;
mod lines;
mod names;
mod urls;

use regex::Regex;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::LazyLock;

/// What stands where a secret stood.
pub const MARK: &str = "***";

/// Words without which a text holds nothing to remove. One pass over most texts finds none.
#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static SUSPICIOUS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?i)passw|pwd|passphrase|secret|token|auth["'\s:=\\\]]|header\]|authorization|_auth|credential|bearer|basic |api.?key|access.?key|private.?key|bindpw|signature|[?&]sig=|[?&]_state=|cookie|eyj|ewo[gjik]|eyai|-u\s*\S|htpasswd|--user|--creds|-creds|login|base64|://[^\s/"'<>]*[@:]|gh[pousr]_|github_pat_|glpat-|dckr_|sha256~|ya29\.|hvs\.|akcp|npm_|xox[bp]-|x-jfrog|x-registry|x-vault|account.?key|sharedaccess|signature=|\bpass=|\bpw\b|_pw\b|curl\b.*\s-b"#,
    )
    .expect("constant pattern")
});

/// A text without secret values.
pub fn text(input: &str) -> Cow<'_, str> {
    if !SUSPICIOUS.is_match(input) {
        return Cow::Borrowed(input);
    }
    let mut current = Cow::Borrowed(input);
    for pass in [
        blocks::private_keys,
        blocks::secret_objects,
        lines::pairs,
        urls::user_information,
        inline::all,
        flow::all,
    ] {
        if let Some(changed) = pass(&current) {
            current = Cow::Owned(changed);
        }
    }
    current
}

/// A text without secret values, from an owned one.
pub fn owned(input: String) -> String {
    match text(&input) {
        Cow::Borrowed(_) => input,
        Cow::Owned(changed) => changed,
    }
}

/// Whether a header's value is a credential.
pub fn is_secret_header(name: &str) -> bool {
    // Artifactory's keys stand in a header whose name does not say so.
    names::is_secret(name) || name.eq_ignore_ascii_case("x-jfrog-art-api")
}

/// A file without secret values: JSON by its members, anything else by its words.
pub fn document(input: &str) -> String {
    if input.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
        && let Ok(mut value) = serde_json::from_str::<Value>(input)
    {
        let before = value.clone();
        json(&mut value);
        return if value == before {
            input.to_owned()
        } else {
            serde_json::to_string_pretty(&value).unwrap_or_default()
        };
    }
    text(input).into_owned()
}

/// A parsed JSON document without secret values.
pub fn json(value: &mut Value) {
    let is_secret = value.get("kind").and_then(Value::as_str) == Some("Secret");
    if is_secret {
        for part in ["data", "stringData"] {
            if let Some(Value::Object(members)) = value.get_mut(part) {
                members.values_mut().for_each(hide);
            }
        }
    }
    members(value, 0);
}

/// Deeper values are not looked at and hidden as a whole.
const DEEPEST: usize = 96;

fn members(value: &mut Value, depth: usize) {
    if depth > DEEPEST {
        hide(value);
        return;
    }
    match value {
        Value::String(s) => {
            if let Cow::Owned(changed) = text(s) {
                *s = changed;
            }
        }
        Value::Array(all) => {
            let mut hide_next = false;
            for one in all {
                if hide_next && one.is_string() {
                    hide(one);
                    hide_next = false;
                    continue;
                }
                hide_next = one.as_str().is_some_and(|s| s.starts_with('-') && names::is_secret(s));
                members(one, depth + 1);
            }
        }
        Value::Object(map) => {
            // An environment variable of a container: `{name: REGISTRY_PASSWORD, value: ...}`.
            let named = map.get("name").and_then(Value::as_str).is_some_and(names::is_secret);
            for (key, inner) in map {
                let secret = names::is_secret(key) || (named && key == "value");
                match inner {
                    Value::String(s) if secret && !names::is_harmless(s) => *s = names::hidden(key, s),
                    Value::Number(_) if secret => hide(inner),
                    Value::Array(all) if secret && all.iter().all(Value::is_string) => {
                        all.iter_mut().for_each(hide)
                    }
                    _ => members(inner, depth + 1),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn hide(value: &mut Value) {
    *value = Value::String(MARK.to_owned());
}

#[cfg(test)]
mod tests;
