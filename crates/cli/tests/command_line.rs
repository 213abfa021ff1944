//! The command line as people and scripts meet it: statuses, colours, pipes, help, completions, logs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]
#![allow(dead_code, reason = "support is shared between tests")]

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use support::{POD, pullproof, run, write};

const REFUSED: &str = "Failed to pull image \"r.example.com/team/app:1\": rpc error: code = Unknown desc = failed to pull and unpack image \"r.example.com/team/app:1\": failed to resolve reference \"r.example.com/team/app:1\": failed to do request: Head \"https://r.example.com/v2/team/app/manifests/1\": dial tcp 192.0.2.1:443: connect: connection refused";

#[test]
fn statuses_are_those_of_the_page() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &[
            ("bad.yaml", POD.as_bytes()),
            ("well/node.yaml", b"apiVersion: v1\nkind: Node\nmetadata: {name: w1}\n"),
        ],
    );
    let status = |line: &[&str]| run(pullproof().current_dir(dir.path()).args(line).write_stdin(REFUSED)).2;
    for (wanted, line) in [
        (0, &["--help"][..]),
        (0, &["--version"]),
        (0, &["help", "diagnose"]),
        (0, &["schema"]),
        (0, &["man"]),
        (0, &["completions", "bash"]),
        (0, &["explain", "nothing of interest"]),
        (0, &["explain", REFUSED]),
        (0, &["explain", "-"]),
        (0, &["diagnose", "--from", "well"]),
        (1, &["diagnose", "--from", "bad.yaml"]),
        (1, &["--from", "bad.yaml"]),
        (0, &["diagnose", "--from", "bad.yaml", "--exit-zero"]),
        (1, &["diagnose", "--from", "bad.yaml", "-n", "shop"]),
        (0, &["diagnose", "--from", "bad.yaml", "-n", "elsewhere"]),
        (2, &["diagnose", "--from", "bad.yaml", "-l", "app=web"]),
        (2, &["--no-such-flag"]),
        (2, &["diagnose", "-o", "sculpture"]),
        (2, &["diagnose", "-n", "a", "-A"]),
        (2, &["explain", "--jsonl", "text"]),
        (2, &["completions", "tcsh-of-the-moon"]),
        (2, &["probe", "r.example.com/a:1", "--timeout", "0"]),
        (2, &["probe", "r.example.com/a:1", "--timeout", "1e19"]),
        (2, &["diagnose", "--from", "bad.yaml", "--probe", "--timeout", "1e18"]),
        (3, &["diagnose", "--from", "nowhere"]),
        (3, &["diagnose", "--kubeconfig", "nowhere"]),
    ] {
        assert_eq!(status(line), wanted, "{line:?}");
    }
}

