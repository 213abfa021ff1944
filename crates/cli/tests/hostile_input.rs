//! Input that is broken, endless or made to harm: a clear message or a blind spot, the status designed, never a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

mod support;

use assert_cmd::Command;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;
use support::{POD, pullproof, run, write};

/// Far more than any of this takes: only a hang reaches it.
const HANGS: Duration = Duration::from_secs(600);

/// Reads files as saved input: the report as JSON, what stands on standard error, the status.
#[track_caller]
fn diagnose(files: &[(&str, &[u8])]) -> (serde_json::Value, String, i32) {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), files);
    diagnose_folder(&mut pullproof(), dir.path())
}

#[track_caller]
fn diagnose_folder(program: &mut Command, folder: &Path) -> (serde_json::Value, String, i32) {
    let (out, err, status) =
        run(program.timeout(HANGS).args(["diagnose", "-o", "json", "--from"]).arg(folder));
    assert!(!err.contains("panicked"), "{err}");
    (serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}{err}")), err, status)
}

/// What a report says that it did not see, as `what: detail`.
fn spots(report: &serde_json::Value) -> String {
    let all = report["blind_spots"].as_array().unwrap();
    let line =
        |s: &serde_json::Value| format!("{}: {} {}\n", s["what"].as_str().unwrap(), s["why"], s["detail"]);
    all.iter().map(line).collect()
}

/// Inputs in which nothing can be read: each is named with its reason, and the status is 3.
#[test]
fn what_cannot_be_read_is_named_and_is_no_all_clear() {
    let yaml = POD.split_at(230).0;
    let deep_json = "[".repeat(200_000);
    let deep_object =
        format!("{{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{}", "{\"a\":".repeat(100_000));
    let deep_yaml = format!("kind: Pod\napiVersion: v1\nx: {}", "[".repeat(100_000));
    let mut bomb = String::from("kind: Pod\napiVersion: v1\na0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for n in 1..12 {
        let refs = vec![format!("*a{}", n - 1); 10].join(",");
        bomb += &format!("a{n}: &a{n} [{refs}]\n");
    }
    let zeros = [0_u8; 4096];
    for (name, bytes, words) in [
        ("cut.yaml", yaml.as_bytes(), "line 12"),
        ("deep.yaml", deep_yaml.as_bytes(), "recursion limit"),
        ("aliases.yaml", bomb.as_bytes(), "budget"),
        (
            "cut.json",
            b"{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{\"a\":",
            "in the middle of an object",
        ),
        ("deep-object.json", deep_object.as_bytes(), "in the middle of an object"),
        ("zeros.log", &zeros, "not a text"),
        ("cut.tar.gz", b"\x1f\x8b\x08\0\0\0\0\0", "unreadable"),
        ("garbage.tar.zst", b"\x28\xb5\x2f\xfdgarbage", "unreadable"),
        ("cut.zip", b"PK\x03\x04cut", "unreadable"),
        ("schema.json", b"{\"schema\": 1, \"taken_at\": ", "cut or damaged"),
        ("future.json", b"{\"schema\": 999, \"taken_at\": null}", "newer version"),
    ] {
        let (report, err, status) = diagnose(&[(name, bytes)]);
        assert_eq!(status, 3, "{name}: {report}");
        assert!(
            err.starts_with("error: diagnose --from: nothing in what was given could be read"),
            "{name}: {err}"
        );
        assert!(
            spots(&report).contains(name) && spots(&report).contains(words),
            "{name}: {}",
            spots(&report)
        );
    }
    let (report, _, _) = diagnose(&[("deep.json", deep_json.as_bytes())]);
    assert!(spots(&report).contains("deep.json"), "{report}");
}

#[test]
fn empty_and_missing_inputs_are_no_input() {
    for files in [&[][..], &[("empty.yaml", &b""[..])][..], &[("blank.txt", &b"\n \n"[..])][..]] {
        let (report, err, status) = diagnose(files);
        assert_eq!(status, 3, "{report}");
        assert!(err.contains("nothing in what was given could be read"), "{err}");
    }
    let (_, err, status) = run(pullproof().args(["diagnose", "--from", "/nonexistent/x"]));
    assert_eq!(status, 3);
    assert_eq!(err, "error: reading /nonexistent/x: no such file or folder\n");
    for line in [&["explain"][..], &["explain", "-"], &["diagnose", "--from", "-"]] {
        let (_, err, status) = run(pullproof().args(line).write_stdin("\n"));
        assert_eq!((status, err.lines().count()), (3, 1), "{line:?}: {err}");
    }
}

