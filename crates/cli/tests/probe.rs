//! `pullproof probe` as a person or script meets it: exit statuses, where credentials come from, and where they never go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use testkit::{Auth, Authority, Leaf, Peer, Registry, RegistryOptions, Shelf, free_port};

const CANARY: &str = "c4n4ry-s3cret";

/// A registry with TLS and a password, and the machine that asks it.
struct Scene {
    authority: Authority,
    registry: Registry,
    home: tempfile::TempDir,
    _shelf: Shelf,
}

impl Scene {
    fn new() -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let shelf = Shelf::with_app();
        let registry = Registry::start(&RegistryOptions {
            tls: Some(&tls),
            auth: Auth::Htpasswd("joe", CANARY),
            ..RegistryOptions::plain(&shelf)
        });
        Self { authority, registry, home: tempfile::tempdir().unwrap(), _shelf: shelf }
    }

    fn image(&self) -> String {
        format!("localhost:{}/team/app:v1", self.registry.port)
    }

    /// `pullproof probe IMAGE --ca ...`, with nothing of the tester's environment.
    fn probe(&self) -> Command {
        let mut command = bare(self.home.path());
        command
            .args(["probe", &self.image(), "--platform", "linux/amd64", "--ca"])
            .arg(self.authority.file());
        command
    }
}

fn bare(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home).env("LANG", "C.UTF-8");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn missing() -> bool {
    testkit::missing(&["docker-registry", "htpasswd"])
}

#[track_caller]
fn ends(mut command: Command, status: i32) -> String {
    let output = command.output().unwrap();
    said(&output, status)
}

#[track_caller]
fn said(output: &Output, status: i32) -> String {
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(!text.contains(CANARY), "a secret shows: {text}");
    assert!(!text.contains("am9lOmM0bjRyeS1zM2NyZXQ"), "a secret shows in base64: {text}");
    text
}

#[track_caller]
fn with_input(mut command: Command, input: &str, status: i32) -> String {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    said(&child.wait_with_output().unwrap(), status)
}

#[test]
fn credentials_come_from_standard_input() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let mut sound = scene.probe();
    sound.arg("--creds-stdin");
    with_input(sound, &format!("joe:{CANARY}\n"), 0);
    for form in ["text", "json", "html", "markdown", "yaml"] {
        let mut wrong = scene.probe();
        wrong.args(["--creds-stdin", "-o", form]);
        let text = with_input(
            wrong,
            &format!(
                "{{\"auths\":{{\"localhost:{}\":{{\"username\":\"eve\",\"password\":\"{CANARY}\"}}}}}}",
                scene.registry.port
            ),
            1,
        );
        assert!(text.contains("auth.bad-credentials"), "{text}");
    }
}

#[test]
fn credentials_come_from_a_file_and_from_docker_and_podman() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let config = format!(
        r#"{{"auths":{{"localhost:{}":{{"auth":"am9lOmM0bjRyeS1zM2NyZXQ="}}}}}}"#,
        scene.registry.port
    );
    let file = scene.home.path().join("config.json");
    std::fs::write(&file, &config).unwrap();
    let mut given = scene.probe();
    given.arg("--creds-file").arg(&file);
    ends(given, 0);

    let mut docker = scene.probe();
    docker.env("DOCKER_CONFIG", scene.home.path());
    ends(docker, 0);
    let mut anonymous = scene.probe();
    anonymous.env("DOCKER_CONFIG", scene.home.path()).arg("--anonymous");
    assert!(ends(anonymous, 1).contains("auth.no-credentials"));
    let mut podman = scene.probe();
    podman.env("REGISTRY_AUTH_FILE", &file).args(["--snapshot"]);
    assert!(ends(podman, 0).contains("config.json"));
}

