//! Findings as a report shows them: with the line itself, without secrets.

use emulate::lint;
use facts::NodeFacts;
use report::node::Finding;

/// At most this many are shown, and this many characters of a line.
const MOST: usize = 500;
const LINE: usize = 300;

/// The findings, each with its line from what was read.
pub fn shown(all: Vec<lint::Finding>, facts: &NodeFacts) -> Vec<Finding> {
    all.into_iter().take(MOST).map(|f| one(f, facts)).collect()
}

fn one(finding: lint::Finding, facts: &NodeFacts) -> Finding {
    let at = finding.at.unwrap_or_default();
    let text = facts.files.get(&*at.path).and_then(|f| f.text.seen());
    let line = text.filter(|_| at.line > 0).and_then(|t| t.lines().nth(at.line as usize - 1));
    Finding {
        id: finding.lint.id().to_owned(),
        level: finding.lint.level().word().to_owned(),
        path: at.path.to_string(),
        line: at.line,
        column: at.column,
        snippet: line.unwrap_or_default().chars().take(LINE).collect(),
        args: finding.args.into_iter().map(|(n, v)| (n.to_owned(), formats::redact::owned(v))).collect(),
        reference: finding.defect.map(|d| d.reference.to_owned()),
    }
}
