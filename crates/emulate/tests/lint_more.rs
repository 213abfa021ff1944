//! What the lints say of two files that disagree, of settings that are unsafe, and of keys that nobody reads, in the files
//! of each runtime.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failure here is a failed test")]

use emulate::containerd::{self, Version};
use emulate::lint::{self, Finding, Lint};
use emulate::{containers, docker};
use support::Node;

mod support;

fn node(files: &[(&str, &str)]) -> Node {
    let mut node = Node::default();
    for (path, text) in files {
        node.write(path, text.as_bytes());
    }
    node
}

/// What was found, as `lint LINE:COLUMN what`.
fn said(found: &[Finding]) -> Vec<String> {
    let one = |f: &Finding| {
        let (line, column) = f.at.as_ref().map_or((0, 0), |a| (a.line, a.column));
        let args: Vec<&str> = f.args.iter().map(|(_, v)| v.as_str()).collect();
        format!("{} {line}:{column} {}", f.lint.id(), args.join(" "))
    };
    found.iter().map(one).collect()
}

const MAIN: &str = "/etc/containerd/config.toml";
const DROP_IN: &str = "/etc/containerd/conf.d/10.toml";

fn containerd(version: &str, main: &str, drop_in: &str) -> Vec<String> {
    let version = Version::parse(version).unwrap();
    let main = format!("version = 2\nimports = [\"{DROP_IN}\"]\n{main}");
    let node = node(&[(MAIN, &main), (DROP_IN, drop_in)]);
    let r = containerd::resolve(&node, &version, MAIN, "r.example.com/a:1");
    said(&lint::containerd(&node, &version, &r))
}

#[test]
fn two_files_of_containerd_that_disagree() {
    let path =
        |dir: &str| format!("[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = \"{dir}\"\n");
    let drop_in = format!("version = 2\n{}", path("/d"));
    let other = "files-disagree 3:1 config_path /etc/containerd/config.toml:4";
    for version in ["1.7.35", "2.0.13", "2.2.1", "2.4.2"] {
        assert_eq!(containerd(version, &path("/c"), &drop_in), [other], "{version}");
        assert_eq!(containerd(version, &path("/d"), &drop_in), [""; 0], "{version}");
    }
}

#[test]
fn registries_conf_and_a_drop_in() {
    let main = "[[registry]]\nlocation = \"r.example.com\"\ninsecure = true\ninsecured = true\n[[registry.mirror]]\nlocation = \"m.example.com\"\ninsecure = true\n";
    let drop_in = "[[registry]]\nlocation = \"r.example.com\"\n";
    let of = |files: &[(&str, &str)]| {
        let policy = ("/etc/containers/policy.json", "{\"default\":[{\"type\":\"insecureAcceptAnything\"}]}");
        said(&containers::resolve(&node(&[files, &[policy]].concat()), "other.example.com/a:1").findings)
    };
    // Unsafe settings are named whatever the image.
    assert_eq!(
        of(&[(containers::MAIN, main)]),
        ["skip-verify 3:1 r.example.com", "skip-verify 7:1 m.example.com", "key-not-read 4:1 insecured"]
    );
    let both = of(&[(containers::MAIN, main), ("/etc/containers/registries.conf.d/50.conf", drop_in)]);
    let disagrees = "files-disagree 2:1 [[registry]] r.example.com /etc/containers/registries.conf:2";
    assert_eq!(both, ["key-not-read 4:1 insecured", disagrees]);
}

#[test]
fn a_certificate_directory_that_another_hides() {
    let files = [
        ("/etc/containers/certs.d/r.example.com/keep", ""),
        ("/etc/docker/certs.d/r.example.com/ca.crt", "x"),
        ("/etc/containers/policy.json", "{\"default\":[{\"type\":\"insecureAcceptAnything\"}]}"),
    ];
    let found = containers::resolve(&node(&files), "r.example.com/a:1").findings;
    let lints: Vec<Lint> = found.iter().map(|f| f.lint).collect();
    assert_eq!(lints, [Lint::DirShadowed]);
}

