//! One name and value a line, as YAML, TOML, ini files and environments have them, block scalars included.

use super::names;

/// Hides the values of secret names. `None` where nothing changed.
pub fn pairs(text: &str) -> Option<String> {
    let mut out: Option<String> = None;
    let mut done = 0;
    let mut offset = 0;
    // The indent of a key whose block scalar is being left out.
    let mut block: Option<usize> = None;
    // Whether the line before was `name: SOMETHING_PASSWORD`, whose `value:` follows.
    let mut value_follows = false;
    // Whether the line before was `- --password`, whose value is the next element.
    let mut element_follows = false;
    let mut table = Table::default();
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let indent = line.len() - line.trim_start().len();
        if let Some(outer) = block {
            if line.trim().is_empty() || indent > outer {
                let out = out.get_or_insert_default();
                out.push_str(text.get(done..start).unwrap_or_default());
                done = offset;
                continue;
            }
            block = None;
        }
        if std::mem::take(&mut element_follows)
            && let Some(value) = line.trim().strip_prefix("- ").filter(|v| !names::is_harmless(v))
        {
            let out = out.get_or_insert_default();
            out.push_str(text.get(done..start).unwrap_or_default());
            out.push_str(&line.replacen(value.trim(), super::MARK, 1));
            done = offset;
            continue;
        }
        if table.enters(line, indent)
            && let Some(hidden) = table.hide(line)
        {
            let out = out.get_or_insert_default();
            out.push_str(text.get(done..start).unwrap_or_default());
            out.push_str(&hidden);
            done = offset;
            continue;
        }
        element_follows = line
            .trim()
            .strip_prefix("- ")
            .map(|f| f.trim().trim_matches(['"', '\'']))
            .is_some_and(|f| f.starts_with('-') && !f.contains(['=', ' ']) && names::is_secret(f));
        let Some(pair) = innermost(line) else {
            value_follows = false;
            continue;
        };
        let is_value = value_follows && pair.name == "value";
        value_follows = pair.name == "name" && names::is_secret(pair.value.trim().trim_matches(['"', '\'']));
        if !(is_value || names::is_secret(pair.name)) {
            continue;
        }
        let value = pair.value.trim();
        let folded = value.starts_with(['|', '>']) && value.len() <= 3;
        if !folded
            && (names::is_harmless(value)
                || value.starts_with(['{', '[', '&'])
                || looks_like_words(pair.sep, value))
        {
            continue;
        }
        let out = out.get_or_insert_default();
        out.push_str(text.get(done..start).unwrap_or_default());
        let value_at = pair.value_at + (pair.value.len() - pair.value.trim_start().len());
        out.push_str(line.get(..value_at).unwrap_or_default());
        if folded {
            block = Some(pair.indent);
        }
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let closed = quote.filter(|q| value.len() > 1 && value.trim_end_matches(',').ends_with(*q));
        out.extend(quote);
        out.push_str(&names::hidden(pair.name, value.trim_matches(['"', '\''])));
        out.extend(closed);
        if value.ends_with(',') {
            out.push(',');
        }
        if line.ends_with('\n') {
            out.push('\n');
        }
        done = offset;
    }
    let mut out = out?;
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

/// Whether one is inside of a table that holds nothing but credentials (`auth`) or headers: there every value is hidden,
/// since a misspelt key's is as secret.
#[derive(Default)]
struct Table {
    toml: bool,
    /// The indent of a YAML key whose members follow.
    yaml: Option<usize>,
}

impl Table {
    const NAMES: [&str; 3] = ["auth", "header", "headers"];
    const HARMLESS: [&str; 8] =
        ["username", "user", "insecure_skip_verify", "ca_file", "cert_file", "key_file", "ca", "kind"];

