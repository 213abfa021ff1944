//! `pullproof node`, `compare` and `node --ssh` as programs.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failure here is a failed test")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

fn pullproof() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("COLUMNS", "110");
    command
}

fn put(root: &Path, path: &str, text: &str) {
    let at = root.join(path);
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::write(at, text).unwrap();
}

/// A node whose list of directories is taken for one.
fn node() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let text =
        "version = 3\n[plugins.\"io.containerd.cri.v1.images\".registry]\nconfig_path = \"/etc/a:/etc/b\"\n";
    put(dir.path(), "etc/containerd/config.toml", text);
    put(dir.path(), "etc/hostname", "w1\n");
    dir
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn ask(root: &Path, version: &str, more: &[&str]) -> Output {
    let mut command = pullproof();
    command.args(["node", "r.example.com/a:1", "--runtime", "containerd", "--runtime-version", version]);
    command.args(more).arg("--root").arg(root).output().unwrap()
}

#[test]
fn the_line_is_shown_in_both_languages() {
    let dir = node();
    let english = ask(dir.path(), "2.2.1", &[]);
    assert_eq!(english.status.code(), Some(1));
    let said = text(&english);
    assert!(said.contains("/etc/containerd/config.toml:3:1") && said.contains("^^^"), "{said}");
    assert!(said.contains("containerd/containerd/issues/12415"), "{said}");
    let korean = text(&ask(dir.path(), "2.2.1", &["--lang", "ko"]));
    assert!(korean.contains("하나의 디렉터리로 간주하므로"), "{korean}");
    assert_eq!(ask(dir.path(), "2.0.13", &[]).status.code(), Some(0));
}

#[test]
fn a_copied_tree_needs_a_version() {
    let dir = node();
    let output = pullproof().args(["node", "--root"]).arg(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--runtime-version"));
}

#[test]
fn reports_are_compared() {
    let dir = node();
    for (name, version) in [("a", "2.2.1"), ("b", "2.2.1"), ("c", "1.7.35")] {
        let report = ask(dir.path(), version, &["-o", "json", "--name", name]);
        put(dir.path(), &format!("reports/{name}.json"), &text(&report));
    }
    let output = pullproof().arg("compare").arg(dir.path().join("reports")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output);
    assert!(said.contains("✗ c") && said.contains("containerd 1.7.35"), "{said}");
    let one = pullproof().arg("compare").arg(dir.path().join("reports/a.json")).output().unwrap();
    assert_eq!(one.status.code(), Some(2));
}

#[test]
fn what_k3s_makes_of_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = "mirrors:\n  docker.io:\n    endpoint: [\"https://m.example.com:5000\"]\n    rewrite:\n      \"^library/(.*)\": \"hub/$1\"\n";
    put(dir.path(), "etc/rancher/k3s/registries.yaml", file);
    let seen = |version: &str| {
        let mut command = pullproof();
        command.args(["node", "nginx", "-o", "json", "--runtime-version", version, "--root"]).arg(dir.path());
        serde_json::from_str::<serde_json::Value>(&text(&command.output().unwrap())).unwrap()
    };
    // Nothing was made of it here: what the next start makes is shown, and said to be that.
    let report = seen("2.1.5-k3s1");
    assert_eq!(report["endpoints"][0]["url"], "https://m.example.com:5000/v2");
    assert_eq!(report["endpoints"][0]["repository"], "hub/nginx");
    assert_eq!(report["endpoints"][1]["url"], "https://registry-1.docker.io/v2");
    assert!(report["findings"].to_string().contains("made-at-start"), "{report:#}");
    // The made file, read by the fork, which rewrites, and by upstream's, which does not.
    let agent = "var/lib/rancher/k3s/agent/etc/containerd";
    let config = format!(
        "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\nconfig_path = '/{agent}/certs.d'\n"
    );
    put(dir.path(), &format!("{agent}/config.toml"), &config);
    let url = "https://m.example.com:5000/v2";
    let hosts = format!(
        "server = 'https://registry-1.docker.io/v2'\n[host.'{url}']\ncapabilities = ['pull', 'resolve']\n[host.'{url}'.rewrite]\n\"^library/(.*)\" = \"hub/$1\"\n"
    );
    put(dir.path(), &format!("{agent}/certs.d/docker.io/hosts.toml"), &hosts);
    let report = seen("2.1.5-k3s1");
    assert_eq!(report["endpoints"][0]["repository"], "hub/nginx", "{report:#}");
    assert_eq!(report["endpoints"][1]["repository"], serde_json::Value::Null);
    assert!(!report["findings"].to_string().contains("made-at-start"));
    assert_eq!(seen("2.1.5")["endpoints"][0]["repository"], serde_json::Value::Null);
}

