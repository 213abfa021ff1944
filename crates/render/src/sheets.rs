//! The causes as an index, as one sheet, and as a document.

use crate::{Lang, Look, Words};
use report::Sheet;
use std::fmt::Write as _;
use vocabulary::Stage;

/// One line for each cause.
pub fn index(all: &[Sheet], look: &Look) -> String {
    let words = Words::of(look.lang);
    let widest = all.iter().map(|s| s.cause.id().len()).max().unwrap_or_default();
    let mut text = String::new();
    for sheet in all {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{:widest$}  {}", sheet.cause.id(), words.meaning(sheet.cause));
    }
    text
}

/// Everything about one cause, for a window.
pub fn one(sheet: &Sheet, look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut text = format!("{}\n\n{}\n", sheet.cause.id(), words.meaning(sheet.cause));
    for (head, body) in parts(sheet, words, "") {
        let _ = write!(text, "\n{head}\n");
        for line in body {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// A document with a section for each cause, by stage.
pub fn document(all: &[Sheet], lang: Lang) -> String {
    let words = Words::of(lang);
    let mut text = format!("# {}\n\n{}\n", words.get("causes-title"), words.get("causes-about"));
    for stage in Stage::ALL.iter() {
        let of_stage: Vec<&Sheet> = all.iter().filter(|s| s.cause.stage() == *stage).collect();
        if of_stage.is_empty() {
            continue;
        }
        let _ = write!(text, "\n## {}\n", words.heading(&format!("stage-{}", stage.word())));
        for sheet in of_stage {
            let _ = write!(text, "\n### {}\n\n{}\n", sheet.cause.id(), words.meaning(sheet.cause));
            for (head, body) in parts(sheet, words, "`") {
                match body.as_slice() {
                    [only] => {
                        let _ = write!(text, "\n**{head}**: {only}\n");
                    }
                    _ => {
                        let _ = write!(text, "\n**{head}**\n\n");
                        for line in body {
                            let _ = writeln!(text, "- {line}");
                        }
                    }
                }
            }
        }
    }
    text
}

/// The parts of a sheet, with their heads; `mark` encloses what is to be copied.
fn parts(sheet: &Sheet, words: &Words, mark: &str) -> Vec<(String, Vec<String>)> {
    let ids = |list: &[vocabulary::Cause]| {
        let ids: Vec<String> = list.iter().map(|c| format!("{mark}{}{mark}", c.id())).collect();
        if ids.is_empty() { Vec::new() } else { vec![ids.join(", ")] }
    };
    let asked = |proves: bool| -> Vec<String> {
        let of_kind = sheet.questions.iter().filter(|q| q.proves == proves);
        of_kind
            .map(|q| match q.command.as_str() {
                "" => words.say(&q.says),
                command => format!("{}  {mark}{command}{mark}", words.say(&q.says)),
            })
            .collect()
    };
    let all = [
        ("causes-shows-as", ids(&sheet.shows_as)),
        ("causes-behind", ids(&sheet.behind)),
        ("causes-proves", asked(true)),
        ("causes-rules-out", asked(false)),
        ("causes-fix", vec![words.fix(sheet.cause)]),
    ];
    all.into_iter().filter(|(_, body)| !body.is_empty()).map(|(head, body)| (words.get(head), body)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::{Asked, Say};
    use vocabulary::Cause;

    #[test]
    fn a_sheet_names_what_to_ask_in_both_languages() {
        let sheet = Sheet {
            cause: Cause::DnsClusterNameOnNode,
            shows_as: vec![Cause::DnsNotFound],
            behind: Vec::new(),
            questions: vec![Asked {
                says: Say::new("ask-cluster-name"),
                proves: true,
                command: "getent hosts HOST".into(),
            }],
        };
        for lang in Lang::ALL {
            let document = document(std::slice::from_ref(&sheet), *lang);
            assert!(document.contains("### dns.cluster-name-on-node"), "{document}");
            assert!(
                document.contains("`dns.not-found`") && document.contains("`getent hosts HOST`"),
                "{document}"
            );
            assert!(!document.contains("causes-"), "{document}");
            let shown = one(&sheet, &Look::new(*lang, 80, false));
            assert!(shown.contains("getent hosts HOST") && !shown.contains('`'), "{shown}");
        }
    }
}
