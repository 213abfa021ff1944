//! `pullproof node IMAGE` climbs to each endpoint as the runtime would: its CA, its proxy, its headers, and the node's own
//! credentials only where the runtime would send them and somebody proved who answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use testkit::{Auth, Authority, Leaf, Registry, RegistryOptions, Shelf, free_port};

const CANARY: &str = "c4n4ry-s3cret";
const FLAGS: &[&str] =
    &["--live", "--runtime", "containerd", "--runtime-version", "2.2.1", "--name", "w1", "--timeout", "8"];

/// A node's root: its hosts file, containerd's configuration, nobody's processes.
struct Node {
    root: tempfile::TempDir,
}

impl Node {
    fn new() -> Self {
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

    fn put(&self, path: &str, text: &str) {
        let at = self.root.path().join(path);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::fs::write(at, text).unwrap();
    }

    fn hosts(&self, registry: &str, text: &str) {
        self.put(&format!("etc/containerd/certs.d/{registry}/hosts.toml"), text);
    }

    /// The node's own login, as the kubelet reads it.
    fn knows(&self, registry: &str) {
        let text = format!(r#"{{"auths":{{"{registry}":{{"username":"joe","password":"{CANARY}"}}}}}}"#);
        self.put("var/lib/kubelet/config.json", &text);
    }

    fn ask(&self, image: &str, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("COLUMNS", "140");
        let output =
            command.args(["node", image, "--root"]).arg(self.root.path()).args(FLAGS).args(more).output();
        let output = output.unwrap();
        assert!(!text(&output).contains(CANARY) && !String::from_utf8_lossy(&output.stderr).contains(CANARY));
        output
    }

    fn report(&self, image: &str, more: &[&str]) -> Value {
        let output = self.ask(image, &[more, &["-o", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"))
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn registry(shelf: &Shelf, authority: &Authority, auth: Auth<'_>) -> Registry {
    let tls = authority.issue(&Leaf {
        names: ["registry.example.com", "mirror.example.com"].map(str::to_owned).into(),
        ..Leaf::default()
    });
    Registry::start(&RegistryOptions { tls: Some(&tls), auth, ..RegistryOptions::plain(shelf) })
}

/// The rung of a stage on a ladder, and how it went: `passed`, `skipped`, or the symptom.
fn rung<'v>(report: &'v Value, ladder: usize, stage: &str) -> &'v Value {
    let rungs = report["ladders"][ladder]["rungs"].as_array().unwrap();
    rungs.iter().find(|r| r["stage"] == stage).unwrap_or_else(|| panic!("no {stage}: {report:#}"))
}

fn facts(rung: &Value, name: &str) -> Vec<String> {
    let all = rung["seen"].as_array().unwrap().iter().filter(|f| f["name"] == name);
    all.map(|f| f["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_ca_of_hosts_toml_decides_and_diagnose_reads_the_report() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let (node, shelf, authority) = (Node::new(), Shelf::with_app(), Authority::root("Example Root"));
    let registry = registry(&shelf, &authority, Auth::None);
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    let unknown = node.ask(&image, &[]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown).contains("certificate signed by unknown authority"), "{}", text(&unknown));
    // What was met on the way is a failing pull's evidence elsewhere.
    let saved = node.root.path().join("w1.json");
    std::fs::write(&saved, node.ask(&image, &["-o", "json"]).stdout).unwrap();
    let mut diagnose = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    let found = diagnose.args(["diagnose", "--from"]).arg(&saved).args(["-o", "json"]).output().unwrap();
    assert!(text(&found).contains("\"tls.unknown-authority\""), "{found:?}");

    node.put("etc/ssl/private.crt", authority.pem());
    node.hosts(&format!("registry.example.com:{}", registry.port), "ca = '/etc/ssl/private.crt'\n");
    let known = node.ask(&image, &["--lang", "ko"]);
    assert_eq!(known.status.code(), Some(0), "{known:?}");
    assert!(text(&known).contains("이미지를 받을 수 있습니다"), "{}", text(&known));
    let report = node.report(&image, &["--no-probe"]);
    assert_eq!(report["ladders"], Value::Array(Vec::new()), "it was told to ask nobody");
}

#[test]
fn a_mirror_gets_the_nodes_credentials_and_an_unproven_one_does_not() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf, authority) = (Node::new(), Shelf::with_app(), Authority::root("Example Root"));
    let mirror = registry(&shelf, &authority, Auth::Htpasswd("joe", CANARY));
    node.knows("registry.example.com");
    node.put("etc/ssl/private.crt", authority.pem());
    let host = format!("https://mirror.example.com:{}", mirror.port);
    let server = format!("server = 'https://registry.example.com:{}'\n", free_port());
    node.hosts("registry.example.com", &format!("{server}[host.'{host}']\nca = '/etc/ssl/private.crt'\n"));
    let image = "registry.example.com/team/app:v1";
    let report = node.report(image, &[]);
    assert_eq!(rung(&report, 0, "blob")["outcome"], "passed", "{report:#}");
    assert_eq!(
        facts(rung(&report, 0, "credentials"), "credentials.source"),
        ["/var/lib/kubelet/config.json"]
    );
    // The mirror is told whose image is wanted.
    assert!(mirror.log().contains("ns=registry.example.com"), "{}", mirror.log());
    assert!(rung(&report, 1, "connect")["outcome"]["failed"].is_object(), "the registry itself is down");

    node.hosts("registry.example.com", &format!("{server}[host.'{host}']\nskip_verify = true\n"));
    let report = node.report(image, &[]);
    assert_eq!(rung(&report, 0, "tls")["outcome"], "passed", "as configured");
    let refusal = facts(rung(&report, 0, "tls"), "tls.not-verified");
    assert!(refusal[0].contains("unknown authority"), "{refusal:?}");
    let kept = facts(rung(&report, 0, "credentials"), "credentials.outcome");
    assert_eq!(kept, ["not-sent nothing proves who answers there"]);
    assert!(rung(&report, 0, "authorization")["outcome"]["failed"].is_object());
    let anonymous = node.report(image, &["--anonymous"]);
    assert_eq!(facts(rung(&anonymous, 0, "credentials"), "credentials.kind"), ["none"]);
}

#[test]
fn a_refused_password_is_sent_once() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf, authority) = (Node::new(), Shelf::with_app(), Authority::root("Example Root"));
    let first = registry(&shelf, &authority, Auth::Htpasswd("joe", "another"));
    let second = registry(&shelf, &authority, Auth::Htpasswd("joe", CANARY));
    node.knows("registry.example.com");
    node.put("etc/ssl/private.crt", authority.pem());
    let host =
        |port: u16| format!("[host.'https://mirror.example.com:{port}']\nca = '/etc/ssl/private.crt'\n");
    node.hosts("registry.example.com", &format!("{}{}", host(first.port), host(second.port)));
    let report = node.report("registry.example.com/team/app:v1", &[]);
    let failed = |n: usize| rung(&report, n, "authorization")["outcome"]["failed"]["symptom"].clone();
    assert_eq!(failed(0), "auth.bad-credentials", "{report:#}");
    assert_eq!(failed(1), "auth.no-credentials");
    assert!(report["blind_spots"].to_string().contains("not sent to the endpoints after it"));
}

#[test]
fn headers_go_to_their_endpoint_and_through_the_units_proxy() {
    let node = Node::new();
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = proxy.local_addr().unwrap().port();
    node.put(
        "etc/systemd/system/containerd.service",
        &format!("[Service]\nEnvironment=HTTP_PROXY=http://127.0.0.1:{port}\n"),
    );
    let table =
        "[host.'http://mirror.example.com'.header]\nX-Tenant = 'blue'\nAuthorization = 'Basic canary'\n";
    node.hosts(
        "registry.example.com",
        &format!("server = 'http://mirror.example.com'\n[host.'http://mirror.example.com']\n{table}"),
    );
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = proxy.accept().unwrap();
        let mut head = Vec::new();
        let mut byte = [0_u8];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
            head.push(byte[0]);
        }
        let _ = stream
            .write_all(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        String::from_utf8_lossy(&head).to_ascii_lowercase()
    });
    let image = "registry.example.com/team/app:v1";
    let report = node.report(image, &[]);
    let heard = heard.join().unwrap();
    assert!(heard.starts_with("get http://mirror.example.com/"), "{heard}");
    assert!(heard.contains("x-tenant: blue"), "{heard}");
    assert!(!heard.contains("canary"), "a secret in the clear: {heard}");
    assert!(!report.to_string().contains("canary"));
    assert_eq!(report["endpoints"][0]["headers"]["Authorization"][0], "(hidden)");
}

#[test]
fn a_copied_tree_is_no_node_to_go_from() {
    let node = Node::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.args([
        "node",
        "registry.example.com/a:1",
        "--runtime",
        "containerd",
        "--runtime-version",
        "2.2.1",
        "-o",
        "json",
    ]);
    let output = command.arg("--root").arg(node.root.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["ladders"], Value::Array(Vec::new()));
    let pull = Command::new(env!("CARGO_BIN_EXE_pullproof"))
        .args(["node", "registry.example.com/a:1", "--pull", "--root"])
        .arg(node.root.path())
        .output()
        .unwrap();
    assert_eq!(pull.status.code(), Some(2), "{pull:?}");
    assert!(Path::new(node.root.path()).exists());
}