#[test]
fn cri_o_asks_for_clear_names_since_1_34() {
    let dir = tempfile::tempdir().unwrap();
    put(
        dir.path(),
        "etc/containers/registries.conf",
        "unqualified-search-registries = ['docker.io', 'quay.io']\n",
    );
    put(dir.path(), "etc/containers/policy.json", r#"{"default":[{"type":"insecureAcceptAnything"}]}"#);
    let seen = |version: &str| {
        let mut command = pullproof();
        command.args(["node", "nginx:1", "-o", "json", "--runtime", "crio", "--runtime-version", version]);
        let output = command.arg("--root").arg(dir.path()).output().unwrap();
        let report: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
        (report["endpoints"].as_array().unwrap().len(), report["errors"][0].as_str().map(str::to_owned))
    };
    assert_eq!(seen("1.33.4"), (2, None));
    let words = "short name mode is enforcing, but image name nginx:1 returns ambiguous list";
    assert_eq!(seen("1.34.0"), (0, Some(words.to_owned())));
    put(dir.path(), "etc/crio/crio.conf.d/10.conf", "[crio.image]\nshort_name_mode = 'disabled'\n");
    assert_eq!(seen("1.34.0"), (2, None));
}

#[test]
fn a_login_that_goes_nowhere_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let table = |host: &str, auth: &str| {
        format!("[plugins.'io.containerd.grpc.v1.cri'.registry.configs.'{host}'.auth]\n{auth}\n")
    };
    let all = [
        ("r.example.com:5000", "username = 'u'\npassword = 'p'"),
        ("https://r.example.com", "username = 'u'\npassword = 'p'"),
        ("docker.io", "auth = 'dTpw'"),
        ("s.example.com", "auth = 'dTpw='"),
    ];
    let tables: String = all.iter().map(|(host, auth)| table(host, auth)).collect();
    put(dir.path(), "etc/containerd/config.toml", &format!("version = 2\n{tables}"));
    let report = ask(dir.path(), "1.7.35", &["-o", "json"]);
    let report: serde_json::Value = serde_json::from_str(&text(&report)).unwrap();
    let found = report["findings"].as_array().unwrap();
    let of = |id: &str| -> Vec<(u64, String)> {
        let mine = found.iter().filter(|f| f["id"] == id);
        mine.map(|f| (f["line"].as_u64().unwrap(), f["args"]["host"].as_str().unwrap().to_owned())).collect()
    };
    assert_eq!(
        of("login-never-sent"),
        [(5, "https://r.example.com".to_owned()), (8, "docker.io".to_owned())]
    );
    assert_eq!(of("login-unusable"), [(10, "s.example.com".to_owned())]);
}

/// A real sshd, with keys of its own: the program goes there, runs, and is gone.
#[test]
fn a_real_sshd_is_left_as_it_was() {
    if testkit::missing(&["sshd", "ssh", "ssh-keygen"]) {
        return;
    }
    let sshd = testkit::Sshd::start();
    let temporary = tempfile::tempdir().unwrap();
    let ask = |more: &[&str]| {
        let mut command = pullproof();
        command
            .env("PATH", format!("{}:/usr/bin:/bin", sshd.bin().display()))
            .env("TMPDIR", temporary.path());
        command.args(["node", "--ssh", "w7", "--runtime", "containerd", "--runtime-version", "2.2.1"]);
        command.args(["--config", "/nonexistent/config.toml"]).args(more).output().unwrap()
    };
    let left = || std::fs::read_dir(temporary.path()).unwrap().count();
    let output = ask(&["--name", "it's w7"]);
    assert!(text(&output).contains("it's w7 · containerd 2.2.1"), "{output:?}");
    assert_eq!(left(), 0, "the program was left behind");
    let json = ask(&["-o", "json", "r.example.com/a:1", "--no-probe"]);
    let report: serde_json::Value = serde_json::from_str(&text(&json)).unwrap();
    assert_eq!(report["endpoints"][0]["url"], "https://r.example.com/v2");
    assert_eq!(left(), 0, "the program was left behind");
    // What fails there is said here, and nothing is left either.
    let wrong = ask(&["--name", "x", "--socket", "/nonexistent.sock", "Not/A/Reference"]);
    assert!(wrong.status.code().is_some_and(|c| c < 4), "{wrong:?}");
    assert_eq!(left(), 0, "the program was left behind");
}

/// What ssh does with its last argument, without a second machine: a shell of the other side runs it.
#[test]
fn a_machine_behind_ssh_is_left_as_it_was() {
    let dir = node();
    let ssh = dir.path().join("bin/ssh");
    put(dir.path(), "bin/ssh", "#!/bin/sh\nfor last; do :; done\nexec /bin/sh -c \"$last\"\n");
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755)).unwrap();
    let temporary = dir.path().join("tmp");
    std::fs::create_dir(&temporary).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.path().join("bin").display());
    let mut command = pullproof();
    command.env("PATH", path).env("TMPDIR", &temporary);
    let flags =
        ["node", "--ssh", "w7", "--runtime", "containerd", "--runtime-version", "2.2.1", "--name", "it's w7"];
    let output = command.args(flags).args(["--config", "/nonexistent/config.toml"]).output().unwrap();
    assert!(text(&output).contains("it's w7 · containerd 2.2.1"), "{output:?}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0, "the program was left behind");
}
