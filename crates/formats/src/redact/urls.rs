//! User information in URLs. Written by hand because passwords there are often not escaped as they should be.

use super::MARK;
use memchr::memmem;

/// Hides the password of `scheme://user:password@host`, or all of `scheme://token@host`. `None` where nothing changed.
pub fn user_information(text: &str) -> Option<String> {
    let mut out: Option<String> = None;
    let mut copied = 0;
    for at in memmem::find_iter(text.as_bytes(), b"://") {
        let start = at + 3;
        if start < copied {
            continue;
        }
        let Some(rest) = text.get(start..) else { continue };
        let end = rest.find(|c: char| c.is_whitespace() || "\"'<>`|\\".contains(c)).unwrap_or(rest.len());
        let Some(user_information) = rest.get(..end).and_then(found) else { continue };
        let (user, password) = match user_information.split_once(':') {
            Some((user, password)) => (Some(user), password),
            None => (None, user_information),
        };
        if password.is_empty() || password == MARK || password.starts_with('$') {
            continue;
        }
        let out = out.get_or_insert_default();
        out.push_str(text.get(copied..start).unwrap_or_default());
        if let Some(user) = user {
            out.push_str(user);
            out.push(':');
        }
        out.push_str(MARK);
        copied = start + user_information.len();
    }
    let mut out = out?;
    out.push_str(text.get(copied..).unwrap_or_default());
    Some(out)
}

/// What stands before the `@` of the authority. A password with an unescaped `/`, `?` or `#` shows by its port, which
/// is no number.
fn found(url: &str) -> Option<&str> {
    let authority_end = url.find(['/', '?', '#']).unwrap_or(url.len());
    let authority = url.get(..authority_end)?;
    if let Some(at) = authority.rfind('@') {
        return authority.get(..at);
    }
    let (_, port) = authority.split_once(':')?;
    let is_port = port.bytes().all(|b| b.is_ascii_digit()) || authority.starts_with('[');
    if is_port {
        return None;
    }
    url.rfind('@').and_then(|at| url.get(..at))
}
