//! Files and folders on disk, in a stable order, without leaving what was given.

use crate::NO_SUCH_PATH;
use crate::builder::Builder;
use facts::Why;
use std::fs::{DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// Why something that is neither a file nor a folder is not read: it may never end.
const SPECIAL: &str = "a pipe, socket or device, which may never end";

/// A file that the walk found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its path below what was given, `/` as separator; the file's name where a file was given.
    pub below: String,
    /// Where it lies.
    pub path: PathBuf,
    /// Whether it can be read again from its beginning; a pipe cannot.
    pub again: bool,
}

/// Every file below a folder, by path. Links are followed where they stay inside.
pub fn files(given: &Path, builder: &mut Builder) -> Vec<Found> {
    let found = Vec::new();
    let kind = match std::fs::metadata(given) {
        Ok(there) => there.file_type(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            builder.blind(&shown(given), Why::Forbidden, error.to_string(), "");
            return found;
        }
        Err(_) => {
            builder.blind(&shown(given), Why::Failed, NO_SUCH_PATH, "");
            return found;
        }
    };
    if is_pipe_of_the_shell(given, kind) {
        return vec![Found { below: shown(given), path: given.to_owned(), again: false }];
    }
    let inside = given.canonicalize().unwrap_or_else(|_| given.to_owned());
    if kind.is_file() {
        let name = inside.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        return vec![Found { below: name, path: inside, again: true }];
    }
    if !kind.is_dir() {
        builder.blind(&shown(given), Why::NotAsked, SPECIAL, "pipe what it holds to --from -");
        return found;
    }
    let mut walk = Walk { given, inside: &inside, builder, found };
    walk.folder(&inside, "", 0);
    walk.found
}

/// `--from <(command)`: the shell holds the other end. A pipe with a name of its own may have none, and never ends.
fn is_pipe_of_the_shell(given: &Path, kind: FileType) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        kind.is_fifo() && (given.starts_with("/dev") || given.starts_with("/proc"))
    }
    #[cfg(not(unix))]
    {
        let _ = (given, kind);
        false
    }
}

/// The way through one folder that was given.
struct Walk<'w> {
    given: &'w Path,
    /// Where it lies, all links followed.
    inside: &'w Path,
    builder: &'w mut Builder,
    found: Vec<Found>,
}

impl Walk<'_> {
    fn folder(&mut self, at: &Path, below: &str, depth: usize) {
        let limits = self.builder.limits;
        if depth > limits.depth {
            return self.blind(below, Why::Truncated, "folders too deep below each other".to_owned());
        }
        let children = match std::fs::read_dir(at) {
            Ok(all) => first(limits.entries + 1, all.filter_map(Result::ok)),
            Err(error) => {
                let denied = error.kind() == io::ErrorKind::PermissionDenied;
                return self.blind(
                    below,
                    if denied { Why::Forbidden } else { Why::Failed },
                    error.to_string(),
                );
            }
        };
        for child in children {
            if self.found.len() >= limits.entries {
                return self.blind("", Why::Truncated, format!("more than {} files", limits.entries));
            }
            let name = child.file_name().to_string_lossy().into_owned();
            let below = if below.is_empty() { name } else { format!("{below}/{name}") };
            self.child(&child, below, depth);
        }
    }
    fn child(&mut self, child: &DirEntry, below: String, depth: usize) {
        let Ok(kind) = child.file_type() else { return };
        if kind.is_dir() {
            self.folder(&child.path(), &below, depth + 1);
        } else if kind.is_file() {
            self.found.push(Found { below, path: child.path(), again: true });
        } else if kind.is_symlink() {
            // A link to a folder inside would show its files twice.
            match child.path().canonicalize() {
                Ok(target) if target.starts_with(self.inside) && target.is_file() => {
                    self.found.push(Found { below, path: target, again: true })
                }
                Ok(target) if target.starts_with(self.inside) => {}
                Ok(_) | Err(_) => self.builder.skip(&below, "a link that leads out of the input, or nowhere"),
            }
        } else {
            self.builder.skip(&below, SPECIAL);
        }
    }

    /// What could not be seen of a folder below, or of all that was given.
    fn blind(&mut self, below: &str, why: Why, words: String) {
        let given = shown(self.given);
        self.builder.blind(if below.is_empty() { &given } else { below }, why, words, "");
    }
}

/// The first of a folder's children by name, never many more of them in memory.
fn first(most: usize, all: impl Iterator<Item = DirEntry>) -> Vec<DirEntry> {
    let mut kept: Vec<DirEntry> = Vec::new();
    let shorten = |kept: &mut Vec<DirEntry>| {
        kept.sort_by_key(DirEntry::file_name);
        kept.truncate(most);
    };
    for child in all {
        kept.push(child);
        if kept.len() >= most.saturating_mul(2) {
            shorten(&mut kept);
        }
    }
    shorten(&mut kept);
    kept
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
