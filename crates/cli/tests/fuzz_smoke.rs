//! The fuzz targets without a fuzzer: arbitrary bytes, and real inputs with pieces changed, cut and doubled.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Real inputs of every kind: the first files of each ending among the published cases, and labelled messages.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let mut files = Vec::new();
    walk(&data.join("cases"), &mut files);
    let mut taken = std::collections::BTreeMap::<String, usize>::new();
    files.retain(|f| {
        let ending = f.extension().unwrap_or_default().to_string_lossy().into_owned();
        let count = taken.entry(ending).or_default();
        *count += 1;
        *count <= 12
    });
    let mut seeds: Vec<Vec<u8>> = files.iter().map(|f| std::fs::read(f).unwrap()).collect();
    seeds.iter_mut().for_each(|s| s.truncate(8 << 10));
    let messages = std::fs::read_to_string(data.join("corpus/messages.jsonl")).unwrap();
    seeds.extend(messages.lines().step_by(23).map(|l| l.as_bytes().to_vec()));
    seeds
});

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    for path in all {
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// Pieces that parsers stumble over.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\n",
    b"\r\n",
    b"---\n",
    b"\"",
    b"\\",
    b"\\\"",
    b"{",
    b"}",
    b"[",
    b"]",
    b": ",
    b"&a",
    b"*a",
    b"://",
    b"@",
    b"%4",
    b"\xed\xa0\x80",
    "\u{202e}".as_bytes(),
    "가".as_bytes(),
    b"=",
    b"- ",
    b"\t",
    b"1e999",
    b"-----BEGIN CERTIFICATE-----\n",
    b"$ curl -v x\n",
];

/// A real input, changed.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_u8..4);
    (any::<prop::sample::Index>(), prop::collection::vec(edit, 0..6)).prop_map(|(seed, edits)| {
        let mut bytes = seed.get(&SEEDS).clone();
        for (at, piece, how) in edits {
            let at = at.index(bytes.len() + 1);
            match how {
                0 => bytes.truncate(at),
                1 => drop(bytes.splice(at..at, piece.get(PIECES).iter().copied())),
                2 => drop(bytes.drain(at..(at + 40).min(bytes.len()))),
                _ => {
                    let again = bytes.get(at..(at + 60).min(bytes.len())).unwrap_or_default().to_vec();
                    bytes.splice(at..at, again);
                }
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(data in prop::collection::vec(any::<u8>(), 0..600)) {
        for (_, target) in targets::ALL {
            target(&data);
        }
    }

    #[test]
    fn real_inputs_with_changes(data in mutated()) {
        for (_, target) in targets::ALL {
            target(&data);
        }
    }
}

#[test]
fn real_inputs_as_they_are() {
    for seed in SEEDS.iter() {
        for (_, target) in targets::ALL {
            target(seed);
        }
    }
}

/// Each target is a file that `cargo fuzz` finds, and the manifest names it.
#[test]
fn every_target_is_one_of_cargo_fuzz() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    for (name, _) in targets::ALL {
        assert!(folder.join(format!("fuzz_targets/{name}.rs")).is_file(), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
