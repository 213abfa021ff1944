//! `docs/causes.md` and `docs/causes.ko.md`: what the program itself prints of its causes, in both languages.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;

/// Writes the documents, or with `check` says which of them is not what the program prints.
pub fn write(root: &Path, check: bool) -> Result<()> {
    for (lang, file) in [("en", "docs/causes.md"), ("ko", "docs/causes.ko.md")] {
        let path = root.join(file);
        let printed = printed(root, lang)?;
        if !check {
            std::fs::write(&path, printed).with_context(|| format!("writing {file}"))?;
        } else if std::fs::read(&path).ok().as_deref() != Some(printed.as_slice()) {
            bail!("{file} is not what the program prints: run `cargo xtask causes`");
        }
    }
    Ok(())
}

fn printed(root: &Path, lang: &str) -> Result<Vec<u8>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "-p", "pullproof", "--", "--lang", lang, "causes", "--markdown"])
        .output()
        .context("running the program with cargo")?;
    ensure!(run.status.success(), "pullproof causes failed: {}", String::from_utf8_lossy(&run.stderr).trim());
    Ok(run.stdout)
}
