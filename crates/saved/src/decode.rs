//! Bytes that are text in another shape: UTF-16, as PowerShell's `>` writes it, and texts with stray zero bytes.

use std::io::{self, BufReader, Read};

/// Which of two bytes comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The lower one.
    Little,
    /// The higher one.
    Big,
}

/// The order of a UTF-16 text, by its byte order mark.
pub fn utf16(head: &[u8]) -> Option<Order> {
    match head {
        // Four bytes make the mark of UTF-32, which nobody writes.
        [0xff, 0xfe, 0, 0, ..] => None,
        [0xff, 0xfe, ..] => Some(Order::Little),
        [0xfe, 0xff, ..] => Some(Order::Big),
        _ => None,
    }
}

/// A UTF-16 text as UTF-8, its mark included. What is no character becomes U+FFFD.
pub struct Utf16<R> {
    inner: BufReader<R>,
    order: Order,
    /// A first half of a pair.
    half: Option<u16>,
    ready: Vec<u8>,
    at: usize,
}

/// Units that are decoded at once.
const UNITS: usize = 8 << 10;

impl<R: Read> Utf16<R> {
    /// Reads `inner` as UTF-16.
    pub fn new(order: Order, inner: R) -> Self {
        Self { inner: BufReader::new(inner), order, half: None, ready: Vec::new(), at: 0 }
    }

    fn more(&mut self) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(UNITS * 2);
        self.inner.by_ref().take((UNITS * 2) as u64).read_to_end(&mut bytes)?;
        let ended = bytes.len() < UNITS * 2;
        let mut units: Vec<u16> = self.half.take().into_iter().collect();
        units.extend(bytes.chunks(2).map(|pair| match (pair, self.order) {
            ([a, b], Order::Little) => u16::from_le_bytes([*a, *b]),
            ([a, b], Order::Big) => u16::from_be_bytes([*a, *b]),
            _ => 0xfffd,
        }));
        if !ended && units.last().is_some_and(|u| (0xd800..0xdc00).contains(u)) {
            self.half = units.pop();
        }
        self.ready = String::from_utf16_lossy(&units).into_bytes();
        self.at = 0;
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.ready.len() {
            self.more()?;
        }
        let n = self.ready.get(self.at..).unwrap_or_default().read(buf)?;
        self.at += n;
        Ok(n)
    }
}

/// Bytes that are looked at to tell texts from others.
const SAMPLE: usize = 64 << 10;

/// Whether bytes are no text: control characters that no terminal shows are more than one in a hundred, or zeros more than
/// half. A log with a hole, as a crash leaves it, is a text.
pub fn is_binary(bytes: &[u8]) -> bool {
    let sample = bytes.get(..SAMPLE).unwrap_or(bytes);
    let is_odd = |b: &&u8| matches!(**b, 1..=7 | 11 | 14..=26 | 28..=31 | 127);
    let zeros = memchr::memchr_iter(0, sample).count();
    sample.iter().filter(is_odd).count() * 100 > sample.len() || zeros * 2 > sample.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(order: Order, bytes: &[u8]) -> String {
        let mut out = String::new();
        Utf16::new(order, bytes).read_to_string(&mut out).unwrap();
        out
    }

    #[test]
    fn logs_with_holes_are_texts_and_programs_are_none() {
        assert!(!is_binary(b"one line\n\0\0\0another\x1b[31m line\n"));
        assert!(!is_binary(b""));
        assert!(is_binary(b"\x7fELF\x02\x01\x01\0\0\0\0\0\x03\0\x3e\0"));
        assert!(is_binary(&[0; 600]));
    }

    proptest! {
        #[test]
        fn what_was_encoded_comes_back(text in "\\PC{0,300}", long in 0_usize..40, big in any::<bool>()) {
            let text = text.repeat(long);
            let order = if big { Order::Big } else { Order::Little };
            let bytes: Vec<u8> = text
                .encode_utf16()
                .flat_map(|u| if big { u.to_be_bytes() } else { u.to_le_bytes() })
                .collect();
            prop_assert_eq!(decoded(order, &bytes), text);
        }

        #[test]
        fn any_bytes_decode(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = decoded(Order::Little, &bytes);
        }
    }
}
