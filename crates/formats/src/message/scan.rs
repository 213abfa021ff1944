//! One pass over a text for every word that any table names.

use super::finder::Finder;
use super::image::{Trust, trust};
use super::leaf;
use super::marks::{ATTEMPTS, INTRODUCERS, MARKS, Mark};
use super::row::{Row, Weight};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a needle is there for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Use {
    /// The first word of a row.
    Key(u16),
    /// Sets the scene.
    Scene(Mark),
    /// An image reference may follow, and how much the word says that it is one.
    Introduces(Trust),
    /// The beginning of an attempt, by its place in `ATTEMPTS`.
    Attempt(u8),
}

impl Use {
    /// The mark that it sets, as a set.
    fn mark(&self) -> u64 {
        match self {
            Self::Scene(mark) => mark.bit(),
            _ => 0,
        }
    }
}

/// A word found: which, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub needle: u16,
    pub start: u32,
    pub end: u32,
}

/// A row, its other words as needles.
pub(crate) struct Compiled {
    pub row: &'static Row,
    pub others: Box<[u16]>,
    pub unless: Box<[u16]>,
}

/// All tables, and what finds their words.
pub(crate) struct Tables {
    finder: Finder,
    /// How long each word is.
    lengths: Vec<usize>,
    boundaries: Vec<(bool, bool)>,
    /// Needles of letters alone, which may stand in a host's or image's name and mean nothing there.
    nameable: Vec<bool>,
    uses: Vec<Vec<Use>>,
    /// The marks that each word sets, as a set.
    marks: Vec<u64>,
    pub rows: Vec<Compiled>,
}

pub(crate) static TABLES: LazyLock<Tables> = LazyLock::new(Tables::build);

impl Tables {
    fn build() -> Self {
        let mut words = Words::default();
        let mut uses: Vec<Vec<Use>> = Vec::new();
        let mut rows = Vec::new();
        for (n, row) in leaf::rows().enumerate() {
            let key = row.words.first().map(|w| words.id(w));
            let others = row.words.iter().skip(1).map(|w| words.id(w)).collect();
            let unless = row.unless.iter().map(|w| words.id(w)).collect();
            uses.resize_with(words.list.len(), Vec::new);
            if let Some(slot) = key.and_then(|k| uses.get_mut(usize::from(k))) {
                slot.push(Use::Key(u16::try_from(n).unwrap_or(u16::MAX)));
            }
            rows.push(Compiled { row, others, unless });
        }
        let decoys = leaf::other::DECOYS.iter().map(|w| (Mark::Decoy, *w));
        let elsewhere = leaf::other::ELSEWHERE.iter().map(|w| (Mark::Elsewhere, *w));
        let marks = MARKS.iter().flat_map(|(mark, list)| list.iter().map(|w| (*mark, *w)));
        let scenes = marks.chain(decoys).chain(elsewhere).map(|(mark, word)| (word, Use::Scene(mark)));
        let introducers = INTRODUCERS.iter().map(|w| (*w, Use::Introduces(trust(w))));
        let attempts = (0_u8..).zip(ATTEMPTS).map(|(n, w)| (*w, Use::Attempt(n)));
        for (word, role) in scenes.chain(introducers).chain(attempts) {
            let id = usize::from(words.id(word));
            uses.resize_with(words.list.len(), Vec::new);
            if let Some(slot) = uses.get_mut(id) {
                slot.push(role);
            }
        }
        let bare = || words.list.iter().map(|w| w.trim_matches('|'));
        let (finder, lengths) = (Finder::of(bare()), bare().map(str::len).collect());
        let boundaries = words.list.iter().map(|w| (w.starts_with('|'), w.ends_with('|'))).collect();
        let letters = |w: &str| w.trim_matches('|').bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let spoken = |u: &Use| matches!(u, Use::Scene(Mark::Pullish | Mark::Acts));
        let nameable = words
            .list
            .iter()
            .enumerate()
            .map(|(n, w)| letters(w) && !uses.get(n).is_some_and(|u| u.iter().any(spoken)))
            .collect();
        let marks = uses.iter().map(|uses| uses.iter().fold(0, |set, used| set | used.mark())).collect();
        Self { finder, lengths, boundaries, nameable, uses, marks, rows }
    }

