//! Pulls by their image, so that what speaks of an image finds its pulls without a look at all of them.

use crate::pull::Pull;
use formats::reference::normalized;
use std::collections::HashMap;

/// The numbers of pulls by the image that they name, however completely; those without an image apart.
pub struct ByImage {
    named: HashMap<String, Vec<usize>>,
    unnamed: Vec<usize>,
}

impl ByImage {
    /// The index of these pulls.
    pub fn of(pulls: &[Pull<'_>]) -> Self {
        let mut all = Self { named: HashMap::new(), unnamed: Vec::new() };
        for (n, pull) in pulls.iter().enumerate() {
            all.add(n, &pull.image);
        }
        all
    }

    /// Adds one; numbers ascend.
    pub fn add(&mut self, n: usize, image: &str) {
        if image.is_empty() {
            self.unnamed.push(n);
        } else {
            self.named.entry(normalized(image)).or_default().push(n);
        }
    }

    /// The first pull of this image that fits.
    pub fn first(&self, image: &str, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let of_it = if image.is_empty() { Some(&self.unnamed) } else { self.named.get(&normalized(image)) };
        of_it?.iter().copied().find(|n| fits(*n))
    }

    /// The first pull of this image, or of an unknown one, that fits.
    pub fn first_or_unnamed(&self, image: &str, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let unnamed = self.unnamed.iter().copied().find(|n| fits(*n));
        self.first(image, fits).into_iter().chain(unnamed).min()
    }
}
