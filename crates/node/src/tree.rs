//! A node's file tree below a folder of this machine: links are followed as they lie on the node, and never out of it.

use emulate::files::{Entry, Files};
use std::borrow::Cow;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// At most this many bytes of one file are read: configuration is small, and a log is no configuration.
const FILE_BYTES: u64 = 4 << 20;
/// As many links as Linux follows in one path.
const LINKS: usize = 40;

/// The tree below a folder that stands for the node's `/`.
pub struct HostTree {
    root: PathBuf,
}

impl HostTree {
    /// The tree below `root`.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }

    /// Where a path of the node lies on this machine, every link on the way resolved inside the root.
    fn locate(&self, path: &str) -> Place {
        let mut at = PathBuf::new();
        let mut links = 0;
        let mut todo: Vec<String> = names(Path::new(path));
        while let Some(name) = todo.pop() {
            if name == ".." {
                at.pop();
                continue;
            }
            let next = self.root.join(&at).join(&name);
            match fs_err::symlink_metadata(&next) {
                Ok(meta) if meta.is_symlink() => {
                    links += 1;
                    let Ok(target) = fs_err::read_link(&next) else { return Place::Opaque };
                    if links > LINKS {
                        return Place::Absent;
                    }
                    if target.is_absolute() {
                        at = PathBuf::new();
                    }
                    todo.extend(names(&target));
                }
                Ok(meta) if !meta.is_dir() && !todo.is_empty() => return Place::NotADirectory,
                Ok(_) => at.push(name),
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Place::Absent,
                Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => return Place::NotADirectory,
                Err(_) => return Place::Opaque,
            }
        }
        Place::At(self.root.join(at))
    }
}

enum Place {
    At(PathBuf),
    Absent,
    NotADirectory,
    Opaque,
}

/// The names of a path, last first.
fn names(path: &Path) -> Vec<String> {
    let mut names: Vec<String> = path
        .components()
        .filter_map(|c| match c {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            Component::ParentDir => Some("..".to_owned()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
        })
        .collect();
    names.reverse();
    names
}

impl Files for HostTree {
    fn entry(&self, path: &str) -> Entry<'_> {
        let at = match self.locate(path) {
            Place::At(at) => at,
            Place::Absent => return Entry::Absent,
            Place::NotADirectory => return Entry::NotADirectory,
            Place::Opaque => return Entry::Opaque,
        };
        if at.is_dir() {
            return Entry::Dir;
        }
        // A pipe or a device would wait for ever, or never end.
        if !at.is_file() {
            return Entry::Opaque;
        }
        let mut bytes = Vec::new();
        match fs_err::File::open(&at).and_then(|f| f.take(FILE_BYTES + 1).read_to_end(&mut bytes)) {
            Ok(_) if bytes.len() as u64 <= FILE_BYTES => Entry::File(Cow::Owned(bytes)),
            _ => Entry::Opaque,
        }
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let Place::At(at) = self.locate(dir) else { return Vec::new() };
        let Ok(entries) = fs_err::read_dir(at) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.filter_map(|e| Some(e.ok()?.file_name().to_string_lossy().into_owned())).collect();
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_stay_inside_the_root() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        fs_err::create_dir_all(root.join("etc")).unwrap();
        fs_err::write(dir.path().join("secret"), "outside").unwrap();
        fs_err::write(root.join("etc/real"), "inside").unwrap();
        symlink("../../secret", root.join("etc/relative")).unwrap();
        symlink("/etc/real", root.join("etc/absolute")).unwrap();
        symlink("loop", root.join("etc/loop")).unwrap();
        let tree = HostTree::new(&root);
        assert_eq!(tree.entry("/etc/relative"), Entry::Absent);
        assert_eq!(tree.entry("/etc/absolute"), Entry::File(Cow::Borrowed(b"inside")));
        assert_eq!(tree.entry("/etc/loop"), Entry::Absent);
        assert_eq!(tree.entry("/etc/real/below"), Entry::NotADirectory);
        assert_eq!(tree.entry("/../../secret"), Entry::Absent);
        assert_eq!(tree.list("/etc"), ["absolute", "loop", "real", "relative"]);
    }

    #[test]
    fn a_pipe_and_a_huge_file_are_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let huge = fs_err::File::create(dir.path().join("huge")).unwrap();
        huge.set_len(50 << 20).unwrap();
        std::process::Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap();
        let tree = HostTree::new(dir.path());
        assert_eq!(tree.entry("/huge"), Entry::Opaque);
        assert_eq!(tree.entry("/pipe"), Entry::Opaque);
    }
}
