//! A service's unit file and its drop-ins: the environment that it would have after `daemon-reload` and a restart.

use crate::recording::Recording;
use crate::tree::Look;
use emulate::files::{Files, join};
use formats::systemd_unit::{self, Line};
use std::collections::BTreeMap;

/// Where units lie, the first wins. Source: systemd.unit(5).
const DIRS: &[&str] = &[
    "/etc/systemd/system",
    "/run/systemd/system",
    "/usr/local/lib/systemd/system",
    "/usr/lib/systemd/system",
    "/lib/systemd/system",
];

/// A variable, and where it is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The value.
    pub value: String,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// What the files say of one service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The unit file and its drop-ins, in the order in which they are read; empty where there is none.
    pub files: Vec<String>,
    /// The variables.
    pub environment: BTreeMap<String, Variable>,
    /// Values that another file's took the place of, each with its variable's name.
    pub lost: Vec<(String, Variable)>,
}

impl Unit {
    fn set(&mut self, name: String, variable: Variable) {
        if let Some(lost) = self.environment.insert(name.clone(), variable) {
            self.lost.push((name, lost));
        }
    }

    /// Variables to which two files give different values: the name, the value that counts, the one that is lost.
    pub fn disagreements(&self) -> Vec<(&str, &Variable, &Variable)> {
        self.lost
            .iter()
            .filter_map(|(name, lost)| Some((name.as_str(), self.environment.get(name)?, lost)))
            .filter(|(_, now, lost)| now.path != lost.path && now.value != lost.value)
            .collect()
    }
}

/// Reads the first of these services that there is.
pub fn look(files: &Recording<'_>, services: &[&str]) -> Unit {
    services.iter().map(|s| one(files, s)).find(|u| !u.files.is_empty()).unwrap_or_default()
}

fn one(files: &Recording<'_>, service: &str) -> Unit {
    let mut unit = Unit::default();
    let main = DIRS.iter().map(|d| join(d, &format!("{service}.service")));
    unit.files.extend(main.into_iter().find(|p| matches!(files.look(p), Look::File { .. })));
    // Of drop-ins with one name, that of the first directory counts; then they are read by name.
    let mut drop_ins: BTreeMap<String, String> = BTreeMap::new();
    for dir in DIRS.iter().map(|d| join(d, &format!("{service}.service.d"))) {
        if files.look(&dir) == Look::Dir {
            for name in files.list(&dir).into_iter().filter(|n| n.ends_with(".conf")) {
                drop_ins.entry(name.clone()).or_insert_with(|| join(&dir, &name));
            }
        }
    }
    unit.files.extend(drop_ins.into_values());
    let mut from_files: Vec<String> = Vec::new();
    let mut unset = Vec::new();
    for path in &unit.files.clone() {
        for line in systemd_unit::environment(&files.text(path).unwrap_or_default()) {
            match line {
                Line::Variable { name, value, line } => {
                    unit.set(name, Variable { value, path: path.clone(), line });
                }
                Line::Reset => {
                    unit.environment.clear();
                    unit.lost.clear();
                }
                Line::File(file) => from_files.push(file),
                Line::ResetFiles => from_files.clear(),
                Line::Unset(name) => unset.push(name),
            }
        }
    }
    for path in from_files {
        for (name, value, line) in systemd_unit::variables(&files.text(&path).unwrap_or_default()) {
            unit.set(name, Variable { value, path: path.clone(), line });
        }
    }
    for name in unset {
        unit.environment.remove(&name);
    }
    unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::HostTree;

    #[test]
    fn drop_ins_win_by_name_and_files_over_all() {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let at = dir.path().join(path);
            fs_err::create_dir_all(at.parent().unwrap()).unwrap();
            fs_err::write(at, text).unwrap();
        };
        put("usr/lib/systemd/system/containerd.service", "[Service]\nEnvironment=A=unit B=unit\n");
        put("etc/systemd/system/containerd.service.d/10.conf", "[Service]\nEnvironment=A=etc\n");
        put("run/systemd/system/containerd.service.d/10.conf", "[Service]\nEnvironment=A=run\n");
        put(
            "etc/systemd/system/containerd.service.d/20.conf",
            "[Service]\nEnvironmentFile=-/etc/proxy\nUnsetEnvironment=B\n",
        );
        put("etc/proxy", "HTTPS_PROXY=http://p:1\n");
        let tree = HostTree::new(dir.path());
        let unit = look(&Recording::new(&tree), &["k3s", "containerd"]);
        assert_eq!(unit.files.len(), 3);
        assert_eq!(unit.environment["A"].value, "etc");
        assert_eq!(unit.environment["HTTPS_PROXY"].path, "/etc/proxy");
        assert!(!unit.environment.contains_key("B"));
        let disagree = unit.disagreements();
        assert_eq!(disagree.len(), 1);
        assert_eq!((disagree[0].0, &*disagree[0].1.value, &*disagree[0].2.value), ("A", "etc", "unit"));
    }
}