    /// Whether this line stands inside.
    fn enters(&mut self, line: &str, indent: usize) -> bool {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return false;
        }
        if trimmed.starts_with('[') && trimmed.ends_with(']') && !trimmed.contains(['=', ',']) {
            let last = trimmed.trim_matches(['[', ']']).rsplit('.').next().unwrap_or_default();
            self.toml = Self::NAMES.contains(&last.trim().trim_matches('"'));
            return false;
        }
        if self.yaml.is_some_and(|outer| indent <= outer) {
            self.yaml = None;
        }
        let inside = self.toml || self.yaml.is_some();
        if let Some(name) = trimmed.strip_suffix(':')
            && Self::NAMES.contains(&name.trim_matches('"'))
        {
            self.yaml = Some(indent);
        }
        inside
    }

    /// The line without its value; `None` where it has none, or a harmless one.
    fn hide(&self, line: &str) -> Option<String> {
        let Some(pair) = split(line) else {
            // An element of a list that is spread over lines
            let value = line.trim();
            return value.starts_with(['"', '\'']).then(|| line.replacen(value, &quoted(value, ""), 1));
        };
        let value = pair.value.trim();
        let harmless =
            Self::HARMLESS.contains(&pair.name) || names::is_harmless(value) || matches!(value, "[" | "{");
        (!harmless).then(|| {
            let head = line.get(..pair.value_at).unwrap_or_default();
            format!("{head}{}", pair.value.replacen(value, &quoted(value, pair.name), 1))
        })
    }
}

/// A value with every quoted text in it hidden; one without quotes hidden as a whole.
fn quoted(value: &str, name: &str) -> String {
    let Some(quote) = value.chars().find(|c| matches!(c, '"' | '\'')) else { return super::MARK.to_owned() };
    let parts: Vec<&str> = value.split(quote).collect();
    let hide =
        |(i, part): (usize, &&str)| if i % 2 == 1 { names::hidden(name, part) } else { (*part).to_owned() };
    parts.iter().enumerate().map(hide).collect::<Vec<_>>().join(&quote.to_string())
}

struct Pair<'a> {
    indent: usize,
    name: &'a str,
    sep: u8,
    value: &'a str,
    value_at: usize,
}

/// `name: value`, `name = value`, `- "name": value`, `export NAME=value`, `Environment="NAME=value"`.
fn split(line: &str) -> Option<Pair<'_>> {
    let trimmed = line.trim_start().trim_start_matches("- ").trim_start();
    let trimmed = trimmed.strip_prefix("export ").unwrap_or(trimmed);
    let trimmed =
        trimmed.strip_prefix("Environment=").map_or(trimmed, |rest| rest.trim_start_matches(['"', '\'']));
    let trimmed = trimmed.trim_start_matches("# ");
    let indent = line.len() - trimmed.len();
    let bytes = trimmed.as_bytes();
    let quote = bytes.first().copied().filter(|b| matches!(b, b'"' | b'\''));
    let (name, after) = if let Some(quote) = quote {
        let end = bytes.iter().skip(1).take(128).position(|b| *b == quote)? + 1;
        (trimmed.get(1..end)?, end + 1)
    } else {
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'/');
        let end = bytes.iter().take(128).position(|b| !is_name(b))?;
        (trimmed.get(..end)?, end)
    };
    let blanks = trimmed.get(after..)?.len() - trimmed.get(after..)?.trim_start_matches([' ', '\t']).len();
    let sep = *bytes.get(after + blanks)?;
    if name.is_empty() || !matches!(sep, b':' | b'=') {
        return None;
    }
    let value_at = after + blanks + 1;
    Some(Pair { indent, name, sep, value: trimmed.get(value_at..)?, value_at: indent + value_at })
}

/// The pair of a line; of `Annotations: registry/password: x`, the inner one.
fn innermost(line: &str) -> Option<Pair<'_>> {
    let outer = split(line)?;
    if outer.sep != b':' || names::is_secret(outer.name) || !outer.value.starts_with(' ') {
        return Some(outer);
    }
    match split(outer.value).filter(|inner| inner.sep == b':' && names::is_secret(inner.name)) {
        Some(inner) => {
            Some(Pair { indent: outer.indent, value_at: outer.value_at + inner.value_at, ..inner })
        }
        None => Some(outer),
    }
}

/// `token: unexpected status from GET request` is a message, not a value: several words after a colon, none quoted.
fn looks_like_words(sep: u8, value: &str) -> bool {
    sep == b':' && !value.starts_with(['"', '\'']) && value.split_whitespace().count() > 2
}
