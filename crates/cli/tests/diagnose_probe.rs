//! `pullproof diagnose --probe`: the same pulls from this machine, once for each repository, beside what the kubelet met.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

use std::process::{Command, Output, Stdio};
use testkit::{Auth, Authority, Image, Leaf, Registry, RegistryOptions, Shelf};

const CANARY: &str = "c4n4ry-s3cret";

struct Scene {
    authority: Authority,
    registry: Registry,
    home: tempfile::TempDir,
    _shelf: Shelf,
}

impl Scene {
    fn new() -> Self {
        Self::serving(Shelf::with_app())
    }

    fn serving(shelf: Shelf) -> Self {
        let authority = Authority::root("Example Root");
        let tls = authority.issue(&Leaf::default());
        let registry = Registry::start(&RegistryOptions {
            tls: Some(&tls),
            auth: Auth::Htpasswd("joe", CANARY),
            ..RegistryOptions::plain(&shelf)
        });
        let scene = Self { authority, registry, home: tempfile::tempdir().unwrap(), _shelf: shelf };
        let image = format!("localhost:{}/team/app:v1", scene.registry.port);
        let pods: Vec<String> = ["a", "b"].map(|name| pod(name, &image)).into();
        std::fs::write(scene.home.path().join("pods.yaml"), pods.join("---\n")).unwrap();
        std::fs::write(scene.home.path().join("creds"), format!("joe:{CANARY}\n")).unwrap();
        scene
    }

    fn diagnose(&self, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.home.path()).env("LANG", "C.UTF-8");
        command.arg("diagnose").arg("--from").arg(self.home.path().join("pods.yaml"));
        command.args(more).stdin(Stdio::null());
        command.output().unwrap()
    }

    fn probe(&self, more: &[&str]) -> serde_json::Value {
        let (ca, creds) = (self.authority.file(), self.home.path().join("creds"));
        let (ca, creds) = (ca.display().to_string(), creds.display().to_string());
        let flags = ["--probe", "--ca", &ca, "--creds-file", &creds, "-o", "json"];
        let output = self.diagnose(&[&flags, more].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(!text.contains(CANARY), "{text}");
        serde_json::from_str(&text).unwrap()
    }
}

/// A pod whose node does not trust the registry.
fn pod(name: &str, image: &str) -> String {
    let message = format!(
        "failed to pull and unpack image \"{image}\": failed to resolve reference \"{image}\": failed to do request: \
         Head \"https://{}/v2/team/app/manifests/v1\": tls: failed to verify certificate: x509: certificate signed by \
         unknown authority",
        image.split('/').next().unwrap()
    );
    format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: shop}}\nspec:\n  nodeName: worker-1\n  \
         containers: [{{name: app, image: \"{image}\"}}]\nstatus:\n  phase: Pending\n  containerStatuses:\n  - name: app\n    \
         image: \"{image}\"\n    imageID: \"\"\n    ready: false\n    restartCount: 0\n    state:\n      waiting:\n        \
         reason: ErrImagePull\n        message: '{message}'\n"
    )
}

fn missing() -> bool {
    testkit::missing(&["docker-registry", "htpasswd"])
}

#[test]
fn a_sound_way_from_here_stands_beside_the_nodes_failure() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let report = scene.probe(&[]);
    assert_eq!(report["incidents"].as_array().unwrap().len(), 1, "{report:#}");
    let incident = &report["incidents"][0];
    assert_eq!(incident["affected"]["pulls"], 2);
    // That it works from here is no reason to doubt what the node's kubelet said.
    assert_eq!(incident["stage"], "tls");
    assert_ne!(
        incident["confidence"], "confirmed",
        "a laptop's trust says nothing of the node's: {incident:#}"
    );
    let climbs = report["climbs"].as_array().unwrap();
    assert_eq!(climbs.len(), 1, "one for both pods");
    assert_eq!(climbs[0]["holds"], true, "{climbs:#?}");
    let rows = incident["comparison"]["rows"].as_array().unwrap();
    assert!(rows[0][0].as_str().unwrap().starts_with("kubelet@worker-1"), "{rows:?}");
    assert_eq!(rows.len(), 3, "the kubelet, the probe, the whole registry: {rows:?}");
}

