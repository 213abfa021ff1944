//! `diagnose --from`, in every form that an input may have: the same facts give the same report.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use support::{POD, case, pullproof, run, write};

/// Every file below a folder, by its path there.
fn files(folder: &Path, below: &str, found: &mut Vec<(String, Vec<u8>)>) {
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap()).collect();
    all.sort_by_key(fs::DirEntry::file_name);
    for entry in all {
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push((name, fs::read(entry.path()).unwrap()));
        }
    }
}

fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes.as_slice()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// The report as JSON, without the archive's name in front of its files.
#[track_caller]
fn report(from: &Path, archive: &str) -> String {
    let (out, err, status) = run(pullproof().args(["diagnose", "-o", "json", "--from"]).arg(from));
    assert_eq!((status, err.as_str()), (1, ""), "{out}");
    out.replace(&format!("{archive}/"), "")
}

#[test]
fn a_folder_an_archive_and_standard_input_give_the_same_report() {
    for name in [
        "c013-harbor-certificate-expired",
        "c045-docker-io-auth-under-wrong-host",
        "c109-config-path-set-but-not-restarted",
    ] {
        let mut all = Vec::new();
        files(&case(name), "inputs/", &mut all);
        let dir = tempfile::tempdir().unwrap();
        let owned: Vec<(&str, &[u8])> = all.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
        write(dir.path(), &owned);
        let wanted = report(dir.path(), "no archive");
        let tar = tar(&all);
        for (file, bytes) in [
            ("case.tar", tar.clone()),
            ("case.tar.gz", gzip(&tar)),
            ("case.tgz", gzip(&tar)),
            ("case.tar.zst", zstd(&tar)),
            ("case.zip", zip(&all)),
            // The name says nothing: the first bytes do.
            ("download", gzip(&tar)),
        ] {
            let packed = tempfile::tempdir().unwrap();
            let path = packed.path().join(file);
            fs::write(&path, &bytes).unwrap();
            assert_eq!(report(&path, file), wanted, "{name} as {file}");
            let (out, err, status) =
                run(pullproof().args(["diagnose", "-o", "json", "--from", "-"]).write_stdin(bytes));
            assert_eq!((status, err.as_str()), (1, ""), "{name} as {file} on standard input");
            assert_eq!(out.replace("stdin/", ""), wanted, "{name} as {file} on standard input");
        }
    }
}

/// The first incident's cause of an input, as `-o name` would not say it: id and affected pods.
#[track_caller]
fn cause(files: &[(&str, &[u8])]) -> String {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    let (out, err, _) = run(pullproof().args(["diagnose", "-o", "json", "--from"]).arg(dir.path()));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}"));
    let first = &report["incidents"][0];
    format!(
        "{} {}",
        first["cause"].as_str().unwrap_or("-"),
        first["affected"]["pods"][0]["name"].as_str().unwrap_or("-")
    )
}

