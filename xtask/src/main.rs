//! `cargo xtask TASK`: the house rules that the compiler cannot check, and what is generated from one source.

mod causes;
mod tidy;

use anyhow::{Result, bail};
use std::env;
use std::path::PathBuf;

fn main() -> Result<()> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    match env::args().nth(1).as_deref() {
        Some("tidy") => tidy::check(&root),
        Some("causes") => causes::write(&root, env::args().nth(2).as_deref() == Some("--check")),
        other => bail!("unknown task {other:?}; there are: tidy, causes [--check]"),
    }
}
