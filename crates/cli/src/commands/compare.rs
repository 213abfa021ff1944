//! `pullproof compare REPORT REPORT...`: what differs between nodes, from their node reports.

use crate::as_node;
use crate::commands::node::Form;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use crate::remote;
use anyhow::Context;
use clap::Args;
use node::SavedReport;
use std::path::{Path, PathBuf};

/// What `compare` takes.
#[derive(Debug, Args)]
pub struct Compare {
    /// Node reports, as `pullproof node IMAGE -o json` prints them, or folders of such
    #[arg(value_name = "REPORT", required_unless_present = "ssh", num_args = 1..)]
    pub reports: Vec<PathBuf>,
    /// Also look at this host now, as `pullproof node --ssh` does (may be given again)
    #[arg(long, value_name = "HOST")]
    pub ssh: Vec<String>,
    /// The image whose endpoints are computed and climbed to there
    #[arg(long, value_name = "IMAGE", requires = "ssh")]
    pub image: Option<String>,
    /// Run it there as root, through sudo
    #[arg(long, requires = "ssh")]
    pub sudo: bool,
    /// The form of the answer
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = Form::Text)]
    pub output: Form,
    /// Exit with 0 also where something differs
    #[arg(long)]
    pub exit_zero: bool,
}

/// Reads, compares, prints.
pub fn run(args: &Compare, out: &mut Output) -> Outcome {
    let mut reports = Vec::new();
    for path in files(&args.reports)? {
        reports.push(read(&path)?);
    }
    let flags: Vec<String> = args.image.iter().cloned().collect();
    for host in &args.ssh {
        let (text, _) = remote::node(host, args.sudo, &flags)?;
        reports.push(as_node::parsed(host, &text)?);
    }
    if reports.len() < 2 {
        return Err(Failure::Usage("give at least two node reports: one alone differs from nothing".into()));
    }
    let found = node::compare(&reports);
    match args.output {
        Form::Json => out.print(&(serde_json::to_string_pretty(&found)? + "\n"))?,
        Form::Text => out.print(&render::comparison(&found, out.look()))?,
    }
    Ok(if found.differences.is_empty() || args.exit_zero { Exit::Clear } else { Exit::Found })
}

/// The files, those of a folder by name.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).with_context(|| format!("listing {}", path.display()))?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.retain(|p| p.extension().is_some_and(|e| e == "json"));
        inside.sort();
        all.extend(inside);
    }
    all.truncate(node::MOST_NODES);
    Ok(all)
}

fn read(path: &Path) -> Result<SavedReport, Failure> {
    let mut saved = as_node::saved(path)?;
    if saved.report.node.is_empty() {
        saved.report.node = path.file_stem().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    }
    Ok(saved)
}
