//! Lines of `{"id","text",...}` in, lines of answers out, in order.
//!
//! Most lines of a log are no failures, so a line is not parsed: `id` and `text` are found in place, and only a text that
//! may be a failure is decoded and read.

use super::memory::Memory;
use crate::message::{self, Reading};
use vocabulary::Cause;

/// `id` as it stands in the line (any JSON value), and the inside of the string `text`, still escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry<'l> {
    /// The value of `id`, verbatim; empty where there is none.
    pub id: &'l [u8],
    /// Between the quotes of `text`; empty where there is none.
    pub text: &'l [u8],
    /// The line is one object to its end, and `text` is a string in it.
    pub sound: bool,
}

/// Finds `id` and `text` among the members of a line's object. Total: of a broken line, what could be found.
pub fn entry(line: &[u8]) -> Entry<'_> {
    plain(line).unwrap_or_else(|| searched(line))
}

/// A line as most programs write it, `{"id":...,"text":"..."}`: all of its text is looked at at once, and no quote in it
/// sought for itself. Nothing where it has, or may have, another form.
fn plain(line: &[u8]) -> Option<Entry<'_>> {
    let members = behind(behind(behind(line, b"{")?, b"\"id\"")?, b":")?.trim_ascii_start();
    let (id, rest) = members.split_at_checked(value_end(members, 0))?;
    let text = behind(behind(behind(behind(rest, b",")?, b"\"text\"")?, b":")?, b"\"")?;
    let text = text.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end().strip_suffix(b"\"")?;
    (!may_end_within(text)).then_some(Entry { id: id.trim_ascii(), text, sound: true })
}

/// Whether one of a text's quotes may end its string. None does where one backslash stands before each, and none before
/// another or at the end. Eight bytes at once, since the release's last link takes no loop's bytes together by itself.
fn may_end_within(text: &[u8]) -> bool {
    let (eights, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let (mut any, mut before) = (0, 0);
    for eight in eights.iter().chain([&last]) {
        let eight = u64::from_le_bytes(*eight);
        let (quotes, backslashes) = (equal(eight, b'"'), equal(eight, b'\\'));
        // The lowest byte is the first: what stands before a byte is one byte lower, or the highest of the eight before.
        let behind = backslashes << 8 | before >> 56;
        any |= quotes & !behind | backslashes & behind;
        before = backslashes;
    }
    any != 0 || text.ends_with(b"\\")
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = ONES << 7;

/// The high bit of each byte that equals `byte`.
const fn equal(eight: u64, byte: u8) -> u64 {
    let differ = eight ^ (ONES * byte as u64);
    // A sum within seven bits carries into the high bit unless all of them are zero, and never into the next byte.
    !(((differ & !HIGHS) + !HIGHS) | differ) & HIGHS
}

/// What follows a token, after blanks.
fn behind<'l>(line: &'l [u8], token: &[u8]) -> Option<&'l [u8]> {
    line.trim_ascii_start().strip_prefix(token)
}

/// Member by member.
fn searched(line: &[u8]) -> Entry<'_> {
    let mut found = Entry::default();
    let mut has_text = false;
    let mut at = skip_blank(line, 0);
    if line.get(at) != Some(&b'{') {
        return found;
    }
    at += 1;
    loop {
        at = skip_blank(line, at);
        if line.get(at) != Some(&b'"') {
            return found;
        }
        let key_end = string_end(line, at);
        let key = line.get(at + 1..key_end).unwrap_or_default();
        at = skip_blank(line, key_end + 1);
        if line.get(at) != Some(&b':') {
            return found;
        }
        at = skip_blank(line, at + 1);
        let end = value_end(line, at);
        match key {
            b"id" => found.id = line.get(at..end).unwrap_or_default().trim_ascii(),
            b"text" if line.get(at) == Some(&b'"') => {
                let inside = line.get(at + 1..end).unwrap_or_default();
                found.text = inside.strip_suffix(b"\"").unwrap_or(inside);
                has_text = true;
            }
            _ => {}
        }
        at = skip_blank(line, end);
        match line.get(at) {
            Some(b',') => at += 1,
            Some(b'}') => {
                found.sound = has_text && skip_blank(line, at + 1) == line.len();
                return found;
            }
            _ => return found,
        }
    }
}

