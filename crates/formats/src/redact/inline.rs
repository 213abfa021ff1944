//! Secrets within a line: headers, JSON members, flags, assignments, query parameters, and tokens by their own form.

use super::{MARK, names};
use regex::{Captures, Regex};
use std::sync::LazyLock;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("constant pattern"));
    };
}

// Headers, in any notation that clients print: `> Authorization: Basic x`, `[authorization: Bearer x]`, `-H "..."`.
pattern!(
    HEADER,
    r#"(?i)\b((?:proxy-)?authorization|x-registry-auth|private-token|job-token|x-jfrog-art-api|x-api-key|x-auth-token|x-vault-token|x-registry-config)(\\?["']?\s*[:=]\s*\[?\\?["']?)((?:basic|bearer|negotiate|digest|token|ntlm)\s+)?([^\s"'\\\],;]+)"#
);
// Cookies come in pairs, up to the end of the header.
pattern!(
    COOKIE,
    r#"(?i)(\b(?:set-)?cookie\\?["']?\s*[:=]\s*\[?\\?["']?|\bcurl\b[^\n|]*?\s(?:-b|--cookie)[= ]?\s*["']?)([^"'\\\]\n]+)"#
);
// `"password": "x"`, also as JSON within a JSON string.
pattern!(MEMBER, r#"(\\*")([A-Za-z0-9_.$-]{2,80})(\\*"\s*:\s*\\*")((?:[^"\\]|\\[^"])*)"#);
// `--password x`, `--docker-password=x`, `--token 'x'`.
pattern!(FLAG, r#"(^|\s)(--?[A-Za-z][A-Za-z0-9-]*)(=|\s+)('[^']*'|"[^"]*"|[^\s'"]+)"#);
// `-u user:password`, `--creds user:password`.
pattern!(
    PAIR_FLAG,
    r#"(^|\s)(-u\s*|--user[= ]\s*|--proxy-user[= ]\s*|-U\s+|--creds[= ]\s*|--src-creds[= ]\s*|--dest-creds[= ]\s*)(["']?)([^\s:"']+):([^\s"']+)"#
);
// `docker login ... -p x`.
pattern!(LOGIN_FLAG, r#"(\blogin\b[^\n|]*?\s-p\s*)('[^']*'|"[^"]*"|[^\s'"]+)"#);
// `REGISTRY_PASSWORD=x`, `password=x&`, `?token=x`, `auth = "x"`, `--from-literal=password=x`.
pattern!(ASSIGNMENT, r#"([A-Za-z_][A-Za-z0-9_.-]*)([ \t]?=[ \t]?)('[^']*'|"[^"]*"|[^\s'"&,;)\]}]+)"#);
// Queries that carry a signature or a session.
pattern!(
    QUERY,
    r"(?i)([?&](?:x-amz-signature|x-amz-credential|x-amz-security-token|x-goog-signature|x-goog-credential|signature|sig|awsaccesskeyid|policy|key-pair-id|token|access_token|refresh_token|id_token|password|client_secret|verify|_state|q-signature|q-ak|ossaccesskeyid)=)([^&\s\x22'<>\\)]+)"
);
// `machine x login y password z`, `identified by`-like words of shells: a bare `password z` behind a login.
pattern!(NETRC, r"(\bmachine\s+\S+\s+login\s+\S+\s+password\s+)(\S+)");
// `echo x | docker login --password-stdin`.
pattern!(
    PIPED,
    r#"(\b(?:echo|printf)\s+(?:-[neE]+\s+)*)('[^']*'|"[^"]*"|[^\s'"|]+)(\s*\|[^\n]*(?:--password-stdin|base64))"#
);
// `{Username:u Password:x}`, `adminPassword: x`, `DB_PASSWORD:  x` anywhere in a line.
pattern!(SAID, r#"\b([A-Za-z_][A-Za-z0-9_.-]*)(:[ \t]*)('[^']*'|"[^"]*"|[^\s'"&,;)\]}]+)"#);
// `the token x`, `robot secret x`: a word after the name that nobody would say.
pattern!(TOLD, r"(?i)\b(token|secret|password|passwd|bearer|key)([ \t]+)([A-Za-z0-9+/_=.~!@#%^-]{8,})");
// `AWS4-HMAC-SHA256 Credential=..., Signature=x`.
pattern!(SIGNATURE, r#"(?i)\b((?:signature|sig)=)([^\s,&"'<>)]{8,})"#);
// Tokens that say what they are.
pattern!(
    SHAPED,
    r"\b(?:eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}={0,2}(?:\.[A-Za-z0-9_-]*={0,2})?|(?:eyJ|eyAi|ewog|ewoJ|ewoi|ewok)[A-Za-z0-9+/_-]{24,}={0,2}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{16,}|glpat-[A-Za-z0-9_-]{10,}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{4,}|sha256~[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{10,}|hvs\.[A-Za-z0-9_-]{10,}|AKCp[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|xox[bp]-[A-Za-z0-9-]{10,})"
);

/// All of them, one after the other. `None` where nothing changed.
pub fn all(text: &str) -> Option<String> {
    let mut current = text.to_owned();
    replace(&HEADER, &mut current, |c, rest| {
        let value = group(c, 4);
        // `may require authorization: server message: ...` is an error chain, and no header
        let is_word = group(c, 3).is_empty() && value.bytes().all(|b| b.is_ascii_lowercase());
        let goes_on = rest.strip_prefix(' ').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_lowercase()));
        let prose = value.eq_ignore_ascii_case(group(c, 1)) || is_word && goes_on;
        (!prose && !names::is_harmless(value))
            .then(|| format!("{}{}{}{MARK}", group(c, 1), group(c, 2), group(c, 3)))
    });
    replace(&COOKIE, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2))).then(|| format!("{}{MARK}", group(c, 1)))
    });
    replace(&MEMBER, &mut current, |c, _| {
        let secret = names::is_secret(group(c, 2)) && !names::is_harmless(group(c, 4));
        secret.then(|| {
            format!(
                "{}{}{}{}",
                group(c, 1),
                group(c, 2),
                group(c, 3),
                names::hidden(group(c, 2), group(c, 4))
            )
        })
    });
    replace(&PAIR_FLAG, &mut current, |c, _| {
        let password = group(c, 5);
        (!names::is_harmless(password))
            .then(|| format!("{}{}{}{}:{MARK}", group(c, 1), group(c, 2), group(c, 3), group(c, 4)))
    });
    replace(&LOGIN_FLAG, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2))).then(|| format!("{}{}", group(c, 1), shell(group(c, 2))))
    });
    replace(&FLAG, &mut current, |c, _| {
        let (flag, value) = (group(c, 2), group(c, 4));
        let secret = names::is_secret(flag) && !value.starts_with('-') && !names::is_harmless(value);
        secret.then(|| format!("{}{flag}{}{}", group(c, 1), group(c, 3), shell(value)))
    });
    replace(&QUERY, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2))).then(|| format!("{}{MARK}", group(c, 1)))
    });
    replace(&ASSIGNMENT, &mut current, |c, _| {
        let (name, equals, value) = (group(c, 1), group(c, 2), group(c, 3));
        let opens = value.starts_with(['[', '{']);
        if names::is_secret(name) && !opens && !names::is_harmless(value) && !is_cut_value(value) {
            return Some(format!("{name}{equals}{}", shell(value)));
        }
        let (inner, value) = value.split_once('=')?;
        let secret = names::is_secret(inner) && !names::is_harmless(value);
        secret.then(|| format!("{name}{equals}{inner}={}", shell(value)))
    });
    replace(&SAID, &mut current, |c, rest| {
        let (name, colon, value) = (group(c, 1), group(c, 2), group(c, 3));
        let spoken = value == "EOF"
            || value.bytes().all(|b| b.is_ascii_lowercase())
                && rest.strip_prefix(' ').is_some_and(|r| r.starts_with(|c: char| c.is_ascii_lowercase()));
        let secret = names::is_password(name)
            && !spoken
            && !value.starts_with(['{', '['])
            && !names::is_harmless(value);
        secret.then(|| format!("{name}{colon}{}", shell(value)))
    });
    replace(&TOLD, &mut current, |c, _| {
        names::looks_random(group(c, 3)).then(|| format!("{}{}{MARK}", group(c, 1), group(c, 2)))
    });
    replace(&SIGNATURE, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2))).then(|| format!("{}{MARK}", group(c, 1)))
    });
    replace(&NETRC, &mut current, |c, _| (group(c, 2) != MARK).then(|| format!("{}{MARK}", group(c, 1))));
    replace(&PIPED, &mut current, |c, _| {
        (!names::is_harmless(group(c, 2)))
            .then(|| format!("{}{}{}", group(c, 1), shell(group(c, 2)), group(c, 3)))
    });
    replace(&SHAPED, &mut current, |_, _| Some(MARK.to_owned()));
    (current != text).then_some(current)
}

