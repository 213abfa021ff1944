//! Files that `ls` and `stat` list: which are there, which are not, when they were changed.

use super::command::Command;
use super::when;
use jiff::Timestamp;

/// One file or folder that an output speaks of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// Its absolute path, or as the command named it.
    pub path: String,
    /// Whether it is a folder; `None` where the output does not say.
    pub folder: Option<bool>,
    /// Its size in bytes.
    pub size: Option<u64>,
    /// Its mode, as `ls -l` prints it.
    pub mode: String,
    /// When it was last changed, where the output has the year and the time.
    pub modified: Option<Timestamp>,
    /// The target of a link.
    pub target: Option<String>,
}

/// What an output lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// What is there.
    pub there: Vec<Listed>,
    /// What is not: `No such file or directory`.
    pub missing: Vec<String>,
    /// Folders whose content is listed completely.
    pub folders: Vec<String>,
}

/// The most lines that are read.
const MOST: usize = 20_000;

/// Reads an output of `ls`, `stat` or `find`; `None` for other commands.
pub fn read(command: &Command<'_>, text: &str) -> Option<Listing> {
    let mut listing = Listing::default();
    for line in text.lines().take(MOST) {
        listing.missing.extend(missing(line).map(str::to_owned));
    }
    match command.program {
        "ls" => ls(command, text, &mut listing),
        "stat" => stat(command, text, &mut listing),
        "find" => {
            let named = text.lines().take(MOST).filter(|l| l.starts_with('/'));
            listing.there.extend(named.map(|l| Listed { path: l.trim().to_owned(), ..Listed::default() }));
        }
        _ => return None,
    }
    Some(listing)
}

/// The path of `ls: cannot access '/etc/x': No such file or directory` and its like.
fn missing(line: &str) -> Option<&str> {
    let before = line.strip_suffix("No such file or directory")?.trim_end().strip_suffix(':')?;
    let named = before.split_once(": ").map_or(before, |(_, rest)| rest);
    let named = ["cannot access ", "cannot stat ", "cannot statx ", "cannot open directory "]
        .iter()
        .find_map(|p| named.strip_prefix(p))
        .unwrap_or(named);
    Some(named.trim_matches(['\'', '"', '‘', '’']))
}

fn ls(command: &Command<'_>, text: &str, listing: &mut Listing) {
    let short_flags = command.arguments.iter().filter(|a| a.starts_with('-') && !a.starts_with("--"));
    let long = short_flags.clone().any(|a| a.contains('l')) || command.has("--full-time");
    let itself = short_flags.clone().any(|a| a.contains('d'));
    let named: Vec<&str> = command.arguments.iter().copied().filter(|a| !a.starts_with('-')).collect();
    let mut folder = match named.as_slice() {
        [one] if !itself => Some(one.trim_end_matches('/').to_owned()),
        _ => None,
    };
    // The one that was named may be a file, or missing; it is a folder only if its content was printed.
    let single = folder.clone();
    for line in text.lines().take(MOST) {
        let line = line.trim_end();
        if let Some(head) = line.strip_suffix(':')
            && (head.starts_with('/') || named.contains(&head))
        {
            folder = Some(head.trim_end_matches('/').to_owned());
            listing.folders.extend(folder.clone());
            continue;
        }
        if line.is_empty() || line.starts_with("total ") || line.starts_with("ls: ") {
            if line.starts_with("total ") && listing.folders.is_empty() {
                listing.folders.extend(single.clone());
            }
            continue;
        }
        let entries: Vec<Listed> = if long {
            long_line(line).into_iter().collect()
        } else {
            line.split_whitespace().map(|w| Listed { path: w.to_owned(), ..Listed::default() }).collect()
        };
        for mut entry in entries {
            if matches!(entry.path.as_str(), "." | "..") {
                continue;
            }
            if let Some(folder) = folder.as_ref().filter(|_| !entry.path.starts_with('/')) {
                entry.path = format!("{folder}/{}", entry.path);
            }
            listing.there.push(entry);
        }
    }
    let printed_folder =
        listing.there.iter().any(|l| single.as_ref().is_some_and(|s| l.path.starts_with(&format!("{s}/"))));
    if printed_folder && listing.folders.is_empty() {
        listing.folders.extend(single);
    }
}

/// `-rw-r--r-- 1 root root 615 Apr 10 11:20 ca.crt`, with any style of time.
fn long_line(line: &str) -> Option<Listed> {
    let mut rest = line;
    let mut words = Vec::new();
    for _ in 0..5 {
        let trimmed = rest.trim_start();
        let end = trimmed.find(' ')?;
        words.push(trimmed.get(..end)?);
        rest = trimmed.get(end..)?;
    }
    let mode = *words.first()?;
    if mode.len() < 10 || !mode.starts_with(['-', 'd', 'l', 'c', 'b', 's', 'p']) {
        return None;
    }
    let rest = rest.trim_start();
    let first = rest.split(' ').next()?;
    // ISO: `2024-02-16 01:44 x`, `2024-02-16 01:44:31.000000000 +0000 x`; else `Feb 16 01:44 x`, `Feb 16  2023 x`.
    let time_words = if first.len() == 10 && first.contains('-') {
        let zone = rest.split(' ').nth(2).is_some_and(|w| w.len() == 5 && w.starts_with(['+', '-']));
        if zone { 3 } else { 2 }
    } else {
        3
    };
    let mut name = rest;
    for _ in 0..time_words {
        name = name.trim_start();
        name = name.get(name.find(' ')?..)?;
    }
    let name = name.trim_start();
    let time = rest.get(..rest.len() - name.len())?;
    let (name, target) = match name.split_once(" -> ") {
        Some((name, target)) => (name, Some(target.to_owned())),
        None => (name, None),
    };
    Some(Listed {
        path: name.trim_matches('\'').to_owned(),
        folder: Some(mode.starts_with('d')),
        size: words.get(4).and_then(|s| s.parse().ok()),
        mode: mode.to_owned(),
        modified: if first.contains('-') { when::read(time) } else { None },
        target,
    })
}

