//! `pullproof node` changes nothing: it runs the same where nothing can be written, and with as little as it may read.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failure here is a failed test")]

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// A node with configuration, a CA, a silent socket and a kubelet's files.
fn node() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| {
        let at = dir.path().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    };
    put(
        "etc/containerd/config.toml",
        "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\nconfig_path = '/etc/containerd/certs.d'\n",
    );
    put(
        "etc/containerd/certs.d/r.example.com/hosts.toml",
        "[host.'https://m.example.com']\nca = '/etc/ca.pem'\n",
    );
    put("etc/hosts", "127.0.0.1 localhost\n");
    put("var/lib/kubelet/config.yaml", "kind: KubeletConfiguration\nserializeImagePulls: true\n");
    put("var/lib/kubelet/image_manager/pulled/sha256-1", r#"{"imageRef":"sha256:1"}"#);
    put("proc/stat", "btime 1\n");
    std::fs::create_dir_all(dir.path().join("run")).unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    dir
}

/// Every path below, with what a write would change of it.
fn tree(at: &Path) -> BTreeMap<String, (u64, i64, i64, u32)> {
    let mut all = BTreeMap::new();
    let mut todo = vec![at.to_path_buf()];
    while let Some(path) = todo.pop() {
        let meta = std::fs::symlink_metadata(&path).unwrap();
        all.insert(path.display().to_string(), (meta.len(), meta.mtime(), meta.ctime_nsec(), meta.mode()));
        if meta.is_dir() {
            todo.extend(std::fs::read_dir(&path).unwrap().map(|e| e.unwrap().path()));
        }
    }
    all
}

fn look(program: &Path, root: &Path) -> String {
    let flags = "--live --runtime containerd --runtime-version 2.2.1 --name w1 --no-probe -o json";
    format!("{} node r.example.com/a:1 --root {} {flags}", program.display(), root.display())
}

/// Without what differs from run to run.
fn stable(report: &[u8]) -> serde_json::Value {
    let mut value: serde_json::Value = serde_json::from_slice(report).unwrap();
    for (place, name) in
        [("", "taken_at"), ("/facts", "clock"), ("/machine", "clock_error_ms"), ("/machine", "store")]
    {
        if let Some(object) = value.pointer_mut(place).and_then(serde_json::Value::as_object_mut) {
            object.remove(name);
        }
    }
    value
}

#[test]
fn it_runs_where_nothing_can_be_written() {
    if !rustix::process::geteuid().is_root() {
        return testkit::skipped("needs root, for a mount namespace of its own");
    }
    if testkit::missing(&["unshare", "mount"]) {
        return;
    }
    let dir = node();
    let line = look(Path::new(env!("CARGO_BIN_EXE_pullproof")), dir.path());
    // Each mount there is becomes read-only, in a namespace that ends with this shell; where one is left writable, it says so.
    let script = format!(
        "mount --make-rprivate /; while read -r _ at _; do mount -o remount,bind,ro \"$at\" 2>/dev/null; done < /proc/self/mounts; \
         if touch {0}/written 2>/dev/null || touch /written 2>/dev/null || touch /tmp/written 2>/dev/null; then exit 99; fi; {line}",
        dir.path().display()
    );
    let before = tree(dir.path());
    let plain = Command::new("sh").args(["-c", &line]).env_remove("HTTPS_PROXY").output().unwrap();
    let shut = Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap();
    if shut.status.code() == Some(1) && shut.stdout.is_empty() {
        return testkit::skipped("this machine gives no mount namespace");
    }
    assert_ne!(shut.status.code(), Some(99), "something was still writable: nothing was shown");
    assert_eq!(shut.status.code(), plain.status.code(), "{shut:?}");
    assert_eq!(stable(&shut.stdout), stable(&plain.stdout));
    assert_eq!(tree(dir.path()), before);
}

#[test]
fn what_may_not_be_read_is_a_blind_spot() {
    if !rustix::process::geteuid().is_root() {
        return testkit::skipped("needs root, to run as somebody who may read less");
    }
    if testkit::missing(&["setpriv"]) {
        return;
    }
    let dir = node();
    let _silent = UnixListener::bind(dir.path().join("run/x.sock")).unwrap();
    let program = dir.path().join("pullproof");
    std::fs::copy(env!("CARGO_BIN_EXE_pullproof"), &program).unwrap();
    for path in ["etc/containerd/certs.d/r.example.com/hosts.toml", "var/lib/kubelet/image_manager"] {
        std::fs::set_permissions(dir.path().join(path), std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "sh", "-c"];
    let output = Command::new("setpriv").args(nobody).arg(look(&program, dir.path())).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let spots = report["blind_spots"].as_array().unwrap();
    for path in ["/etc/containerd/certs.d/r.example.com/hosts.toml", "/var/lib/kubelet/image_manager/pulled"]
    {
        let spot = spots.iter().find(|b| b["what"] == path).unwrap_or_else(|| panic!("{path}: {spots:?}"));
        assert_eq!((&spot["why"], &spot["needs"]), (&"forbidden".into(), &"run as root".into()), "{spot}");
    }
    assert_eq!(report["runtime"]["version"], "2.2.1", "the rest is told all the same");
}
