//! What to do: the remedy's steps, the next test, the command that proves the fix. Lines to copy are never wrapped.

use super::Detail;
use super::canvas::{Canvas, span};
use super::paint::Label;
use super::section::Section;
use crate::hostile::{plain, plain_lines};
use crate::place::test_from;
use crate::words::Words;
use report::{Command, Incident, NextTest, Remedy, Step};

/// Draws the remedies; where the report has none, the cause's own sentence.
pub fn fixes(canvas: &mut Canvas, words: &Words, incident: &Incident, detail: Detail) {
    let mut section = Section::new(canvas, words, "head-fix");
    if incident.remedies.is_empty() {
        section.put(canvas, &[span(Label::Plain, words.fix(incident.cause))]);
    }
    for remedy in incident.remedies.iter().take(detail.of(2)) {
        fix(canvas, words, &mut section, remedy);
        if detail == Detail::Full && !remedy.undo.is_empty() {
            let mut undo = Section::new(canvas, words, "head-undo");
            steps(canvas, words, &mut undo, &remedy.undo);
        }
    }
}

fn fix(canvas: &mut Canvas, words: &Words, section: &mut Section, remedy: &Remedy) {
    let limits = [&remedy.scope, &remedy.risk].map(|s| words.say(s)).join(" · ");
    section.put(
        canvas,
        &[span(Label::Plain, words.say(&remedy.says)), span(Label::Faint, format!(" — {limits}"))],
    );
    steps(canvas, words, section, &remedy.steps);
}

fn steps(canvas: &mut Canvas, words: &Words, section: &mut Section, steps: &[Step]) {
    for step in steps {
        match step {
            Step::Run(command) => command_lines(canvas, section, command),
            Step::Write { path, content } => {
                let head = words.with("write-file", &[("path", path)]);
                section.put_within(canvas, 2, &[span(Label::Plain, head)]);
                for line in plain_lines(content) {
                    section.verbatim(canvas, 4, Label::Command, &line);
                }
            }
            Step::Ask(say) => section.put_within(canvas, 2, &[span(Label::Plain, words.say(say))]),
        }
    }
}

fn command_lines(canvas: &mut Canvas, section: &mut Section, command: &str) {
    for line in plain_lines(command) {
        section.verbatim(canvas, 2, Label::Command, &line);
    }
}

/// Draws the test that would decide best.
pub fn next_test(canvas: &mut Canvas, words: &Words, test: &NextTest) {
    let mut section = Section::new(canvas, words, "head-next-test");
    let from = test_from(words, &test.vantage);
    section
        .put(canvas, &[span(Label::Plain, words.say(&test.asks)), span(Label::Faint, format!(" — {from}"))]);
    command_lines(canvas, &mut section, &test.command);
    if test.splits.len() > 1 {
        let ids: Vec<&str> = test.splits.iter().map(|c| c.id()).collect();
        let tells = words.with("test-splits", &[("causes", &ids.join(", "))]);
        section.put_within(canvas, 2, &[span(Label::Faint, plain(&tells))]);
    }
}

/// Draws the command that proves the fix.
pub fn verify(canvas: &mut Canvas, words: &Words, command: &Command) {
    let mut section = Section::new(canvas, words, "head-verify");
    section.put(canvas, &[span(Label::Plain, words.say(&command.says))]);
    command_lines(canvas, &mut section, &command.command);
}
