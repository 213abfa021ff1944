//! What every form keeps to: layouts as they were reviewed, the contract of the JSON, and nothing hostile let through.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod reports;

use render::{Format, Lang, Look};
use report::Report;
use unicode_width::UnicodeWidthStr;

fn shown(report: &Report, format: Format, lang: Lang, width: usize) -> String {
    render::report(report, format, &Look::new(lang, width, false))
}

#[test]
fn terminal_layouts() {
    let all = [
        ("two", reports::two()),
        ("probed", reports::probed()),
        ("well", reports::well()),
        ("unseen", reports::unseen()),
    ];
    for (name, report) in &all {
        for lang in Lang::ALL {
            for width in [60, 120] {
                let text = shown(report, Format::Text, *lang, width);
                insta::assert_snapshot!(format!("{name}-{}-{width}", lang.word()), text);
            }
        }
    }
}

#[test]
fn wide_layout() {
    insta::assert_snapshot!("two-wide-en", shown(&reports::two(), Format::Wide, Lang::En, 160));
}

#[test]
fn documents() {
    let two = reports::two();
    insta::assert_snapshot!("two-ko-markdown", shown(&two, Format::Markdown, Lang::Ko, 100));
    insta::assert_snapshot!("two-en-junit", shown(&two, Format::Junit, Lang::En, 100));
    insta::assert_snapshot!("two-en-sarif", shown(&two, Format::Sarif, Lang::En, 100));
    insta::assert_snapshot!("probed-ko-yaml", shown(&reports::probed(), Format::Yaml, Lang::Ko, 100));
}

/// Lines that are meant to be copied are never wrapped; they are the only ones that may be longer than the window.
fn is_to_copy(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("sudo ") || line.starts_with("pullproof ")
}

#[test]
fn no_line_is_wider_than_the_window() {
    for report in [reports::two(), reports::probed(), reports::well(), reports::unseen()] {
        for lang in Lang::ALL {
            for width in 60..=120 {
                for line in shown(&report, Format::Text, *lang, width).lines().filter(|l| !is_to_copy(l)) {
                    assert!(line.width() <= width, "{width}: {line}");
                }
            }
        }
    }
}

#[test]
fn the_first_line_of_an_incident_has_verdict_and_scope() {
    let text = shown(&reports::probed(), Format::Text, Lang::En, 120);
    let line = text.lines().find(|l| l.starts_with("✗ ")).unwrap();
    assert_eq!(
        line,
        "✗ The certificate of registry.example.com:5000 has expired by the client's clock — 1 pull"
    );
}

#[test]
fn colour_changes_nothing_but_colour() {
    for report in [reports::two(), reports::probed()] {
        let plain = shown(&report, Format::Text, Lang::Ko, 80);
        let painted = render::report(&report, Format::Text, &Look::new(Lang::Ko, 80, true));
        assert_ne!(plain, painted);
        let mut stripped = String::new();
        let mut rest = painted.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            stripped.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        stripped.push_str(rest);
        assert_eq!(plain, stripped);
    }
}

#[test]
fn a_title_of_many_nodes_names_none() {
    let mut report = reports::probed();
    let incident = &mut report.incidents[0];
    incident.cause = vocabulary::Cause::ClockNode;
    incident.title = report::Say::new("incident-title").with("cause", "clock.node").with("node", "worker-1");
    incident.affected.nodes = vec!["worker-1".to_owned(), "worker-2".to_owned()];
    assert!(
        shown(&report, Format::Text, Lang::En, 100)
            .contains("The clock of several nodes is wrong — 1 pull · 2 nodes")
    );
    assert!(
        shown(&report, Format::Text, Lang::Ko, 100)
            .contains("여러 노드의 시계가 맞지 않습니다 — 풀 1건 · 노드 2개")
    );
}

#[test]
fn nothing_hostile_comes_through_in_any_form() {
    for format in Format::ALL {
        for lang in Lang::ALL {
            let text = shown(&reports::hostile(), *format, *lang, 80);
            let word = format.word();
            let bad: Vec<char> = text
                .chars()
                .filter(|c| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c))
                .collect();
            assert!(bad.is_empty(), "{word}: {bad:?}");
            assert!(!text.contains("pl4nted"), "{word}: a password came through");
        }
    }
}