#[test]
fn explain_reads_what_powershell_writes() {
    let utf16: Vec<u8> = format!("\u{feff}{REFUSED}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let (said, _, status) = run(pullproof().args(["explain", "-"]).write_stdin(utf16));
    assert!(status == 0 && said.contains("net.refused"), "{said}");
}

#[test]
fn the_page_of_statuses_and_the_help_say_the_same() {
    let (help, _, _) = run(pullproof().arg("--help"));
    for page in ["exit-status.md", "exit-status.ko.md"] {
        let text =
            std::fs::read_to_string(format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        for status in 0..=3 {
            assert!(text.contains(&format!("\n| {status} |")), "{page}: {status}");
            assert!(help.contains(&format!("\n  {status}  ")), "{help}");
        }
    }
}

#[test]
fn errors_are_one_line_and_say_what_about() {
    for line in
        [&["diagnose", "--from", "/nowhere"][..], &["diagnose", "--kubeconfig", "/nowhere"], &["explain"]]
    {
        let (out, err, status) = run(pullproof().args(line));
        assert_eq!((status, out.as_str(), err.lines().count()), (3, "", 1), "{line:?}: {err}");
        assert!(err.starts_with("error: "), "{err}");
    }
}

#[test]
fn refusals_of_a_line_are_in_the_readers_language() {
    for (line, words) in [
        (&["--lang", "ko", "--no-such-flag"][..], "오류: 알 수 없는 인수입니다: --no-such-flag"),
        (&["--lang=ko", "diagnose", "-o", "sculpture"], "쓸 수 없는 값입니다:"),
        (&["--lang", "ko", "diagnose", "-A", "-n", "a"], "함께 쓸 수 없는 인수입니다:"),
        (&["--lang", "ko", "probe"], "필요한 인수가 없습니다:"),
    ] {
        let (_, err, status) = run(pullproof().args(line));
        assert_eq!(status, 2, "{line:?}: {err}");
        assert!(err.contains(words) && !err.contains("Usage") && !err.contains("error:"), "{line:?}: {err}");
    }
    let (help, _, _) = run(pullproof().args(["--lang", "ko", "diagnose", "--help"]));
    assert!(!help.contains("Usage") && !help.contains("Options") && !help.contains("Arguments"), "{help}");
}

#[test]
fn errors_are_in_the_readers_language() {
    for (line, words) in [
        (&["diagnose", "--from", "/nowhere"][..], "그런 파일이나 폴더가 없습니다"),
        (&["diagnose", "--kubeconfig", "/nowhere"], "kubeconfig를 쓸 수 없습니다, /nowhere:"),
        (&["diagnose", "deployment/Web"], "객체 이름으로 쓸 수 없습니다"),
        (&["explain"], "표준 입력에 텍스트가 없습니다"),
        (&["explian", "--kubeconfig", "/nowhere"], "비슷한 명령: \"explain\""),
        (&["probe", "r.example.com/a:1", "--ca", "/nowhere"], "인증서 읽기, /nowhere: 읽을 수 없습니다"),
        (&["probe", "r.example.com/a:1", "--creds-file", "/nowhere"], "자격 증명 읽기, /nowhere:"),
        (&["compare", "/nowhere", "/nowhere"], "읽기, /nowhere:"),
    ] {
        let (_, err, status) = run(pullproof().args(["--lang", "ko"]).args(line));
        assert!((2..=3).contains(&status) && err.starts_with("오류: "), "{line:?}: {err}");
        assert!(err.contains(words) && err.lines().count() == 1, "{line:?}: {err}");
        assert!(
            ![" the ", "reading", "cannot", "No such"].iter().any(|e| err.contains(e)),
            "{line:?}: {err}"
        );
    }
}

#[test]
fn a_mistyped_command_is_told() {
    let (_, err, status) = run(pullproof().args(["explian", "some text"]));
    assert!(
        status == 2 && err.contains("unrecognized subcommand 'explian'") && err.contains("'explain'"),
        "{err}"
    );
    let (_, err, status) = run(pullproof().args(["explian", "--kubeconfig", "/nowhere"]));
    assert!(status == 3 && err.starts_with("error: \"explian\" is no command; as a pod's name: "), "{err}");
    assert!(err.ends_with("did you mean \"explain\"?\n"), "{err}");
    let (_, err, _) = run(pullproof().args(["web-0", "--kubeconfig", "/nowhere"]));
    assert!(!err.contains("command"), "{err}");
}

#[test]
fn colour_is_for_terminals_and_for_who_asks() {
    let coloured = |set: &[(&str, &str)], line: &[&str]| {
        let (out, _, _) = run(pullproof().envs(set.iter().copied()).args(["explain", REFUSED]).args(line));
        assert!(out.contains("r.example.com/team/app:1"), "{out}");
        out.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]), "a pipe");
    assert!(coloured(&[], &["--color", "always"]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(!coloured(&[("NO_COLOR", "1"), ("TERM", "xterm-256color")], &[]));
}

#[test]
fn a_reader_who_leaves_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pullproof"))
        .args(["explain", "--jsonl"])
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        // Until the program no longer reads.
        while stdin.write_all(&b"{\"id\":1,\"text\":\"x\"}\n".repeat(2000)).is_ok() {}
    });
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert!(first.starts_with("{\"id\":1"), "{first}");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn as_a_kubectl_plugin_it_has_kubectls_name() {
    let dir = tempfile::tempdir().unwrap();
    let plugin = dir.path().join("kubectl-pullproof");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pullproof"), &plugin).unwrap();
    let (help, _, status) = run(assert_cmd::Command::new(&plugin).env_clear().args(["explain", "--help"]));
    assert_eq!(status, 0);
    assert!(help.contains("Usage: kubectl pullproof"), "{help}");
    let (own, _, _) = run(pullproof().args(["explain", "--help"]));
    assert!(own.contains("Usage: pullproof"), "{own}");
}

#[test]
fn completions_know_the_commands_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let (script, err, status) = run(pullproof().args(["completions", shell]));
        assert_eq!((status, err.as_str()), (0, ""), "{shell}");
        for word in ["diagnose", "explain", "probe", "from"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
}

#[test]
fn quiet_and_pipes_keep_standard_error_empty() {
    for line in [&["explain", "--quiet"][..], &["-q", "explain", "-"], &["explain"]] {
        let (out, err, status) = run(pullproof().args(line).write_stdin(REFUSED));
        assert_eq!((status, err.as_str()), (0, ""), "{line:?}");
        assert!(out.contains("net.refused"), "{out}");
    }
}

#[test]
fn a_log_is_grouped_with_counts_and_times() {
    let mut log = String::new();
    for minute in 0..9 {
        log += &format!(
            "2026-11-30T03:0{minute}:00Z kubelet {REFUSED}\n2026-11-30T03:0{minute}:01Z all is well\n"
        );
    }
    log += "2026-11-30T04:00:00Z kubelet Failed to pull image \"b.example.com/x:2\": manifest unknown\n";
    let (out, err, status) = run(pullproof().args(["explain", "-"]).write_stdin(log));
    assert_eq!((status, err.as_str()), (0, ""));
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("9×") && out.contains("1×"), "{out}");
    assert!(out.contains("2026-11-30T03:00:00Z") && out.contains("2026-11-30T03:08:00Z"), "{out}");
    assert!(out.contains("net.refused") && out.contains("r.example.com/team/app:1"), "{out}");
}

#[test]
fn explanations_by_eye() {
    for (lang, width) in [("en", "60"), ("en", "120"), ("ko", "60"), ("ko", "120")] {
        let (out, _, _) = run(pullproof().env("COLUMNS", width).args(["--lang", lang, "explain", REFUSED]));
        insta::assert_snapshot!(format!("explain-{lang}-{width}"), out);
    }
}
