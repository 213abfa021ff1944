//! How often the first incident names the right cause, and how often each confidence level was right, over everything in
//! `tests/data` that has a known answer: `cargo run -p pullproof-diagnose --example accuracy [FOLDER...]`.

#![allow(clippy::print_stdout)]

use diagnose::diagnose;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use vocabulary::{Cause, Confidence};

/// One incident with a known answer.
struct Known {
    name: String,
    right: Vec<Cause>,
    input: PathBuf,
}

fn read(folder: &Path) -> Option<Known> {
    let file = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let (text, input) = match file("case.json") {
        Some(text) => (text, folder.join("inputs")),
        None => (file("expect.json")?, folder.to_owned()),
    };
    let json: Value = serde_json::from_str(&text).ok()?;
    let id = |v: &Value| v.as_str().and_then(|s| s.parse().ok());
    let listed = |v: &Value| v.as_array().into_iter().flatten().filter_map(id).collect::<Vec<Cause>>();
    let mut right: Vec<Cause> = id(&json["root_cause"]).into_iter().collect();
    right.extend(listed(&json["acceptable_causes"]));
    // A live fault: what objects and events show, and what the nodes' files show besides.
    match id(&json["full"]) {
        Some(full) => right.push(full),
        None => right.extend(json["api"].as_array().into_iter().flatten().flat_map(listed)),
    }
    let name = folder.file_name()?.to_string_lossy().into_owned();
    (!right.is_empty()).then_some(Known { name, right, input })
}

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let named: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let folders =
        if named.is_empty() { ["cases", "variants", "live"].map(|f| data.join(f)).to_vec() } else { named };
    let (mut levels, mut confused) = (BTreeMap::new(), Vec::new());
    println!("| Set | Incidents | First cause right | Confirmed | Confirmed and wrong |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for folder in folders {
        let mut inside: Vec<PathBuf> =
            std::fs::read_dir(&folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        let (mut all, mut right, mut confirmed, mut claims) = (0, 0, 0, 0);
        for known in inside.iter().filter_map(|f| read(f)) {
            let report = diagnose(&saved::read(&[known.input], saved::Limits::default()));
            let first = report.incidents.first();
            let fits = first.is_some_and(|i| known.right.contains(&i.cause));
            all += 1;
            right += u32::from(fits);
            for incident in &report.incidents {
                let fits = known.right.contains(&incident.cause);
                let count: &mut (u32, u32) = levels.entry(incident.confidence).or_default();
                count.0 += 1;
                count.1 += u32::from(fits);
                let sure = incident.confidence == Confidence::Confirmed;
                confirmed += u32::from(sure && fits);
                claims += u32::from(sure && !fits);
            }
            if !fits {
                let said = first.map_or("nothing", |i| i.cause.id());
                confused.push(format!("| {} | {} | {said} |", known.name, known.right[0]));
            }
        }
        let set = folder.file_name().unwrap_or_default().to_string_lossy();
        println!("| {set} | {all} | {right} | {confirmed} | {claims} |");
    }
    println!("\n| Confidence | Incidents | Right |");
    println!("| --- | ---: | ---: |");
    for (level, (all, right)) in levels.iter().rev() {
        println!("| {} | {all} | {right} |", level.word());
    }
    println!("\n| Incident | Right | Said |");
    println!("| --- | --- | --- |");
    for line in confused {
        println!("{line}");
    }
}
