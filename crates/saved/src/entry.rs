//! One file of the input, wherever it lies, and how its bytes are had.

use jiff::Timestamp;
use std::io::{self, Read};

/// A file of the input: on disk, in an archive, or standard input.
pub struct Entry<'r> {
    /// Its path for people, `/` as separator: `kube/events.yaml`, `bundle.tar.gz/nodes/w1/etc/hosts`.
    pub source: String,
    /// Its path with the names of what was given, for telling places and nodes: `inputs/kube/events.yaml`.
    pub path: String,
    /// When it was last changed, where the source is an archive of the node itself.
    pub modified: Option<Timestamp>,
    /// Its size, where known beforehand.
    pub size: Option<u64>,
    /// Its bytes.
    pub bytes: Box<dyn Read + 'r>,
}

impl Entry<'_> {
    /// Up to so many bytes from where the reader stands; fewer only at the end.
    pub fn read_up_to(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(most.min(self.size.map_or(8 << 10, |s| s as usize + 1)));
        self.bytes.by_ref().take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