pub fn group<'t>(captures: &Captures<'t>, n: usize) -> &'t str {
    captures.get(n).map_or("", |m| m.as_str())
}

/// Replaces what `with` answers for; it also sees what follows a match.
pub fn replace(pattern: &Regex, current: &mut String, with: impl Fn(&Captures<'_>, &str) -> Option<String>) {
    let mut out: Option<String> = None;
    let mut copied = 0;
    for captures in pattern.captures_iter(current) {
        let Some(whole) = captures.get(0) else { continue };
        let rest = current.get(whole.end()..).unwrap_or_default();
        let Some(new) = with(&captures, rest) else { continue };
        let out = out.get_or_insert_with(|| String::with_capacity(current.len()));
        out.push_str(current.get(copied..whole.start()).unwrap_or_default());
        out.push_str(&new);
        copied = whole.end();
    }
    if let Some(mut out) = out {
        out.push_str(current.get(copied..).unwrap_or_default());
        *current = out;
    }
}

/// `token=` in a log line may be followed by a quoted message rather than a value.
fn is_cut_value(value: &str) -> bool {
    value.trim_matches(['"', '\'']).split_whitespace().count() > 2
}

/// The mark for a value on a command line. That a shell would have expanded it is kept: it is how passwords get lost.
fn shell(value: &str) -> String {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let expands = quote != Some('\'') && value.contains(['$', '`', '!']);
    let mark = if expands { "***$***" } else { MARK };
    match quote {
        Some(q) => format!("{q}{mark}{q}"),
        None => mark.to_owned(),
    }
}
