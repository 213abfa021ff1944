//! Text from outside, made harmless: a registry's answer may not move the reader's cursor, a file name may not hide
//! itself, and a URL may not carry a password into a ticket.

/// One line of outside text for a reader: control characters, escape sequences and marks that change the direction of
/// reading are shown as what they are, never sent; what a URL holds of credentials is hidden.
pub fn plain(text: &str) -> String {
    let text = without_secrets(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if c.is_control() || deceives(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Several lines of outside text, each made [`plain`].
pub fn plain_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(plain)
}

/// Characters that reorder, hide or join what is around them: Unicode's bidirectional controls, zero widths, fillers,
/// line ends and tags.
pub const fn deceives(c: char) -> bool {
    matches!(c,
        '\u{00ad}' | '\u{034f}' | '\u{061c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Query parameters whose value is a credential (signed URLs of blob stores, tokens).
const SIGNED: [&str; 8] = [
    "x-amz-signature",
    "x-amz-security-token",
    "x-goog-signature",
    "signature",
    "sig",
    "token",
    "access_token",
    "password",
];

/// The same text with the user information and the signatures of every URL in it hidden. Collectors redact what they
/// collect; this is the second lock.
pub fn without_secrets(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '<' | '>' | '`'))
            .unwrap_or(after.len());
        let (url, tail) = after.split_at(end);
        let authority_end = url.find(['/', '?', '#']).unwrap_or(url.len());
        let (authority, path) = url.split_at(authority_end);
        match authority.rsplit_once('@') {
            // A login name for ssh is no secret, and a command without it would not work.
            Some((user, host)) if !before.ends_with("ssh://") || user.contains(':') => {
                out.push_str("***@");
                out.push_str(host);
            }
            _ => out.push_str(authority),
        }
        push_query(&mut out, path);
        rest = tail;
    }
    out.push_str(rest);
    out
}

fn push_query(out: &mut String, path: &str) {
    let Some((path, query)) = path.split_once('?') else {
        out.push_str(path);
        return;
    };
    out.push_str(path);
    for (i, pair) in query.split('&').enumerate() {
        out.push(if i == 0 { '?' } else { '&' });
        match pair.split_once('=') {
            Some((name, value))
                if SIGNED.iter().any(|s| name.eq_ignore_ascii_case(s)) && !value.is_empty() =>
            {
                out.push_str(name);
                out.push_str("=***");
            }
            _ => out.push_str(pair),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_are_shown_and_never_sent() {
        assert_eq!(plain("a\u{1b}[2Jb\u{7}\u{9b}31m"), "a\\u{1b}[2Jb\\u{7}\\u{9b}31m");
        assert_eq!(plain("app\u{202e}gnp.exe\u{200b}"), "app\\u{202e}gnp.exe\\u{200b}");
        assert_eq!(plain("one\r\ntwo"), "one\\u{d}\\u{a}two");
    }

    #[test]
    fn names_in_any_language_pass() {
        for name in ["레지스트리", "registry.example.com:5000/app:1.0", "名前", "müller", "👩"] {
            assert_eq!(plain(name), name);
        }
    }

    #[test]
    fn what_a_url_holds_of_credentials_is_hidden() {
        let cases = [
            ("http://bob:s3cret@proxy.example.com:3128/", "http://***@proxy.example.com:3128/"),
            (
                "got https://tok@h.example.com, https://h/x?a=1&X-Amz-Signature=abc&b=2",
                "got https://***@h.example.com, https://h/x?a=1&X-Amz-Signature=***&b=2",
            ),
            ("https://u:p@a@h.example.com/p@q", "https://***@h.example.com/p@q"),
            ("ssh://root@worker-7", "ssh://root@worker-7"),
            ("no url, mail bob@example.com", "no url, mail bob@example.com"),
        ];
        for (text, shown) in cases {
            assert_eq!(without_secrets(text), shown);
        }
    }

    proptest! {
        #[test]
        fn nothing_that_a_terminal_obeys_is_left(text in any::<String>()) {
            prop_assert!(!plain(&text).chars().any(|c| c.is_control() || deceives(c)));
        }

        #[test]
        fn a_planted_password_never_comes_through(before in ".{0,20}", user in "[a-z]{1,8}", after in "[ -~]{0,20}") {
            let text = format!("{before}https://{user}:pl4ntedCanary@h.example.com/{after}");
            prop_assert!(!plain(&text).contains("pl4ntedCanary"), "{}", plain(&text));
        }
    }
}
