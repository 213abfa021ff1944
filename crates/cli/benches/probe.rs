//! The time of a healthy ladder against a loopback registry, beside `skopeo inspect --raw` of the same image: whole
//! processes, in pairs, one after the other, so that both meet the same machine. Prints medians and the ratio.
//!
//! The ladder asks for more (both methods, configuration, a layer); it may take 1.5 times as long.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::{Authority, Leaf, Registry, RegistryOptions, Shelf};

/// How many pairs are measured, after some that are not.
const PAIRS: usize = 41;
const WARM: usize = 5;
/// How many times as long a ladder may take.
const MOST: f64 = 1.5;

fn main() {
    if testkit::missing(&["docker-registry", "skopeo"]) {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions { tls: Some(&tls), ..RegistryOptions::plain(&shelf) });
    let image = format!("localhost:{}/team/app:v1", registry.port);
    let ca = authority.file();

    let mut ladder = Command::new(env!("CARGO_BIN_EXE_pullproof"));
    ladder.args(["probe", &image, "--anonymous", "--platform", "linux/amd64", "--ca"]).arg(&ca);
    let mut skopeo = Command::new("skopeo");
    skopeo
        .args(["inspect", "--raw", "--cert-dir"])
        .arg(ca.parent().expect("a folder"))
        .arg(format!("docker://{image}"));

    let mut pairs = Vec::new();
    for round in 0..WARM + PAIRS {
        let pair = (time(&mut ladder), time(&mut skopeo));
        if round >= WARM {
            pairs.push(pair);
        }
    }
    let ours = median(pairs.iter().map(|p| p.0.as_secs_f64()).collect());
    let theirs = median(pairs.iter().map(|p| p.1.as_secs_f64()).collect());
    let ratio = median(pairs.iter().map(|p| p.0.as_secs_f64() / p.1.as_secs_f64()).collect());
    println!("healthy ladder over TLS     {:6.1} ms (median of {PAIRS})", ours * 1000.0);
    println!("skopeo inspect --raw        {:6.1} ms", theirs * 1000.0);
    println!("ratio of pairs              {ratio:6.2}    (at most {MOST})");
    assert!(ratio <= MOST, "the ladder takes {ratio:.2} times as long as skopeo");
}

fn time(command: &mut Command) -> Duration {
    let begun = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().expect("the program");
    let took = begun.elapsed();
    assert!(status.success(), "{command:?}: {status}");
    took
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().expect("a measurement")
}
