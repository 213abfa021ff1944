//! Lines of an input of any size, in constant memory.

use std::io::{self, Read};

/// How much is read at once.
const BLOCK: usize = 256 * 1024;

/// A line is cut at this many bytes; what is over is skipped.
pub const LONGEST: usize = 16 * 1024 * 1024;

/// Calls `line` with each line (its end taken off), and `pause` whenever all that was there has been seen, which is when
/// answers should go out. Either may say that enough was read.
///
/// # Errors
/// What reading or the callbacks meet.
pub fn each(
    input: &mut impl Read,
    mut line: impl FnMut(&[u8]) -> io::Result<bool>,
    mut pause: impl FnMut() -> io::Result<bool>,
) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    // Bytes of an unfinished line at the buffer's beginning.
    let mut held = 0;
    let mut skipping = false;
    loop {
        if held == buffer.len() {
            if buffer.len() >= LONGEST {
                if !skipping && !line(&buffer)? {
                    return Ok(());
                }
                (skipping, held) = (true, 0);
            } else {
                buffer.resize((buffer.len() * 2).min(LONGEST), 0);
            }
        }
        let read = match input.read(buffer.get_mut(held..).unwrap_or_default()) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if read == 0 {
            if held > 0 && !skipping {
                line(buffer.get(..held).unwrap_or_default())?;
            }
            pause()?;
            return Ok(());
        }
        let filled = held + read;
        let mut start = 0;
        let mut from = held;
        while let Some(n) = memchr::memchr(b'\n', buffer.get(from..filled).unwrap_or_default()) {
            let end = from + n;
            let whole = buffer.get(start..end).unwrap_or_default();
            if !std::mem::take(&mut skipping) && !line(whole.strip_suffix(b"\r").unwrap_or(whole))? {
                return Ok(());
            }
            start = end + 1;
            from = start;
        }
        if skipping {
            held = 0;
        } else {
            buffer.copy_within(start..filled, 0);
            held = filled - start;
        }
        if !pause()? {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(input: &[u8]) -> Vec<usize> {
        let mut seen = Vec::new();
        let mut input = input;
        each(
            &mut input,
            |l| {
                seen.push(l.len());
                Ok(true)
            },
            || Ok(true),
        )
        .unwrap();
        seen
    }

    #[test]
    fn with_and_without_a_last_newline() {
        assert_eq!(lengths(b"a\n\nbc\r\nd"), [1, 0, 2, 1]);
        assert_eq!(lengths(b"a\n"), [1]);
        assert_eq!(lengths(b""), [0; 0]);
    }

    #[test]
    fn a_line_without_end_is_cut() {
        let mut input = vec![b'x'; LONGEST + BLOCK * 3];
        input.extend_from_slice(b"\nshort\n");
        assert_eq!(lengths(&input), [LONGEST, 5]);
    }
}
