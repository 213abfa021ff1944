//! The roots that certificates are checked against: the system's, found as Go finds them, and those of `--ca`.

use emulate::files::{Entry, Files, join};
use emulate::go::x509::{CertificatePlaces, Roots};
use facts::{BlindSpot, Why};
use std::fs;
use std::path::{Path, PathBuf};

/// The most files of one directory, and bytes of one file, that are read.
const MOST_FILES: usize = 4000;
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Trusted certificates, and where they came from.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    pub(crate) roots: Roots,
    /// The files and directories that gave some.
    pub(crate) from: Vec<String>,
    /// Files that were named and gave none.
    pub problems: Vec<BlindSpot>,
}

impl Trust {
    /// No root at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// What a client has that finds no root file at all.
    pub fn unreadable() -> Self {
        Self { roots: Roots::unreadable(), ..Self::default() }
    }

    /// These roots and no other; `name` says where they came from.
    pub fn of_pem(name: &str, pem: &[u8]) -> Self {
        let mut trust = Self::default();
        trust.roots.add_pem(pem);
        trust.from.push(name.to_owned());
        trust
    }

    /// The system's roots below `root`, and the certificates of these files.
    pub fn of_machine(root: &Path, places: &CertificatePlaces, ca_files: &[PathBuf]) -> Self {
        let mut trust = Self::default();
        let below = |place: &str| root.join(place.trim_start_matches('/'));
        if let Some((place, text)) = places.files.iter().find_map(|p| Some((p, read(&below(p))?))) {
            trust.roots.add_pem(&text);
            trust.from.push(place.clone());
        }
        for place in &places.directories {
            let taken = trust.directory(&below(place));
            if taken > 0 {
                trust.from.push(place.clone());
            }
        }
        if trust.from.is_empty() {
            trust.roots = Roots::unreadable();
        }
        for file in ca_files {
            trust.add(&file.display().to_string(), read(file).as_deref());
        }
        trust
    }

    /// The system's roots of a file tree that need not be this machine's; `None` where the tree has none.
    pub fn of_files(files: &dyn Files, places: &CertificatePlaces) -> Option<Self> {
        let mut trust = Self::default();
        let text = |path: &str| match files.entry(path) {
            Entry::File(text) => Some(text),
            _ => None,
        };
        if let Some((place, text)) = places.files.iter().find_map(|p| Some((p, text(p)?))) {
            trust.roots.add_pem(&text);
            trust.from.push(place.clone());
        }
        for place in &places.directories {
            let names = files.list(place);
            let texts = names.iter().take(MOST_FILES).filter_map(|name| text(&join(place, name)));
            let added = texts
                .map(|t| trust.roots.add_pem(&t))
                .fold((0, 0), |(taken, known), a| (taken + a.taken, known + a.duplicates));
            if added.0 + added.1 > 0 {
                trust.from.push(place.clone());
            }
        }
        (!trust.from.is_empty()).then_some(trust)
    }

    /// Adds the certificates of a named text; one that is not there or has none is kept as a problem.
    pub fn add(&mut self, name: &str, text: Option<&[u8]>) {
        let problem = match text {
            None => Some("it cannot be read"),
            Some(text) => {
                let added = self.roots.add_pem(text);
                (added.taken + added.duplicates == 0).then_some("it holds no certificate")
            }
        };
        match problem {
            None => self.from.push(name.to_owned()),
            Some(detail) => self.problems.push(BlindSpot {
                what: name.to_owned(),
                why: Why::Unreadable,
                detail: detail.to_owned(),
                needs: "--ca".to_owned(),
            }),
        }
    }

    fn directory(&mut self, directory: &Path) -> usize {
        let Ok(entries) = fs::read_dir(directory) else { return 0 };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).take(MOST_FILES).collect();
        files.sort();
        // Links that stay inside the directory name what is read anyway.
        files.retain(|f| fs::read_link(f).map_or(true, |target| target.components().count() > 1));
        files.iter().filter_map(|f| read(f)).map(|text| self.roots.add_pem(&text).taken).sum()
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read;
    let file = fs::File::open(path).ok()?;
    file.metadata().ok()?.is_file().then_some(())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
