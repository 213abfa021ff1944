//! The failures of a whole log, grouped by cause, image and host: how many lines, the first and the last.

use super::time::time_of;
use crate::message::{self, Reading};
use crate::redact;
use std::borrow::Cow;
use std::collections::HashMap;
use vocabulary::Cause;

/// Lines that say the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What the first of them says.
    pub reading: Reading,
    /// How many there are.
    pub count: u64,
    /// The time of the first, as its line has it; empty where the line has none.
    pub first: String,
    /// The time of the last.
    pub last: String,
}

/// What lines are grouped by.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    cause: Cause,
    image: Option<String>,
    host: Option<String>,
}

/// More groups than this are counted and not told apart: a log of millions of images must not fill the memory.
pub const MOST_GROUPS: usize = 1000;

/// Groups in the making; one line after the other.
#[derive(Debug, Default)]
pub struct Groups {
    known: HashMap<Key, usize>,
    groups: Vec<Group>,
    lines: u64,
    beyond: u64,
}

impl Groups {
    /// Takes a line of any bytes.
    pub fn line(&mut self, line: &[u8]) {
        self.lines += 1;
        if !message::looks_like_failure(line) {
            return;
        }
        let text = String::from_utf8_lossy(line);
        let reading = message::read(&text);
        if reading.cause == Cause::NotAPullFailure {
            return;
        }
        self.add(reading, &text);
    }

    fn add(&mut self, reading: Reading, line: &str) {
        let host = reading.endpoint_host.clone().or_else(|| reading.registry_host.clone());
        let key = Key { cause: reading.cause, image: reading.image.clone(), host };
        let time = time_of(line);
        if let Some(group) = self.known.get(&key).and_then(|n| self.groups.get_mut(*n)) {
            group.count += 1;
            if !time.is_empty() {
                time.clone_into(&mut group.last);
            }
        } else if self.groups.len() < MOST_GROUPS {
            self.known.insert(key, self.groups.len());
            let (first, last) = (time.to_owned(), time.to_owned());
            // What is kept is shown: nothing secret of it.
            let reading = match redact::text(line) {
                Cow::Owned(clean) => message::read(&clean),
                Cow::Borrowed(_) => reading,
            };
            self.groups.push(Group { reading, count: 1, first, last });
        } else {
            self.beyond += 1;
        }
    }

    /// How many lines were taken.
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// How many failures found no place among the groups.
    pub const fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The groups, the most frequent first. Lines that only say that a pull failed are left out where another line says
    /// why the same image's did.
    pub fn finish(self) -> Vec<Group> {
        let mut groups = self.groups;
        let explained: Vec<String> = groups
            .iter()
            .filter(|g| g.reading.cause != Cause::Unknown)
            .filter_map(|g| g.reading.image.as_deref().map(crate::reference::normalized))
            .collect();
        let told = |image: &Option<String>| match image {
            Some(image) => explained.contains(&crate::reference::normalized(image)),
            None => !explained.is_empty(),
        };
        groups.retain(|g| g.reading.cause != Cause::Unknown || !told(&g.reading.image));
        groups.sort_by_key(|g| std::cmp::Reverse(g.count));
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFUSED: &str = "Failed to pull image \"r.example.com/a:1\": failed to do request: Head \"https://r.example.com/v2/a/manifests/1\": dial tcp 192.0.2.1:443: connect: connection refused";

    #[test]
    fn counts_and_times() {
        let mut groups = Groups::default();
        for minute in 0..5 {
            groups.line(format!("2026-11-30T03:0{minute}:00Z {REFUSED}").as_bytes());
            groups.line(b"2026-11-30T03:00:00Z all is well");
            groups.line(b"2026-11-30T03:00:00Z Back-off pulling image \"r.example.com/a:1\"");
        }
        groups.line(b"Failed to pull image \"b:2\": manifest unknown");
        groups.line(&[0xff, 0, b'x', 0xfe]);
        assert_eq!(groups.lines(), 17);
        let all = groups.finish();
        let told: Vec<_> =
            all.iter().map(|g| (g.reading.cause, g.count, g.first.as_str(), g.last.as_str())).collect();
        assert_eq!(
            told,
            [
                (Cause::NetRefused, 5, "2026-11-30T03:00:00Z", "2026-11-30T03:04:00Z"),
                (Cause::ManifestUnknown, 1, "", "")
            ]
        );
    }

    #[test]
    fn many_images_do_not_fill_the_memory() {
        let mut groups = Groups::default();
        for n in 0..MOST_GROUPS + 50 {
            groups.line(format!("Failed to pull image \"r.example.com/a:{n}\": manifest unknown").as_bytes());
        }
        assert_eq!(groups.beyond(), 50);
        assert_eq!(groups.finish().len(), MOST_GROUPS);
    }
}