#[test]
fn credential_helpers_are_asked_within_a_deadline() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let tools = scene.home.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let helper = |name: &str, script: &str| {
        let file = tools.join(format!("docker-credential-{name}"));
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        let config = scene.home.path().join(name);
        std::fs::create_dir(&config).unwrap();
        std::fs::write(config.join("config.json"), format!(r#"{{"credsStore":"{name}"}}"#)).unwrap();
        let mut command = scene.probe();
        command.env("DOCKER_CONFIG", config).env("PATH", format!("{}:/usr/bin:/bin", tools.display()));
        command.args(["--timeout", "2"]);
        command
    };
    // The server's address comes on standard input, and nothing is an argument but the word `get`.
    let sound = helper(
        "sound",
        &format!(
            "[ \"$*\" = get ] && [ \"$(cat)\" = localhost:{} ] && echo '{{\"Username\":\"joe\",\"Secret\":\"{CANARY}\"}}'",
            scene.registry.port
        ),
    );
    ends(sound, 0);
    let mut hanging = helper("hanging", "exec sleep 60");
    hanging.arg("--snapshot");
    let text = ends(hanging, 1);
    assert!(text.contains("docker-credential-hanging did not answer within 2 s"), "{text}");
    let mut broken = helper("broken", &format!("echo {CANARY}; exit 3"));
    broken.arg("--snapshot");
    assert!(ends(broken, 1).contains("docker-credential-broken failed"));
}

#[test]
fn a_proxys_password_does_not_show() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let mut command = bare(scene.home.path());
    command
        .args(["probe", "registry.example.com/team/app:v1", "--snapshot"])
        .env("HTTPS_PROXY", format!("http://joe:{CANARY}@127.0.0.1:{}", free_port()));
    let text = ends(command, 1);
    assert!(text.contains("proxy.unreachable"), "{text}");
}

/// Bytes that come one at a time keep no step alive beyond `--timeout`.
#[test]
fn a_registry_that_drips_is_given_up() {
    let peer = Peer::start(|mut stream| {
        Peer::head(&mut stream);
        let mut sent = stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 1000000\r\n\r\n");
        while sent.is_ok() {
            std::thread::sleep(Duration::from_millis(50));
            sent = stream.write_all(b"x");
        }
    });
    let home = tempfile::tempdir().unwrap();
    let mut command = bare(home.path());
    command.args([
        "probe",
        &format!("localhost:{}/team/app:v1", peer.port),
        "--plain-http",
        "--timeout",
        "1",
    ]);
    assert!(ends(command, 1).contains("registry.unavailable"));
}

/// Answers that only say that an answer will come keep none alive either.
#[test]
fn a_registry_that_only_says_continue_is_given_up() {
    let peer = Peer::start(|mut stream| {
        Peer::head(&mut stream);
        while stream.write_all(&b"HTTP/1.1 100 Continue\r\n\r\n".repeat(1000)).is_ok() {}
    });
    let home = tempfile::tempdir().unwrap();
    let mut command = bare(home.path());
    let image = format!("localhost:{}/team/app:v1", peer.port);
    command.args(["probe", &image, "--plain-http", "--timeout", "1"]);
    assert!(ends(command, 1).contains("net.timeout"));
}

#[test]
fn the_statuses_are_those_that_scripts_depend_on() {
    let home = tempfile::tempdir().unwrap();
    let probe = |args: &[&str]| {
        let mut command = bare(home.path());
        command.arg("probe").args(args);
        command
    };
    ends(probe(&["localhost/app:v1", "--endpoint", "ftp://x.example.com"]), 2);
    ends(probe(&[]), 2);
    ends(probe(&["localhost/app:v1", "--platform", "amd64"]), 2);
    ends(probe(&["localhost/app:v1", "--creds-file", "/nonexistent"]), 3);
    ends(probe(&["localhost/app:v1", "--ca", "/nonexistent"]), 3);
    let refused = format!("localhost:{}/app:v1", free_port());
    assert!(ends(probe(&[&refused]), 1).contains("net.refused"));
    ends(probe(&[&refused, "--exit-zero"]), 0);
    assert!(ends(probe(&["Not An Image"]), 1).contains("reference.invalid"));
}
