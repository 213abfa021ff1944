//! config.toml and what it imports, merged as a release merges them.
//!
//! Follows `LoadConfig` and the plugins' `ConfigMigration` (services/server/config before 2.0, cmd/containerd/server/config
//! since). What the settings mean is left to `settings`.

use super::notes::Note;
use super::tree::{At, Branch, Tree};
use super::version::Version;
use crate::files::{Entry, Files, clean, join, parent};
use formats::toml_tree::{self, TomlValue};
use std::collections::VecDeque;
use std::rc::Rc;

/// The plugin of the CRI service up to file version 2.
pub const GRPC_CRI: &str = "io.containerd.grpc.v1.cri";
/// The plugin of CRI images since file version 3.
pub const CRI_IMAGES: &str = "io.containerd.cri.v1.images";
/// The plugin of the CRI runtime since file version 3.
pub const CRI_RUNTIME: &str = "io.containerd.cri.v1.runtime";
/// The transfer service.
pub const TRANSFER: &str = "io.containerd.transfer.v1.local";

/// At most this many files are loaded: a real node has a handful.
const MAX_FILES: usize = 256;

/// What a daemon would have after reading its files.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Each plugin's table by the name under which this release looks for it.
    pub plugins: Branch,
    /// The version that counts; 0 where no file states one.
    pub version: i64,
    /// The files in the order in which they were read, with their own versions.
    pub files: Vec<(String, i64)>,
    /// Paths that are not known and were taken as not there.
    pub assumed: Vec<String>,
    /// What is worth a word.
    pub notes: Vec<Note>,
    /// The CRI section under the name by which a 1.x daemon with these versions does not look for it.
    pub not_read: Option<(String, Branch)>,
    /// Why the daemon does not start.
    pub fatal: Option<(String, Option<At>)>,
}

/// Loads from the main file on. A missing main file is no error.
pub fn load(files: &dyn Files, version: &Version, main: &str) -> Loaded {
    let mut loaded = Loaded::default();
    match files.entry(main) {
        Entry::Absent | Entry::NotADirectory => return loaded,
        Entry::Unknown | Entry::Opaque => {
            loaded.assumed.push(main.to_owned());
            return loaded;
        }
        Entry::File(_) | Entry::Dir => {}
    }
    let mut pending = VecDeque::from([clean(main)]);
    let mut root_version = 0;
    while let Some(path) = pending.pop_front() {
        if loaded.files.iter().any(|(p, _)| *p == path) || loaded.files.len() >= MAX_FILES {
            continue;
        }
        let file = match read(files, version, &path, &mut loaded) {
            Ok(Some(file)) => file,
            Ok(None) => continue,
            Err(fatal) => {
                loaded.fatal = Some(fatal);
                return loaded;
            }
        };
        if root_version == 0 {
            root_version = file.version;
        }
        if version.refuses_newer_drop_in() && file.version > root_version {
            let text = format!(
                "drop-in config version {} higher than root config version {root_version}",
                file.version
            );
            loaded.fatal = Some((text, file.version_at));
            return loaded;
        }
        loaded.files.push((path.clone(), file.version));
        pending.extend(imports(files, &path, &file.imports, &mut loaded));
        merge(&mut loaded, version, file);
    }
    settle(&mut loaded, version);
    loaded
}

struct File {
    version: i64,
    version_at: Option<At>,
    imports: Vec<String>,
    plugins: Branch,
}

type Fatal = (String, Option<At>);

