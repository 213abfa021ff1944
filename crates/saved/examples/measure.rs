//! Reads `--from PATH...` and prints sums only: for measuring the reader without its output.

#![allow(clippy::print_stdout)]

use std::path::PathBuf;
use std::time::Instant;

fn main() {
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let start = Instant::now();
    let s = saved::read(&paths, saved::Limits::default());
    println!(
        "{:.2?}: {} pods, {} well, {} events, {} nodes, {} sightings, {} blind spots",
        start.elapsed(),
        s.pods.len(),
        s.healthy.pods,
        s.events.len(),
        s.nodes.len(),
        s.sightings.len(),
        s.blind_spots.len()
    );
}
