//! Escapes off, at every depth: a text that was quoted three times on its way reads as it was first printed.

use std::borrow::Cow;

/// Removes colours and the backslashes of quoting: any run of them before a quote, `n`, `t`, `r`, `/` or `u0041` becomes what it
/// stands for (a line break becomes a blank, so that records stay as the outermost text divides them). Other backslashes
/// stay.
pub(crate) fn flatten(text: &str) -> Cow<'_, str> {
    match unescaped(text) {
        Cow::Borrowed(text) => uncoloured(text),
        Cow::Owned(text) => Cow::Owned(uncoloured(&text).into_owned()),
    }
}

/// Removes a terminal's colours and other control sequences (ECMA-48: `ESC [`, parameters, one final byte).
fn uncoloured(text: &str) -> Cow<'_, str> {
    if memchr::memchr(ESCAPE, text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(ESCAPE, rest.as_bytes()) {
        let (plain, sequence) = rest.split_at(at);
        out.push_str(plain);
        let body = sequence.get(1..).unwrap_or_default();
        rest = match body.strip_prefix('[') {
            Some(csi) => {
                let end = csi.bytes().position(|b| (0x40..0x7f).contains(&b)).map_or(csi.len(), |n| n + 1);
                csi.get(end..).unwrap_or_default()
            }
            None => body,
        };
    }
    out.push_str(rest);
    Cow::Owned(out)
}

const ESCAPE: u8 = 0x1b;

fn unescaped(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let (head, mut rest) = text.split_at(first);
    out.push_str(head);
    loop {
        // `rest` begins with a backslash.
        let after = rest.trim_start_matches('\\');
        let run = rest.len() - after.len();
        let taken = match after.as_bytes().first() {
            Some(b'"' | b'\'' | b'/' | b'`') => 0,
            Some(b'n' | b'r' | b't') => {
                out.push(' ');
                1
            }
            Some(b'u') => match unicode(after) {
                Some(c) => {
                    out.push(if c.is_control() && c != char::from(ESCAPE) { ' ' } else { c });
                    5
                }
                None => {
                    out.push('\\');
                    0
                }
            },
            _ => {
                out.extend(std::iter::repeat_n('\\', run.min(2)));
                0
            }
        };
        let tail = after.get(taken..).unwrap_or_default();
        match memchr::memchr(b'\\', tail.as_bytes()) {
            Some(next) => {
                let (plain, more) = tail.split_at(next);
                out.push_str(plain);
                rest = more;
            }
            None => {
                out.push_str(tail);
                return Cow::Owned(out);
            }
        }
    }
}

fn unicode(after: &str) -> Option<char> {
    let digits = after.get(1..5)?;
    digits
        .bytes()
        .all(|b| b.is_ascii_hexdigit())
        .then(|| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32))?
}

#[cfg(test)]
mod tests {
    use super::flatten;

    #[test]
    fn every_depth_of_quoting() {
        assert_eq!(flatten(r#"err="Get \"https://a/v2/\": EOF""#), r#"err="Get "https://a/v2/": EOF""#);
        assert_eq!(flatten(r#"Get \\\"https://a/v2/\\\": EOF"#), r#"Get "https://a/v2/": EOF"#);
        assert_eq!(flatten(r"IP \u0027192.0.2.1\u0027"), "IP '192.0.2.1'");
        assert_eq!(flatten(r"<html>\r\n<head>"), "<html>  <head>");
        assert_eq!(flatten("\u{1b}[31mred\u{1b}[0m"), "red");
        assert_eq!(flatten(r"\u001b[1;31mred\u001b[0m"), "red");
        assert_eq!(flatten("cut \u{1b}[3"), "cut ");
        assert_eq!(flatten("plain"), "plain");
        assert_eq!(flatten(r"trailing \"), r"trailing \");
        assert_eq!(flatten(r"\x15\x03"), r"\x15\x03");
    }
}
