//! A node that is looked at while it runs: sockets that never answer or are none, unreadable and huge files, no runtime.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use node::{Inspection, Options, RuntimeName, inspect};
use std::os::unix::net::UnixListener;
use std::path::Path;

/// A root with what every node has.
fn root() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for sub in ["proc", "etc/containerd", "run/containerd", "run/crio"] {
        fs_err::create_dir_all(dir.path().join(sub)).unwrap();
    }
    dir
}

fn look(root: &Path, options: Options) -> Inspection {
    inspect(&Options { root: root.to_path_buf(), live: true, ..options }).unwrap()
}

fn blind<'i>(i: &'i Inspection, what: &str) -> Option<&'i report::BlindSpot> {
    i.report.blind_spots.iter().find(|b| b.what == what)
}

#[test]
fn a_node_without_a_runtime() {
    let dir = root();
    let i = look(dir.path(), Options::default());
    assert!(i.report.runtime.is_none());
    assert!(blind(&i, "the node's runtime").is_some());
}

#[test]
fn a_socket_that_never_answers_has_a_deadline() {
    let dir = root();
    let path = "/run/containerd/containerd.sock";
    let _silent = UnixListener::bind(dir.path().join(&path[1..])).unwrap();
    let i = look(dir.path(), Options { image: Some("r.example.com/a:1".into()), ..Options::default() });
    assert_eq!(blind(&i, path).map(|b| b.why.as_str()), Some("timed-out"));
    assert!(i.report.runtime.is_none(), "its version is not known");
    // With the version given, the files alone tell the rest.
    let known = Options {
        image: Some("r.example.com/a:1".into()),
        runtime: Some(RuntimeName::Containerd),
        version: Some("2.2.1".into()),
        ..Options::default()
    };
    let i = look(dir.path(), known);
    assert_eq!(i.report.endpoints[0].url, "https://r.example.com/v2");
    assert_eq!(i.report.runtime.unwrap().cri.unwrap().state, "silent");
}

#[test]
fn a_socket_that_is_no_runtime() {
    let dir = root();
    let listener = UnixListener::bind(dir.path().join("run/crio/crio.sock")).unwrap();
    std::thread::spawn(move || drop(listener.accept()));
    let i = look(dir.path(), Options::default());
    assert_eq!(blind(&i, "/run/crio/crio.sock").map(|b| b.why.as_str()), Some("failed"));
}

#[test]
fn three_runtimes_and_only_one_serves_the_kubelet() {
    let dir = root();
    for (pid, name) in [("11", "containerd"), ("12", "crio"), ("13", "dockerd")] {
        let process = dir.path().join("proc").join(pid);
        fs_err::create_dir_all(&process).unwrap();
        fs_err::write(process.join("comm"), name).unwrap();
        fs_err::write(process.join("cmdline"), format!("/usr/bin/{name}\0")).unwrap();
        fs_err::write(process.join("environ"), "HTTPS_PROXY=http://joe:hunter2@p:3128\0").unwrap();
    }
    let known = Options {
        image: Some("r.example.com/a:1".into()),
        runtime: Some(RuntimeName::Containerd),
        version: Some("2.2.1".into()),
        ..Options::default()
    };
    let i = look(dir.path(), known);
    let others: Vec<(&str, &str)> =
        i.report.others.iter().map(|o| (o.name.as_str(), o.shown_by.as_str())).collect();
    assert_eq!(others, [("cri-o", "pid 12"), ("docker", "pid 13")]);
    assert_eq!(i.report.runtime.as_ref().unwrap().process.as_ref().unwrap().pid, 11);
    assert_eq!(i.report.endpoints[0].proxy.as_deref(), Some("http://p:3128"));
    // What a climb takes has the password, and nothing that is shown does.
    assert!(i.way.environment().unwrap()("HTTPS_PROXY").unwrap().contains("hunter2"));
    assert!(!serde_json::to_string(&i).unwrap().contains("hunter2") && !format!("{i:?}").contains("hunter2"));
}

#[test]
fn a_huge_configuration_is_a_blind_spot() {
    let dir = root();
    let config = fs_err::File::create(dir.path().join("etc/containerd/config.toml")).unwrap();
    config.set_len(50 << 20).unwrap();
    let known = Options {
        runtime: Some(RuntimeName::Containerd),
        version: Some("2.2.1".into()),
        ..Options::default()
    };
    let i = look(dir.path(), known);
    assert_eq!(blind(&i, "/etc/containerd/config.toml").map(|b| b.why.as_str()), Some("truncated"));
    // What there would be without it is not said to be what there is.
    let image = Some("r.example.com/a:1".into());
    let known = Options {
        runtime: Some(RuntimeName::Containerd),
        version: Some("2.2.1".into()),
        image,
        ..Options::default()
    };
    assert_eq!(look(dir.path(), known).report.assumed, ["/etc/containerd/config.toml"]);
}

#[test]
fn nothing_of_a_password_reaches_the_report() {
    let dir = root();
    let text = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry.configs.\"r\".auth]\nusername = \"u\"\npassword = \"hunter2\"\n";
    fs_err::write(dir.path().join("etc/containerd/config.toml"), text).unwrap();
    let known = Options {
        image: Some("r/a:1".into()),
        runtime: Some(RuntimeName::Containerd),
        version: Some("1.7.35".into()),
        ..Options::default()
    };
    let i = look(dir.path(), known);
    assert_eq!(i.report.runtime.as_ref().unwrap().config.hosts, ["r"]);
    assert!(!serde_json::to_string(&i).unwrap().contains("hunter2"));
}
