//! Files and folders on disk, in a stable order, without leaving what was given.

use crate::NO_SUCH_PATH;
use crate::builder::Builder;
use facts::Why;
use std::fs::FileType;
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
    let mut found = Vec::new();
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
    folder(&inside, &inside, "", 0, builder, &mut found);
    found
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

fn folder(
    inside: &Path,
    at: &Path,
    below: &str,
    depth: usize,
    builder: &mut Builder,
    found: &mut Vec<Found>,
) {
    if depth > builder.limits.depth {
        builder.blind(below, Why::Truncated, "folders too deep below each other", "");
        return;
    }
    let mut children: Vec<_> = match std::fs::read_dir(at) {
        Ok(all) => all.filter_map(Result::ok).collect(),
        Err(error) => {
            let why =
                if error.kind() == io::ErrorKind::PermissionDenied { Why::Forbidden } else { Why::Failed };
            builder.blind(if below.is_empty() { "." } else { below }, why, error.to_string(), "");
            return;
        }
    };
    children.sort_by_key(std::fs::DirEntry::file_name);
    for child in children {
        if found.len() >= builder.limits.entries {
            builder.blind(below, Why::Truncated, format!("more than {} files", builder.limits.entries), "");
            return;
        }
        let name = child.file_name().to_string_lossy().into_owned();
        let below = if below.is_empty() { name } else { format!("{below}/{name}") };
        let Ok(kind) = child.file_type() else { continue };
        if kind.is_dir() {
            folder(inside, &child.path(), &below, depth + 1, builder, found);
        } else if kind.is_file() {
            found.push(Found { below, path: child.path(), again: true });
        } else if kind.is_symlink() {
            // A link to a folder inside would show its files twice.
            match child.path().canonicalize() {
                Ok(target) if target.starts_with(inside) && target.is_file() => {
                    found.push(Found { below, path: target, again: true })
                }
                Ok(target) if target.starts_with(inside) => {}
                Ok(_) | Err(_) => builder.skip(&below, "a link that leads out of the input, or nowhere"),
            }
        } else {
            builder.skip(&below, SPECIAL);
        }
    }
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