/// One bad file costs itself; the pod beside it is still explained.
#[test]
fn a_bad_file_costs_only_itself() {
    let bad_utf8 = POD.replace("lookup", "lo\u{fffd}okup").into_bytes();
    let bad_utf8: Vec<u8> = bad_utf8
        .split(|b| *b == 0xef)
        .flat_map(|p| [&[0xff][..], p.strip_prefix(&[0xbf, 0xbd]).unwrap_or(p)].concat())
        .skip(1)
        .collect();
    let hole = POD.replace("phase", "# \0\0\0\n  phase");
    let secret = b"apiVersion: v1\nkind: Secret\nmetadata: {name: regcred, namespace: shop}\ntype: kubernetes.io/dockerconfigjson\ndata:\n  .dockerconfigjson: '!!!no base64'\n";
    for (name, bytes, words) in [
        ("utf8.yaml", bad_utf8.as_slice(), ""),
        ("hole.yaml", hole.as_bytes(), "3 zero bytes"),
        ("secret.yaml", &secret[..], ""),
        ("program", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0", "not a text"),
        ("nodes/w1/etc/containerd/config.toml", b"version = 2\na = [[[[[[[[[[", ""),
        ("nodes/w1/etc/docker/daemon.json", b"{\"a\": {", ""),
    ] {
        let (report, err, status) = diagnose(&[("pod.yaml", POD.as_bytes()), (name, bytes)]);
        assert_eq!((status, err.as_str()), (1, ""), "{name}");
        assert_eq!(report["incidents"][0]["cause"], "dns.not-found", "{name}: {report}");
        assert!(spots(&report).contains(words), "{name}: {}", spots(&report));
    }
}

#[test]
fn archives_that_lead_out_nest_or_swell_are_bounded() {
    let mut tar = tar::Builder::new(Vec::new());
    for name in ["x/../../evil.yaml", "/abs/pod.yaml"] {
        let mut header = tar::Header::new_gnu();
        // What tar itself refuses to write.
        header.as_gnu_mut().unwrap().name.get_mut(..name.len()).unwrap().copy_from_slice(name.as_bytes());
        header.set_size(POD.len() as u64);
        header.set_cksum();
        tar.append(&header, POD.as_bytes()).unwrap();
    }
    let mut link = tar::Header::new_gnu();
    link.set_entry_type(tar::EntryType::Symlink);
    link.set_size(0);
    tar.append_link(&mut link, "link.yaml", "/etc/passwd").unwrap();
    let (report, _, status) = diagnose(&[("out.tar", &tar.into_inner().unwrap())]);
    assert_eq!(status, 1, "the name below / is read as one within: {report}");
    assert!(spots(&report).contains("1 names that lead out"), "{}", spots(&report));

    let zipped = |name: &str, bytes: &[u8]| {
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
        archive.finish().unwrap().into_inner()
    };
    let mut nested = zipped("pod.yaml", POD.as_bytes());
    for n in 0..6 {
        nested = zipped(&format!("n{n}.zip"), &nested);
    }
    let (report, _, status) = diagnose(&[("nested.zip", &nested)]);
    assert_eq!(status, 3);
    assert!(spots(&report).contains("archives too deep within each other"), "{}", spots(&report));

    // 100 MB of one letter in 100 kB.
    let swelling = zipped("pull.log", &vec![b'a'; 100 << 20]);
    assert!(swelling.len() < 1 << 20);
    let (report, _, _) = diagnose(&[("bomb.zip", &swelling), ("pod.yaml", POD.as_bytes())]);
    assert!(spots(&report).contains("unpacks to more than is read"), "{}", spots(&report));
    assert_eq!(report["incidents"][0]["cause"], "dns.not-found");
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folder_and_devices_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), &[("pod.yaml", POD.as_bytes())]);
    let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
    link(&outside.path().join("pod.yaml"), "a");
    link(outside.path(), "b");
    link(&dir.path().join("loop"), "loop");
    link(dir.path(), "self");
    let (out, _, status) = run(pullproof().timeout(HANGS).args(["diagnose", "--from"]).arg(dir.path()));
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("a link that leads out") && out.contains("and 2 more"), "{out}");
    let (out, _, status) = run(pullproof().timeout(HANGS).args(["diagnose", "--from", "/dev/zero"]));
    assert_eq!(status, 3, "{out}");
    assert!(out.contains("/dev/zero"), "{out}");
}

