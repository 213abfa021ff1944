//! Answers given before. The same text has the same answer, so nothing but time depends on what is remembered.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// So many answers are remembered; a new one takes the place of an older.
const MOST: usize = 1 << 14;
/// Longer texts are read again: with `MOST`, a bound of 48 MiB that ordinary texts stay far below.
const LONGEST: usize = 2048;
const LONGEST_ANSWER: usize = 1024;

/// Texts and what was answered, each in the place that its hash gives it.
#[derive(Debug, Default)]
pub(super) struct Memory {
    places: Vec<Remembered>,
}

/// A text and its answer, in one piece.
#[derive(Clone, Debug, Default)]
struct Remembered {
    both: Vec<u8>,
    text: usize,
}

impl Memory {
    /// Appends the answer to `text`, which `work_out` would append.
    pub(super) fn answer(&mut self, text: &[u8], out: &mut Vec<u8>, work_out: impl FnOnce(&mut Vec<u8>)) {
        if self.places.is_empty() {
            self.places.resize_with(MOST, Remembered::default);
        }
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let place = self.places.get_mut(hasher.finish() as usize % MOST).filter(|_| text.len() <= LONGEST);
        let Some(place) = place else { return work_out(out) };
        if let Some((known, answer)) = place.both.split_at_checked(place.text)
            && known == text
            && !answer.is_empty()
        {
            out.extend_from_slice(answer);
            return;
        }
        let from = out.len();
        work_out(out);
        let answer = out.get(from..).unwrap_or_default();
        if answer.len() <= LONGEST_ANSWER {
            place.both.clear();
            place.both.extend_from_slice(text);
            place.both.extend_from_slice(answer);
            place.text = text.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_answered_is_not_worked_out_again() {
        let (mut memory, mut worked) = (Memory::default(), 0);
        let mut ask = |text: &[u8]| {
            let mut out = b"before ".to_vec();
            memory.answer(text, &mut out, |out| {
                worked += 1;
                out.extend(text.iter().rev());
            });
            (out, worked)
        };
        assert_eq!(ask(b"abc"), (b"before cba".to_vec(), 1));
        assert_eq!(ask(b"abc"), (b"before cba".to_vec(), 1));
        assert_eq!(ask(b"abd"), (b"before dba".to_vec(), 2));
        let long = vec![b'x'; LONGEST + 1];
        assert_eq!((ask(&long).1, ask(&long).1), (3, 4));
    }
}
