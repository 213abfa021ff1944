//! `pullproof node IMAGE` climbs to each endpoint as the runtime would: its CA, its proxy, its headers, and the node's own
//! credentials only where the runtime would send them and somebody proved who answers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

mod support;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use support::node_root::{CANARY, Node, facts, registry, rung, text};
use testkit::{Auth, Authority, Shelf, free_port};

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
fn the_runtimes_own_login_goes_to_its_host_where_the_kubelet_brings_none() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf, authority) = (Node::new(), Shelf::with_app(), Authority::root("Example Root"));
    let mirror = registry(&shelf, &authority, Auth::Htpasswd("joe", CANARY));
    node.put("etc/ssl/private.crt", authority.pem());
    let host = format!("mirror.example.com:{}", mirror.port);
    node.hosts("registry.example.com", &format!("[host.'https://{host}']\nca = '/etc/ssl/private.crt'\n"));
    let config = |key: &str| {
        let registry = "plugins.'io.containerd.cri.v1.images'.registry";
        let path = format!("version = 3\n[{registry}]\nconfig_path = '/etc/containerd/certs.d'\n");
        let login = format!("username = 'joe'\npassword = '{CANARY}'\n");
        node.put("etc/containerd/config.toml", &format!("{path}[{registry}.configs.'{key}'.auth]\n{login}"));
    };
    let image = "registry.example.com/team/app:v1";
    // By the endpoint's host and port, not by the image's registry.
    for key in ["registry.example.com", "mirror.example.com", "https://mirror.example.com"] {
        config(key);
        let report = node.report(image, &[]);
        assert_eq!(report["endpoints"][0]["credentials"], Value::Array(Vec::new()), "{key}");
        assert!(rung(&report, 0, "authorization")["outcome"]["failed"].is_object(), "{key}");
    }
    config(&host);
    let report = node.report(image, &[]);
    assert_eq!(rung(&report, 0, "blob")["outcome"], "passed", "{report:#}");
    assert_eq!(facts(rung(&report, 0, "credentials"), "credentials.source"), ["/etc/containerd/config.toml"]);
    assert_eq!(report["endpoints"][0]["credentials"][0]["key"], *host);
    assert_eq!(report["endpoints"][1]["credentials"], Value::Array(Vec::new()), "the registry itself");
    // What the kubelet brings goes before it.
    node.knows("registry.example.com");
    let report = node.report(image, &["--no-probe"]);
    assert_eq!(report["endpoints"][0]["credentials"][0]["from"], "/var/lib/kubelet/config.json");
    assert_eq!(report["endpoints"][0]["credentials"].as_array().unwrap().len(), 1);
}

#[test]
fn a_mirror_of_cri_o_gets_the_login_of_its_own_name() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let (node, shelf, authority) = (Node::new(), Shelf::with_app(), Authority::root("Example Root"));
    let mirror = registry(&shelf, &authority, Auth::Htpasswd("joe", CANARY));
    let host = format!("mirror.example.com:{}", mirror.port);
    node.put(&format!("etc/containers/certs.d/{host}/ca.crt"), authority.pem());
    node.put("etc/containers/policy.json", r#"{"default":[{"type":"insecureAcceptAnything"}]}"#);
    let tables = format!(
        "[[registry]]\nlocation = 'registry.example.com'\n[[registry.mirror]]\nlocation = '{host}'\n"
    );
    node.put("etc/containers/registries.conf", &tables);
    let entry = |name: &str, user: &str| {
        format!(r#""{name}":{{"auth":"{}"}}"#, STANDARD.encode(format!("{user}:{CANARY}")))
    };
    let logins = |entries: &[String]| format!(r#"{{"auths":{{{}}}}}"#, entries.join(","));
    node.put("var/lib/kubelet/config.json", &logins(&[entry("registry.example.com", "kubelet")]));
    let own = [entry("registry.example.com", "ann"), entry(&host, "joe")];
    node.put("run/containers/0/auth.json", &logins(&own));
    let image = "registry.example.com/team/app:v1";
    let output = node.ask_as("crio", "1.34.0", image, &["-o", "json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let user = |n: usize| report["endpoints"][n]["credentials"][0]["user"].clone();
    // The kubelet's goes to the image's own registry alone.
    assert_eq!((user(0), user(1)), ("joe".into(), "kubelet".into()), "{report:#}");
    assert_eq!(rung(&report, 0, "blob")["outcome"], "passed", "{report:#}");
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