fn read(
    files: &dyn Files,
    version: &Version,
    path: &str,
    loaded: &mut Loaded,
) -> Result<Option<File>, Fatal> {
    let whole = || Some(At::whole(path));
    let failed = |why: &str| {
        let text = if version.has_old_toml() {
            format!("failed to load TOML: {path}: {why}")
        } else {
            why.to_owned()
        };
        (text, whole())
    };
    let bytes = match files.entry(path) {
        Entry::File(bytes) => bytes,
        Entry::Unknown | Entry::Opaque => {
            loaded.assumed.push(path.to_owned());
            return Ok(None);
        }
        Entry::Absent => return Err(failed(&format!("open {path}: no such file or directory"))),
        Entry::NotADirectory => return Err(failed(&format!("open {path}: not a directory"))),
        Entry::Dir => return Err(failed(&format!("read {path}: is a directory"))),
    };
    let text = String::from_utf8_lossy(&bytes);
    let name: Rc<str> = Rc::from(path);
    let tree = toml_tree::parse(&text).map_err(|p| {
        let text = if version.has_old_toml() {
            format!("failed to load TOML: {path}: ({}, {}): {}", p.at.line, p.at.column, p.message)
        } else {
            format!(
                "failed to unmarshal TOML at row {} column {}: toml: {}",
                p.at.line, p.at.column, p.message
            )
        };
        (text, Some(At::new(&name, p.at)))
    })?;
    if !version.has_old_toml() && text.starts_with('\u{feff}') {
        return Err((
            "failed to unmarshal TOML at row 1 column 1: toml: invalid character at start of key: U+FEFF"
                .to_owned(),
            whole(),
        ));
    }
    let wrong = |key: &str, at| (format!("failed to unmarshal TOML: wrong type of {key:?}"), Some(at));
    let mut file = File { version: 0, version_at: None, imports: Vec::new(), plugins: Branch::default() };
    for entry in &tree.root.entries {
        let at = At::new(&name, entry.key_at);
        match (entry.key.as_str(), &entry.value) {
            ("version", TomlValue::Int(n)) => {
                file.version = *n;
                file.version_at = Some(at);
            }
            ("imports", TomlValue::List(list)) => {
                for (item, _) in list {
                    let text = item.as_text().ok_or_else(|| wrong("imports", at.clone()))?;
                    file.imports.push(text.to_owned());
                }
            }
            ("plugins", TomlValue::Table(table)) => file.plugins = Branch::of(table, &name),
            (key @ ("version" | "imports" | "plugins"), _) => return Err(wrong(key, at)),
            _ => {}
        }
    }
    Ok(Some(file))
}

/// Absolute paths of what a file imports. An entry with `*` may match nothing; one without must exist.
fn imports(files: &dyn Files, from: &str, entries: &[String], loaded: &mut Loaded) -> Vec<String> {
    let mut found = Vec::new();
    for entry in entries {
        let path = if entry.starts_with('/') { clean(entry) } else { join(parent(from), entry) };
        if path.contains('*') {
            found.extend(glob(files, &path));
        } else {
            found.push(path);
        }
    }
    loaded
        .notes
        .extend((!entries.is_empty()).then(|| Note::Imports { from: At::whole(from), found: found.len() }));
    found
}

/// The files that a pattern matches, in lexical order. `*` stands for any part of one name, as in Go's `filepath.Glob`.
fn glob(files: &dyn Files, pattern: &str) -> Vec<String> {
    let mut paths = vec![String::new()];
    for part in pattern.split('/').filter(|p| !p.is_empty()) {
        let mut next = Vec::new();
        for path in &paths {
            if part.contains(['*', '?', '[']) {
                let dir = if path.is_empty() { "/" } else { path };
                next.extend(
                    files.list(dir).into_iter().filter(|n| matches(part, n)).map(|n| format!("{path}/{n}")),
                );
            } else {
                next.push(format!("{path}/{part}"));
            }
        }
        next.truncate(MAX_FILES);
        paths = next;
    }
    paths.retain(|p| !matches!(files.entry(p), Entry::Absent | Entry::NotADirectory | Entry::Unknown));
    paths
}

