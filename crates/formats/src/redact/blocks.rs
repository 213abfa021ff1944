//! Blocks of several lines: private keys, and the data of secrets that somebody printed.

use super::{MARK, names};
use regex::Regex;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static PRIVATE_KEY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----)(?s:.*?)(-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|\z)",
    )
    .expect("constant pattern")
});

/// Hides what stands between the marks of a private key, or behind the first where the second is cut off.
pub fn private_keys(text: &str) -> Option<String> {
    if !text.contains("PRIVATE KEY-----") {
        return None;
    }
    Some(PRIVATE_KEY.replace_all(text, format!("${{1}}{MARK}${{2}}").as_str()).into_owned())
}

/// Hides the values below `data:` and `stringData:` of a printed secret (YAML, or JSON one member a line).
pub fn secret_objects(text: &str) -> Option<String> {
    let is_kind = |l: &str| {
        let l = l.trim().trim_start_matches("- ").trim_end_matches(',');
        matches!(
            l,
            "kind: Secret"
                | "kind: \"Secret\""
                | "\"kind\": \"Secret\""
                | "kind: SecretList"
                | "\"kind\":\"Secret\""
        )
    };
    if !text.contains("Secret") || !text.lines().any(is_kind) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut inside: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '-']).len();
        let body = line.trim().trim_start_matches("- ");
        if let Some(outer) = inside {
            if !body.is_empty() && indent <= outer {
                inside = None;
            } else if let Some((key, value)) = member(line) {
                if names::is_harmless(value) {
                    out.push_str(line);
                } else {
                    out.push_str(key);
                    out.push_str(if value.trim().starts_with('"') { " \"***\"" } else { " ***" });
                    out.push_str(if value.trim_end().ends_with(',') { ",\n" } else { "\n" });
                }
                continue;
            } else if body.is_empty() {
                out.push_str(line);
                continue;
            } else {
                // A continuation of a folded value.
                continue;
            }
        }
        let opens = matches!(body, "data:" | "stringData:" | "\"data\": {" | "\"stringData\": {");
        if opens {
            inside = Some(indent);
        }
        out.push_str(line);
    }
    Some(out)
}

/// `key:` with its blanks, and the value behind it.
fn member(line: &str) -> Option<(&str, &str)> {
    let trimmed = line.trim_start();
    let colon = if let Some(rest) = trimmed.strip_prefix('"') {
        rest.find('"').map(|q| q + 2)?
    } else {
        trimmed.find(": ").or_else(|| trimmed.trim_end().strip_suffix(':').map(str::len))?
    };
    if !trimmed.get(colon..)?.starts_with(':') {
        return None;
    }
    let at = line.len() - trimmed.len() + colon + 1;
    line.split_at_checked(at)
}
