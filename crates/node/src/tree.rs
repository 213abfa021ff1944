//! A node's file tree below a folder of this machine: links are followed as they lie on the node, and never out of it. Or
//! what a node report tells of one.

use crate::system;
use crate::told::Told;
use emulate::files::{Entry, Files};
use facts::{DockerConfig, NodeFacts, Why};
use jiff::Timestamp;
use std::borrow::Cow;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// At most this many bytes of one file are read: configuration is small, and a log is no configuration.
const FILE_BYTES: u64 = 4 << 20;
/// As many links as Linux follows in one path.
const LINKS: usize = 40;

/// What stands at a path of the node, with the reason where it could not be seen.
#[derive(Debug, PartialEq, Eq)]
pub enum Look {
    /// A file, its content, and when it was last changed.
    File {
        /// The content.
        bytes: Vec<u8>,
        /// When it was last changed.
        modified: Option<Timestamp>,
    },
    /// A directory.
    Dir,
    /// A socket.
    Socket,
    /// Nothing.
    Absent,
    /// Nothing, and something on the way is no directory.
    NotADirectory,
    /// Something that could not be read.
    Blind(Why, String),
}

impl From<Look> for Entry<'_> {
    fn from(look: Look) -> Self {
        match look {
            Look::File { bytes, .. } => Self::File(Cow::Owned(bytes)),
            Look::Dir => Self::Dir,
            Look::Absent => Self::Absent,
            Look::NotADirectory => Self::NotADirectory,
            Look::Socket | Look::Blind(..) => Self::Opaque,
        }
    }
}

/// A node's file tree.
pub struct HostTree(Root);

enum Root {
    /// The tree below a folder that stands for the node's `/`.
    Folder(PathBuf),
    /// What a report keeps of it.
    Told(Box<Told>),
}

impl HostTree {
    /// The tree below `root`.
    pub fn new(root: &Path) -> Self {
        Self(Root::Folder(root.to_path_buf()))
    }

    /// The tree of which a node report has these facts.
    pub fn told(facts: NodeFacts) -> Self {
        Self(Root::Told(Box::new(Told::new(facts))))
    }

    /// Whether it has what a node report keeps, so no secret.
    pub const fn is_told(&self) -> bool {
        matches!(self.0, Root::Told(_))
    }

    /// A docker configuration of which only the shape is known.
    pub fn docker_config(&self, path: &str) -> Option<&DockerConfig> {
        match &self.0 {
            Root::Folder(_) => None,
            Root::Told(told) => told.docker_config(path),
        }
    }

    /// What stands at a path of the node. Nothing is waited for: a pipe or a device is not read.
    pub fn look(&self, path: &str) -> Look {
        if let Root::Told(told) = &self.0 {
            return told.look(path);
        }
        let at = match self.locate(path) {
            Place::At(at) => at,
            Place::Absent => return Look::Absent,
            Place::NotADirectory => return Look::NotADirectory,
            Place::Opaque(error) => return blind(&error),
        };
        let meta = match fs_err::metadata(&at) {
            Ok(meta) => meta,
            Err(error) => return blind(&error),
        };
        if meta.is_dir() {
            return Look::Dir;
        }
        if system::is_socket(meta.file_type()) {
            return Look::Socket;
        }
        if !meta.is_file() {
            return Look::Blind(Why::Unreadable, "neither a file nor a directory".into());
        }
        let mut bytes = Vec::new();
        match fs_err::File::open(&at).and_then(|f| f.take(FILE_BYTES + 1).read_to_end(&mut bytes)) {
            Ok(_) if bytes.len() as u64 > FILE_BYTES => {
                let words = format!("{} bytes; no more than {FILE_BYTES} are read", meta.len());
                Look::Blind(Why::Truncated, words)
            }
            Ok(_) => {
                let modified = meta.modified().ok().and_then(|m| Timestamp::try_from(m).ok());
                Look::File { bytes, modified }
            }
            Err(error) => blind(&error),
        }
    }

    /// A file's text; `None` where it is not there or cannot be read.
    pub fn text(&self, path: &str) -> Option<String> {
        match self.look(path) {
            Look::File { bytes, .. } => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        }
    }

    /// Where a path of the node lies on this machine; `None` where there is nothing.
    pub fn on_this_machine(&self, path: &str) -> Option<PathBuf> {
        match self.locate(path) {
            Place::At(at) => Some(at),
            _ => None,
        }
    }

    /// Where a path of the node lies on this machine, every link on the way resolved inside the root.
    fn locate(&self, path: &str) -> Place {
        let Root::Folder(root) = &self.0 else { return Place::Absent };
        let mut at = PathBuf::new();
        let mut links = 0;
        let mut todo: Vec<String> = names(Path::new(path));
        while let Some(name) = todo.pop() {
            if name == ".." {
                at.pop();
                continue;
            }
            let next = root.join(&at).join(&name);
            match fs_err::symlink_metadata(&next) {
                Ok(meta) if meta.is_symlink() => {
                    links += 1;
                    let Ok(target) = fs_err::read_link(&next) else {
                        return Place::Opaque(std::io::Error::other("a link that cannot be read"));
                    };
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
                Err(e) => return Place::Opaque(e),
            }
        }
        Place::At(root.join(at))
    }
}

enum Place {
    At(PathBuf),
    Absent,
    NotADirectory,
    Opaque(std::io::Error),
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

/// Why something could not be read, in the system's words.
fn blind(error: &std::io::Error) -> Look {
    let why = match error.kind() {
        std::io::ErrorKind::PermissionDenied => Why::Forbidden,
        _ => Why::Failed,
    };
    // What wraps the system's words names this machine's path.
    Look::Blind(why, error.raw_os_error().map_or_else(|| error.kind().to_string(), os_words))
}

/// The system's words for an error without this machine's path in them.
fn os_words(code: i32) -> String {
    std::io::Error::from_raw_os_error(code).to_string()
}

impl Files for HostTree {
    fn entry(&self, path: &str) -> Entry<'_> {
        self.look(path).into()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        if let Root::Told(told) = &self.0 {
            return told.list(dir);
        }
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
