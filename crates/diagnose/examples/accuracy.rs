//! How often the right cause is found, and how often each confidence level was right, over everything in `tests/data`
//! that has a known answer: `cargo run -p pullproof-diagnose --example accuracy [FOLDER...]`, or `scripts/bench accuracy`.
//! Written as Markdown, for `docs/accuracy.md`.

#![allow(clippy::print_stdout)]

use diagnose::diagnose;
use report::Incident;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use vocabulary::{Cause, Confidence};

/// An input with a known answer: for each incident in it the causes that are right, the deepest first.
struct Known {
    name: String,
    wanted: Vec<Vec<Cause>>,
    inputs: Vec<PathBuf>,
}

/// The nth incident that was wanted or given, beside each other; one of them may be missing.
struct Pair {
    wanted: Vec<Cause>,
    given: Option<(Cause, Confidence)>,
}

impl Pair {
    fn is_right(&self) -> bool {
        self.given.is_some_and(|(cause, _)| self.wanted.contains(&cause))
    }
}

#[derive(Default)]
struct Sum {
    inputs: u32,
    wanted: u32,
    right: u32,
    confirmed: u32,
    claims: u32,
}

fn causes(list: &Value) -> Vec<Cause> {
    list.as_array().into_iter().flatten().filter_map(|v| v.as_str()?.parse().ok()).collect()
}

/// A folder of `tests/data/cases` or its like, or a scenario of the lab.
fn read(folder: &Path) -> Option<Known> {
    let json = |name: &str| -> Option<Value> {
        serde_json::from_str(&std::fs::read_to_string(folder.join(name)).ok()?).ok()
    };
    let name = folder.file_name()?.to_string_lossy().into_owned();
    if let Some(case) = json("case.json") {
        let mut right: Vec<Cause> =
            case["root_cause"].as_str().and_then(|s| s.parse().ok()).into_iter().collect();
        right.extend(causes(&case["acceptable_causes"]));
        return Some(Known { name, wanted: vec![right], inputs: vec![folder.join("inputs")] });
    }
    let scenario = json("scenario.json")?;
    let wanted = scenario["full"].as_array()?.iter().map(|v| causes(&v["causes"])).collect();
    // Each folder of a scenario is what one vantage saw.
    let mut inputs: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    inputs.sort();
    Some(Known { name, wanted, inputs })
}

/// What was wanted beside what was given: by cause where one fits, the rest in order.
fn paired(wanted: &[Vec<Cause>], incidents: &[Incident]) -> Vec<Pair> {
    let (mut left, mut pairs, mut odd) = (wanted.to_vec(), Vec::new(), Vec::new());
    for incident in incidents {
        let given = Some((incident.cause, incident.confidence));
        match left.iter().position(|w| w.contains(&incident.cause)) {
            Some(at) => pairs.push(Pair { wanted: left.remove(at), given }),
            None => odd.push(given),
        }
    }
    let mut odd = odd.into_iter();
    pairs.extend(left.into_iter().map(|wanted| Pair { wanted, given: odd.next().flatten() }));
    pairs.extend(odd.map(|given| Pair { wanted: Vec::new(), given }));
    pairs
}

fn main() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let named: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let folders =
        if named.is_empty() { ["cases", "variants", "lab"].map(|f| data.join(f)).to_vec() } else { named };
    let mut levels: BTreeMap<Confidence, (u32, u32)> = BTreeMap::new();
    let mut cells: BTreeMap<(&str, &str), (u32, Vec<String>)> = BTreeMap::new();
    println!("| Set | Inputs | Incidents | Found | Confirmed and right | Confirmed and wrong |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for folder in folders {
        let mut inside: Vec<PathBuf> =
            std::fs::read_dir(&folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())).collect();
        inside.sort();
        let mut sum = Sum::default();
        for known in inside.iter().filter_map(|f| read(f)) {
            let report = diagnose(&saved::read(&known.inputs, saved::Limits::default()));
            sum.inputs += 1;
            sum.wanted += known.wanted.len() as u32;
            for pair in paired(&known.wanted, &report.incidents) {
                let fits = pair.is_right();
                sum.right += u32::from(fits);
                if let Some((_, confidence)) = pair.given {
                    let level = levels.entry(confidence).or_default();
                    level.0 += 1;
                    level.1 += u32::from(fits);
                    let sure = confidence == Confidence::Confirmed;
                    sum.confirmed += u32::from(sure && fits);
                    sum.claims += u32::from(sure && !fits);
                }
                let wanted = pair.wanted.first().map_or("-", |c| c.id());
                let cell = cells.entry((wanted, pair.given.map_or("-", |(c, _)| c.id()))).or_default();
                cell.0 += 1;
                cell.1.extend((!fits).then(|| known.name.clone()));
            }
        }
        let set = folder.file_name().unwrap_or_default().to_string_lossy();
        let Sum { inputs, wanted, right, confirmed, claims } = sum;
        println!("| {set} | {inputs} | {wanted} | {right} | {confirmed} | {claims} |");
    }
    println!("\n| Confidence | Incidents | Right | |");
    println!("| --- | ---: | ---: | ---: |");
    for (level, (all, right)) in levels.iter().rev() {
        println!(
            "| {} | {all} | {right} | {:.1} % |",
            level.word(),
            f64::from(*right) * 100.0 / f64::from(*all)
        );
    }
    // Where two ids stand in a cell without a name, both are right for it: the root, and what it shows as.
    println!("\n| Expected | Given | Incidents | Wrong |");
    println!("| --- | --- | ---: | --- |");
    for ((wanted, given), (count, wrong)) in cells {
        println!("| {wanted} | {given} | {count} | {} |", wrong.join(", "));
    }
}