/// Whether a name fits a pattern of `*` and `?`.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || Some(c) == name.get(n) => {
                p += 1;
                n += 1;
            }
            _ => match star {
                Some((at, seen)) => {
                    star = Some((at, seen + 1));
                    p = at + 1;
                    n = seen + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(p..).is_some_and(|rest| rest.iter().all(|c| *c == '*'))
}

/// Settings outside of `registry` that decide about pulls.
const OF_PULLS: &[&str] =
    &["use_local_image_pull", "discard_unpacked_layers", "sandbox_image", "sandbox", "config_path"];

/// What a later file says otherwise about pulls.
fn overridden(earlier: &Branch, later: &Branch) -> Vec<Note> {
    let sections = [GRPC_CRI, CRI_IMAGES, "cri"];
    let both = sections.iter().filter_map(|id| Some((earlier.branch(&[id])?, later.branch(&[id])?)));
    both.flat_map(|(mine, theirs)| mine.replaced(theirs))
        .filter(|(key, lost, by)| OF_PULLS.contains(key) && lost.path != by.path)
        .map(|(key, lost, by)| Note::Overridden { key: key.to_owned(), lost: lost.clone(), by: by.clone() })
        .collect()
}

fn merge(loaded: &mut Loaded, version: &Version, mut file: File) {
    if version.has_old_toml() {
        loaded.notes.extend(overridden(&loaded.plugins, &file.plugins));
        // A later file that has a plugin's section replaces the whole of it.
        for (id, at, tree) in std::mem::take(&mut file.plugins.entries) {
            if let Some((earlier, old)) = loaded.plugins.get(&id)
                && (id == GRPC_CRI || id == "cri")
                && has_registry(old)
                && !has_registry(&tree)
            {
                let (lost, by) = (registry_at(old).unwrap_or_else(|| earlier.clone()), at.clone());
                loaded.notes.push(Note::SectionReplaced { lost, by });
            }
            loaded.plugins.set(&id, at, tree);
        }
        if file.version != 0 {
            loaded.version = file.version;
        }
        return;
    }
    if version.newest_config() >= 4 {
        // Each file is brought to the newest version before it is merged.
        if file.version < version.newest_config() {
            rename_v1(&mut file.plugins, file.version);
            migrate_cri(&mut file.plugins, &mut loaded.notes);
        }
        loaded.version = loaded.version.max(file.version);
    } else {
        if file.version <= 1 {
            rename_v1(&mut file.plugins, file.version);
            if loaded.version == 0 {
                // Taken for the current version at once: the plugins' own migrations never run.
                loaded.version = version.newest_config();
            }
        } else {
            loaded.version = file.version;
        }
    }
    loaded.notes.extend(overridden(&loaded.plugins, &file.plugins));
    loaded.plugins.merge(&file.plugins);
}

/// Checks and migrations that come after all files were merged.
fn settle(loaded: &mut Loaded, version: &Version) {
    let newest = version.newest_config();
    let last = loaded.files.last().map(|(p, _)| p.clone()).unwrap_or_default();
    let main = loaded.files.first().map(|(p, _)| p.clone()).unwrap_or_default();
    if loaded.version > newest {
        let culprit = loaded.files.iter().rev().find(|(_, v)| *v > newest).map(|(p, _)| At::whole(p));
        let text = if version.has_old_toml() {
            format!("failed to load TOML from {last}: unsupported config version `{}`", loaded.version)
        } else {
            format!(
                "failed to load TOML from {main}: expected containerd config version equal to or less than `{newest}`, got `{}`",
                loaded.version
            )
        };
        loaded.fatal = Some((text, culprit));
        return;
    }
    if version.has_old_toml() {
        settle_old(loaded, &last);
    } else if newest == 3 && loaded.version == 2 {
        migrate_cri(&mut loaded.plugins, &mut loaded.notes);
    }
}

/// 1.x: the version of the whole decides by which name the CRI plugin looks for its section.
fn settle_old(loaded: &mut Loaded, last: &str) {
    if loaded.version <= 1 {
        if let Some((at, cri)) = loaded.plugins.take("cri") {
            if let Some((old, _)) = loaded.plugins.take(GRPC_CRI) {
                loaded.notes.push(Note::SectionNotRead { at: old, section: GRPC_CRI.into() });
            }
            loaded.plugins.set(GRPC_CRI, at, cri);
        } else if let Some((at, tree)) = loaded.plugins.take(GRPC_CRI) {
            let at = registry_at(&tree).unwrap_or(at);
            loaded.notes.push(Note::SectionNotRead { at, section: GRPC_CRI.into() });
            if let Tree::Branch(branch) = tree {
                loaded.not_read = Some((GRPC_CRI.into(), branch));
            }
        }
        return;
    }
    let uri = |id: &str| id.starts_with("io.containerd.") && id.splitn(4, '.').count() == 4;
    let bad =
        loaded.plugins.entries.iter().find(|(id, ..)| !uri(id)).map(|(id, at, _)| (id.clone(), at.clone()));
    if let Some((id, at)) = bad {
        let text = format!(
            "failed to load TOML from {last}: invalid plugin key URI {id:?} expect io.containerd.x.vx"
        );
        loaded.fatal = Some((text, Some(at)));
    }
}

/// File version 1 named plugins shortly. Only the CRI plugin matters here.
fn rename_v1(plugins: &mut Branch, version: i64) {
    if version <= 1
        && let Some((at, tree)) = plugins.take("cri")
    {
        plugins.set(GRPC_CRI, at, tree);
    }
}

/// Keys of the old CRI section that the migration moves to the image plugin. Source: plugins/cri/images/plugin.go.
const MOVED: &[&str] = &[
    "registry",
    "image_decryption",
    "max_concurrent_downloads",
    "image_pull_progress_timeout",
    "image_pull_with_sync_fs",
    "stats_collect_period",
];
/// Keys of its `containerd` table that are moved, but only where that table has `runtimes`.
const MOVED_WITH_RUNTIMES: &[&str] =
    &["snapshotter", "disable_snapshot_annotations", "discard_unpacked_layers"];

fn migrate_cri(plugins: &mut Branch, notes: &mut Vec<Note>) {
    let Some((at, Tree::Branch(mut old))) = plugins.take(GRPC_CRI) else { return };
    let mut images = match plugins.take(CRI_IMAGES) {
        Some((_, Tree::Branch(b))) => b,
        _ => Branch::default(),
    };
    if let Some((at, sandbox)) = old.take("sandbox_image") {
        let mut pinned = match images.take("pinned_images") {
            Some((_, Tree::Branch(b))) => b,
            _ => Branch::default(),
        };
        pinned.set("sandbox", at.clone(), sandbox);
        images.set("pinned_images", at, Tree::Branch(pinned));
    }
    for key in MOVED {
        if let Some((at, tree)) = old.take(key) {
            images.set(key, at, tree);
        }
    }
    if let Some((_, Tree::Branch(containerd))) = old.get("containerd").map(|(a, t)| (a.clone(), t.clone())) {
        let moved = containerd.get("runtimes").is_some();
        for key in MOVED_WITH_RUNTIMES {
            if let Some((at, tree)) = containerd.get(key) {
                if moved {
                    images.set(key, at.clone(), tree.clone());
                } else {
                    notes.push(Note::LostInMigration { at: at.clone(), key: (*key).into() });
                }
            }
        }
    }
    if let Some((at, _)) = old.get("use_local_image_pull") {
        notes.push(Note::KeyNotRead { at: at.clone(), key: "use_local_image_pull".into() });
    }
    plugins.set(CRI_IMAGES, at.clone(), Tree::Branch(images));
    plugins.set(CRI_RUNTIME, at, Tree::Branch(old));
}

/// Whether a plugin's table says anything about registries.
pub fn has_registry(tree: &Tree) -> bool {
    matches!(tree, Tree::Branch(b) if b.get("registry").is_some())
}

/// Where it does.
pub fn registry_at(tree: &Tree) -> Option<At> {
    let Tree::Branch(b) = tree else { return None };
    let (at, registry) = b.get("registry")?;
    match registry {
        Tree::Branch(r) => r.entries.first().map_or(Some(at.clone()), |(_, first, _)| Some(first.clone())),
        Tree::Leaf(_) => Some(at.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (p, n, fits) in
            [("*.toml", "a.toml", true), ("*.toml", "a.tom", false), ("1?-*", "10-x", true), ("*", "", true)]
        {
            assert_eq!(matches(p, n), fits, "{p} {n}");
        }
    }
}
