//! The objects of a JSON text, one by one, without the whole of it in memory: a list's items (wherever `kind` stands), an
//! array's elements, objects one after the other (audit logs, NDJSON).
//!
//! Only boundaries are found here; what an item is, is for `formats::kube`.

use memchr::{memchr, memchr_iter, memchr2, memchr3, memmem};
use std::io::{self, Read};
use std::ops::Range;

/// Items that lie one behind the other in one piece of the input.
#[derive(Debug, Default)]
pub struct Batch {
    /// The piece.
    pub bytes: Vec<u8>,
    /// Where each item lies in it.
    pub items: Vec<Range<usize>>,
    /// The line of the piece's first byte, from 1.
    pub line: u32,
    /// The kind of the list that they stand in, where it was known before them.
    pub list: Head,
}

/// What an object says of itself at its top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
}

/// What the text was, once it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Lists, with what they say of themselves and whether they are only one page of more.
    pub lists: Vec<(Head, bool)>,
    /// Items in all.
    pub items: u64,
    /// What ended the reading before the end, and its line.
    pub problem: Option<(u32, String)>,
    /// Logs of containers between the objects, as `kubectl cluster-info dump` prints them, with the line of each.
    pub logs: Vec<(u32, String)>,
    /// Bytes of such logs that are not among these.
    pub logs_left_out: u64,
}

/// Bytes after which a batch is handed on.
const BATCH: usize = 2 << 20;
/// Bytes asked for at once.
const CHUNK: usize = 1 << 20;
/// Bytes of logs that are kept.
const LOGS: usize = 8 << 20;
/// Lists noted in a summary.
const LISTS: usize = 1_000;

/// Reads a text to its end and hands on batches. `longest` bounds one item.
///
/// # Errors
///
/// Reading fails; what was found before has been handed on.
pub fn read<R: Read>(reader: R, longest: usize, hand: &mut dyn FnMut(Batch)) -> io::Result<Summary> {
    let mut cursor = Cursor {
        reader,
        buffer: Vec::new(),
        at: 0,
        ended: false,
        line: 1,
        longest,
        items: Vec::new(),
        list: Head::default(),
        logs: 0,
        summary: Summary::default(),
        hand,
    };
    let end = cursor.top();
    cursor.flush();
    match end {
        Ok(()) => {}
        Err(Stop::Io(error)) => return Err(error),
        Err(Stop::Bad(what)) => {
            let line = cursor.line_of(cursor.at);
            cursor.summary.problem = Some((line, what.to_owned()));
        }
    }
    Ok(cursor.summary)
}

const LOG_BEGINS: &[u8] = b"==== START logs for container ";
const LOG_ENDS: &[u8] = b"==== END logs for container ";

enum Stop {
    Io(io::Error),
    Bad(&'static str),
}

/// What is wrong with a text that stops before its objects do.
pub const CUT: &str = "ends in the middle of an object";

const ENDS: Stop = Stop::Bad(CUT);

struct Cursor<'h, R> {
    reader: R,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
    /// The line of the buffer's first byte.
    line: u32,
    longest: usize,
    items: Vec<Range<usize>>,
    list: Head,
    /// Bytes of logs kept so far.
    logs: usize,
    summary: Summary,
    hand: &'h mut dyn FnMut(Batch),
}

