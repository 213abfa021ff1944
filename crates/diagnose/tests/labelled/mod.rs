//! The incidents of `tests/data` whose cause is known.

use serde_json::Value;
use std::path::{Path, PathBuf};
use vocabulary::Cause;

/// One of them: its folder's name, the causes that are right, and the folder of what the program gets to see.
pub struct Labelled {
    pub name: String,
    pub right: Vec<Cause>,
    pub inputs: PathBuf,
}

/// Those of one folder of `tests/data`, by name.
pub fn of(folder: &str) -> Vec<Labelled> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(folder);
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the cases are there")
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.join("case.json").is_file())
        .collect();
    folders.sort();
    folders.iter().map(|f| read(f)).collect()
}

fn read(folder: &Path) -> Labelled {
    let text = std::fs::read_to_string(folder.join("case.json")).expect("readable");
    let case: Value = serde_json::from_str(&text).expect("JSON");
    let id = |v: &Value| v.as_str().and_then(|s| s.parse().ok());
    let mut right: Vec<Cause> = id(&case["root_cause"]).into_iter().collect();
    right.extend(case["acceptable_causes"].as_array().into_iter().flatten().filter_map(id));
    assert!(!right.is_empty(), "{}: its cause is no id of the vocabulary", folder.display());
    Labelled {
        name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        right,
        inputs: folder.join("inputs"),
    }
}
