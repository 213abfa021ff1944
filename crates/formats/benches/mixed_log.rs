//! A log as a node's collector would ship it: lines of `{"id","text"}`, nineteen in twenty of them healthy, the
//! twentieth a failure of real length. The same seed gives the same bytes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use serde_json::Value;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A small generator of numbers (xorshift), so that a run can be repeated without another crate.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len() as u64) as usize]
    }
}

/// Failures as the kubelet's events print them, from the lab's corpus.
fn failures() -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus/lab.jsonl");
    let text = std::fs::read_to_string(path).expect("the corpus is part of the repository");
    let entry = |line: &str| -> Option<String> {
        let v: Value = serde_json::from_str(line).ok()?;
        v["event"].as_bool().filter(|event| *event)?;
        let (image, text) = (v["image"].as_str()?, v["text"].as_str()?);
        Some(format!("Failed to pull image \"{image}\": rpc error: code = Unknown desc = {text}"))
    };
    text.lines().filter_map(entry).collect()
}

const APPS: &[&str] = &["web", "api", "worker", "billing", "search", "indexer", "gateway", "mailer"];

fn healthy(n: &mut Numbers) -> String {
    let (app, a, b, ms) = (*n.pick(APPS), n.below(256), n.below(100_000), n.below(2_000));
    match n.below(8) {
        0 => format!(
            "time=\"2026-11-30T03:{:02}:{:02}.{b:06}018Z\" level=info msg=\"PullImage \\\"registry.example.com/team/{app}:v{a}\\\" returns image reference \\\"sha256:3ce67ae39f1fd5ae041afca82363e8035f674a56bced2cd1429ea4669c2c6886\\\"\"",
            a % 60,
            b % 60
        ),
        1 => format!(
            "I1130 03:{:02}:{:02}.{b:06}    2669 kubelet.go:2404] \"SyncLoop (PLEG): event for pod\" pod=\"shop/{app}-{b:x}\" event={{\"ID\":\"{b:x}-2b6f\",\"Type\":\"ContainerStarted\",\"Data\":\"{b:032x}\"}}",
            a % 60,
            b % 60
        ),
        2 => format!(
            "10.0.{a}.{} - - [30/Nov/2026:03:00:{:02} +0000] \"GET /api/v1/{app}/items?page={b} HTTP/1.1\" 200 {} \"-\" \"Mozilla/5.0 (X11; Linux x86_64)\" rt=0.{ms:03}",
            b % 256,
            a % 60,
            b * 7
        ),
        3 => format!(
            "{{\"ts\":\"2026-11-30T03:00:{:02}Z\",\"level\":\"info\",\"logger\":\"{app}.http\",\"msg\":\"request served\",\"route\":\"/v1/orders/{b}\",\"status\":200,\"duration_ms\":{ms}}}",
            a % 60
        ),
        4 => format!(
            "Normal  Pulled  2m  kubelet  Successfully pulled image \"registry.example.com/team/{app}:v{a}\" in {ms}ms ({ms}ms including waiting). Image size: {b} bytes."
        ),
        5 => format!(
            "2026-11-30 03:00:{:02}.{b:06} UTC [{a}] LOG:  checkpoint complete: wrote {b} buffers ({}.4%); 0 WAL file(s) added, 1 removed",
            a % 60,
            a % 40
        ),
        6 => format!(
            "I1130 03:{:02}:{:02}.{b:06}       1 controller.go:667] quota admission added evaluator for: {app}s.apps; worker {a} processed {b} keys",
            a % 60,
            b % 60
        ),
        _ => format!(
            "level=info ts=2026-11-30T03:00:{:02}.{b:06}Z caller=compact.go:519 component=tsdb msg=\"write block\" mint={b} maxt={} ulid=01J{b:010} duration={ms}ms",
            a % 60,
            b + 7_200_000
        ),
    }
}

/// About `bytes` of it.
pub fn jsonl(bytes: usize, seed: u64) -> String {
    let failures = failures();
    let mut numbers = Numbers(seed | 1);
    let mut out = String::with_capacity(bytes + 2048);
    let mut line = 0_u64;
    while out.len() < bytes {
        let text = if line % 20 == 7 {
            numbers.pick(&failures).replace("team", &format!("team{}", numbers.below(1_000)))
        } else {
            healthy(&mut numbers)
        };
        let text = serde_json::to_string(&text).expect("a string is JSON");
        let _ = writeln!(out, "{{\"id\":\"l{line}\",\"text\":{text}}}");
        line += 1;
    }
    out
}
