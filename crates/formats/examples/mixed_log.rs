//! Writes the benchmark's log to standard output, for measurements of the whole program:
//! `cargo run --release -p pullproof-formats --example mixed_log -- 256 > mixed.jsonl` (megabytes).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "../benches/mixed_log.rs"]
mod mixed_log;

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let megabytes: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(64);
    let mut out = io::stdout().lock();
    for part in 0..megabytes.div_ceil(8) {
        out.write_all(mixed_log::jsonl(8_000_000, 42 + part as u64).as_bytes())?;
    }
    Ok(())
}
