//! Saved input into a [`Snapshot`]: files, folders, archives and standard input, in any mix.
//!
//! Answers what was saved, never what it means. What is not understood becomes a blind spot; nothing is an error. The
//! same input gives the same Snapshot on any day: no clock is read, and everything is read in a stable order.

mod archive;
mod builder;
mod bundle;
mod context;
mod decode;
mod entry;
mod finish;
mod json_items;
mod limits;
mod node_files;
mod objects;
mod place;
mod scenes;
mod sightings;
mod texts;
mod versions;
mod walk;
mod yaml_objects;

pub use decode::{Utf16, utf16};
pub use limits::Limits;

use builder::Builder;
use context::Context;
use entry::Entry;
use facts::{Snapshot, Why};
use place::Roots;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a blind spot about a path that is not there says, so that a caller can tell it from an empty input.
pub const NO_SUCH_PATH: &str = "no such file or folder";

/// Reads everything that the paths hold; `-` is standard input. Never fails: what could not be had is a blind spot.
pub fn read(paths: &[PathBuf], limits: Limits) -> Snapshot {
    read_with(paths, limits, &mut io::stdin().lock())
}

/// The same, with what stands for standard input.
pub fn read_with(paths: &[PathBuf], limits: Limits, stdin: &mut dyn Read) -> Snapshot {
    let mut builder = Builder::new(limits);
    let several = paths.len() > 1;
    let names = names_apart(paths);
    for (path, above) in paths.iter().zip(&names) {
        if path.as_os_str() == "-" {
            let entry = Entry {
                source: "stdin".into(),
                path: "stdin".into(),
                modified: None,
                size: None,
                bytes: Box::new(&mut *stdin),
            };
            one(&mut builder, &Roots::default(), entry, None, 0);
            continue;
        }
        given(&mut builder, path, above, several);
    }
    finish::finish(builder)
}

/// The same for texts that are in memory, each with the path at which it would lie: `nodes/w1/containerd.log`.
pub fn read_texts(texts: &[(String, String)], limits: Limits) -> Snapshot {
    let mut builder = Builder::new(limits);
    let roots = Roots::find(texts.iter().map(|(path, _)| path.as_str()));
    for (path, text) in texts {
        let entry = Entry {
            source: path.clone(),
            path: path.clone(),
            modified: None,
            size: Some(text.len() as u64),
            bytes: Box::new(text.as_bytes()),
        };
        one(&mut builder, &roots, entry, None, 0);
    }
    finish::finish(builder)
}

/// One path that was given.
fn given(builder: &mut Builder, path: &Path, above: &str, several: bool) {
    let files = walk::files(path, builder);
    let in_names = |below: &str| if above.is_empty() { below.to_owned() } else { format!("{above}/{below}") };
    let places: Vec<String> = files.iter().map(|f| in_names(&f.below)).collect();
    let roots = Roots::find(places.iter().map(String::as_str));
    for (file, place) in files.iter().zip(&places) {
        let source = if several { place.clone() } else { file.below.clone() };
        match std::fs::File::open(&file.path) {
            Ok(opened) => {
                let size = opened.metadata().ok().map(|m| m.len());
                let entry =
                    Entry { source, path: place.clone(), modified: None, size, bytes: Box::new(opened) };
                one(builder, &roots, entry, file.again.then_some(file.path.as_path()), 0);
            }
            Err(error) => failed(builder, &source, &error),
        }
    }
}

fn failed(builder: &mut Builder, source: &str, error: &io::Error) {
    let why = match error.kind() {
        io::ErrorKind::PermissionDenied => Why::Forbidden,
        _ => Why::Failed,
    };
    builder.blind(source, why, error.to_string(), "");
}

/// The names that each of the given paths brings. Where two folders have the same, each has the first folder above in front
/// in which they differ, so that the nodes of one are not taken for those of the other.
fn names_apart(paths: &[PathBuf]) -> Vec<String> {
    let full: Vec<PathBuf> = paths.iter().map(|p| p.canonicalize().unwrap_or_default()).collect();
    let names: Vec<String> = paths.iter().map(|p| names_above(p)).collect();
    let apart = |n: usize| {
        let (own, name) = (full.get(n)?, names.get(n)?);
        let same = |m: &usize| *m != n && names.get(*m) == Some(name) && full.get(*m) != Some(own);
        let others: Vec<&PathBuf> = (0..full.len()).filter(same).filter_map(|m| full.get(m)).collect();
        if name.is_empty() || others.is_empty() || !own.is_dir() {
            return None;
        }
        let folders = |p: &Path| -> Vec<String> {
            p.iter().rev().skip(1).map(|f| f.to_string_lossy().into_owned()).collect()
        };
        let theirs: Vec<Vec<String>> = others.iter().map(|o| folders(o)).collect();
        let at =
            folders(own).into_iter().enumerate().find(|(i, f)| theirs.iter().all(|o| o.get(*i) != Some(f)));
        at.map(|(_, folder)| format!("{folder}/{name}"))
    };
    (0..paths.len()).map(|n| apart(n).or_else(|| names.get(n).cloned()).unwrap_or_default()).collect()
}

/// The names that a given folder brings for telling places: its own, and `nodes/` where it stands in such a folder. For a
/// file, its own folders from the last `etc/` or `var/` on, so that a single file of a node is taken for one.
fn names_above(path: &Path) -> String {
    let Ok(full) = path.canonicalize() else { return String::new() };
    let name = |p: Option<&Path>| p.and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
    if full.is_file() {
        let folders = full.parent().into_iter().flat_map(Path::components);
        let parts: Vec<String> = folders.map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
        let system = parts.iter().rposition(|p| p == "etc").or_else(|| {
            let var = parts.iter().rposition(|p| p == "var")?;
            (parts.get(var + 1).map(String::as_str) == Some("lib")).then_some(var)
        });
        return match system {
            Some(at) => parts.get(at..).unwrap_or_default().join("/"),
            None => parts.last().cloned().unwrap_or_default(),
        };
    }
    let own = name(Some(&full)).unwrap_or_default();
    if name(full.parent()).as_deref() == Some("nodes") { format!("nodes/{own}") } else { own }
}

