//! Files and folders on disk, in a stable order, without leaving what was given.

use crate::builder::Builder;
use facts::Why;
use std::path::{Path, PathBuf};

/// A file that the walk found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its path below what was given, `/` as separator; the file's name where a file was given.
    pub below: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// Every file below a folder, by path. Links are followed where they stay inside.
pub fn files(given: &Path, builder: &mut Builder) -> Vec<Found> {
    let mut found = Vec::new();
    let Ok(inside) = given.canonicalize() else {
        builder.blind(&shown(given), Why::Failed, "no such file or folder", "");
        return found;
    };
    if inside.is_file() {
        let name = inside.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        return vec![Found { below: name, path: inside }];
    }
    folder(&inside, &inside, "", 0, builder, &mut found);
    found
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
            let why = if error.kind() == std::io::ErrorKind::PermissionDenied {
                Why::Forbidden
            } else {
                Why::Failed
            };
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
            found.push(Found { below, path: child.path() });
        } else if kind.is_symlink() {
            // A link to a folder inside would show its files twice.
            match child.path().canonicalize() {
                Ok(target) if target.starts_with(inside) && target.is_file() => {
                    found.push(Found { below, path: target })
                }
                Ok(target) if target.starts_with(inside) => {}
                Ok(_) | Err(_) => builder.link(&below),
            }
        }
        // Sockets, pipes and devices hold no text, and reading one may never end.
    }
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
