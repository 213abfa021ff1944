//! How fast lines are answered: `cargo bench -p pullproof-formats --bench explain` prints MB/s of the input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "mixed_log.rs"]
mod mixed_log;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use formats::log::jsonl;
use formats::message;
use std::hint::black_box;

fn answers(c: &mut Criterion) {
    let log = mixed_log::jsonl(8 * 1024 * 1024, 42);
    let mut group = c.benchmark_group("explain");
    group.throughput(Throughput::Bytes(log.len() as u64)).sample_size(20);
    group.bench_function("jsonl, one line in twenty a failure", |b| {
        let mut out = Vec::with_capacity(log.len() * 2);
        b.iter(|| {
            let mut answers = jsonl::Answers::default();
            out.clear();
            for line in log.lines() {
                answers.line(line.as_bytes(), &mut out);
            }
            black_box(out.len())
        });
    });
    let texts: Vec<String> = log
        .lines()
        .filter(|l| l.contains("Failed to pull"))
        .take(1000)
        .map(|l| jsonl::unescape(jsonl::entry(l.as_bytes()).text))
        .collect();
    group.throughput(Throughput::Bytes(texts.iter().map(|t| t.len() as u64).sum()));
    group.bench_function("a failure's text", |b| {
        b.iter(|| texts.iter().map(|t| message::read(black_box(t)).also_possible.len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, answers);
criterion_main!(benches);