    /// Every word of the tables in `text`, by where it ends, the longest first.
    pub(crate) fn find(&self, text: &str, into: &mut Vec<Hit>) {
        into.clear();
        let mut ordered = true;
        let bytes = text.as_bytes();
        self.finder.each(bytes, |(needle, start)| {
            let id = usize::from(needle);
            let end = start + self.lengths.get(id).copied().unwrap_or_default();
            let (left, right) = self.boundaries.get(id).copied().unwrap_or_default();
            let touched = |at: Option<usize>| at.and_then(|i| bytes.get(i)).is_some_and(|b| is_name_byte(*b));
            // A full stop ends a sentence, and joins a name only where that goes on.
            let stop = || bytes.get(end) == Some(&b'.') && !touched(Some(end + 1));
            if left && touched(start.checked_sub(1)) || right && touched(Some(end)) && !stop() {
                return;
            }
            if self.nameable.get(id).is_some_and(|n| *n) && in_a_name(bytes, start, end) {
                return;
            }
            // Offsets of a text that is longer than 4 GiB are of no use to anyone; `read` cuts texts far below.
            if let (Ok(start), Ok(end)) = (start.try_into(), end.try_into()) {
                ordered &= insert(into, Hit { needle, start, end });
            }
        });
        if !ordered {
            into.sort_unstable_by_key(order);
        }
    }

    pub(crate) fn uses(&self, needle: u16) -> &[Use] {
        self.uses.get(usize::from(needle)).map_or(&[], Vec::as_slice)
    }

    /// The marks that a word sets.
    pub(crate) fn marks(&self, needle: u16) -> u64 {
        self.marks.get(usize::from(needle)).copied().unwrap_or_default()
    }

    pub(crate) fn needles(&self) -> usize {
        self.uses.len()
    }
}

/// Whether a word is the first of a row that says more than that something failed.
pub(crate) fn says_why(hit: &Hit) -> bool {
    TABLES.uses(hit.needle).iter().any(|used| match used {
        Use::Key(n) => TABLES.rows.get(usize::from(*n)).is_some_and(|r| r.row.weight > Weight::Hint),
        _ => false,
    })
}

/// By where a word ends, the longest first.
fn order(hit: &Hit) -> (u32, u32, u16) {
    (hit.end, hit.start, hit.needle)
}

/// Puts a hit in its place, unless that is far: words are found nearly in order, and a few steps back cost less than a
/// sort of all. Whether it is in its place.
fn insert(hits: &mut Vec<Hit>, hit: Hit) -> bool {
    const FAR: usize = 16;
    let after = hits.iter().rev().take(FAR).take_while(|h| order(h) > order(&hit)).count();
    hits.insert(hits.len() - after, hit);
    after < FAR
}

/// Whether a word is a piece of a host's name, a reference or a path: `quarantine` in `registry.example.com/quarantine/app`.
fn in_a_name(bytes: &[u8], start: usize, end: usize) -> bool {
    let part = |b: &u8| is_name_byte(*b) || matches!(b, b':' | b'@');
    let from = start - bytes.get(..start).map_or(0, |b| b.iter().rev().take_while(|b| part(b)).count());
    let to = end + bytes.get(end..).map_or(0, |b| b.iter().take_while(|b| part(b)).count());
    let around = bytes.get(from..to).unwrap_or_default();
    let joined = |by: u8| {
        around.windows(2).any(|w| w.first() == Some(&by) && w.get(1).is_some_and(u8::is_ascii_alphanumeric))
    };
    let more = around.len() > end - start;
    more && (joined(b'.') || joined(b':') && around.contains(&b'/'))
}

/// Letters, digits, and what joins them in names, paths and ids.
fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'/' | b'.')
}

#[derive(Default)]
struct Words {
    ids: HashMap<&'static str, u16>,
    list: Vec<&'static str>,
}

impl Words {
    fn id(&mut self, word: &'static str) -> u16 {
        let next = u16::try_from(self.list.len()).unwrap_or(u16::MAX);
        *self.ids.entry(word).or_insert_with(|| {
            self.list.push(word);
            next
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::stands::LONGEST;
    use super::TABLES;

    #[test]
    fn no_word_is_too_long_to_be_found_near_another() {
        assert!(TABLES.lengths.iter().all(|l| *l <= LONGEST));
    }
}
