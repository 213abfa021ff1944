//! The house rules: sizes, module headers, the direction of dependencies, no paths of one machine, words in both
//! languages. Each rule says what it is for when it fails.

use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// More non-test lines than this in one file is more than one subject.
const LINES: usize = 900;

/// Crates that decide: none of these may enter their dependencies, so that the same Snapshot gives the same Report.
const PURE: &[&str] = &["vocabulary", "facts", "formats", "emulate", "report", "diagnose", "render"];
const IMPURE: &[&str] =
    &["tokio", "hyper", "hyper-util", "kube", "reqwest", "axum", "tonic", "rustls", "hickory-resolver"];

/// What each of our crates may use of the others: the arrows of ARCHITECTURE.md.
const ARROWS: &[(&str, &[&str])] = &[
    ("vocabulary", &[]),
    ("facts", &["vocabulary"]),
    ("formats", &["facts", "vocabulary"]),
    ("emulate", &["facts", "formats", "vocabulary"]),
    ("report", &["vocabulary"]),
    ("diagnose", &["emulate", "facts", "formats", "report", "vocabulary"]),
    ("saved", &["facts", "formats", "vocabulary"]),
    ("probe", &["emulate", "facts", "formats", "vocabulary"]),
    ("node", &["emulate", "facts", "formats", "report", "vocabulary"]),
    ("cluster", &["facts", "formats", "vocabulary"]),
    ("render", &["report", "vocabulary"]),
    ("registry", &["vocabulary"]),
];

/// Checks every rule, and reports all that is broken at once.
pub fn check(root: &Path) -> Result<()> {
    let files = tracked(root)?;
    let mut broken = Vec::new();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = fs::read_to_string(root.join(file))?;
        broken.extend(source_rules(file, &text));
    }
    for file in files.iter().filter(|f| f.extension().is_none_or(|e| e != "lock")) {
        // Only what is text: archives and certificates of the tests have no lines.
        if let Ok(text) = fs::read_to_string(root.join(file)) {
            broken.extend(path_rule(file, &text));
        }
    }
    broken.extend(arrows(root)?);
    broken.extend(catalogues(root)?);
    if broken.is_empty() {
        return Ok(());
    }
    bail!("{} house rules broken:\n{}", broken.len(), broken.join("\n"))
}

fn tracked(root: &Path) -> Result<Vec<PathBuf>> {
    let out = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output()?;
    Ok(String::from_utf8_lossy(&out.stdout)
        .split('\0')
        .filter(|s| !s.is_empty())
        .map(PathBuf::from)
        .collect())
}

fn source_rules(file: &Path, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let lines = text.lines().take_while(|l| !l.starts_with("#[cfg(test)]")).count();
    if lines > LINES {
        broken.push(format!(
            "{}: {lines} lines before its tests; split it by subject at {LINES}",
            file.display()
        ));
    }
    if !text.starts_with("//!") {
        broken.push(format!(
            "{}: no `//!` header that says what it answers and what it leaves to others",
            file.display()
        ));
    }
    let shipped = file.starts_with("crates") && file.components().any(|c| c.as_os_str() == "src");
    for (n, line) in text.lines().take(lines).enumerate().filter(|_| shipped) {
        if ["todo!(", "unimplemented!(", "FIXME", "XXX"].iter().any(|w| line.contains(w)) {
            broken.push(format!("{}:{}: left undone in shipped code", file.display(), n + 1));
        }
    }
    broken
}

fn path_rule(file: &Path, text: &str) -> Option<String> {
    // Test data quotes other machines' paths: it is what their programs said.
    if file.starts_with("tests/data") || file.starts_with("docs/captures") || file.ends_with("tidy.rs") {
        return None;
    }
    // Where root's clients look on any machine.
    let everywhere = ["/root/.docker", "/root/.config/containers"];
    let n = text.lines().position(|l| {
        everywhere.iter().fold(l.to_owned(), |l, path| l.replace(path, "")).contains("/root/.")
            || l.contains("/work/") && !l.contains("/work/{")
    })?;
    Some(format!("{}:{}: a path of one machine", file.display(), n + 1))
}

fn arrows(root: &Path) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    for (name, may) in ARROWS {
        let manifest: toml::Table =
            fs::read_to_string(root.join("crates").join(name).join("Cargo.toml"))?.parse()?;
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for dependency in dependencies.into_iter().flat_map(toml::Table::keys) {
            if ARROWS.iter().any(|(ours, _)| ours == dependency) && !may.contains(&dependency.as_str()) {
                broken.push(format!(
                    "crates/{name}: may not use {dependency}: data flows one way (ARCHITECTURE.md)"
                ));
            }
            if PURE.contains(name) && IMPURE.contains(&dependency.as_str()) {
                broken.push(format!("crates/{name}: decides, and may not do I/O with {dependency}"));
            }
        }
    }
    Ok(broken)
}

/// Every key that deciding code names must have words in both languages.
fn catalogues(root: &Path) -> Result<Vec<String>> {
    let locales = root.join("crates/render/locales");
    if !locales.exists() {
        return Ok(Vec::new());
    }
    let mut broken = Vec::new();
    let keys = said(&root.join("crates/diagnose/src"))?;
    for language in ["en", "ko"] {
        let mut words = String::new();
        for file in walk(&locales)?.into_iter().filter(|f| f.to_string_lossy().contains(language)) {
            words += &fs::read_to_string(file)?;
            words.push('\n');
        }
        let known: Vec<&str> = words.lines().filter_map(|l| l.split_once(" =")).map(|(k, _)| k).collect();
        // An incident's title is its cause's own: `cause-<id>-title`.
        for key in keys.iter().filter(|k| *k != "incident-title" && !known.contains(&k.as_str())) {
            broken.push(format!("crates/render/locales: no words for `{key}` in {language}"));
        }
    }
    Ok(broken)
}

/// The keys in `Say::new("...")` and `id: "..."` of questions.
fn said(source: &Path) -> Result<Vec<String>> {
    let mut keys = Vec::new();
    for file in walk(source)? {
        let text = fs::read_to_string(&file)?;
        for mark in ["Say::new(\"", "Question { id: \""] {
            keys.extend(
                // What stands behind an `@` tells questions of the same words apart.
                text.split(mark).skip(1).filter_map(|rest| rest.split(['"', '@']).next()).map(str::to_owned),
            );
        }
    }
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

fn walk(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() { files.extend(walk(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}
