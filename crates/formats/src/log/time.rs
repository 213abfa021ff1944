//! The time that a log line carries, as it stands there. Logs are in order, so nothing is computed with it.

/// Longer texts are no times.
const LONGEST: usize = 40;

/// The time of a line, a slice of it; empty where it has none.
pub fn time_of(line: &str) -> &str {
    let line = line.trim_start();
    let found = named(line).or_else(|| dated(line)).or_else(|| klog(line)).or_else(|| bracketed(line));
    found.filter(|t| t.len() <= LONGEST).unwrap_or_default()
}

/// `time="..."`, `ts=...`, `"ts":...`: among the first members, which is where loggers put it, or the last.
fn named(line: &str) -> Option<&str> {
    const NAMES: &[&str] = &[
        "time=\"",
        "time=",
        "ts=",
        "\"ts\":\"",
        "\"ts\":",
        "\"time\":\"",
        "\"timestamp\":\"",
        "\"@timestamp\":\"",
        "\"t\":\"",
    ];
    let near = |at: usize| at < 64 || line.starts_with('{');
    let (name, at) = NAMES.iter().find_map(|n| line.find(n).filter(|at| near(*at)).map(|at| (*n, at)))?;
    // `uptime=` is no `time=`.
    if at > 0 && line.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let value = line.get(at + name.len()..)?;
    let end = if name.ends_with('"') {
        value.find('"')?
    } else {
        value.find([' ', ',', '}']).unwrap_or(value.len())
    };
    value.get(..end).filter(|v| v.starts_with(|c: char| c.is_ascii_digit()))
}

/// `2026-11-30T03:00:00Z`, `2026-11-30 03:00:00,123`, `2026/11/30 03:00:00`, `Nov 30 03:00:00`.
fn dated(line: &str) -> Option<&str> {
    let word = |from: usize| {
        line.get(from..).map(|rest| rest.find(char::is_whitespace).map_or(line.len(), |n| from + n))
    };
    let bytes = line.as_bytes();
    let digits =
        |at: usize, n: usize| bytes.get(at..at + n).is_some_and(|d| d.iter().all(u8::is_ascii_digit));
    if digits(0, 4) && matches!(bytes.get(4), Some(b'-' | b'/')) && digits(5, 2) && digits(8, 2) {
        let end = match bytes.get(10) {
            Some(b' ') if digits(11, 2) => word(11)?,
            _ => word(0)?,
        };
        return line.get(..end);
    }
    const MONTHS: &[&str] =
        &["Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "];
    let day_and_time = digits(7, 2) && bytes.get(9) == Some(&b':');
    (MONTHS.iter().any(|m| line.starts_with(m)) && day_and_time).then(|| line.get(..15)).flatten()
}

/// `E1130 03:00:00.436089    7210 x.go:180]`: month and day without a year.
fn klog(line: &str) -> Option<&str> {
    let bytes = line.as_bytes();
    let head = matches!(bytes.first(), Some(b'I' | b'W' | b'E' | b'F'))
        && bytes.get(1..5).is_some_and(|d| d.iter().all(u8::is_ascii_digit))
        && bytes.get(5) == Some(&b' ');
    let end = line.get(6..).and_then(|rest| rest.find(' ')).map(|n| n + 6)?;
    head.then(|| line.get(1..end)).flatten()
}

/// `[30/Nov/2026:03:00:00 +0000]`, `[2026-11-30 03:00:00]`.
fn bracketed(line: &str) -> Option<&str> {
    let open = line.find('[').filter(|at| *at < 64)?;
    let inside = line.get(open + 1..)?;
    let inside = inside.get(..inside.find(']')?)?;
    let clock = inside.matches(':').count() >= 2 && inside.starts_with(|c: char| c.is_ascii_digit());
    (clock && inside.len() >= 16).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::time_of;

    #[test]
    fn as_loggers_write_it() {
        for (line, time) in [
            ("time=\"2026-11-30T03:00:00Z\" level=info", "2026-11-30T03:00:00Z"),
            ("level=info ts=2026-11-30T03:00:00.1Z caller=x", "2026-11-30T03:00:00.1Z"),
            ("{\"level\":\"info\",\"ts\":1748003206.9,\"msg\":\"x\"}", "1748003206.9"),
            (
                "{\"log\":\"x\",\"stream\":\"stderr\",\"time\":\"2026-11-30T03:00:00Z\"}",
                "2026-11-30T03:00:00Z",
            ),
            ("2026-11-30T03:00:00.5+09:00 stderr F x", "2026-11-30T03:00:00.5+09:00"),
            ("2026-11-30 03:00:00,123 INFO x", "2026-11-30 03:00:00,123"),
            ("2026/11/30 03:00:00 x", "2026/11/30 03:00:00"),
            ("Nov 30 03:00:00 node kubelet[1]: x", "Nov 30 03:00:00"),
            ("E1130 03:00:00.436089    7210 x.go:180] y", "1130 03:00:00.436089"),
            ("10.0.0.1 - - [30/Nov/2026:03:00:00 +0000] \"GET", "30/Nov/2026:03:00:00 +0000"),
            ("Failed to pull image \"a\"", ""),
            ("uptime=5 x", ""),
            ("", ""),
        ] {
            assert_eq!(time_of(line), time, "{line}");
        }
    }
}
