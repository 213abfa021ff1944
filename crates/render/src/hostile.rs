//! Text from outside, made harmless: a registry's answer may not move the reader's cursor, nor a file name hide itself.

/// One line of outside text for a terminal: control characters, escape sequences and marks that change the direction
/// of reading are shown as what they are, never sent.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if c.is_control() || reorders(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Marks that reorder, hide or join what is around them (Unicode's bidirectional controls, zero widths, line ends).
const fn reorders(c: char) -> bool {
    matches!(c,
        '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
