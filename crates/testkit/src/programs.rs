//! Which programs are there, and how a test that lacks one is skipped without being forgotten.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Whether one of these programs is missing; then says so, and adds a line to the file that `PULLPROOF_SKIPS` names,
/// from which the count of skipped tests is made. Use: `if testkit::missing(&["nginx"]) { return; }`.
pub fn missing(programs: &[&str]) -> bool {
    let Some(program) = programs.iter().find(|p| find(p).is_none()) else { return false };
    skipped(&format!("{program} is not installed (scripts/setup installs it)"));
    true
}

/// Says that this test is skipped and why, and counts it.
pub fn skipped(why: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    eprintln!("SKIPPED {test}: {why}");
    if let Some(file) = std::env::var_os("PULLPROOF_SKIPS") {
        let mut file = OpenOptions::new().append(true).create(true).open(file).expect("the file of skips");
        writeln!(file, "{test}: {why}").expect("the file of skips");
    }
}

/// A program in the usual folders.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default();
    path.split(':')
        .chain(["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/lib/squid"])
        .map(|folder| Path::new(folder).join(program))
        .find(|file| file.is_file())
}