fn pods_json(indent: bool) -> String {
    let pod = serde_json::json!({"metadata": {"name": "web", "namespace": "shop"},
        "spec": {"nodeName": "w1", "containers": [{"name": "c", "image": "r.example.com/a:1"}]},
        "status": {"phase": "Pending", "containerStatuses": [{"name": "c", "image": "r.example.com/a:1",
            "state": {"waiting": {"reason": "ErrImagePull", "message": "failed to pull: dial tcp: lookup r.example.com: no such host"}}}]}});
    let list = serde_json::json!({"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [pod]});
    if indent { serde_json::to_string_pretty(&list).unwrap() } else { list.to_string() }
}

#[test]
fn bundles_of_other_tools_are_read_where_they_keep_things() {
    let pods = pods_json(true);
    let compact = pods_json(false);
    let journal = "Apr 11 07:40:12 w1 containerd[812]: time=\"2026-04-11T07:40:12Z\" level=error msg=\"PullImage \\\"r.example.com/a:1\\\" failed\" error=\"failed to do request: Head \\\"https://r.example.com/v2/a/manifests/1\\\": dial tcp: lookup r.example.com: no such host\"\n";
    let wanted = "dns.not-found web";
    // oc adm must-gather
    let gathered = "must-gather.local.1/quay-io-x/";
    assert_eq!(
        cause(&[
            (&format!("{gathered}namespaces/shop/core/pods.yaml"), POD.as_bytes()),
            (
                &format!("{gathered}cluster-scoped-resources/core/nodes/w1.yaml"),
                b"apiVersion: v1\nkind: Node\nmetadata: {name: w1}\n"
            ),
            (&format!("{gathered}timestamp"), b"2026-04-11 07:00:00 +0000 UTC\n"),
        ]),
        wanted
    );
    // kubectl cluster-info dump --output-directory
    assert_eq!(
        cause(&[
            ("shop/pods.json", pods.as_bytes()),
            ("nodes.json", b"{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}")
        ]),
        wanted
    );
    // Troubleshoot: lists without a kind, below a folder that has its name
    let bare = compact.replace("\"kind\":\"PodList\",", "").replace("\"apiVersion\":\"v1\",", "");
    assert_eq!(cause(&[("support-bundle/cluster-resources/pods/shop.json", bare.as_bytes())]), wanted);
    // a node's journal alone
    assert_eq!(cause(&[("nodes/w1/journal.txt", journal.as_bytes())]), "dns.not-found -");
}

#[test]
fn a_dump_on_standard_input_has_logs_between_its_lists() {
    let dump = format!(
        "{{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"items\":[]}}\n\
         ==== START logs for container x of pod kube-system/y ====\nno newline at its end==== END logs for container x of pod kube-system/y ====\n{}\n",
        pods_json(true)
    );
    let (out, _, status) = run(pullproof().args(["diagnose", "--from", "-", "-o", "json"]).write_stdin(dump));
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("dns.not-found"), "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    // The other container's log is named as one that says nothing of a pull, and nothing else is amiss.
    let whys: Vec<_> = report["blind_spots"].as_array().unwrap().iter().map(|b| &b["why"]).collect();
    assert_eq!(whys, ["not-understood"], "{out}");
}

#[test]
fn powershell_writes_utf_16() {
    let utf16: Vec<u8> =
        format!("\u{feff}{}", pods_json(true)).encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(cause(&[("pods.json", &utf16)]), "dns.not-found web");
    let yaml: Vec<u8> =
        format!("\u{feff}{}", POD.replace('\n', "\r\n")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(cause(&[("pod.yaml", &yaml)]), "dns.not-found web");
}

#[test]
fn a_static_pod_has_its_nodes_name() {
    let manifest = "apiVersion: v1\nkind: Pod\nmetadata: {name: edge, namespace: kube-system}\nspec:\n  containers:\n  - {name: c, image: r.example.com/a:1}\n";
    let event = "apiVersion: v1\nkind: Event\nmetadata: {name: e, namespace: kube-system}\ninvolvedObject: {kind: Pod, name: edge-w1, namespace: kube-system, fieldPath: 'spec.containers{c}'}\nreason: Failed\ntype: Warning\nmessage: 'Failed to pull image \"r.example.com/a:1\": dial tcp: lookup r.example.com: no such host'\n";
    let broken = "apiVersion: v1\nkind: Pod\nmetadata: {name: x\n";
    assert_eq!(
        cause(&[
            ("nodes/w1/etc/kubernetes/manifests/edge.yaml", manifest.as_bytes()),
            ("nodes/w1/etc/kubernetes/manifests/broken.yaml", broken.as_bytes()),
            ("kube/events.yaml", event.as_bytes()),
        ]),
        "dns.not-found edge-w1"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_of_the_shell_is_read_and_one_with_a_name_is_not() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &[("pod.yaml", POD.as_bytes())]);
    let shell = |line: String| {
        let mut command = assert_cmd::Command::new("bash");
        run(command.args(["-c", &line]).env_clear().env("PATH", "/usr/bin:/bin"))
    };
    let program = env!("CARGO_BIN_EXE_pullproof");
    let file = dir.path().join("pod.yaml");
    let (out, err, status) = shell(format!("{program} diagnose -o json --from <(cat {})", file.display()));
    assert_eq!(status, 1, "{out}{err}");
    assert!(out.contains("dns.not-found"), "{out}");
    let fifo: PathBuf = dir.path().join("fifo");
    let (out, err, status) = shell(format!("mkfifo {0} && {program} diagnose --from {0}", fifo.display()));
    assert_eq!(status, 3, "{out}{err}");
    assert!(out.contains("--from -"), "{out}");
    let (out, _, status) = shell(format!("{program} diagnose -o json --from {}", dir.path().display()));
    assert_eq!(status, 1, "{out}");
    assert!(out.contains("a pipe, socket or device"), "{out}");
}
