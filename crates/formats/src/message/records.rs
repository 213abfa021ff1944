//! Where one utterance ends and the next begins: lines of logs, rows of event tables, steps of a build. Lines that do
//! not begin like any of these continue the one before.

use memchr::memchr;
use std::ops::Range;

/// What kind of utterance a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A program's words.
    Plain,
    /// An event of type Normal: something went well, or is being waited for.
    Normal,
    /// An event of type Warning.
    Warning,
}

/// A span of the text.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub span: Range<usize>,
    pub kind: Kind,
}

/// The most records that one text is divided into; what is left over joins the last.
const MOST: usize = 4096;

/// Divides a text into records; never empty for a text that is not.
pub(crate) fn split(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut start = 0;
    let mut open = false;
    let mut closed = false;
    while start < text.len() {
        let end = memchr(b'\n', &text.as_bytes()[start..]).map_or(text.len(), |n| start + n + 1);
        let line = &text[start..end];
        // Boxes that a terminal drew around the text.
        let trimmed = line.trim().trim_matches('│').trim();
        if trimmed.is_empty() {
            open = false;
        } else {
            let kind = event_kind(trimmed);
            let continues = open && !closed && kind.is_none() && !begins(trimmed) || records.len() >= MOST;
            match records.last_mut() {
                Some(last) if continues => last.span.end = end,
                _ => records.push(Record { span: start..end, kind: kind.unwrap_or(Kind::Plain) }),
            }
            open = true;
            // A structured log line that ends with its last value's quote has ended.
            closed =
                trimmed.ends_with('"') && (trimmed.starts_with("time=") || trimmed.starts_with("level="));
        }
        start = end;
    }
    records
}

/// A row of an event table has its type among the first columns, and a reason in one word after it.
fn event_kind(line: &str) -> Option<Kind> {
    let mut words = line.split_ascii_whitespace();
    for _ in 0..12 {
        let kind = match words.next()? {
            "Normal" => Kind::Normal,
            "Warning" => Kind::Warning,
            _ => continue,
        };
        let reason = words.next()?;
        let camel = reason.len() > 3
            && reason.starts_with(|c: char| c.is_ascii_uppercase())
            && reason.bytes().all(|b| b.is_ascii_alphanumeric());
        return camel.then_some(kind);
    }
    None
}

/// Beginnings that open a record, as programs print them.
const BEGINNINGS: &[&str] = &[
    "Error",
    "ERROR",
    "error:",
    "error from",
    "ERRO[",
    "FATA[",
    "WARN[",
    "INFO[",
    "DEBU[",
    "FATAL",
    "WARN",
    "INFO",
    "DEBUG",
    "E!",
    "Failed to",
    "initializing source",
    "choosing an image",
    "Failed create",
    "Trying to pull",
    "ctr:",
    "docker:",
    "crictl",
    "podman",
    "Using default tag",
    "The push refers",
    "Pulling",
    "Pushing",
    "Unable to find",
    "Step ",
    "time=",
    "level=",
    "ts=",
    "{",
    "[",
    "=>",
    "->",
    ">",
    "------",
    "$ ",
    "# ",
    "+ ",
    "! ",
    "✘",
    "✔",
    "⠿",
    "❌",
    "×",
    "* ",
    "Copying ",
    "Getting image",
    "Writing manifest",
    "Storing signatures",
    "Warning",
    "WARNING",
    "Status:",
    "Digest:",
    "Retrying",
    "Attempting",
    "Successfully",
    "failed to solve",
    "spec.containers",
    "spec.initContainers",
    "Command ",
    "Back-off",
    "Creating ",
    "F8:",
    "make:",
    "exit status",
    "unpacking ",
    "elapsed:",
    "resolving",
    "Download",
    "Extracting",
    "Waiting",
    "v1 ping",
    "v2 ping",
];

/// Whether a line opens a record by its form alone.
pub(crate) fn opens(line: &str) -> bool {
    event_kind(line).is_some() || begins(line)
}

fn begins(line: &str) -> bool {
    // A registry's answer stands below the words of who asked, also where it takes many lines.
    let answer = line.starts_with("{\"errors\"") || matches!(line, "{" | "[");
    BEGINNINGS.iter().any(|b| line.starts_with(b)) && !answer || dated(line) || progress(line) || klog(line)
}

/// `2024-..`, `2024/..`, `Dec 15 03:06:31`, `03:06:31`, `#5 `, `15:04 `.
fn dated(line: &str) -> bool {
    const MONTHS: &[&str] =
        &["Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "];
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let next = line.as_bytes().get(digits).copied();
    digits == 4 && matches!(next, Some(b'-' | b'/'))
        || (1..=2).contains(&digits) && next == Some(b':')
        || line.strip_prefix('#').is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit()))
        || MONTHS.iter().any(|m| line.starts_with(m))
}

/// `E0606 13:30:13.436089    7210 remote_image.go:180]`.
fn klog(line: &str) -> bool {
    let bytes = line.as_bytes();
    matches!(bytes.first(), Some(b'I' | b'W' | b'E' | b'F'))
        && bytes.get(1..5).is_some_and(|d| d.iter().all(u8::is_ascii_digit))
        && bytes.get(5) == Some(&b' ')
}

/// `e7955dbcd645: Waiting`, `0.5: Pulling from team/app`.
fn progress(line: &str) -> bool {
    line.split_once(": ").is_some_and(|(id, rest)| {
        let hex = id.len() == 12 && id.bytes().all(|b| b.is_ascii_hexdigit());
        hex || rest.starts_with("Pulling from ") && !id.contains(' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|r| text[r.span].trim()).collect()
    }

    #[test]
    fn a_wrapped_chain_is_one_record() {
        let text = "Failed to pull image \"a\":\nfailed to resolve reference \"a\":\nunexpected status\nto https://a: 403";
        assert_eq!(parts(text).len(), 1);
    }

    #[test]
    fn rows_and_log_lines_are_records() {
        let text = "Events:\n  Type Reason\n  Normal  Pulling  6s  kubelet  Pulling image \"a\"\n  Warning  Failed  6s  kubelet  Failed\nE0606 13:30:13.4 1 x.go:1] no\ntime=\"2026\" level=info";
        let kinds: Vec<Kind> = split(text).into_iter().map(|r| r.kind).collect();
        assert_eq!(kinds, [Kind::Plain, Kind::Normal, Kind::Warning, Kind::Plain, Kind::Plain]);
    }
}
