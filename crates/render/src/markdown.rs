//! The report for an issue, a wiki or a chat: GitHub's Markdown. Nothing from outside becomes markup.

use crate::Look;
use crate::view::{self, Block, Incident, Page};
use crate::words::Words;
use report::Report;
use std::fmt::Write as _;

/// The report as Markdown.
pub fn markdown(report: &Report, look: &Look) -> String {
    let words = Words::of(look.lang);
    let page = view::page(report, words);
    let mut out = String::new();
    head(&mut out, &page);
    for incident in &page.incidents {
        self::incident(&mut out, words, incident);
    }
    for climb in &page.climbs {
        push(&mut out, &format!("\n## {}\n\n", text(&climb.says)));
        for r in &climb.rungs {
            push(&mut out, &format!("- {} {} {}\n", r.sign, text(&r.name), text(&r.notes)));
        }
    }
    blind(&mut out, words, &page);
    out
}

fn head(out: &mut String, page: &Page) {
    let sign = if page.well { "✓ " } else { "" };
    push(out, &format!("**{sign}{}**\n", text(&page.found.join(" · "))));
    if !page.looked_at.is_empty() {
        push(out, &format!("\n{}\n", text(&page.looked_at.join(" · "))));
    }
}

fn incident(out: &mut String, words: &Words, i: &Incident) {
    push(out, &format!("\n## {} — {}\n\n", text(&i.verdict), text(&i.reach)));
    push(out, &format!("**{}** · {} · {}\n", text(&i.confidence_word), code(i.cause), code(&i.id)));
    if !i.rungs.is_empty() {
        let mut line = String::new();
        for r in &i.rungs {
            let lead = match (line.is_empty(), r.state) {
                (true, _) => "",
                (false, "not-reached") => " ┄ ",
                (false, _) => " → ",
            };
            let sign = if r.state == "not-reached" { String::new() } else { format!("{} ", r.sign) };
            push(&mut line, &format!("{lead}{sign}{}", text(&r.name)));
        }
        push(out, &format!("\n{line}\n"));
    }
    push(out, "\n");
    for hit in &i.hits {
        let names: Vec<String> = hit.first.iter().map(|n| code(n)).collect();
        let more = if hit.rest.is_empty() { String::new() } else { format!(" {}", text(&hit.more)) };
        push(out, &format!("- {}: {}{more}\n", text(&hit.name), names.join(", ")));
    }
    section(out, words, "head-evidence");
    for e in &i.evidence {
        push(out, &format!("- {} ({})\n", text(&e.says), code(&e.place)));
        fenced(out, "  ", &e.quote);
    }
    if let Some((heads, rows)) = &i.comparison {
        section(out, words, "head-compare");
        row(out, &heads.iter().map(|h| text(h)).collect::<Vec<_>>());
        row(out, &vec!["---".to_owned(); heads.len()]);
        for cells in rows {
            row(out, &cells.iter().map(|c| text(c)).collect::<Vec<_>>());
        }
    }
    if !i.ruled_out.is_empty() {
        section(out, words, "head-ruled-out");
        for r in &i.ruled_out {
            let facts: Vec<String> =
                r.facts.iter().map(|(says, at)| format!("{} ({})", text(says), code(at))).collect();
            push(out, &format!("- {} — {}: {}\n", code(r.cause), text(&r.why), facts.join("; ")));
        }
    }
    if !i.possible.is_empty() {
        section(out, words, "head-possible");
        for (cause, meaning) in &i.possible {
            push(out, &format!("- {} — {}\n", code(cause), text(meaning)));
        }
    }
    if let Some(test) = &i.next_test {
        section(out, words, "head-next-test");
        block(out, &test.block);
        if !test.splits.is_empty() {
            push(out, &format!("\n{}\n", text(&test.splits)));
        }
    }
    fixes(out, words, i);
    if let Some(verify) = &i.verify {
        section(out, words, "head-verify");
        block(out, verify);
    }
}

fn fixes(out: &mut String, words: &Words, i: &Incident) {
    section(out, words, "head-fix");
    if let Some(fix) = &i.fix {
        push(out, &format!("{}\n", text(fix)));
    }
    for fix in &i.remedies {
        push(out, &format!("{} — {}\n", text(&fix.says), text(&fix.limits)));
        fix.steps.iter().for_each(|b| block(out, b));
        if !fix.undo.is_empty() {
            section(out, words, "head-undo");
            fix.undo.iter().for_each(|b| block(out, b));
        }
    }
}

fn blind(out: &mut String, words: &Words, page: &Page) {
    if page.blind.is_empty() {
        return;
    }
    push(out, &format!("\n## {}\n\n", text(&words.heading("head-blind"))));
    for spot in &page.blind {
        push(out, &format!("- {} — {}", text(&spot.what), text(&spot.why)));
        if !spot.needs.is_empty() {
            push(out, &format!(" → {}", text(&spot.needs)));
        }
        push(out, "\n");
    }
}

fn section(out: &mut String, words: &Words, key: &str) {
    push(out, &format!("\n### {}\n\n", text(&words.heading(key))));
}

fn block(out: &mut String, block: &Block) {
    if !block.says.is_empty() {
        push(out, &format!("{}\n", text(&block.says)));
    }
    fenced(out, "", &block.lines);
}

fn row(out: &mut String, cells: &[String]) {
    push(out, &format!("| {} |\n", cells.join(" | ")));
}

/// Lines as they are, between fences longer than any in them.
fn fenced(out: &mut String, indent: &str, lines: &str) {
    if lines.is_empty() {
        return;
    }
    let fence = "`".repeat(longest_run(lines).max(2) + 1);
    push(out, &format!("\n{indent}{fence}\n"));
    for line in lines.lines() {
        push(out, &format!("{indent}{line}\n"));
    }
    push(out, &format!("{indent}{fence}\n"));
}

/// A name as code, between more backticks than it has.
fn code(name: &str) -> String {
    let ticks = "`".repeat(longest_run(name) + 1);
    let pad = if name.starts_with('`') || name.ends_with('`') || name.is_empty() { " " } else { "" };
    // In a table and elsewhere a bar in code still parts cells.
    format!("{ticks}{pad}{}{pad}{ticks}", name.replace('|', "¦"))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Running text: every character that Markdown or HTML gives a meaning is escaped.
fn text(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut before = ' ';
    let mut rest = words.chars().peekable();
    while let Some(c) = rest.next() {
        let inside_word = before.is_alphanumeric() && rest.peek().is_some_and(|n| n.is_alphanumeric());
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            // Between letters it is a letter too.
            '_' if inside_word => out.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '>' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
        before = c;
    }
    out
}

fn push(out: &mut String, piece: &str) {
    // Writing into a string cannot fail.
    let _ = out.write_str(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_text_is_no_markup() {
        assert_eq!(text("a_b <b> [x](y) *z*"), "a_b &lt;b> \\[x\\](y) \\*z\\*".replace('>', "\\>"));
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        let mut out = String::new();
        fenced(&mut out, "", "```\nout of the fence");
        assert_eq!(out, "\n````\n```\nout of the fence\n````\n");
    }
}