#[test]
fn what_fails_only_here_is_not_taken_for_the_nodes_failure() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    let output = scene.diagnose(&["--probe", "--anonymous", "-o", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let with: Vec<&serde_json::Value> = report["incidents"].as_array().unwrap().iter().collect();
    let plain = scene.diagnose(&["-o", "json"]);
    let plain: serde_json::Value = serde_json::from_slice(&plain.stdout).unwrap();
    // This machine does not trust the authority either: its ladder ends, and the verdict is the one without it.
    assert_eq!(report["climbs"][0]["holds"], false);
    assert_eq!(with.len(), 1);
    for key in ["cause", "confidence", "also_possible", "ruled_out", "ladder"] {
        assert_eq!(with[0][key], plain["incidents"][0][key], "{key}");
    }
    let text = String::from_utf8_lossy(&scene.diagnose(&["--probe", "--anonymous"]).stdout).into_owned();
    assert!(text.contains("ends at"), "{text}");
}

#[test]
fn the_image_has_to_fit_the_node_and_not_this_machine() {
    if missing() {
        return;
    }
    let scene = Scene::serving(Shelf::holding("team/app", "v1", &Image::single("linux/s390x")));
    let unknown = scene.probe(&[]);
    assert_eq!(unknown["climbs"][0]["holds"], false, "of the node nothing is known: {unknown:#}");
    let node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: worker-1}\nstatus:\n  nodeInfo: {operatingSystem: linux, architecture: s390x}\n";
    let pods = scene.home.path().join("pods.yaml");
    let both = std::fs::read_to_string(&pods).unwrap() + node;
    std::fs::write(&pods, both).unwrap();
    let known = scene.probe(&[]);
    assert_eq!(known["climbs"][0]["holds"], true, "{known:#}");
}

/// A pod that was refused an image, and one that runs another image of the project.
fn refused_and_well(scene: &Scene) {
    let registry = format!("localhost:{}", scene.registry.port);
    let gone = format!("{registry}/team/gone:v1");
    let message = format!(
        "failed to pull and unpack image \"{gone}\": failed to resolve reference \"{gone}\": pull access denied, \
         repository does not exist or may require authorization: server message: insufficient_scope: authorization \
         failed"
    );
    let pods = format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: shop}}\nspec:\n  nodeName: worker-1\n  \
         containers: [{{name: app, image: \"{gone}\"}}]\nstatus:\n  phase: Pending\n  containerStatuses:\n  - name: \
         app\n    image: \"{gone}\"\n    imageID: \"\"\n    ready: false\n    restartCount: 0\n    state:\n      \
         waiting:\n        reason: ErrImagePull\n        message: '{message}'\n---\napiVersion: v1\nkind: Pod\n\
         metadata: {{name: b, namespace: shop}}\nspec:\n  nodeName: worker-1\n  containers: [{{name: app, image: \
         \"{registry}/team/app:v1\"}}]\nstatus:\n  phase: Running\n  containerStatuses:\n  - name: app\n    image: \
         \"{registry}/team/app:v1\"\n    imageID: \"{registry}/team/app@sha256:{}\"\n    ready: true\n    \
         restartCount: 0\n    state: {{running: {{}}}}\n",
        "a".repeat(64)
    );
    std::fs::write(scene.home.path().join("pods.yaml"), pods).unwrap();
}

/// The repositories that were climbed to, and whether with a user.
fn climbed(report: &serde_json::Value) -> Vec<String> {
    let all = report["climbs"].as_array().unwrap().iter();
    let mut names: Vec<String> =
        all.map(|c| c["image"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn what_is_left_to_ask_is_asked_and_nothing_twice() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    refused_and_well(&scene);
    let report = scene.probe(&[]);
    // The image itself with and without credentials, and the control that a node is known to run.
    assert_eq!(climbed(&report), ["app:v1", "gone:v1", "gone:v1"], "{report:#}");
    assert_eq!(report["incidents"].as_array().unwrap().len(), 1, "a control is no failing pull");
    assert_ne!(report["incidents"][0]["confidence"], "confirmed", "this machine's account is not the pod's");
}

#[test]
fn a_password_that_was_refused_is_not_sent_for_the_control() {
    if missing() {
        return;
    }
    let scene = Scene::new();
    refused_and_well(&scene);
    std::fs::write(scene.home.path().join("creds"), "joe:wr0ng\n").unwrap();
    let report = scene.probe(&[]);
    assert_eq!(climbed(&report), ["gone:v1", "gone:v1"], "{report:#}");
    let spots = report["blind_spots"].to_string();
    assert!(spots.contains("not sent again"), "{spots}");
}

#[test]
fn flags_of_the_probe_need_it() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    command.args(["diagnose", "--anonymous", "--from"]).arg(home.path());
    assert_eq!(command.output().unwrap().status.code(), Some(2));
}
