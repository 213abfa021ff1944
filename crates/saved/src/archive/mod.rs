//! Archives as one more folder: tar (plain, gzip, zstd), zip, and single compressed files.
//!
//! Nothing is unpacked to disk. Members are read in the order of the archive, twice: first their names, because a node's
//! root shows only by what lies in it. Names that lead out are not read, links are not followed, and what all archives
//! unpack to is bounded.

mod meter;

pub use meter::Count;

use crate::builder::Builder;
use crate::entry::Entry;
use crate::place::Roots;
use facts::Why;
use flate2::read::MultiGzDecoder;
use meter::Meter;
use std::io::{self, Read, Seek};
use std::path::Path;

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Several files, one behind the other.
    Tar,
    /// One stream, perhaps a tar.
    Gzip,
    /// One stream, perhaps a tar.
    Zstd,
    /// Several files, each compressed.
    Zip,
}

/// The kind of archive that bytes begin like.
pub fn kind(head: &[u8]) -> Option<Kind> {
    if head.starts_with(&[0x1f, 0x8b, 0x08]) {
        return Some(Kind::Gzip);
    }
    if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Some(Kind::Zstd);
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Some(Kind::Zip);
    }
    (head.get(257..262) == Some(b"ustar")).then_some(Kind::Tar)
}

/// An archive whose bytes can be had as often as needed.
pub trait Source {
    /// A reader at the beginning.
    ///
    /// # Errors
    ///
    /// The file cannot be opened any more.
    fn open(&self) -> io::Result<Box<dyn ReadSeek + '_>>;
}

/// Bytes that can be read from any place.
pub trait ReadSeek: Read + Seek {}
impl<T: Read + Seek> ReadSeek for T {}

/// An archive in a file.
pub struct OnDisk<'p>(pub &'p Path);

impl Source for OnDisk<'_> {
    fn open(&self) -> io::Result<Box<dyn ReadSeek + '_>> {
        Ok(Box::new(std::fs::File::open(self.0)?))
    }
}

/// An archive in memory.
pub struct InMemory<'b>(pub &'b [u8]);

impl Source for InMemory<'_> {
    fn open(&self) -> io::Result<Box<dyn ReadSeek + '_>> {
        Ok(Box::new(io::Cursor::new(self.0)))
    }
}

/// Bytes that are enough to tell a kind.
pub const HEAD: usize = 64 << 10;

/// Where an archive was found.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Its path for people.
    pub source: &'a str,
    /// Its path with the names of what was given.
    pub path: &'a str,
    /// Archives around it.
    pub depth: usize,
}

/// Reads everything in an archive; `one` reads a member.
pub fn read(
    builder: &mut Builder,
    at: At<'_>,
    kind: Kind,
    source: &dyn Source,
    one: &mut dyn FnMut(&mut Builder, &Roots, Entry<'_>, usize),
) {
    if at.depth > builder.limits.nested {
        builder.blind(at.source, Why::Truncated, "archives too deep within each other", "unpack it");
        return;
    }
    let result = match kind {
        Kind::Zip => zip(builder, at, source, one),
        Kind::Tar => tar(builder, at, kind, source, one),
        Kind::Gzip | Kind::Zstd => match holds_tar(builder, kind, source) {
            Ok(true) => tar(builder, at, kind, source, one),
            Ok(false) => single(builder, at, kind, source, one),
            Err(error) => Err(error),
        },
    };
    if let Err(error) = result {
        let why = if meter::is_bound(&error) { Why::Truncated } else { Why::Unreadable };
        builder.blind(at.source, why, error.to_string(), "unpack it");
    }
}

/// The plain stream of an archive, metered.
fn stream<'s>(
    builder: &Builder,
    kind: Kind,
    source: &'s dyn Source,
) -> io::Result<Meter<Box<dyn Read + 's>>> {
    let raw = source.open()?;
    let packed = Count::default();
    let counted = packed.count(io::BufReader::with_capacity(256 << 10, raw));
    let plain: Box<dyn Read + 's> = match kind {
        Kind::Gzip => Box::new(MultiGzDecoder::new(counted)),
        Kind::Zstd => Box::new(
            ruzstd::decoding::StreamingDecoder::new(counted)
                .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e.to_string()))?,
        ),
        Kind::Tar | Kind::Zip => Box::new(counted),
    };
    let compressed = matches!(kind, Kind::Gzip | Kind::Zstd);
    Ok(Meter::new(plain, builder.unpacked.clone(), builder.limits.unpacked, compressed.then_some(packed)))
}

fn holds_tar(builder: &Builder, kind: Kind, source: &dyn Source) -> io::Result<bool> {
    let mut head = Vec::new();
    stream(builder, kind, source)?.take(512).read_to_end(&mut head)?;
    Ok(self::kind(&head) == Some(Kind::Tar))
}

