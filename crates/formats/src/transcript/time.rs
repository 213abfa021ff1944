//! When a line of a log was written, and by whom, by its first words.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use regex::Regex;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static ISO: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^(?:[\w.-]+\s*\|?\s*)?\[?(?:time="|\{"?(?:time|ts|timestamp|@timestamp|level":"[a-z]+","(?:time|ts))"?:\s?")?(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})([.,]\d{1,9})?\s?(Z|UTC|[+-]\d{2}:?\d{2})?"#)
        .expect("constant pattern")
});
#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static TAG: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\w{3} [ \d]\d \d{2}:\d{2}:\d{2}(?:\.\d+)?|\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?) \S+ ([\w./@-]+?)(?:\[\d+\])?: ")
        .expect("constant pattern")
});

/// The time at the beginning of a line, where it has its date: ISO forms, `time="..."` of logrus, JSON logs. Lines
/// without an offset are taken for UTC, as containers and most servers write it.
pub fn line_time(line: &str) -> Option<Timestamp> {
    let line = line.trim_start();
    if !line.as_bytes().iter().take(40).any(u8::is_ascii_digit) {
        return None;
    }
    let found = ISO.captures(line)?;
    let part = |n| found.get(n).map_or("", |m| m.as_str());
    let fraction = part(3).replace(',', ".");
    let at: DateTime = format!("{}T{}{}", part(1), part(2), fraction).parse().ok()?;
    at.to_zoned(TimeZone::fixed(offset(part(4))?)).ok().map(|z| z.timestamp())
}

fn offset(text: &str) -> Option<Offset> {
    if matches!(text, "" | "Z" | "UTC") {
        return Some(Offset::UTC);
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = (digits.get(..2)?.parse::<i32>().ok()?, digits.get(2..)?.parse::<i32>().ok()?);
    let sign = if text.starts_with('-') { -1 } else { 1 };
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

/// The program that a journal's or syslog's line names: `containerd` of `Jan 02 10:00:00 w1 containerd[812]: ...`.
pub fn journal_tag(line: &str) -> Option<&str> {
    TAG.captures(line).and_then(|c| c.get(1)).map(|m| m.as_str().trim_end_matches(".service"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_the_forms_of_the_field() {
        for (line, wanted) in [
            ("time=\"2024-03-07T13:30:23.340519705Z\" level=error", "2024-03-07T13:30:23.340519705Z"),
            ("time=\"2023-10-17T11:01:36-03:00\" level=error", "2023-10-17T14:01:36Z"),
            ("time=\"2023-05-26 02:11:40.118923415Z\" level=info", "2023-05-26T02:11:40.118923415Z"),
            ("2022-05-19T08:57:54Z [ERROR] x", "2022-05-19T08:57:54Z"),
            ("2022/05/19 x", ""),
            ("{\"level\":\"error\",\"ts\":\"2024-01-02T03:04:05Z\"}", "2024-01-02T03:04:05Z"),
            ("E0823 00:08:36.232130    2669 x", ""),
            ("notAfter=Jun  7 05:48:45 2025 GMT", ""),
            ("", ""),
        ] {
            let got = line_time(line).map(|t| t.to_string()).unwrap_or_default();
            assert_eq!(got, wanted, "{line}");
        }
    }

    #[test]
    fn journals_name_the_program() {
        assert_eq!(journal_tag("Jan 02 10:00:00 worker-1 containerd[812]: time=x"), Some("containerd"));
        assert_eq!(journal_tag("2024-01-02T03:04:05+0000 w1 kubelet[1]: E0102"), Some("kubelet"));
        assert_eq!(journal_tag("time=\"2024\" x: y"), None);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(line in "\\PC{0,60}|[0-9T:. +-]{0,40}") {
            let _ = (line_time(&line), journal_tag(&line));
        }
    }
}
