//! What an emulator may ask of a file tree, and the difference between "not there" and "not known".

use std::borrow::Cow;

/// What stands at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A file and its content.
    File(Cow<'a, [u8]>),
    /// A file whose content is not known.
    Opaque,
    /// A directory.
    Dir,
    /// Nothing.
    Absent,
    /// Nothing, and something on the way is no directory.
    NotADirectory,
    /// Nobody looked.
    Unknown,
}

/// A file tree. Paths are absolute, with `/`, as on the node.
pub trait Files {
    /// What stands at the path.
    fn entry(&self, path: &str) -> Entry<'_>;
    /// The names in a directory, sorted.
    fn list(&self, dir: &str) -> Vec<String>;
}

/// Joins like Go's `filepath.Join`: cleaned, an empty part passed over.
pub fn join(dir: &str, name: &str) -> String {
    match (dir.is_empty(), name.is_empty()) {
        (true, true) => String::new(),
        (true, false) => clean(name),
        (false, true) => clean(dir),
        (false, false) => clean(&format!("{dir}/{name}")),
    }
}

/// The shortest form of a path. Follows Go's `path.Clean`.
pub fn clean(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if rooted => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    match (rooted, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

/// The directory part of an absolute path.
pub fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((dir, _)) => dir,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_cleaned_as_go_does() {
        let table = [
            ("/", "/"),
            ("//x//y/", "/x/y"),
            ("/a/../b", "/b"),
            ("/..", "/"),
            ("a/..", "."),
            ("../a", "../a"),
            ("httpd.example.com", "httpd.example.com"),
        ];
        for (from, to) in table {
            assert_eq!(clean(from), to, "{from}");
        }
        assert_eq!(join("/etc/certs.d/", "x"), "/etc/certs.d/x");
        assert_eq!(join("", "x"), "x");
        assert_eq!(join("/d", ""), "/d");
        assert_eq!(parent("/a"), "/");
        assert_eq!(parent("/a/b"), "/a");
    }
}