/// A folder that may not be listed, and one with more files than are read: each by its own name, the rest is read.
#[cfg(unix)]
#[test]
fn closed_and_endless_folders_are_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let open = |folder: &Path, mode| {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    write(dir.path(), &[("pod.yaml", POD.as_bytes()), ("closed/secret.yaml", b"kind: Secret\n")]);
    let closed = dir.path().join("closed");
    open(&closed, 0);
    let (report, err, status) = diagnose_folder(&mut unprivileged(), dir.path());
    assert_eq!((status, err.as_str()), (1, ""), "{report}");
    assert!(spots(&report).contains("closed: \"forbidden\""), "{}", spots(&report));
    let (report, err, status) = diagnose_folder(&mut unprivileged(), &closed);
    assert_eq!((status, err.lines().count()), (3, 1), "{err}{report}");
    assert!(spots(&report).contains("/closed: \"forbidden\""), "{}", spots(&report));
    open(&closed, 0o755);

    let many = tempfile::tempdir().unwrap();
    write(many.path(), &[("0/pod.yaml", POD.as_bytes()), ("1/empty", b"")]);
    let empty = many.path().join("1/empty");
    for n in 0..100_001 {
        let name = many.path().join(format!("1/{n}"));
        // One file system allows fewer links to a file than another.
        std::fs::hard_link(&empty, &name).or_else(|_| std::fs::write(&name, b"")).unwrap();
    }
    let (report, err, status) = diagnose_folder(&mut pullproof(), many.path());
    assert_eq!((status, err.as_str()), (1, ""), "{report}");
    let name = many.path().display().to_string();
    assert!(
        spots(&report).contains(&format!("{name}: \"truncated\" \"more than 100000 files\"")),
        "{}",
        spots(&report)
    );
}

/// The program as somebody to whom permissions apply: root without what makes it root (setpriv of util-linux).
#[cfg(unix)]
fn unprivileged() -> Command {
    if std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) != 0) {
        return pullproof();
    }
    let mut command = Command::new("setpriv");
    command.args(["--bounding-set=-all", "--inh-caps=-all", env!("CARGO_BIN_EXE_pullproof")]);
    command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8").env("HOME", "/nonexistent");
    command
}

/// A single line of many megabytes, to every command that reads text.
#[test]
fn a_line_without_end_is_read_in_pieces() {
    let endless = "Failed to pull image x y z ".repeat(1_200_000);
    for line in [&["explain"][..], &["explain", "-"]] {
        let (out, err, status) = run(pullproof().timeout(HANGS).args(line).write_stdin(endless.clone()));
        assert_eq!((status, err.as_str()), (0, ""), "{line:?}");
        assert!(!out.is_empty() && out.len() < 100_000, "{line:?}: {} bytes", out.len());
    }
    let (out, err, status) =
        run(pullproof().timeout(HANGS).args(["explain", "--jsonl"]).write_stdin(endless.clone()));
    assert_eq!((status, out.lines().count(), err.lines().count()), (3, 1, 1), "{err}");
    let (out, _, status) =
        run(pullproof().timeout(HANGS).args(["diagnose", "-o", "json", "--from", "-"]).write_stdin(endless));
    assert_eq!(status, 0, "{out}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["blind_spots"].as_array().unwrap().len(), 1, "named once: {out}");
}

#[test]
fn odd_lines_of_jsonl_are_all_answered() {
    let deep = format!("{{\"id\":7,\"text\":{}", "[".repeat(100_000));
    let mut input: Vec<u8> = Vec::new();
    let lines: [&[u8]; 11] = [
        b"{\"id\":1,\"text\":\"dial tcp: lookup r.example.com: no such host\"}",
        b"not JSON",
        b"{\"id\":\"two\"}",
        b"{\"text\":\"x\"}",
        b"[]",
        b"{\"id\":{\"a\":1},\"text\":5}",
        b"\xff\xfe\0",
        deep.as_bytes(),
        b"{\"id\":8,\"text\":\"x\",\"text\":\"y\"}",
        b"null",
        b"{\"id\":9,\"text\":\"\\ud800\"}",
    ];
    for line in lines {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let (out, err, status) = run(pullproof().args(["explain", "--jsonl"]).write_stdin(input));
    assert_eq!((status, err.lines().count()), (0, 1), "{err}");
    assert!(err.starts_with("7 lines are no JSON objects") && err.contains("the first is line 2;"), "{err}");
    assert_eq!(out.lines().count(), lines.len(), "{out}");
    for answer in out.lines() {
        let answer: serde_json::Value =
            serde_json::from_str(answer).unwrap_or_else(|e| panic!("{e}: {answer}"));
        assert!(answer["cause"].is_string() && answer["also_possible"].is_array(), "{answer}");
    }
    assert!(out.starts_with("{\"id\":1,\"stage\":\"dns\""), "{out}");
}