#[test]
fn html_runs_nothing_and_fetches_nothing() {
    let page = shown(&reports::hostile(), Format::Html, Lang::En, 80);
    for opening in ["<script", "<img", "<iframe", "<link", "<a ", "onerror", "javascript:", "src=", "href="] {
        assert!(!page.to_lowercase().contains(opening), "{opening}");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.contains("&#60;script&#62;"), "the text itself is still there");
}

/// A line of Markdown without its code spans, which end at as many backticks as they begin with.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line.replace("\\`", "");
    while let Some(at) = rest.find('`') {
        out.push_str(&rest[..at]);
        let run = rest[at..].chars().take_while(|c| *c == '`').count();
        let inside = rest[at + run..].to_owned();
        let ends: Vec<&str> = inside.split(|c| c != '`').filter(|r| r.len() == run).collect();
        assert!(!ends.is_empty(), "a code span never ends: {line}");
        let mut from = 0;
        let end = loop {
            let tick = from + inside[from..].find('`').unwrap();
            let length = inside[tick..].chars().take_while(|c| *c == '`').count();
            from = tick + length;
            if length == run {
                break from;
            }
        };
        rest = inside[end..].to_owned();
    }
    out + &rest
}

#[test]
fn markdown_shows_markup_from_outside_as_text() {
    let text = shown(&reports::hostile(), Format::Markdown, Lang::En, 80);
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            let outside = without_code(line);
            assert!(!outside.contains("<script"), "{line}");
            assert!(!outside.contains("[x]("), "{line}");
        }
    }
}

#[test]
fn json_has_the_keys_that_scripts_depend_on() {
    let tree: serde_json::Value =
        serde_json::from_str(&shown(&reports::two(), Format::Json, Lang::Ko, 80)).unwrap();
    let keys = |v: &serde_json::Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&tree),
        ["schema", "generated_at", "scope", "incidents", "healthy", "climbs", "blind_spots"]
    );
    let incident = &tree["incidents"][1];
    let wanted = [
        "id",
        "cause",
        "stage",
        "confidence",
        "title",
        "affected",
        "evidence",
        "ruled_out",
        "also_possible",
        "next_test",
        "remedies",
        "verify",
        "ended_at",
        "operation",
        "phase",
    ];
    for key in wanted {
        assert!(!incident[key].is_null() || key == "next_test", "{key}");
    }
    assert_eq!(keys(&incident["affected"]), ["pulls", "pods", "nodes", "images", "registries", "truncated"]);
    assert_eq!(keys(&incident["affected"]["pods"][0]), ["namespace", "name", "container", "node"]);
    assert_eq!(keys(&tree["incidents"][0]["also_possible"][0]), ["cause", "why"]);
    assert!(incident["next_test"].is_null() && tree["incidents"][0]["next_test"].is_object());
    assert_eq!(incident["cause"], "config.path-list-unsupported");
}

#[test]
fn languages_differ_in_sentences_only() {
    let ids = |lang| {
        let mut tree: serde_json::Value =
            serde_json::from_str(&shown(&reports::probed(), Format::Json, lang, 80)).unwrap();
        for key in ["title", "meaning"] {
            tree["incidents"][0][key] = serde_json::Value::Null;
        }
        tree["incidents"][0]["evidence"][0]["says"] = serde_json::Value::Null;
        for rung in tree["incidents"][0]["ladder"].as_array_mut().unwrap() {
            rung["says"] = serde_json::Value::Null;
        }
        tree
    };
    assert_eq!(ids(Lang::En), ids(Lang::Ko));
    let (en, ko) = (reports::two(), reports::two());
    assert_eq!(shown(&en, Format::Name, Lang::En, 80), shown(&ko, Format::Name, Lang::Ko, 80));
}

#[test]
fn the_published_schema_is_the_one_that_is_printed() {
    let file = include_str!("../../../docs/report.schema.json");
    assert_eq!(file, render::schema(), "write it anew: pullproof schema > docs/report.schema.json");
}
