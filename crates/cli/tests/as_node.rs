//! `pullproof probe IMAGE --as-node`: from this machine, with a node's configuration out of its files or its report.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::node_root::{CANARY, Node, facts, registry, rung, text};
use testkit::{Auth, Authority, Registry, Shelf, free_port};

/// A node that knows a registry of this machine, `localhost`, which needs no name server.
fn localhost(port: u16) -> (String, String) {
    (format!("localhost:{port}"), format!("localhost:{port}/team/app:v1"))
}

fn probe(image: &str, node: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("COLUMNS", "140").env("HOME", "/nonexistent");
    command.args(["probe", image, "--timeout", "8", "--platform", "linux/amd64", "--as-node"]).arg(node);
    let output = command.args(more).output().unwrap();
    assert!(!text(&output).contains(CANARY) && !String::from_utf8_lossy(&output.stderr).contains(CANARY));
    output
}

/// What was seen, in a form that tests can ask.
fn seen(image: &str, node: &Path, more: &[&str]) -> Value {
    let output = probe(image, node, &[more, &["--snapshot"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
}

fn files<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["--runtime-version", "2.2.1"], more].concat()
}

/// The node's own report, as it would be printed there.
fn report_of(node: &Node, image: &str) -> PathBuf {
    let at = node.root.path().join("w1.json");
    std::fs::write(&at, node.ask(image, &["--no-probe", "-o", "json"]).stdout).unwrap();
    at
}

fn secured(node: &Node, shelf: &Shelf) -> (Registry, String) {
    let authority = Authority::root("Example Root");
    let registry = registry(shelf, &authority, Auth::Htpasswd("joe", CANARY));
    let (host, image) = localhost(registry.port);
    node.put("etc/ssl/private.crt", authority.pem());
    node.hosts(&host, &format!("server = 'https://{host}'\nca = '/etc/ssl/private.crt'\n"));
    node.knows(&host);
    (registry, image)
}

#[test]
fn the_files_give_authority_and_login() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf) = (Node::new(), Shelf::with_app());
    let (registry, image) = secured(&node, &shelf);
    let output = probe(&image, node.root.path(), &files(&[]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = seen(&image, node.root.path(), &files(&[]));
    assert_eq!(rung(&found, 0, "blob")["outcome"], "passed", "{found:#}");
    assert_eq!(facts(rung(&found, 0, "credentials"), "credentials.source"), ["/var/lib/kubelet/config.json"]);
    let roots = facts(rung(&found, 0, "tls"), "roots.from");
    assert_eq!(roots, ["/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/certs", "/etc/ssl/private.crt"]);
    // Without it, who asks from here is nobody.
    let anonymous = seen(&image, node.root.path(), &files(&["--anonymous"]));
    assert_eq!(rung(&anonymous, 0, "authorization")["outcome"]["failed"]["symptom"], "auth.no-credentials");
    // What the node trusts is what counts: the hosts file there names no name of this machine's.
    node.hosts(&localhost(registry.port).0, "server = 'https://localhost'\nca = '/etc/ssl/gone.crt'\n");
    let broken = probe(&image, node.root.path(), &files(&["-o", "json"]));
    assert_eq!(broken.status.code(), Some(1), "{broken:?}");
    assert!(text(&broken).contains("/etc/ssl/gone.crt"), "{}", text(&broken));
}

#[test]
fn a_report_is_as_good_as_the_files_but_for_secrets() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf) = (Node::new(), Shelf::with_app());
    let (registry, image) = secured(&node, &shelf);
    // Also one about another image.
    let report = report_of(&node, &format!("localhost:{}/other:1", registry.port));
    let found = seen(&image, &report, &[]);
    assert_eq!(rung(&found, 0, "tls")["outcome"], "passed", "{found:#}");
    assert_eq!(rung(&found, 0, "authorization")["outcome"]["failed"]["symptom"], "auth.no-credentials");
    assert!(found["blind_spots"].to_string().contains("a node report has no secrets"), "{found:#}");
    let login = node.root.path().join("login");
    std::fs::write(&login, format!("joe:{CANARY}")).unwrap();
    let given = seen(&image, &report, &["--creds-file", login.to_str().unwrap()]);
    assert_eq!(rung(&given, 0, "blob")["outcome"], "passed", "{given:#}");
    // An authority that the report does not keep is not an authority that is missing.
    let kept = std::fs::read_to_string(&report).unwrap();
    let mut kept: Value = serde_json::from_str(&kept).unwrap();
    kept["facts"]["files"]["/etc/ssl/private.crt"]["text"] = serde_json::json!({"blind": "truncated"});
    std::fs::write(&report, kept.to_string()).unwrap();
    let blind = seen(&image, &report, &[]);
    assert_eq!(blind["ladders"], Value::Array(Vec::new()));
    assert!(blind["blind_spots"].to_string().contains("/etc/ssl/private.crt cannot be read"), "{blind:#}");
}

#[test]
fn one_endpoint_that_serves_is_enough() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf) = (Node::new(), Shelf::with_app());
    let (registry, image) = secured(&node, &shelf);
    let (host, _) = localhost(registry.port);
    let dead = format!("[host.'http://localhost:{}']\n", free_port());
    node.hosts(&host, &format!("server = 'https://{host}'\nca = '/etc/ssl/private.crt'\n{dead}"));
    let output = probe(&image, node.root.path(), &files(&["-o", "json"]));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), report["incidents"].as_array().unwrap().len()), (Some(0), 0));
    assert_eq!(report["climbs"].as_array().unwrap().len(), 2, "both are shown");
    // And where none serves, the pull fails.
    node.hosts(&host, &format!("server = 'http://localhost:{}'\n{dead}", free_port()));
    assert_eq!(probe(&image, node.root.path(), &files(&[])).status.code(), Some(1));
}

#[test]
fn what_does_not_go_together_is_a_usage_error() {
    let node = Node::new();
    let status = |more: &[&str]| probe("registry.example.com/a:1", node.root.path(), more).status.code();
    assert_eq!(status(&[]), Some(2), "the version decides");
    assert_eq!(status(&files(&["--plain-http"])), Some(2));
    let gone = node.root.path().join("gone.json");
    assert_eq!(probe("registry.example.com/a:1", &gone, &[]).status.code(), Some(3));
    let none = node.root.path().join("none.json");
    std::fs::write(&none, "{}").unwrap();
    assert_eq!(probe("registry.example.com/a:1", &none, &[]).status.code(), Some(3));
}
