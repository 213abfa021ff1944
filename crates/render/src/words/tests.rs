//! The catalogues hold together: same keys, same variables, every cause, no particle on a variable.

use super::*;
use std::collections::{BTreeMap, BTreeSet};
use vocabulary::{Cause, Confidence, Operation, Phase, Stage};

/// Key to the variables its sentence names.
fn keys(texts: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    let mut key = String::new();
    for line in texts.iter().flat_map(|t| t.lines()) {
        if line.starts_with('#') {
            continue;
        }
        if let Some((name, _)) = line.split_once(" =").filter(|(n, _)| !n.starts_with([' ', '*', '['])) {
            key = name.to_owned();
            let twice = all.insert(key.clone(), BTreeSet::new());
            assert!(twice.is_none(), "{key} stands twice");
        }
        let mut rest = line;
        while let Some(at) = rest.find('{') {
            rest = rest[at + 1..].trim_start();
            let Some(name) = rest.strip_prefix('$') else { continue };
            let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
            all.get_mut(&key).unwrap().insert(name[..end].to_owned());
        }
    }
    all
}

#[test]
fn both_catalogues_parse_whole() {
    for text in EN.iter().chain(&KO) {
        if let Err((_, problems)) = FluentResource::try_new((*text).to_owned()) {
            panic!("{problems:?}");
        }
    }
}

#[test]
fn both_have_the_same_keys_and_variables() {
    let (en, ko) = (keys(&EN), keys(&KO));
    let names = |m: &BTreeMap<String, BTreeSet<String>>| m.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&en).symmetric_difference(&names(&ko)).collect::<Vec<_>>(), Vec::<&String>::new());
    for (key, variables) in &en {
        // A cause's verdict may name other facts in the other language: all of them are optional.
        if !key.starts_with("cause-") {
            assert_eq!(variables, &ko[key], "{key}");
        }
    }
}

#[test]
fn a_verdict_names_only_what_may_be_unknown() {
    for (key, variables) in keys(&EN).iter().chain(&keys(&KO)).filter(|(k, _)| k.starts_with("cause-")) {
        assert!(variables.iter().all(|v| NAMEABLE.contains(&v.as_str())), "{key}: {variables:?}");
        assert!(key.ends_with("-title") || variables.is_empty(), "{key}: {variables:?}");
    }
}

#[test]
fn every_word_of_the_vocabulary_has_its_sentences() {
    let (en, ko) = (keys(&EN), keys(&KO));
    let mut wanted: Vec<String> = Vec::new();
    for cause in Cause::ALL {
        wanted.extend(["title", "meaning", "fix"].map(|part| causes::key(*cause, part)));
    }
    wanted.extend(Stage::ALL.iter().map(|s| format!("stage-{s}")));
    wanted.extend(Phase::ALL.iter().map(|p| format!("phase-{p}")));
    wanted.extend(Operation::ALL.iter().flat_map(|o| [format!("operation-{o}"), format!("count-{o}")]));
    wanted.extend(Confidence::ALL.iter().map(|c| format!("confidence-{c}")));
    wanted.extend(NAMEABLE.iter().map(|n| format!("some-{n}")));
    for key in wanted {
        assert!(en.contains_key(&key) && ko.contains_key(&key), "{key}");
    }
}

#[test]
fn no_korean_particle_stands_on_a_variable() {
    // Which of 은/는, 이/가, 을/를 fits depends on the value's last sound: a noun stands between.
    const PARTICLES: [&str; 18] = [
        "은", "는", "이", "가", "을", "를", "과", "와", "로", "으로", "에", "에서", "에게", "의", "도", "만",
        "라", "이라",
    ];
    for line in KO.iter().flat_map(|t| t.lines()) {
        for (at, _) in line.match_indices('}') {
            let word =
                line[at + 1..].trim_start().split([' ', '.', ',', ':', ')']).next().unwrap_or_default();
            assert!(!PARTICLES.contains(&word), "{line}");
        }
    }
}

#[test]
fn korean_verdicts_are_polite_sentences() {
    for cause in Cause::ALL {
        let (title, meaning, fix) = (
            Words::of(Lang::Ko).title(*cause, &[]),
            Words::of(Lang::Ko).meaning(*cause),
            Words::of(Lang::Ko).fix(*cause),
        );
        let verdict = title.split(": ").next().unwrap_or_default().trim_end_matches(|c| c != '다');
        assert!(verdict.ends_with("니다"), "{cause}: {title}");
        assert!(meaning.ends_with("니다.") || meaning.ends_with(")."), "{cause}: {meaning}");
        assert!(fix.contains("십시오") || fix.contains("니다"), "{cause}: {fix}");
    }
}