/// `stat -c "%n %y" FILE...`, and the long form with `File:` and `Modify:`.
fn stat(command: &Command<'_>, text: &str, listing: &mut Listing) {
    let format = command.flag("-c").or_else(|| command.flag("--format")).or_else(|| command.flag("--printf"));
    let mut current: Option<Listed> = None;
    for line in text.lines().take(MOST) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("File:") {
            listing.there.extend(current.take());
            let name = name.trim().split(" -> ").next().unwrap_or_default();
            current = Some(Listed {
                path: name.trim_matches(['\'', '"', '‘', '’']).to_owned(),
                ..Listed::default()
            });
        } else if let (Some(at), Some(file)) = (line.strip_prefix("Modify:"), current.as_mut()) {
            file.modified = when::read(at);
        } else if let (Some(size), Some(file)) = (line.strip_prefix("Size:"), current.as_mut()) {
            file.size = size.split_whitespace().next().and_then(|s| s.parse().ok());
        } else if format.is_some_and(|f| f.contains("%n") && (f.contains("%y") || f.contains("%Y"))) {
            listing.there.extend(named_and_timed(line));
        }
    }
    listing.there.extend(current);
}

/// A path and a time in either order.
fn named_and_timed(line: &str) -> Option<Listed> {
    let at = line.find('/')?;
    let (before, rest) = line.split_at_checked(at)?;
    let (path, after) = rest.split_once([' ', '\t', '|', ',']).unwrap_or((rest, ""));
    let time = if after.trim().is_empty() { before } else { after };
    let time = time.trim_matches([' ', '|', ',', '"', '\t']);
    let epoch = time.parse::<i64>().ok().and_then(|s| Timestamp::from_second(s).ok());
    Some(Listed {
        path: path.trim_matches([':', '"']).to_owned(),
        modified: epoch.or_else(|| when::read(time)),
        ..Listed::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::command;

    fn listing(line: &str, text: &str) -> Listing {
        read(&command(line), text).expect("a listing")
    }

    #[test]
    fn folders_files_and_what_is_missing() {
        let got = listing(
            "ls -lR /etc/rancher",
            "/etc/rancher:\ntotal 4\ndrwxr-xr-x 2 root root 4096 Oct 10 08:20 node\n\n/etc/rancher/node:\ntotal 4\n-rw------- 1 root root 33 Oct 10 08:20 password\n",
        );
        assert_eq!(got.folders, ["/etc/rancher", "/etc/rancher/node"]);
        let paths: Vec<_> = got.there.iter().map(|l| (l.path.as_str(), l.folder, l.size)).collect();
        assert_eq!(
            paths,
            [
                ("/etc/rancher/node", Some(true), Some(4096)),
                ("/etc/rancher/node/password", Some(false), Some(33))
            ]
        );
        let short = listing("ls /etc/rancher/k3s", "k3s.yaml\n");
        assert_eq!(short.folders, ["/etc/rancher/k3s"]);
        let none = listing(
            "ls -la /etc/containerd/certs.d",
            "ls: cannot access '/etc/containerd/certs.d': No such file or directory\n",
        );
        assert_eq!((none.missing, none.folders), (vec!["/etc/containerd/certs.d".to_owned()], vec![]));
        let two = listing(
            "ls /usr/local/share/ca-certificates /etc/rancher/k3s",
            "/etc/rancher/k3s:\nk3s.yaml\n\n/usr/local/share/ca-certificates:\n",
        );
        assert_eq!(two.folders, ["/etc/rancher/k3s", "/usr/local/share/ca-certificates"]);
    }

    #[test]
    fn times_where_the_output_has_them() {
        let stat = listing(
            "stat -c \"%n %y\" /a /b",
            "/a 2024-02-16 01:44:31.000000000 +0000\n/b 2024-02-16 01:44:31.000000000 +0900\n",
        );
        let times: Vec<_> =
            stat.there.iter().map(|l| l.modified.map(|t| t.to_string()).unwrap_or_default()).collect();
        assert_eq!(times, ["2024-02-16T01:44:31Z", "2024-02-15T16:44:31Z"]);
        let long = listing(
            "ls -l --time-style=full-iso /a",
            "-rw-r--r-- 1 root root 5 2024-02-16 01:44:31.000000000 +0000 /a\n",
        );
        assert_eq!(long.there[0].modified.map(|t| t.to_string()).as_deref(), Some("2024-02-16T01:44:31Z"));
        let whole = listing(
            "stat /a",
            "  File: /a\n  Size: 12        \tBlocks: 8\nModify: 2024-02-16 01:44:31.0 +0000\n",
        );
        assert_eq!((whole.there[0].path.as_str(), whole.there[0].size), ("/a", Some(12)));
        let no_year = listing("ls -l /d", "total 4\n-rw-r--r-- 1 root root 99 Sep 23 17:01 x -> y\n");
        assert_eq!((no_year.there[0].modified, no_year.there[0].target.as_deref()), (None, Some("y")));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "(?s)\\PC{0,120}|(-rw-r--r-- 1 r r [0-9]{1,3} [A-Za-z0-9: .+-]{0,40}\n)*") {
            for line in ["ls -l /x", "stat /x", "stat -c \"%n %y\" /x", "ls /a /b", "find /x"] {
                let _ = read(&command(line), &text);
            }
        }
    }
}
