//! The real binary, with nothing of the tester's environment.

pub mod node_root;

use assert_cmd::Command;
use std::path::{Path, PathBuf};

/// `pullproof`, in an empty environment.
pub fn pullproof() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8").env("HOME", "/nonexistent");
    command
}

/// What a command printed on standard output, and its status.
#[track_caller]
pub fn run(command: &mut Command) -> (String, String, i32) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap_or(-1))
}

/// Writes files below a folder.
pub fn write(folder: &Path, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

/// A published case's inputs.
pub fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/cases").join(name).join("inputs")
}

/// A pod whose image cannot be pulled because its registry has no name.
pub const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  containers:\n  - {name: c, image: r.example.com/a:1}\nstatus:\n  phase: Pending\n  containerStatuses:\n  - name: c\n    image: r.example.com/a:1\n    state: {waiting: {reason: ErrImagePull, message: 'failed to pull: dial tcp: lookup r.example.com: no such host'}}\n";
