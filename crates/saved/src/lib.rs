//! Saved input into a [`Snapshot`]: files, folders, archives and standard input, in any mix.
//!
//! Answers what was saved, never what it means. What is not understood becomes a blind spot; nothing is an error. The
//! same input gives the same Snapshot on any day: no clock is read, and everything is read in a stable order.

mod builder;
mod context;
mod entry;
mod finish;
mod json_items;
mod limits;
mod node_files;
mod objects;
mod place;
mod sightings;
mod texts;
mod versions;
mod walk;
mod yaml_objects;

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
    for path in paths {
        if path.as_os_str() == "-" {
            let entry = Entry {
                source: "stdin".into(),
                path: "stdin".into(),
                modified: None,
                size: None,
                bytes: Box::new(&mut *stdin),
            };
            one(&mut builder, &Roots::default(), entry);
            continue;
        }
        given(&mut builder, path, several);
    }
    finish::finish(builder)
}

/// One path that was given.
fn given(builder: &mut Builder, path: &Path, several: bool) {
    let files = walk::files(path, builder);
    let above = names_above(path);
    let in_names = |below: &str| if above.is_empty() { below.to_owned() } else { format!("{above}/{below}") };
    let places: Vec<String> = files.iter().map(|f| in_names(&f.below)).collect();
    let roots = Roots::find(places.iter().map(String::as_str));
    for (file, place) in files.iter().zip(&places) {
        let opened = match std::fs::File::open(&file.path) {
            Ok(opened) => opened,
            Err(error) => {
                let why = if error.kind() == io::ErrorKind::PermissionDenied {
                    Why::Forbidden
                } else {
                    Why::Failed
                };
                builder.blind(&file.below, why, error.to_string(), "");
                continue;
            }
        };
        let size = opened.metadata().ok().map(|m| m.len());
        let source = if several { place.clone() } else { file.below.clone() };
        one(
            builder,
            &roots,
            Entry { source, path: place.clone(), modified: None, size, bytes: Box::new(opened) },
        );
    }
}

/// The names that a given folder brings for telling places: its own, and `nodes/` where it stands in such a folder. For a
/// file, its own folders from the last `etc/` or `var/lib/` on stay below it.
fn names_above(path: &Path) -> String {
    let Ok(full) = path.canonicalize() else { return String::new() };
    let name = |p: Option<&Path>| p.and_then(Path::file_name).map(|n| n.to_string_lossy().into_owned());
    if full.is_file() {
        let parts: Vec<String> = full
            .parent()
            .into_iter()
            .flat_map(Path::components)
            .map(|c| c.as_os_str().to_string_lossy().into_owned())
            .collect();
        let at = parts.iter().rposition(|p| p == "etc" || p == "var" || p == "node");
        return match at {
            Some(at) => parts.get(at..).unwrap_or_default().join("/"),
            None => parts.last().cloned().unwrap_or_default(),
        };
    }
    let own = name(Some(&full)).unwrap_or_default();
    if name(full.parent()).as_deref() == Some("nodes") { format!("nodes/{own}") } else { own }
}

/// Bytes of a text that are read at once; of more, lines are searched as they come.
const WHOLE: usize = 16 << 20;

/// One file.
fn one(builder: &mut Builder, roots: &Roots, mut entry: Entry<'_>) {
    builder.entries += 1;
    let mut context = Context::new(&entry.source, &entry.path, roots);
    context.modified = entry.modified;
    let head = match entry.read_up_to(WHOLE) {
        Ok(head) => head,
        Err(error) => {
            builder.blind(&entry.source, Why::Failed, error.to_string(), "");
            return;
        }
    };
    if context.node_file().is_none() && json_items::looks_like_json(&head) {
        let guess = objects::guess_kind(&entry.path);
        let size = entry.size.or((head.len() < WHOLE).then_some(head.len() as u64));
        let whole = head.as_slice().chain(&mut entry.bytes);
        match objects::read(builder, &entry.source, size, &guess, whole) {
            Ok(objects::Was::Objects) => return,
            Ok(_) => {}
            Err(error) => {
                builder.blind(&entry.source, Why::Failed, error.to_string(), "");
                return;
            }
        }
    }
    if head.contains(&0) && !is_environment(&entry.path) {
        texts::binary(builder, &context);
        return;
    }
    let text = String::from_utf8_lossy(&head);
    let text = if is_environment(&entry.path) { text.replace('\0', "\n").into() } else { text };
    texts::read(builder, &context, text.trim_start_matches('\u{feff}'));
}

/// `/proc/PID/environ` and `cmdline` have zero bytes between their parts.
fn is_environment(path: &str) -> bool {
    path.contains("proc/") && (path.ends_with("/environ") || path.ends_with("/cmdline"))
}
