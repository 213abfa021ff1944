//! How much an archive unpacks to, and when it is enough.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// A number that a reader and its owner share.
#[derive(Clone, Debug, Default)]
pub struct Count(Rc<Cell<u64>>);

impl Count {
    /// The number.
    pub fn get(&self) -> u64 {
        self.0.get()
    }

    /// Sets it.
    pub fn set(&self, to: u64) {
        self.0.set(to);
    }

    /// Adds to it.
    pub fn add(&self, more: u64) {
        self.0.set(self.0.get().saturating_add(more));
    }

    /// Counts what is read.
    pub fn count<R: Read>(&self, inner: R) -> Counted<R> {
        Counted { inner, count: self.clone() }
    }
}

/// A reader that counts.
pub struct Counted<R> {
    inner: R,
    count: Count,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.count.add(n as u64);
        Ok(n)
    }
}

/// Plain bytes for each packed one beyond which an archive is a bomb: texts come to 20 or 50, zeros to 1,000 and more.
const RATIO: u64 = 400;
/// Plain bytes up to which the ratio does not matter.
const SMALL: u64 = 64 << 20;

/// A reader of plain bytes that ends with an error when there are too many.
pub struct Meter<R> {
    inner: R,
    all: Count,
    most: u64,
    own: u64,
    packed: Option<Count>,
}

impl<R: Read> Meter<R> {
    /// Counts into `all`, up to `most`; `packed` is what was read to get them.
    pub fn new(inner: R, all: Count, most: u64, packed: Option<Count>) -> Self {
        Self { inner, all, most, own: 0, packed }
    }
}

const BOUND: &str = "unpacks to more than is read";

impl<R: Read> Read for Meter<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.own = self.own.saturating_add(n as u64);
        self.all.add(n as u64);
        let bomb = self.packed.as_ref().is_some_and(|p| self.own > SMALL && self.own / RATIO > p.get());
        if bomb || self.all.get() > self.most {
            return Err(io::Error::other(BOUND));
        }
        Ok(n)
    }
}

/// Whether an error is the bound's and not the archive's.
pub fn is_bound(error: &io::Error) -> bool {
    error.to_string().contains(BOUND)
}