fn skip_blank(line: &[u8], mut at: usize) -> usize {
    while line.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The index of the quote that closes the string which opens at `at`; the line's length where none does.
fn string_end(line: &[u8], at: usize) -> usize {
    let mut from = at + 1;
    while let Some(here) = next_quote(line, from) {
        let before = line.get(from..here).unwrap_or_default();
        // An odd number of backslashes before a quote takes it into the string.
        if before.iter().rev().take_while(|b| **b == b'\\').count() % 2 == 0 {
            return here;
        }
        from = here + 1;
    }
    line.len()
}

/// Eight bytes at once: quotes stand close to each other, so that a call for each would cost more than the search. Where
/// none stood close, the next is likely far.
fn next_quote(line: &[u8], mut from: usize) -> Option<usize> {
    const CLOSE: usize = 32;
    let close = from + CLOSE;
    while let Some(Ok(eight)) = line.get(from..from + 8).filter(|_| from < close).map(<[u8; 8]>::try_from) {
        let quotes = equal(u64::from_le_bytes(eight), b'"');
        if quotes != 0 {
            return Some(from + (quotes.trailing_zeros() / 8) as usize);
        }
        from += 8;
    }
    memchr::memchr(b'"', line.get(from..)?).map(|n| from + n)
}

/// Behind the value that begins at `at`.
fn value_end(line: &[u8], at: usize) -> usize {
    if line.get(at) == Some(&b'"') {
        return (string_end(line, at) + 1).min(line.len());
    }
    let mut depth = 0_usize;
    let mut here = at;
    while let Some(byte) = line.get(here) {
        match byte {
            b'"' => here = string_end(line, here),
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 0 => return here,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return here,
            _ => {}
        }
        here += 1;
    }
    line.len()
}

/// The text of a JSON string's inside. Total: broken escapes and bytes that are no UTF-8 become replacement characters.
pub fn unescape(inside: &[u8]) -> String {
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside;
    while let Some(n) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(rest.get(..n).unwrap_or_default());
        let (taken, c) = escape(rest.get(n + 1..).unwrap_or_default());
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        rest = rest.get(n + 1 + taken..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    String::from_utf8(out).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

/// What stands after a backslash: how many bytes it is, and the character.
fn escape(after: &[u8]) -> (usize, char) {
    match after.first() {
        Some(b'n') => (1, '\n'),
        Some(b't') => (1, '\t'),
        Some(b'r') => (1, '\r'),
        Some(b'b') => (1, '\u{8}'),
        Some(b'f') => (1, '\u{c}'),
        Some(b'u') => unicode(after),
        Some(b @ (b'"' | b'\\' | b'/')) => (1, char::from(*b)),
        _ => (0, char::REPLACEMENT_CHARACTER),
    }
}

fn unicode(after: &[u8]) -> (usize, char) {
    let unit = |at: usize| {
        let digits = after.get(at..at + 4)?;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let lost = char::REPLACEMENT_CHARACTER;
    match unit(1) {
        None => (1, lost),
        Some(high @ 0xD800..=0xDBFF) if after.get(5..7) == Some(b"\\u") => match unit(7) {
            Some(low @ 0xDC00..=0xDFFF) => {
                (11, char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).unwrap_or(lost))
            }
            _ => (5, lost),
        },
        Some(code) => (5, char::from_u32(code).unwrap_or(lost)),
    }
}

/// Lines that had no text to answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// How many.
    pub count: u64,
    /// The first of them, counted from 1; 0 where there is none.
    pub first: u64,
}

/// Answers lines, and remembers answers: what fails is tried again, and says the same again.
#[derive(Debug, Default)]
pub struct Answers {
    memory: Memory,
    lines: u64,
    answered: u64,
    unread: Unread,
}

impl Answers {
    /// Answers one line: appends a line of JSON to `out`. Blank lines have no answer.
    pub fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        self.lines += 1;
        if line.trim_ascii().is_empty() {
            return;
        }
        let entry = entry(line);
        self.answered += 1;
        if !entry.sound {
            self.unread.count += 1;
            if self.unread.first == 0 {
                self.unread.first = self.lines;
            }
        }
        out.extend_from_slice(b"{\"id\":");
        out.extend_from_slice(if is_json(entry.id) { entry.id } else { b"null" });
        if !message::looks_like_failure(entry.text) {
            out.extend_from_slice(HEALTHY);
            return;
        }
        self.memory.answer(entry.text, out, |out| write(&message::read(&unescape(entry.text)), out));
    }

    /// Lines that were no JSON, or without a string `text`. They are answered like any, so that each line has its answer.
    pub const fn unread(&self) -> Unread {
        self.unread
    }

    /// Whether there were lines, and not one with a text.
    pub const fn read_nothing(&self) -> bool {
        self.answered > 0 && self.unread.count == self.answered
    }
}

/// Whether an id can be repeated as it stands: a broken line may have anything in its place.
fn is_json(id: &[u8]) -> bool {
    // Most ids are plain strings, which need no parser.
    let inside = id.strip_prefix(b"\"").and_then(|id| id.strip_suffix(b"\""));
    let plain = |b: &u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
    inside.is_some_and(|i| i.iter().all(plain))
        || std::str::from_utf8(id).is_ok_and(|id| serde_json::from_str::<serde::de::IgnoredAny>(id).is_ok())
}

/// What every line that is no failure is answered.
const HEALTHY: &[u8] = b",\"stage\":\"other\",\"cause\":\"not-a-pull-failure\",\"also_possible\":[],\"confidence\":\"possible\",\"operation\":\"start\",\"image\":null,\"registry_host\":null,\"runtime\":null}\n";

fn write(reading: &Reading, out: &mut Vec<u8>) {
    if reading.cause == Cause::NotAPullFailure {
        out.extend_from_slice(HEALTHY);
        return;
    }
    let mut member = |name: &str, value: &str| {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(value.as_bytes());
    };
    member(",\"stage\":\"", reading.cause.stage().word());
    member("\",\"cause\":\"", reading.cause.id());
    member("\",\"also_possible\":", "");
    let mut open = b'[';
    for also in &reading.also_possible {
        out.push(open);
        out.push(b'"');
        out.extend_from_slice(also.id().as_bytes());
        out.push(b'"');
        open = b',';
    }
    out.extend_from_slice(if open == b'[' { b"[]" } else { b"]" });
    let mut member = |name: &str, value: &str| {
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(value.as_bytes());
    };
    member(",\"confidence\":\"", reading.confidence.word());
    member("\",\"operation\":\"", reading.operation.word());
    out.extend_from_slice(b"\",\"image\":");
    string(reading.image.as_deref(), out);
    out.extend_from_slice(b",\"registry_host\":");
    string(reading.registry_host.as_deref(), out);
    out.extend_from_slice(b",\"runtime\":");
    string(reading.runtime.map(vocabulary::Runtime::word), out);
    out.extend_from_slice(b"}\n");
}

fn string(value: Option<&str>, out: &mut Vec<u8>) {
    // Escaping is serde_json's; a string cannot fail to serialise.
    if serde_json::to_writer(&mut *out, &value).is_err() {
        out.extend_from_slice(b"null");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answered(line: &str) -> serde_json::Value {
        let mut out = Vec::new();
        Answers::default().line(line.as_bytes(), &mut out);
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn an_id_that_is_no_json_is_null() {
        for line in
            ["{\"id\":\0 \"x\",\"text\":\"y\"}", "{\"id\":01x,\"text\":\"y\"}", "{\"id\":[1,,\"text\""]
        {
            assert!(answered(line)["id"].is_null(), "{line:?}");
        }
    }

    #[test]
    fn members_in_any_order_and_of_any_kind() {
        let line = br#" { "meta" : {"id": 7, "text": ["no"]}, "text" : "a \" b", "n": [1, {"x": "]"}], "id" : "m1" , "z": null}"#;
        assert_eq!(entry(line), Entry { id: b"\"m1\"", text: br#"a \" b"#, sound: true });
        assert_eq!(entry(br#"{"id":12,"text":"x"}"#).id, b"12");
        assert_eq!(entry(b"nonsense"), Entry::default());
        assert_eq!(entry(br#"{"text":"cut off"#).text, b"cut off");
    }

    #[test]
    fn lines_without_a_text_are_counted() {
        let mut answers = Answers::default();
        let mut out = Vec::new();
        let lines: [&[u8]; 7] = [
            b"",
            b" {\"text\":\"x\"} ",
            b"{\"text\":\"cut",
            b"{\"text\":7}",
            b"{}",
            b"{\"text\":\"x\"}}",
            b"[]",
        ];
        for line in lines {
            answers.line(line, &mut out);
        }
        assert_eq!(answers.unread(), Unread { count: 5, first: 3 });
        assert!(!answers.read_nothing());
    }

    #[test]
    fn an_answer_has_every_member() {
        let v = answered(
            r#"{"id":"a","text":"Failed to pull image \"r.example.com/a:1\": failed to do request: Head \"https://r.example.com/v2/a/manifests/1\": dial tcp: lookup r.example.com: no such host"}"#,
        );
        assert_eq!(v["id"], "a");
        assert_eq!((&v["stage"], &v["cause"]), (&"dns".into(), &"dns.not-found".into()));
        assert_eq!(
            (&v["image"], &v["registry_host"]),
            (&"r.example.com/a:1".into(), &"r.example.com".into())
        );
        assert_eq!(answered(r#"{"text":"all is well"}"#)["cause"], "not-a-pull-failure");
        assert!(answered("{").as_object().unwrap().len() == 9);
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(br#"a\n\"b\"\u0041\ud83d\ude00\/"#), "a\n\"b\"A\u{1F600}/");
        assert_eq!(unescape(br"\q\"), "\u{FFFD}q\u{FFFD}");
    }

    proptest! {
        #[test]
        fn any_bytes_have_an_answer(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut out = Vec::new();
            Answers::default().line(&line, &mut out);
            let whole = out.is_empty() || out.ends_with(b"}\n");
            prop_assert!(whole);
        }

        #[test]
        fn a_plain_line_is_read_as_any_other(id in "[0-9]{0,2}|\"[a\\\\\"]{0,3}\"", text in "[a\\\\\",}]{0,12}[a-c]{0,9}[a\\\\\",}]{0,12}", blank in " ?") {
            let line = format!("{{\"id\":{blank}{id}{blank},{blank}\"text\":{blank}\"{text}\"{blank}}}");
            if let Some(plain) = plain(line.as_bytes()) {
                prop_assert_eq!(plain, searched(line.as_bytes()), "{}", line);
            }
        }

        #[test]
        fn strings_are_read_as_serde_reads_them(text in "\\PC*") {
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(unescape(&json.as_bytes()[1..json.len() - 1]), text);
        }
    }
}
