//! The report as JUnit XML, for a CI job's test view: each incident is a test that failed; where nothing fails, one
//! test passed; where pods could not be seen, one was skipped.

use crate::Look;
use crate::hostile::plain_lines;
use crate::sentence;
use crate::words::Words;
use report::{Incident, Report};

/// The report as JUnit XML.
pub fn junit(report: &Report, look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut cases: Vec<String> = report.incidents.iter().map(|i| case(i, words)).collect();
    let failures = cases.len();
    let mut skipped = 0;
    if cases.is_empty() {
        let name = attribute(&sentence::found(words, report).join(" · "));
        if report.is_well() {
            cases.push(format!("    <testcase classname=\"pullproof\" name=\"{name}\"/>\n"));
        } else {
            skipped = 1;
            cases.push(format!(
                "    <testcase classname=\"pullproof\" name=\"{name}\">\n      <skipped/>\n    </testcase>\n"
            ));
        }
    }
    let time = report.generated_at.map_or_else(String::new, |t| format!(" timestamp=\"{t}\""));
    let counts =
        format!("tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\"", cases.len());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pullproof\" {counts}>\n  <testsuite \
         name=\"pullproof\" {counts}{time}>\n{}  </testsuite>\n</testsuites>\n",
        cases.concat()
    )
}

fn case(i: &Incident, words: &Words) -> String {
    let verdict = sentence::verdict(words, i);
    let reach = sentence::reach(words, i).join(" · ");
    let confidence = words.get(&format!("confidence-{}", i.confidence.word()));
    let mut body = format!("{confidence} · {} · {}\n", i.cause.id(), i.id);
    for e in &i.evidence {
        body.push_str(&format!("{}\n  {}\n", words.say(&e.says), crate::place::place(words, &e.at)));
        plain_lines(e.quote.trim()).for_each(|line| body.push_str(&format!("  {line}\n")));
    }
    body.push_str(&words.fix(i.cause));
    format!(
        "    <testcase classname=\"pullproof.{}\" name=\"{}\">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    \
         </testcase>\n",
        i.cause.area(),
        attribute(&format!("{verdict} — {reach}")),
        i.cause.id(),
        attribute(&verdict),
        content(&body)
    )
}

/// A text as an attribute's value.
fn attribute(text: &str) -> String {
    content(text).replace('"', "&quot;").replace('\n', "&#10;")
}

/// A text as content: escaped, and made of characters that XML 1.0 allows.
fn content(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        for c in crate::plain(line).chars() {
            match c {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
                c => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_forbids_does_not_come_through() {
        assert_eq!(content("a<b>&\u{0}\u{ffff}\n]]>"), "a&lt;b&gt;&amp;\\u{0}\u{fffd}\n]]&gt;");
        assert_eq!(attribute("\"a\"\nb"), "&quot;a&quot;&#10;b");
    }
}
