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
/// What each further word with the same four takes from its rarity.
const CROWD: i32 = 4;
/// Fours are chosen from so many first bytes of a word.
const LONGEST: usize = i8::MAX as usize - 4;
/// Every second place is looked at, so each word has fours at two places next to each other.
const STEP: usize = 2;

/// A word by one of its fours.
#[derive(Clone, Copy)]
struct Piece {
    /// Folded: what another four with the same slot is told by.
    four: u32,
    word: u16,
    /// Where the four begins in the word; -1 where it begins a byte before it.
    offset: i8,
    /// The last one of those that share a place.
    last: bool,
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
        let mut crowds = vec![0; SLOTS].into_boxed_slice();
        for Word { bytes, .. } in &words {
            for four in (0..bytes.len().min(LONGEST) as i8).filter_map(|offset| whole(bytes, offset)) {
                crowds[slot(four) as usize] += 1;
            }
        }
        for (word, Word { bytes, .. }) in (0_u16..).zip(&words) {
            if bytes.len() < 3 {
                tiny.push(word);
                continue;
            }
            let from = rarest(bytes, &crowds);
            for offset in from..from + STEP as i8 {
                fours(bytes, offset, |four| pieces.push(Piece { four, word, offset, last: false }));
            }
        }
        pieces.sort_unstable_by_key(|p| u64::from(slot(p.four)) << 32 | u64::from(p.four));
        let mut filter = vec![0; SLOTS / 64].into_boxed_slice();
        let mut first = vec![0; SLOTS / SHARED].into_boxed_slice();
        let mut behind = usize::MAX;
        for (n, piece) in pieces.iter_mut().enumerate().rev() {
            let slot = slot(piece.four) as usize;
            filter[slot / 64] |= 1 << (slot % 64);
            first[slot / SHARED] = u16::try_from(n).unwrap_or(u16::MAX);
            piece.last = slot / SHARED != behind;
            behind = slot / SHARED;
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
            if self.stands(text, at + n, four_at(span, n), enough) {
                return true;
            }
            seen &= seen - 1;
        }
        false
    }

    /// The words whose four is that at `at`.
    fn stands(&self, text: &[u8], at: usize, four: u32, enough: &mut impl FnMut(Place) -> bool) -> bool {
        let first = self.first.get(slot(four) as usize / SHARED).map_or(0, |n| usize::from(*n));
        for piece in self.pieces.get(first..).unwrap_or_default() {
            if piece.four == four
                && let Some(word) = self.words.get(usize::from(piece.word))
            {
                let start = at.wrapping_add_signed(-isize::from(piece.offset));
                if word.is_at(text, start) && enough((piece.word, start)) {
                    return true;
                }
            }
            if piece.last {
                break;
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
        seen |= passes(filter, slot(four_at(span, n * STEP))) << n;
    }
    seen
}

/// Folded.
#[inline(always)]
fn four_at(span: &[u8; SPAN], n: usize) -> u32 {
    u32::from_le_bytes([span[n], span[n + 1], span[n + 2], span[n + 3]]) | FOLD
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

/// Of a folded four.
#[inline(always)]
fn slot(four: u32) -> u32 {
    four.wrapping_mul(0x9E37_79B1) >> 14
}

/// Where the rarest fours of a word begin: `STEP` in a row, and only those of a word of three or four bytes with one of what
/// is around it. A four that many words have in them tells little, however rare it is in other text.
fn rarest(word: &[u8], crowds: &[i32]) -> i8 {
    let length = word.len().min(LONGEST) as i8;
    let places = if length > 4 { 0..=length - 5 } else { -1..=length - 4 };
    let of = |offset: i8| {
        let crowd = whole(word, offset).and_then(|four| crowds.get(slot(four) as usize)).copied();
        let rare: i32 = around(word, offset).into_iter().flatten().map(|b| rarity(b) as i32).sum();
        rare - CROWD * crowd.unwrap_or_default()
    };
    places.max_by_key(|from| (*from..*from + STEP as i8).map(of).min()).unwrap_or(-1)
}

/// Four bytes from `offset` on; nothing for what is not the word's.
fn around(word: &[u8], offset: i8) -> [Option<u8>; 4] {
    [0, 1, 2, 3].map(|n| usize::try_from(offset + n).ok().and_then(|at| word.get(at)).copied())
}

/// The four at `offset`, folded, where all of it is the word's.
fn whole(word: &[u8], offset: i8) -> Option<u32> {
    match around(word, offset) {
        [Some(a), Some(b), Some(c), Some(d)] => Some(u32::from_le_bytes([a, b, c, d]) | FOLD),
        _ => None,
    }
}

/// The fours, folded, that the one at `offset` may be: where it is not the word's, any byte.
fn fours(word: &[u8], offset: i8, mut take: impl FnMut(u32)) {
    if let Some(four) = whole(word, offset) {
        return take(four);
    }
    for any in (0..=u8::MAX).filter(|any| any & FOLD as u8 != 0) {
        take(u32::from_le_bytes(around(word, offset).map(|known| known.unwrap_or(any))) | FOLD);
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
