//! How Go writes a string with `%q`.

use std::fmt::Write;

/// The string between double quotes, as `strconv.Quote` writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            // Go prints graphic characters and, of all the blanks, only the ASCII one.
            c if c == ' ' || !(c.is_control() || c.is_whitespace() || is_invisible(c)) => out.push(c),
            c if c.is_ascii() => write_escape(&mut out, format_args!("\\x{:02x}", u32::from(c))),
            c if u32::from(c) < 0x1_0000 => write_escape(&mut out, format_args!("\\u{:04x}", u32::from(c))),
            c => write_escape(&mut out, format_args!("\\U{:08x}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

fn write_escape(out: &mut String, escape: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = out.write_fmt(escape);
}

/// Format characters and private use, which Go does not take for printable.
fn is_invisible(c: char) -> bool {
    matches!(u32::from(c),
        0xad | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x2064 | 0x2066..=0x206f | 0xfeff | 0xe000..=0xf8ff
        | 0xe0000..=0xe0fff | 0xf0000..=0x10_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_controls_and_invisible_characters_are_escaped() {
        assert_eq!(
            quoted("a \"b\"\\\n\u{1b}\u{200b}예시\u{a0}"),
            "\"a \\\"b\\\"\\\\\\n\\x1b\\u200b예시\\u00a0\""
        );
    }
}
