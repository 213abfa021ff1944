//! The hosts directory of a registry: which one is taken, and what stands in it.
//!
//! Follows `HostDirFromRoot`, `hostPaths`, `loadHostDir` and `loadCertFiles` (remotes/docker/config).

use super::endpoint::{ClientPair, HostEntry};
use super::hosts_file;
use super::notes::Note;
use super::tree::At;
use super::version::Version;
use crate::files::{Entry, Files, join};

/// The directory names that serve a registry, in the order in which they are tried.
pub fn names(registry: &str, version: &Version) -> Vec<String> {
    let mut names = Vec::new();
    if let Some(i) = registry.rfind(':').filter(|i| *i > 0) {
        names.push(format!("{}_{}_", &registry[..i], &registry[i + 1..]));
    }
    names.push(registry.to_owned());
    if version.has_default_dir() {
        names.push("_default".to_owned());
    }
    names
}

/// The first directory that exists, of all roots in order. The error fails the pull.
pub fn find(
    files: &dyn Files,
    roots: &[String],
    registry: &str,
    version: &Version,
    assumed: &mut Vec<String>,
) -> Result<Option<String>, String> {
    for root in roots {
        for name in names(registry, version) {
            // An empty element of the list is the daemon's working directory.
            let path = join(if root.is_empty() { "/" } else { root }, &name);
            match files.entry(&path) {
                Entry::File(_) | Entry::Opaque | Entry::Dir => return Ok(Some(path)),
                Entry::NotADirectory => return Err(format!("stat {path}: not a directory")),
                Entry::Absent => {}
                Entry::Unknown => assumed.push(path),
            }
        }
    }
    Ok(None)
}

/// What a directory says: its hosts.toml, else the certificates in it. The error fails the pull.
pub fn read(
    files: &dyn Files,
    dir: &str,
    version: &Version,
    notes: &mut Vec<Note>,
    assumed: &mut Vec<String>,
) -> Result<Vec<HostEntry>, String> {
    let path = join(dir, "hosts.toml");
    let bytes = match files.entry(&path) {
        Entry::File(bytes) => bytes,
        Entry::Opaque => {
            assumed.push(path.clone());
            return Ok(scan(files, dir));
        }
        Entry::Dir => return Err(format!("read {path}: is a directory")),
        Entry::NotADirectory => return Err(format!("open {path}: not a directory")),
        Entry::Absent => return Ok(scan(files, dir)),
        Entry::Unknown => {
            assumed.push(path);
            return Ok(scan(files, dir));
        }
    };
    if bytes.is_empty() {
        return Ok(scan(files, dir));
    }
    match hosts_file::decode(&String::from_utf8_lossy(&bytes), &path, dir, version) {
        Ok(hosts) => Ok(hosts),
        Err((reason, at)) => {
            notes.push(Note::FileDropped { at, reason });
            Ok(scan(files, dir))
        }
    }
}

/// The certificates of a directory in Docker's layout, for the default endpoint.
fn scan(files: &dyn Files, dir: &str) -> Vec<HostEntry> {
    let mut host = HostEntry { at: At::whole(dir), is_server: true, ..HostEntry::default() };
    let mut ca = Vec::new();
    for name in files.list(dir) {
        let path = join(dir, &name);
        if !matches!(files.entry(&path), Entry::File(_) | Entry::Opaque) {
            continue;
        }
        if name.ends_with(".crt") {
            ca.push(path.clone());
        }
        if let Some(stem) = name.strip_suffix(".cert") {
            let key = join(dir, &format!("{stem}.key"));
            let there = matches!(files.entry(&key), Entry::File(_) | Entry::Opaque | Entry::Dir);
            host.client.push(ClientPair { cert: path, key: there.then_some(key) });
        }
    }
    host.ca = (!ca.is_empty()).then_some(ca);
    vec![host]
}