impl<R: Read> Cursor<'_, R> {
    /// Reads more, at least as much as is there so that repeated searches stay linear. `false` at the end.
    fn fill(&mut self) -> Result<bool, Stop> {
        if self.ended {
            return Ok(false);
        }
        let wanted = CHUNK.max(self.buffer.len() - self.start());
        let before = self.buffer.len();
        let got = self.reader.by_ref().take(wanted as u64).read_to_end(&mut self.buffer).map_err(Stop::Io)?;
        self.ended = got < wanted;
        Ok(self.buffer.len() > before)
    }

    /// Where the oldest byte lies that is still needed.
    fn start(&self) -> usize {
        self.items.first().map_or(self.at, |i| i.start)
    }

    /// Hands on the items found so far; what lies behind them stays.
    fn flush(&mut self) {
        let Some(last) = self.items.last().map(|i| i.end) else {
            // Nothing to hand on: forget what was passed.
            self.forget(self.at);
            return;
        };
        let tail = self.buffer.split_off(last);
        let bytes = std::mem::replace(&mut self.buffer, tail);
        self.at -= last.min(self.at);
        let lines = count_lines(&bytes);
        let batch =
            Batch { bytes, items: std::mem::take(&mut self.items), line: self.line, list: self.list.clone() };
        self.line = self.line.saturating_add(lines);
        (self.hand)(batch);
    }

    fn forget(&mut self, until: usize) {
        let passed = self.buffer.get(..until).unwrap_or_default();
        self.line = self.line.saturating_add(count_lines(passed));
        self.buffer.drain(..until.min(self.buffer.len()));
        self.at -= until.min(self.at);
    }

    fn line_of(&self, at: usize) -> u32 {
        self.line.saturating_add(count_lines(self.buffer.get(..at).unwrap_or_default()))
    }

    /// The next byte that is no blank, which stays.
    fn peek(&mut self) -> Result<Option<u8>, Stop> {
        loop {
            while let Some(b) = self.buffer.get(self.at) {
                if !b.is_ascii_whitespace() {
                    return Ok(Some(*b));
                }
                self.at += 1;
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
    }

    fn top(&mut self) -> Result<(), Stop> {
        self.peek()?;
        if self.buffer.get(self.at..).is_some_and(|b| b.starts_with(b"\xef\xbb\xbf")) {
            self.at += 3;
        }
        loop {
            match self.peek()? {
                None => return Ok(()),
                Some(b',') => self.at += 1,
                Some(b'[') => {
                    self.at += 1;
                    self.elements(b']')?;
                }
                Some(b'{') => self.object()?,
                Some(b'=') => self.log()?,
                Some(_) => return Err(Stop::Bad("is no JSON from here")),
            }
            if self.items.last().is_some_and(|i| i.end - self.start() >= BATCH) {
                self.flush();
            }
        }
    }

    /// The log of a container between its two marks (kubectl v1.36 `clusterinfo_dump.go`).
    fn log(&mut self) -> Result<(), Stop> {
        while self.buffer.len() < self.at + LOG_BEGINS.len() && self.fill()? {}
        if !self.buffer.get(self.at..).is_some_and(|b| b.starts_with(LOG_BEGINS)) {
            return Err(Stop::Bad("is no JSON from here"));
        }
        // What lies before is done with, so that only this log is held.
        self.flush();
        self.forget(self.at);
        let line = self.line;
        loop {
            let next = memchr(b'\n', self.buffer.get(self.at..).unwrap_or_default());
            let end = match next {
                Some(n) => self.at + n + 1,
                None if self.buffer.len() - self.at > self.longest => self.buffer.len(),
                None if self.fill()? => continue,
                None => self.buffer.len(),
            };
            let piece = self.buffer.get(self.at..end).unwrap_or_default();
            // A log whose last line has no end stands before the mark.
            let is_last = memmem::find(piece, LOG_ENDS).is_some() || piece.is_empty();
            if piece.len() <= LOGS - self.logs {
                self.logs += piece.len();
                let text = String::from_utf8_lossy(piece);
                match self.summary.logs.last_mut().filter(|(of, _)| *of == line) {
                    Some((_, log)) => log.push_str(&text),
                    None => self.summary.logs.push((line, text.into_owned())),
                }
            } else {
                self.summary.logs_left_out += piece.len() as u64;
            }
            self.at = end;
            self.forget_often();
            if is_last {
                return Ok(());
            }
        }
    }

    /// Forgets what was passed once it is worth moving the rest.
    fn forget_often(&mut self) {
        if self.at >= CHUNK {
            self.forget(self.at);
        }
    }

    /// The objects of an array, up to its end.
    fn elements(&mut self, close: u8) -> Result<(), Stop> {
        loop {
            match self.peek()? {
                None => return Err(ENDS),
                Some(b',') => self.at += 1,
                Some(b) if b == close => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'{') => {
                    let start = self.at;
                    let end = self.value_end()?;
                    // Filling never moves what lies in the buffer; only handing on does, and that is done below.
                    self.items.push(start..end);
                    self.summary.items += 1;
                    self.at = end;
                    if end - self.start() >= BATCH {
                        self.flush();
                    }
                }
                Some(_) => {
                    self.at = self.value_end()?;
                }
            }
        }
    }

    /// An object at the top: a list, or one item.
    fn object(&mut self) -> Result<(), Stop> {
        let start = self.at;
        let mut head = Head::default();
        let mut is_list = false;
        let mut partial = false;
        self.at += 1;
        loop {
            match self.peek()? {
                None => return Err(ENDS),
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b',') => {
                    self.at += 1;
                    continue;
                }
                Some(b'"') => {}
                Some(_) => return Err(Stop::Bad("is no JSON from here")),
            }
            let key = self.at..self.value_end()?;
            self.at = key.end;
            if self.peek()? != Some(b':') {
                return Err(Stop::Bad("is no JSON from here"));
            }
            self.at += 1;
            let first = self.peek()?;
            let name = self.buffer.get(key.clone()).unwrap_or_default();
            let is_items = name == b"\"items\"" && first == Some(b'[');
            if is_items && !is_list {
                is_list = true;
                self.at += 1;
                // Items found before belong to no list, and what lies before the first element is no longer needed.
                self.flush();
                self.forget(self.at);
                self.list = head.clone();
                self.elements(b']')?;
                self.flush();
                self.list = Head::default();
                continue;
            }
            let is = |wanted: &[u8]| name == wanted;
            let (kind, version, metadata) = (is(b"\"kind\""), is(b"\"apiVersion\""), is(b"\"metadata\""));
            let end = self.value_end()?;
            let value = self.buffer.get(self.at..end).unwrap_or_default();
            if kind || version {
                let text = String::from_utf8_lossy(value).trim_matches('"').chars().take(128).collect();
                if kind { head.kind = text } else { head.api_version = text }
            } else if metadata {
                partial = memmem::find(value, b"\"continue\": \"")
                    .or(memmem::find(value, b"\"continue\":\""))
                    .is_some_and(|at| {
                        value
                            .get(at..)
                            .and_then(|v| v.split(|b| *b == b'"').nth(3))
                            .is_some_and(|t| !t.is_empty())
                    });
            }
            self.at = end;
        }
        if is_list {
            if self.summary.lists.len() < LISTS {
                self.summary.lists.push((head, partial));
            }
        } else {
            self.items.push(start..self.at);
            self.summary.items += 1;
        }
        Ok(())
    }

    /// The end of the value at the cursor, reading more as needed.
    fn value_end(&mut self) -> Result<usize, Stop> {
        // An object that begins on a line of its own ends on the next line with the same indent: line breaks within JSON
        // strings are escaped, so no other line can look like it.
        let closing = self.closing_line();
        let mut searched = self.at;
        loop {
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            if let Some(closing) = &closing {
                let from = searched.saturating_sub(closing.len()).max(self.at);
                let found = memmem::find(self.buffer.get(from..).unwrap_or_default(), closing);
                if let Some(found) = found {
                    let end = from + found + closing.len();
                    if self.ends_element(end) {
                        return Ok(end);
                    }
                    if let Some(end) = skip(rest) {
                        return Ok(self.at + end);
                    }
                }
                searched = self.buffer.len();
            } else if let Some(end) = skip(rest) {
                return Ok(self.at + end);
            }
            if rest.len() > self.longest {
                return Err(Stop::Bad("one value is larger than is read"));
            }
            if !self.fill()? {
                return skip(self.buffer.get(self.at..).unwrap_or_default())
                    .map(|end| self.at + end)
                    .ok_or(ENDS);
            }
        }
    }

    /// What the closing line of the object at the cursor looks like, where it begins a line and breaks after its brace.
    fn closing_line(&self) -> Option<Vec<u8>> {
        let before = self.buffer.get(..self.at)?;
        let indent = before.iter().rev().take_while(|b| **b == b' ').count();
        let begins = before.len() > indent && before.get(before.len() - indent - 1) == Some(&b'\n');
        let breaks = self.buffer.get(self.at..self.at + 2) == Some(b"{\n");
        if !begins || !breaks || indent == 0 {
            return None;
        }
        let mut line = vec![b'\n'];
        line.resize(indent + 1, b' ');
        line.push(b'}');
        Some(line)
    }

    /// Whether an element of a list can end here.
    fn ends_element(&self, end: usize) -> bool {
        let next = self.buffer.get(end..).unwrap_or_default().iter().find(|b| !b.is_ascii_whitespace());
        next.is_none_or(|b| matches!(b, b',' | b']' | b'}'))
    }
}