/// Bytes of a text that are read at once; of more, lines are searched as they come.
const WHOLE: usize = 16 << 20;
/// Bytes of an archive that cannot be opened again: standard input, or one within another.
const HELD: usize = 512 << 20;

/// One file. `opened` is where it can be opened again; `depth` counts the archives around it.
fn one(builder: &mut Builder, roots: &Roots, mut entry: Entry<'_>, opened: Option<&Path>, depth: usize) {
    builder.entries += 1;
    let mut context = Context::new(&entry.source, &entry.path, roots);
    context.modified = entry.modified;
    let mut head = match entry.read_up_to(archive::HEAD) {
        Ok(head) => head,
        Err(error) => return failed(builder, &entry.source, &error),
    };
    if let Some(order) = utf16(&head) {
        let plain = Utf16::new(order, io::Cursor::new(head).chain(entry.bytes));
        entry = Entry { bytes: Box::new(plain), size: None, ..entry };
        head = match entry.read_up_to(archive::HEAD) {
            Ok(head) => head,
            Err(error) => return failed(builder, &entry.source, &error),
        };
    }
    if let Some(kind) = archive::kind(&head) {
        return packed(builder, kind, entry, head, opened, depth);
    }
    if context.node_file().is_none() && json_items::looks_like_json(&head) {
        if bundle::looks_like_one(&head)
            && entry.bytes.by_ref().take(HELD as u64).read_to_end(&mut head).is_ok()
        {
            if bundle::read(builder, &entry.source, &head) {
                return;
            }
        } else if objects_of(builder, &context, &mut entry, &mut head) {
            return;
        }
    }
    if let Err(error) =
        entry.bytes.by_ref().take(WHOLE.saturating_sub(head.len()) as u64).read_to_end(&mut head)
    {
        failed(builder, &entry.source, &error);
    }
    if is_environment(&entry.path) {
        head.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b'\n');
    } else if decode::is_binary(&head) {
        texts::binary(builder, &context);
        return;
    }
    let long = head.len() >= WHOLE;
    if long {
        texts::long(builder, &context, &head);
    }
    let zeros = memchr::memchr_iter(0, &head).count();
    if zeros > 0 {
        builder.blind(&entry.source, Why::Unreadable, format!("{zeros} zero bytes, which were left out"), "");
        head.retain(|b| *b != 0);
    }
    let text = String::from_utf8_lossy(&head);
    // What a node's program makes of a byte order mark is that program's business
    let mark = if context.node_file().is_some() { "" } else { "\u{feff}" };
    texts::read(builder, &context, text.strip_prefix(mark).unwrap_or(&text));
    if long {
        texts::tail(builder, &context, &head, &mut entry.bytes);
    }
}

/// JSON, read as objects. `false` where it holds none; `head` then has what was read of it, up to a bound.
fn objects_of(builder: &mut Builder, context: &Context, entry: &mut Entry<'_>, head: &mut Vec<u8>) -> bool {
    let guess = objects::guess_kind(&entry.path);
    let mut kept = Vec::new();
    let copy = Tee { inner: &mut entry.bytes, kept: &mut kept };
    let whole = head.as_slice().chain(copy);
    let was = objects::read(builder, &entry.source, entry.size, &guess, whole);
    match was {
        Ok(objects::Was::Objects(logs)) => {
            texts::containers_logs(builder, context, &logs);
            true
        }
        Ok(_) => {
            head.append(&mut kept);
            false
        }
        Err(error) => {
            failed(builder, &entry.source, &error);
            true
        }
    }
}

/// Keeps the beginning of what passes, for when it turns out to be something else.
struct Tee<'a, R> {
    inner: R,
    kept: &'a mut Vec<u8>,
}

impl<R: Read> Read for Tee<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        let room = WHOLE.saturating_sub(self.kept.len()).min(n);
        self.kept.extend_from_slice(buf.get(..room).unwrap_or_default());
        Ok(n)
    }
}

/// An archive, from its file or from memory.
fn packed(
    builder: &mut Builder,
    kind: archive::Kind,
    mut entry: Entry<'_>,
    mut head: Vec<u8>,
    opened: Option<&Path>,
    depth: usize,
) {
    let mut one = |builder: &mut Builder, roots: &Roots, entry: Entry<'_>, depth: usize| {
        one(builder, roots, entry, None, depth);
    };
    let at = archive::At { source: &entry.source, path: &entry.path, depth };
    if let Some(path) = opened {
        archive::read(builder, at, kind, &archive::OnDisk(path), &mut one);
        return;
    }
    match entry.bytes.by_ref().take(HELD as u64).read_to_end(&mut head) {
        Ok(_) if head.len() >= HELD => builder.blind(
            &entry.source,
            Why::Truncated,
            "an archive of this size is read from a file only",
            "save it, and give its path",
        ),
        Ok(_) => archive::read(builder, at, kind, &archive::InMemory(&head), &mut one),
        Err(error) => failed(builder, &entry.source, &error),
    }
}

/// `/proc/PID/environ` and `cmdline` have zero bytes between their parts.
fn is_environment(path: &str) -> bool {
    path.contains("proc/") && (path.ends_with("/environ") || path.ends_with("/cmdline"))
}