type One<'o> = &'o mut dyn FnMut(&mut Builder, &Roots, Entry<'_>, usize);

/// One compressed file.
fn single(
    builder: &mut Builder,
    at: At<'_>,
    kind: Kind,
    source: &dyn Source,
    one: One<'_>,
) -> io::Result<()> {
    let plain = stream(builder, kind, source)?;
    let path = stem(at.path);
    let roots = Roots::find(std::iter::once(path));
    let entry = Entry {
        source: at.source.to_owned(),
        path: path.to_owned(),
        modified: None,
        size: None,
        bytes: Box::new(plain),
    };
    one(builder, &roots, entry, at.depth + 1);
    Ok(())
}

fn tar(builder: &mut Builder, at: At<'_>, kind: Kind, source: &dyn Source, one: One<'_>) -> io::Result<()> {
    let before = builder.unpacked.get();
    let mut names = Vec::new();
    let mut cut = None;
    {
        let mut archive = tar::Archive::new(stream(builder, kind, source)?);
        for member in archive.entries()? {
            let member = match member {
                Ok(member) => member,
                Err(error) => {
                    cut = Some(error);
                    break;
                }
            };
            if names.len() >= builder.limits.entries {
                break;
            }
            if member.header().entry_type().is_file()
                && let Some(name) = safe(&String::from_utf8_lossy(&member.path_bytes()))
            {
                names.push(format!("{}/{name}", stem(at.path)));
            }
        }
    }
    // The names alone count once.
    builder.unpacked.set(before);
    let roots = Roots::find(names.iter().map(String::as_str));
    let mut archive = tar::Archive::new(stream(builder, kind, source)?);
    let mut unsafe_names = 0_u32;
    for member in archive.entries()? {
        let Ok(member) = member else { break };
        if builder.entries >= builder.limits.entries {
            return Err(io::Error::other(format!("more than {} files", builder.limits.entries)));
        }
        if !member.header().entry_type().is_file() {
            continue;
        }
        let Some(name) = safe(&String::from_utf8_lossy(&member.path_bytes())) else {
            unsafe_names += 1;
            continue;
        };
        let size = member.size();
        let entry = Entry {
            source: format!("{}/{name}", at.source),
            path: format!("{}/{name}", stem(at.path)),
            // A copy has the time of its copying, which would look like a change after a process's start.
            modified: None,
            size: Some(size),
            bytes: Box::new(member),
        };
        one(builder, &roots, entry, at.depth + 1);
    }
    note_unsafe(builder, at, unsafe_names);
    cut.map_or(Ok(()), Err)
}

fn zip(builder: &mut Builder, at: At<'_>, source: &dyn Source, one: One<'_>) -> io::Result<()> {
    let bad = |e: zip::result::ZipError| io::Error::new(io::ErrorKind::InvalidData, e.to_string());
    let mut archive = zip::ZipArchive::new(source.open()?).map_err(bad)?;
    let names: Vec<String> =
        archive.file_names().filter_map(safe).map(|name| format!("{}/{name}", stem(at.path))).collect();
    let roots = Roots::find(names.iter().map(String::as_str));
    // By name: the directory of a zip has no order that means anything.
    let mut order: Vec<(String, usize)> =
        (0..archive.len()).filter_map(|n| Some((archive.name_for_index(n)?.to_owned(), n))).collect();
    order.sort();
    let mut unsafe_names = 0_u32;
    for (name, n) in order {
        if builder.entries >= builder.limits.entries {
            return Err(io::Error::other(format!("more than {} files", builder.limits.entries)));
        }
        let Some(name) = safe(&name) else {
            unsafe_names += u32::from(!name.ends_with('/'));
            continue;
        };
        let shown = format!("{}/{name}", at.source);
        let member = match archive.by_index(n) {
            Ok(member) => member,
            Err(error) => {
                builder.blind(&shown, Why::Unreadable, error.to_string(), "unpack it");
                continue;
            }
        };
        if !member.is_file() || member.is_symlink() {
            continue;
        }
        let (size, packed) = (member.size(), Count::default());
        packed.add(member.compressed_size());
        let bytes = Meter::new(member, builder.unpacked.clone(), builder.limits.unpacked, Some(packed));
        let entry = Entry {
            source: shown,
            path: format!("{}/{name}", stem(at.path)),
            modified: None,
            size: Some(size),
            bytes: Box::new(bytes),
        };
        one(builder, &roots, entry, at.depth + 1);
    }
    note_unsafe(builder, at, unsafe_names);
    Ok(())
}

fn note_unsafe(builder: &mut Builder, at: At<'_>, count: u32) {
    if count > 0 {
        builder.blind(at.source, Why::NotAsked, format!("{count} names that lead out of the archive"), "");
    }
}

/// A member's name below the archive, `/` as separator; `None` for folders, absolute names that climb, and `..`.
fn safe(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return None,
            part if part.contains(['\0', ':']) && part.len() == 2 => return None,
            part => parts.push(part),
        }
    }
    (!parts.is_empty() && !name.ends_with('/')).then(|| parts.join("/"))
}

/// A path without the endings of archives.
fn stem(path: &str) -> &str {
    let endings = [".tar.gz", ".tar.zst", ".tgz", ".tzst", ".tar", ".zip", ".gz", ".zst"];
    endings.iter().find_map(|e| path.strip_suffix(e)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        assert_eq!(safe("./a/./b"), Some("a/b".into()));
        assert_eq!(safe("/etc/passwd"), Some("etc/passwd".into()));
        for bad in ["../x", "a/../../x", "a/", "", "C:/x", "..\\x"] {
            assert_eq!(safe(bad), None, "{bad}");
        }
    }

    #[test]
    fn kinds_show_by_their_first_bytes() {
        let mut tar = vec![0; 257];
        tar.extend_from_slice(b"ustar\0");
        assert_eq!(kind(&tar), Some(Kind::Tar));
        assert_eq!(kind(b"\x1f\x8b\x08\0"), Some(Kind::Gzip));
        assert_eq!(kind(b"PK\x03\x04"), Some(Kind::Zip));
        assert_eq!(kind(b"\x28\xb5\x2f\xfd"), Some(Kind::Zstd));
        assert_eq!(kind(b"apiVersion: v1"), None);
    }
}
