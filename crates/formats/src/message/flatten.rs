//! Escapes off, at every depth: a text that was quoted three times on its way reads as it was first printed.

use std::borrow::Cow;

/// Removes the backslashes of quoting: any run of them before a quote, `n`, `t`, `r`, `/` or `u0041` becomes what it
/// stands for (a line break becomes a blank, so that records stay as the outermost text divides them). Other backslashes
/// stay.
pub(crate) fn flatten(text: &str) -> Cow<'_, str> {
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
                    out.push(if c.is_control() { ' ' } else { c });
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
        assert_eq!(flatten("plain"), "plain");
        assert_eq!(flatten(r"trailing \"), r"trailing \");
        assert_eq!(flatten(r"\x15\x03"), r"\x15\x03");
    }
}