#[test]
fn daemon_json_by_what_the_daemon_refuses_and_passes_over() {
    let of = |text: &str| {
        let r = docker::resolve(&node(&[(docker::DAEMON_JSON, text)]), None, "r.example.com/a:1");
        (r.settings.invalid.is_some(), said(&r.findings))
    };
    let unknown = "the following directives don't match any configuration option";
    for (text, fails, words) in [
        (
            "{\"insecure-registries\": [\"r.example.com:5000\", \"127.0.0.0/8\"]}",
            false,
            "skip-verify 1:26 r.example.com:5000",
        ),
        (
            "{\n  \"registry-mirror\": [\"https://m\"]\n}",
            false,
            "unknown-key 2:3 registry-mirror registry-mirrors",
        ),
        ("{\"Registry-Mirrors\": []}", true, unknown),
        ("{\"insecure_registries\": []}", true, unknown),
        ("{\"proxies\": {\"all-proxy\": \"x\"}}", true, unknown),
        ("{\"registry-mirrors\": \"https://m\"}", true, "cannot unmarshal string"),
        ("{\"insecure-registries\": [5000]}", true, "cannot unmarshal number"),
        ("{\"features\": {\"containerd-snapshotter\": \"true\"}}", true, "cannot unmarshal string"),
        ("{\"registry-mirrors\": [],}", true, "invalid JSON"),
        ("[]", true, "invalid JSON"),
    ] {
        let (invalid, found) = of(text);
        assert_eq!(invalid, fails, "{text}");
        assert!(found.len() == 1 && found[0].contains(words), "{text}: {found:?}");
    }
    for fine in
        ["", "{}", "\u{feff}{\"registry-mirrors\": null}", "{\"debug\": true, \"features\": {\"cdi\": true}}"]
    {
        assert_eq!(of(fine), (false, Vec::new()), "{fine}");
    }
}

#[test]
fn registries_yaml_by_what_is_passed_over_and_unsafe() {
    let of = |text: &str| said(&lint::registries_yaml(&node(&[]), "/etc/rancher/k3s/registries.yaml", text));
    let text = "mirrors:\n  r.example.com:\n    endpoint: [\"http://m.example.com:5000\"]\nconfigs:\n  r.example.com:\n    tls:\n      insecure_skip_verify: true\n      ca_file: /none.crt\n";
    assert_eq!(
        of(text),
        ["skip-verify 7:0 r.example.com", "ca-missing 8:0 /none.crt", "plain-http 2:0 m.example.com:5000"]
    );
    assert!(of("mirrors:\n\tr: x\n")[0].starts_with("syntax 2:0"));
    assert!(of("mirror:\n  r: {}\n")[0].starts_with("key-not-read 1:0"));
}

/// Texts that no editor would write: whatever they hold, there is an answer.
#[test]
fn odd_texts_are_answered() {
    let long = format!("server = \"https://{}\"\n", "x".repeat(1 << 20));
    for text in
        [long.as_str(), "\u{feff}server = \"https://r\"\r\n[host]\r\n", "\t\t=\n", "\0", "[[[", "a\rb"]
    {
        for version in ["1.7.35", "2.4.2"] {
            let version = Version::parse(version).unwrap();
            let config =
                "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = \"/c\"\n";
            for main in [config, text] {
                let node = node(&[(MAIN, main), ("/c/r.example.com/hosts.toml", text)]);
                let r = containerd::resolve(&node, &version, MAIN, "r.example.com/a:1");
                lint::containerd(&node, &version, &r);
            }
        }
        containers::resolve(&node(&[(containers::MAIN, text)]), "r.example.com/a:1");
        docker::resolve(&node(&[(docker::DAEMON_JSON, text)]), None, "r.example.com/a:1");
        lint::registries_yaml(&node(&[]), "/r", text);
    }
    let mut binary = node(&[]);
    binary.write(containers::MAIN, b"[[registry]]\nlocation = \"\xff\xfe\"\n");
    binary.write(docker::DAEMON_JSON, b"{\"registry-mirrors\": [\"\xff\"]}");
    containers::resolve(&binary, "r.example.com/a:1");
    docker::resolve(&binary, None, "docker.io/library/a:1");
}
