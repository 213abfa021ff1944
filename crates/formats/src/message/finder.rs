//! Many words sought in a text at once, small and capital letters alike.
//!
//! Each word has four bytes in a row that other text seldom has, and is looked for where these stand. An automaton looks
//! up each byte after the one before it, in tables that no cache holds; a look at four bytes waits for no other, needs a
//! few dozen kilobytes, and may be had at every second place.

use super::rarity::rarity;

/// Bits of the filter: what four bytes come to. Few of them are set, and fewer of their bytes are ever looked at.
const SLOTS: usize = 1 << 18;
/// Slots that share a place in the list of pieces.
const SHARED: usize = 4;
/// Makes small and capital letters alike, and some other bytes that are told apart later.
const FOLD: u32 = 0x2020_2020;
const FOLD_8: u64 = 0x2020_2020_2020_2020;
/// Places that are looked at together before it is asked whether one of them has found anything.
const TOGETHER: usize = 8;
/// Every second place is looked at, so each word has fours at two places next to each other.
const STEP: usize = 2;

/// A word by one of its fours.
#[derive(Clone, Copy)]
struct Piece {
    slot: u32,
    word: u16,
    /// Where the four begins in the word; -1 where it begins a byte before it.
    offset: i16,
}

/// The words, by their fours.
pub(crate) struct Finder {
    filter: Box<[u64]>,
    /// The first piece of each few slots.
    first: Box<[u16]>,
    pieces: Vec<Piece>,
    words: Vec<Word>,
    /// Words of one or two bytes, none of them letters.
    tiny: Vec<u16>,
}

/// A word found: which, and where it begins.
pub(crate) type Place = (u16, usize);

impl Finder {
    pub(crate) fn of<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<Word> = words.into_iter().map(Word::of).collect();
        let (mut pieces, mut tiny) = (Vec::new(), Vec::new());
        for (word, Word { bytes, .. }) in (0_u16..).zip(&words) {
            if bytes.len() < 3 {
                tiny.push(word);
                continue;
            }
            let from = rarest(bytes);
            for offset in from..from + STEP as i16 {
                fours(bytes, offset, |four| pieces.push(Piece { slot: slot(four), word, offset }));
            }
        }
        pieces.sort_unstable_by_key(|p| (p.slot, p.word, p.offset));
        pieces.dedup_by_key(|p| (p.slot, p.word, p.offset));
        let mut filter = vec![0; SLOTS / 64].into_boxed_slice();
        let mut first = vec![0; SLOTS / SHARED].into_boxed_slice();
        for (n, piece) in pieces.iter().enumerate().rev() {
            let slot = piece.slot as usize;
            filter[slot / 64] |= 1 << (slot % 64);
            first[slot / SHARED] = u16::try_from(n).unwrap_or(u16::MAX);
        }
        Self { filter, first, pieces, words, tiny }
    }

    /// Whether any of the words stands in `text`.
    pub(crate) fn any(&self, text: &[u8]) -> bool {
        self.walk(text, |_| true)
    }

    /// Calls `found` with each of the words in `text`, in no order.
    pub(crate) fn each(&self, text: &[u8], mut found: impl FnMut(Place)) {
        self.walk(text, |place| {
            found(place);
            false
        });
    }

    /// Until `enough` says so.
    #[inline]
    fn walk(&self, text: &[u8], mut enough: impl FnMut(Place) -> bool) -> bool {
        let Ok(filter) = <&Filter>::try_from(&*self.filter) else { return false };
        let mut at = 0;
        while let Some(Ok(span)) = text.get(at..at + SPAN).map(<&[u8; SPAN]>::try_from) {
            let seen = seen(filter, span);
            if seen != 0 && self.look(text, (at, span), seen, &mut enough) {
                return true;
            }
            at += TOGETHER * STEP;
        }
        // What is left, with zeros behind it.
        let left = text.get(at..).unwrap_or_default();
        let mut padded = [0; SPAN * 2];
        padded.get_mut(..left.len()).unwrap_or_default().copy_from_slice(left);
        for more in [0, TOGETHER * STEP] {
            let Some(Ok(span)) = padded.get(more..more + SPAN).map(<&[u8; SPAN]>::try_from) else { break };
            let seen = if more < left.len() { seen(filter, span) } else { 0 };
            if seen != 0 && self.look(text, (at + more, span), seen, &mut enough) {
                return true;
            }
        }
        self.tiny.iter().any(|word| {
            let bytes = self.words.get(usize::from(*word)).map_or(&[][..], |w| &w.bytes);
            memchr::memmem::find_iter(text, bytes).any(|at| enough((*word, at)))
        })
    }

    /// The words at those places of a span, which begins at `at`, that have a bit in `seen`.
    #[inline(never)]
    fn look(
        &self,
        text: &[u8],
        (at, span): (usize, &[u8; SPAN]),
        mut seen: u64,
        enough: &mut impl FnMut(Place) -> bool,
    ) -> bool {
        while seen != 0 {
            let n = seen.trailing_zeros() as usize % TOGETHER * STEP;
            if self.stands(text, at + n, slot_at(span, n), enough) {
                return true;
            }
            seen &= seen - 1;
        }
        false
    }

    /// The words whose four is that at `at`.
    fn stands(&self, text: &[u8], at: usize, slot: u32, enough: &mut impl FnMut(Place) -> bool) -> bool {
        let first = self.first.get(slot as usize / SHARED).map_or(0, |n| usize::from(*n));
        for piece in self.pieces.get(first..).unwrap_or_default() {
            if piece.slot != slot {
                if piece.slot > slot {
                    break;
                }
                continue;
            }
            let Some(word) = self.words.get(usize::from(piece.word)) else { continue };
            let start = at.wrapping_add_signed(-isize::from(piece.offset));
            if word.is_at(text, start) && enough((piece.word, start)) {
                return true;
            }
        }
        false
    }
}

