//! Lines of `key=value` as logrus writes them, and what containerd says in them about each endpoint that it asked.

use crate::url;
use std::borrow::Cow;

/// The fields of a line, in order. Values in quotes are unescaped. Words without `=` are passed over.
pub fn fields(line: &str) -> Vec<(&str, Cow<'_, str>)> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(eq) = rest.find('=') {
        let key = rest.get(..eq).unwrap_or_default().rsplit([' ', '\t']).next().unwrap_or_default();
        let after = rest.get(eq + 1..).unwrap_or_default();
        let (value, next) = if let Some(quoted) = after.strip_prefix('"') {
            let end = closing_quote(quoted);
            let inner = quoted.get(..end).unwrap_or(quoted);
            let value =
                if inner.contains('\\') { Cow::Owned(unescaped(inner)) } else { Cow::Borrowed(inner) };
            (value, quoted.get(end + 1..).unwrap_or_default())
        } else {
            let end = after.find([' ', '\t']).unwrap_or(after.len());
            (Cow::Borrowed(after.get(..end).unwrap_or(after)), after.get(end..).unwrap_or_default())
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if !key.is_empty() && key.chars().all(plain) {
            found.push((key, value));
        }
        rest = next;
        if found.len() >= 64 {
            break;
        }
    }
    found
}

fn closing_quote(text: &str) -> usize {
    let mut escaped = false;
    for (i, b) in text.bytes().enumerate() {
        match b {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return i,
            _ => {}
        }
    }
    text.len()
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// What containerd's log says of one endpoint of a pull.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// Host and port.
    pub host: String,
    /// The URL, where the line has it.
    pub url: String,
    /// How it failed, in the runtime's words; empty where the line only says that it was asked.
    pub error: String,
    /// The status that came back, where it is the failure.
    pub status: Option<u16>,
    /// Whether the line says that no endpoint comes after it (2.x).
    pub last: bool,
}

/// Reads one line of containerd's log about an endpoint. Source: core/remotes/docker/resolver.go (`trying next host`,
/// `fetch failed`, `do request`), 1.3 to 2.4.
pub fn attempt(line: &str) -> Option<Attempt> {
    let words = ["trying next host", "fetch failed", "do request"];
    words.iter().find(|w| line.contains(*w))?;
    let fields = fields(line);
    let get = |key: &str| fields.iter().find(|(k, _)| *k == key).map(|(_, v)| v.to_string());
    let message = get("msg")?;
    let mut attempt = Attempt {
        host: get("host").unwrap_or_default(),
        url: get("url").unwrap_or_default(),
        error: get("error").unwrap_or_default(),
        last: message.starts_with("fetch failed"),
        ..Attempt::default()
    };
    if message.contains("http.StatusNotFound") {
        attempt.status = Some(404);
    } else if let Some((_, status)) = message.split_once("after status: ") {
        attempt.status = status.split_whitespace().next().and_then(|s| s.parse().ok());
        attempt.error = if attempt.error.is_empty() { status.to_owned() } else { attempt.error };
    }
    if attempt.host.is_empty() {
        url::scheme_of(&attempt.url)?;
        attempt.host = url::host_of(&attempt.url).to_owned();
    }
    Some(attempt)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_with_and_without_quotes() {
        let got = fields(r#"time="2022" level=info msg="a \"b\" c" host=r.example.com:5000 x"#);
        let got: Vec<_> = got.iter().map(|(k, v)| (*k, v.as_ref())).collect();
        assert_eq!(
            got,
            [("time", "2022"), ("level", "info"), ("msg", "a \"b\" c"), ("host", "r.example.com:5000")]
        );
    }

    #[test]
    fn attempts_of_all_releases() {
        let a = attempt(r#"time="x" level=info msg="trying next host" error="failed to do request: Head \"https://a/v2/\": dial tcp: refused" host=a"#).unwrap();
        assert_eq!((a.host.as_str(), a.status, a.last), ("a", None, false));
        assert!(a.error.contains("Head \"https://a/v2/\""));
        let a = attempt(r#"time="x" msg="trying next host - response was http.StatusNotFound" host="m:443""#)
            .unwrap();
        assert_eq!((a.host.as_str(), a.status), ("m:443", Some(404)));
        let a = attempt(r#"msg="fetch failed after status: 404 Not Found" host="localhost:5000""#).unwrap();
        assert!(a.last && a.status == Some(404));
        let a = attempt(r#"msg="do request" request.method=HEAD url="https://m/v2/x/v2/y?ns=q""#).unwrap();
        assert_eq!((a.host.as_str(), a.error.as_str()), ("m", ""));
        assert!(attempt("anything else").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(line in "(msg=|host=|\"|\\\\|trying next host|fetch failed| |=|\\PC){0,30}") {
            let _ = fields(&line);
            let _ = attempt(&line);
        }
    }
}