#[test]
fn a_key_without_words_is_shown_and_never_fatal() {
    for lang in Lang::ALL {
        assert_eq!(Words::of(*lang).get("no-such-key"), "no-such-key");
        assert_eq!(Words::of(*lang).say(&Say::new("no-such-key").with("image", "x")), "no-such-key");
    }
}

#[test]
fn what_is_not_known_is_said_in_general() {
    let en = Words::of(Lang::En);
    let known = en.title(Cause::TlsExpired, &[("host", "registry.example.com:5000")]);
    assert_eq!(known, "The certificate of registry.example.com:5000 has expired by the client's clock");
    assert_eq!(
        en.title(Cause::TlsExpired, &[]),
        "The certificate of the registry has expired by the client's clock"
    );
    assert_eq!(en.title(Cause::ManifestUnknown, &[]), "The tag or digest does not exist");
    assert_eq!(Words::of(Lang::Ko).title(Cause::ManifestUnknown, &[]), "태그 또는 다이제스트가 없습니다");
    assert_eq!(Words::of(Lang::Ko).title(Cause::ClockNode, &[]), "해당 노드의 시계가 맞지 않습니다");
}

#[test]
fn counts_choose_the_plural_and_names_stay_text() {
    let en = Words::of(Lang::En);
    assert_eq!(en.with("count-pulls-none", &[]), "count-pulls-none");
    assert_eq!(en.with("count-pods", &[("count", "1")]), "1 pod");
    assert_eq!(en.with("count-pods", &[("count", "7")]), "7 pods");
    assert_eq!(en.with("scope-namespace", &[("name", "007")]), "namespace 007");
}

#[test]
fn a_hostile_value_stays_text() {
    let said = Words::of(Lang::En).title(Cause::ManifestUnknown, &[("image", "x\u{1b}[2J{ $host }\u{202e}")]);
    assert_eq!(said, "The tag or digest does not exist: x\\u{1b}[2J{ $host }\\u{202e}");
}

/// Every `.rs` file of the crates that make reports.
fn sources() -> Vec<String> {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut folders: Vec<_> =
        std::fs::read_dir(crates).unwrap().map(|e| e.unwrap().path().join("src")).collect();
    folders.retain(|f| f.is_dir() && !f.starts_with(env!("CARGO_MANIFEST_DIR")));
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    texts
}

/// What stands between quotes at the beginning of a text.
fn literal(text: &str) -> &str {
    text.split('"').next().unwrap_or_default()
}

/// Whether a text has the form of a report's key: a kind, then words.
fn names_a_sentence(text: &str) -> bool {
    let kinds = ["evidence-", "remedy-", "risk-", "scope-", "possible-", "verify-", "rung-", "column-"];
    kinds.iter().any(|k| text.starts_with(k))
        && text.len() < 60
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        && !text.ends_with('-')
}

#[test]
fn every_sentence_that_code_names_has_words_and_gets_its_variables() {
    let en = keys(&EN);
    let mut wrong = Vec::new();
    for text in sources() {
        for piece in text.split("Say::new(\"").skip(1) {
            let key = literal(piece);
            if key == "incident-title" {
                continue;
            }
            let Some(variables) = en.get(key).or_else(|| en.get(&format!("ask-{key}"))) else {
                wrong.push(format!("{key}: no words"));
                continue;
            };
            let given: BTreeSet<&str> = piece
                .split(".with(")
                .skip(1)
                .map(|p| literal(p.trim_start().trim_start_matches('"')))
                .collect();
            for variable in variables.iter().filter(|v| !NAMEABLE.contains(&v.as_str())) {
                if !given.contains(variable.as_str()) {
                    wrong.push(format!("{key}: ${variable} is never given"));
                }
            }
        }
        // Keys also travel as plain texts before they become a Say.
        for piece in text.split('"').filter(|p| names_a_sentence(p)) {
            if !en.contains_key(piece) {
                wrong.push(format!("{piece}: no words"));
            }
        }
        for piece in text.split("Question {").skip(1) {
            let Some(id) = piece.trim_start().strip_prefix("id: \"").map(literal) else { continue };
            let id = id.split('@').next().unwrap_or(id);
            if !en.contains_key(id) && !en.contains_key(&format!("ask-{id}")) {
                wrong.push(format!("{id}: a question without words"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
