//! The body of an error answer: the registry API's form, and the forms that products use instead.
//!
//! The specification allows any body with 4xx; only JSON must be `{"errors":[{code,message,detail}]}`. Also seen: one
//! object without the list (zot), `{"error":...}` (Quay), `{"details":...}` (OpenShift and GitLab token services).

use serde_json::Value;

/// What kind of body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// Nothing, or blanks.
    Empty,
    /// JSON.
    Json,
    /// An HTML page.
    Html,
    /// Something else.
    Text,
}

impl BodyKind {
    /// The word used in every output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Json => "json",
            Self::Html => "html",
            Self::Text => "text",
        }
    }
}

/// One error of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiError {
    /// `MANIFEST_UNKNOWN`; empty where the form has none.
    pub code: String,
    /// The sentence; empty where the form has none.
    pub message: String,
}

/// The most errors that are read from one body, and characters from one message.
const MOST: usize = 8;
const MOST_CHARS: usize = 400;

/// What kind of body these bytes are.
pub fn kind(body: &[u8]) -> BodyKind {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        BodyKind::Empty
    } else if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        BodyKind::Json
    } else if looks_like_html(text) {
        BodyKind::Html
    } else {
        BodyKind::Text
    }
}

fn looks_like_html(text: &str) -> bool {
    let begin: String = text.chars().take(512).collect::<String>().to_ascii_lowercase();
    begin.starts_with('<')
        && ["<!doctype html", "<html", "<head", "<body", "<title"].iter().any(|tag| begin.contains(tag))
}

/// The errors in a body; empty where it is none of the known forms.
pub fn errors(body: &[u8]) -> Vec<ApiError> {
    let Ok(value) = serde_json::from_slice::<Value>(body) else { return Vec::new() };
    match value.get("errors") {
        Some(Value::Array(list)) => list.iter().take(MOST).map(one).collect(),
        _ => {
            let error = one(&value);
            if error == ApiError::default() { Vec::new() } else { vec![error] }
        }
    }
}

fn one(value: &Value) -> ApiError {
    let text = |names: &[&str]| {
        names
            .iter()
            .find_map(|n| value.get(n).and_then(Value::as_str))
            .unwrap_or_default()
            .chars()
            .take(MOST_CHARS)
            .collect()
    };
    ApiError {
        code: text(&["code"]),
        message: text(&["message", "details", "error_description", "error", "detail"]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_specified_form_and_the_others() {
        let read = |body: &str| errors(body.as_bytes());
        assert_eq!(
            read(
                r#"{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown","detail":{"Tag":"v1"}}]}"#
            ),
            [ApiError { code: "MANIFEST_UNKNOWN".into(), message: "manifest unknown".into() }]
        );
        assert_eq!(read(r#"{"code":"DENIED","message":"requested access is denied"}"#)[0].code, "DENIED");
        assert_eq!(
            read(r#"{"details":"incorrect username or password"}"#)[0].message,
            "incorrect username or password"
        );
        assert!(read("true").is_empty());
        assert!(read("{}").is_empty());
        assert!(read("<html>").is_empty());
    }

    #[test]
    fn tells_the_kinds_apart() {
        assert_eq!(kind(b" \n"), BodyKind::Empty);
        assert_eq!(kind(b"{}"), BodyKind::Json);
        assert_eq!(kind(b"<!DOCTYPE html><title>Sign in</title>"), BodyKind::Html);
        assert_eq!(kind(b"<html>\r\n<head><title>403</title>"), BodyKind::Html);
        assert_eq!(kind(b"<?xml version=\"1.0\"?><Error/>"), BodyKind::Text);
        assert_eq!(kind(b"404 page not found"), BodyKind::Text);
    }

    proptest! {
        #[test]
        fn never_panics(body in proptest::collection::vec(any::<u8>(), 0..300)) {
            kind(&body);
            errors(&body);
        }
    }
}