fn count_lines(bytes: &[u8]) -> u32 {
    u32::try_from(memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
}

/// The length of the JSON value that the bytes begin with; `None` where they end before it does.
fn skip(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' => skip_string(bytes, 0),
        b'{' => skip_nested(bytes, b'{', b'}'),
        b'[' => skip_nested(bytes, b'[', b']'),
        // A scalar; a bracket out of place is taken for one, so that every value moves on.
        _ => bytes
            .iter()
            .skip(1)
            .position(|b| matches!(b, b',' | b'}' | b']') || b.is_ascii_whitespace())
            .map(|n| n + 1),
    }
}

fn skip_string(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from + 1;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

fn skip_nested(bytes: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_u32;
    let mut at = 0;
    loop {
        at += memchr3(b'"', open, close, bytes.get(at..)?)?;
        match *bytes.get(at)? {
            b'"' => at = skip_string(bytes, at)?,
            b if b == open => {
                depth += 1;
                at += 1;
            }
            _ => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
    }
}

/// The line of each item of a batch.
pub fn lines(batch: &Batch) -> Vec<u32> {
    let (mut line, mut from) = (batch.line, 0);
    batch
        .items
        .iter()
        .map(|item| {
            line = line.saturating_add(count_lines(batch.bytes.get(from..item.start).unwrap_or_default()));
            from = item.start;
            line
        })
        .collect()
}

/// Whether bytes are worth a try: the first that is no blank opens an object or an array.
pub fn looks_like_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    matches!(head.first(), Some(b'{' | b'['))
        && memchr(b'"', head.get(..head.len().min(4096)).unwrap_or_default()).is_some()
}

#[cfg(test)]
#[path = "json_items_tests.rs"]
mod tests;