type Filter = [u64; SLOTS / 64];

/// The bytes that `TOGETHER` looks need.
const SPAN: usize = TOGETHER * STEP + 2;

/// Which of the fours of a span may be a word's: a bit for each.
#[inline(always)]
fn seen(filter: &Filter, span: &[u8; SPAN]) -> u64 {
    let mut seen = 0;
    for n in 0..TOGETHER {
        seen |= passes(filter, slot_at(span, n * STEP)) << n;
    }
    seen
}

#[inline(always)]
fn slot_at(span: &[u8; SPAN], n: usize) -> u32 {
    slot(u32::from_le_bytes([span[n], span[n + 1], span[n + 2], span[n + 3]]))
}

#[inline(always)]
fn passes(filter: &Filter, slot: u32) -> u64 {
    filter[(slot / 64) as usize % (SLOTS / 64)] >> (slot % 64) & 1
}

/// One word, in small letters.
struct Word {
    bytes: Box<[u8]>,
    /// Its first eight bytes, folded; of a shorter word, as many as it has.
    head: u64,
    mask: u64,
}

impl Word {
    fn of(word: &str) -> Self {
        let bytes = word.to_ascii_lowercase().into_bytes().into_boxed_slice();
        let (mut head, mut mask) = ([0; 8], [0; 8]);
        for ((h, m), b) in head.iter_mut().zip(&mut mask).zip(&bytes) {
            (*h, *m) = (*b, u8::MAX);
        }
        let mask = u64::from_le_bytes(mask);
        Self { bytes, head: (u64::from_le_bytes(head) | FOLD_8) & mask, mask }
    }

    fn is_at(&self, text: &[u8], start: usize) -> bool {
        if let Some(Ok(there)) = text.get(start..start.saturating_add(8)).map(<[u8; 8]>::try_from)
            && (u64::from_le_bytes(there) | FOLD_8) & self.mask != self.head
        {
            return false;
        }
        let there = text.get(start..start.saturating_add(self.bytes.len()));
        there.is_some_and(|t| t.eq_ignore_ascii_case(&self.bytes))
    }
}

#[inline(always)]
fn slot(four: u32) -> u32 {
    (four | FOLD).wrapping_mul(0x9E37_79B1) >> 14
}

/// Where the rarest fours of a word begin: `STEP` in a row, each with at most one byte of what is around the word.
fn rarest(word: &[u8]) -> i16 {
    let last = i16::try_from(word.len()).unwrap_or(i16::MAX) - 3 - (STEP as i16 - 1);
    let rare = |from: &i16| {
        let inside = |at: i16| usize::try_from(at).ok().and_then(|at| word.get(at));
        let of = |offset: i16| (offset..offset + 4).filter_map(inside).map(|b| rarity(*b)).sum::<u32>();
        (*from..*from + STEP as i16).map(of).min()
    };
    (-1..=last.max(-1)).max_by_key(rare).unwrap_or(-1)
}

/// The fours that the one at `offset` may be: where it is not the word's, any byte.
fn fours(word: &[u8], offset: i16, mut take: impl FnMut(u32)) {
    let inside = |n: i16| usize::try_from(offset + n).ok().and_then(|at| word.get(at)).copied();
    let known = [inside(0), inside(1), inside(2), inside(3)];
    match known.iter().position(Option::is_none) {
        None => take(u32::from_le_bytes(known.map(Option::unwrap_or_default))),
        Some(open) => {
            for any in (0..=u8::MAX).filter(|any| any & FOLD as u8 != 0) {
                let mut four = known.map(Option::unwrap_or_default);
                four[open] = any;
                take(u32::from_le_bytes(four));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(words: &[&str], text: &str) -> Vec<(u16, usize)> {
        let mut places = Vec::new();
        Finder::of(words.iter().copied()).each(text.as_bytes(), |p| places.push(p));
        places.sort_unstable();
        places
    }

    fn plainly(words: &[&str], text: &str) -> Vec<(u16, usize)> {
        let mut places = Vec::new();
        for (n, word) in (0..).zip(words) {
            let ends = text.len().saturating_sub(word.len() - 1);
            let at = (0..ends)
                .filter(|at| text.as_bytes()[*at..*at + word.len()].eq_ignore_ascii_case(word.as_bytes()));
            places.extend(at.map(|at| (n, at)));
        }
        places
    }

    #[test]
    fn each_place_once() {
        assert_eq!(found(&["eof", "(", "ofe"], "EOF(eofEof"), [(0, 0), (0, 4), (0, 7), (1, 3), (2, 5)]);
        assert_eq!(found(&["err"], "er"), []);
    }

    proptest! {
        #[test]
        fn as_a_plain_search_finds_them(
            words in prop::collection::vec("[abAB(]{3,9}|\\(", 1..6),
            text in "[abAB(]{0,60}",
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            prop_assert_eq!(found(&words, &text), plainly(&words, &text));
            prop_assert_eq!(Finder::of(words.iter().copied()).any(text.as_bytes()), !plainly(&words, &text).is_empty());
        }
    }
}
