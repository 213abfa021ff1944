//! A node's root in a folder, with containerd's configuration and a registry that its names lead to.

use serde_json::Value;
use std::process::{Command, Output};
use testkit::{Auth, Authority, Leaf, Registry, RegistryOptions, Shelf};

/// The password that nothing may show.
pub const CANARY: &str = "c4n4ry-s3cret";
const FLAGS: &[&str] = &["--live", "--name", "w1", "--timeout", "8"];

/// A node's root: its hosts file, containerd's configuration, nobody's processes.
pub struct Node {
    pub root: tempfile::TempDir,
}

impl Node {
    pub fn new() -> Self {
        let node = Self { root: tempfile::tempdir().unwrap() };
        node.put("etc/hosts", "127.0.0.1 localhost registry.example.com mirror.example.com\n");
        node.put("etc/nsswitch.conf", "hosts: files\n");
        node.put("etc/resolv.conf", "nameserver 127.0.0.1\n");
        node.put("etc/ssl/certs/ca-certificates.crt", Authority::root("Some Public Root").pem());
        let config = "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\nconfig_path = '/etc/containerd/certs.d'\n";
        node.put("etc/containerd/config.toml", config);
        std::fs::create_dir(node.root.path().join("proc")).unwrap();
        node
    }

    pub fn put(&self, path: &str, text: &str) {
        let at = self.root.path().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }

    pub fn hosts(&self, registry: &str, text: &str) {
        self.put(&format!("etc/containerd/certs.d/{registry}/hosts.toml"), text);
    }

    /// The node's own login, as the kubelet reads it.
    pub fn knows(&self, registry: &str) {
        let text = format!(r#"{{"auths":{{"{registry}":{{"username":"joe","password":"{CANARY}"}}}}}}"#);
        self.put("var/lib/kubelet/config.json", &text);
    }

    pub fn ask(&self, image: &str, more: &[&str]) -> Output {
        self.ask_as("containerd", "2.2.1", image, more)
    }

    pub fn ask_as(&self, runtime: &str, version: &str, image: &str, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("COLUMNS", "140");
        command.args(["node", image, "--runtime", runtime, "--runtime-version", version, "--root"]);
        let output = command.arg(self.root.path()).args(FLAGS).args(more).output().unwrap();
        assert!(!text(&output).contains(CANARY) && !String::from_utf8_lossy(&output.stderr).contains(CANARY));
        output
    }

    pub fn report(&self, image: &str, more: &[&str]) -> Value {
        let output = self.ask(image, &[more, &["-o", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
    }
}

pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn registry(shelf: &Shelf, authority: &Authority, auth: Auth<'_>) -> Registry {
    let tls = authority.issue(&Leaf {
        names: ["registry.example.com", "mirror.example.com", "localhost"].map(str::to_owned).into(),
        ..Leaf::default()
    });
    Registry::start(&RegistryOptions { tls: Some(&tls), auth, ..RegistryOptions::plain(shelf) })
}

/// The rung of a stage on a ladder, and how it went: `passed`, `skipped`, or the symptom.
pub fn rung<'v>(report: &'v Value, ladder: usize, stage: &str) -> &'v Value {
    let rungs = report["ladders"][ladder]["rungs"].as_array().unwrap();
    rungs.iter().find(|r| r["stage"] == stage).unwrap_or_else(|| panic!("no {stage}: {report:#}"))
}

pub fn facts(rung: &Value, name: &str) -> Vec<String> {
    let all = rung["seen"].as_array().unwrap().iter().filter(|f| f["name"] == name);
    all.map(|f| f["value"].as_str().unwrap().to_owned()).collect()
}
