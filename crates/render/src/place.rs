//! Where a piece of evidence stands, in one line that a person can follow.

use crate::hostile::plain;
use crate::sentence::qualified;
use crate::words::Words;
use report::Locator;

/// The place: `Event shop/web-7d9f · message`, `worker-7:/etc/containerd/config.toml:14:5`.
pub fn place(words: &Words, at: &Locator) -> String {
    match at {
        Locator::Object { kind, namespace, name, field } => {
            joined(&[plain(&format!("{kind} {}", qualified(namespace, name))), plain(field)])
        }
        Locator::File { node, path, line, column, .. } => {
            let mut place = String::new();
            if !node.is_empty() {
                place.push_str(&plain(node));
                place.push(':');
            }
            place.push_str(&plain(path));
            for number in [line, column] {
                if *number == 0 {
                    break;
                }
                place.push_str(&format!(":{number}"));
            }
            place
        }
        Locator::Output { vantage, command, source, line } => {
            let source = if *line == 0 { plain(source) } else { format!("{}:{line}", plain(source)) };
            joined(&[plain(vantage), plain(command), source])
        }
        Locator::Step { vantage, url, stage } => {
            joined(&[plain(vantage), plain(url), words.get(&format!("stage-{}", stage.word()))])
        }
        Locator::Text { line } => words.with("place-line", &[("line", &line.to_string())]),
    }
}

/// From where a test is to be run: a place that the catalogue names, else as it stands.
pub fn test_from(words: &Words, vantage: &str) -> String {
    let place = match vantage {
        "here" | "node" | "kubectl" => words.get(&format!("vantage-{vantage}")),
        other => other.to_owned(),
    };
    words.with("test-from", &[("vantage", &place)])
}

fn joined(parts: &[String]) -> String {
    parts.iter().filter(|p| !p.is_empty()).map(String::as_str).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn every_place_of_a_test_is_said() {
        for lang in Lang::ALL.iter().copied() {
            let words = Words::of(lang);
            for place in ["here", "node", "kubectl"] {
                let name = words.get(&format!("vantage-{place}"));
                let said = test_from(words, place);
                assert!(said.ends_with(&name) && said.len() > name.len(), "{said}: {name}");
            }
        }
    }
}
