//! What one text says by itself, for a person; and the same failures of a whole log, a line each.

use super::canvas::{Canvas, cells, span};
use super::incident::sign;
use super::paint::Label;
use super::section::Section;
use crate::Look;
use crate::hostile::plain;
use crate::sentence;
use crate::words::Words;
use report::{Explanation, Repeated};
use vocabulary::{Cause, Operation, Stage};

/// One text, explained.
pub fn explanation(says: &Explanation, look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut canvas = Canvas::new(look.width, look.color);
    let (mark, label) = match says.cause {
        Cause::NotAPullFailure => ("✓ ", Label::Passed),
        _ => sign(says.confidence),
    };
    canvas.hanging(&[span(label, mark)], 2, &[span(Label::Strong, title(words, says))]);
    canvas.text(2, &facts(words, says, label));
    canvas.gap();
    let mut section = Section::new(&canvas, words, "head-meaning");
    section.put(&mut canvas, &[span(Label::Plain, words.meaning(says.cause))]);
    if says.cause != Cause::NotAPullFailure {
        let mut section = Section::new(&canvas, words, "head-evidence");
        section.quote(&mut canvas, says.leaf.trim(), 3);
        about(&mut canvas, words, says);
    }
    let mut section = Section::new(&canvas, words, "head-possible");
    for cause in says.also_possible.iter().take(5) {
        let meaning = format!(" — {}", words.meaning(*cause));
        section.put(&mut canvas, &[span(Label::Plain, cause.id()), span(Label::Faint, meaning)]);
    }
    let mut section = Section::new(&canvas, words, "head-next-step");
    section.put(&mut canvas, &[span(Label::Plain, words.fix(says.cause))]);
    canvas.finish()
}

fn title(words: &Words, says: &Explanation) -> String {
    let registry = says.registry_host.as_deref().unwrap_or_default();
    let host = says.endpoint_host.as_deref().unwrap_or(registry);
    let image = says.image.as_deref().unwrap_or_default();
    words.title(says.cause, &[("image", image), ("registry", registry), ("host", host)])
}

fn facts(words: &Words, says: &Explanation, label: Label) -> Vec<super::canvas::Span> {
    if says.cause == Cause::NotAPullFailure {
        return vec![span(Label::Faint, says.cause.id())];
    }
    let mut facts = vec![span(label, words.get(&format!("confidence-{}", says.confidence.word())))];
    let mut add = |text: String| facts.push(span(Label::Faint, format!(" · {text}")));
    add(says.cause.id().to_owned());
    if says.cause.stage() != Stage::Other {
        let stage = words.get(&format!("stage-{}", says.cause.stage().word()));
        add(words.with("at-stage", &[("stage", &stage)]));
    }
    if let Some(phase) = says.phase {
        add(words.get(&format!("phase-{}", phase.word())));
    }
    facts
}

/// What the text names: image, hosts, whose words, status.
fn about(canvas: &mut Canvas, words: &Words, says: &Explanation) {
    let other_host = says.endpoint_host.as_ref().filter(|h| says.registry_host.as_ref() != Some(*h));
    let rows = [
        (
            "about-operation",
            (says.operation != Operation::Pull)
                .then(|| words.get(&format!("operation-{}", says.operation.word()))),
        ),
        ("about-image", says.image.clone()),
        ("about-registry", says.registry_host.clone()),
        ("about-asked", other_host.cloned()),
        ("about-status", says.status.map(|s| s.to_string())),
        ("about-client", says.runtime.map(|r| r.word().to_owned())),
    ];
    let rows: Vec<(String, String)> =
        rows.into_iter().filter_map(|(key, value)| Some((words.get(key), plain(&value?)))).collect();
    let widest = rows.iter().map(|r| cells(&r.0)).max().unwrap_or(0);
    let mut section = Section::new(canvas, words, "head-about");
    for (head, value) in rows {
        section.put_named(canvas, &head, widest, &[span(Label::Plain, value)]);
    }
}

/// The failures of a log: most frequent first as they come, one paragraph each.
pub fn repeated(all: &[Repeated], look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut canvas = Canvas::new(look.width, look.color);
    if all.is_empty() {
        canvas.text(0, &[span(Label::Plain, words.get("log-without-failures"))]);
        return canvas.finish();
    }
    let widest = all.iter().map(|r| format!("{}×", r.count).chars().count()).max().unwrap_or(0);
    for group in all {
        let (_, label) = sign(group.says.confidence);
        let count = format!("{:>widest$}", format!("{}×", group.count));
        let mut body = vec![span(Label::Strong, title(words, &group.says))];
        body.push(span(label, format!("  {}", group.says.cause.id())));
        if let Some(image) = &group.says.image {
            body.push(span(Label::Plain, format!("  {}", plain(image))));
        }
        body.push(span(Label::Faint, format!("  {}", times(words, group))));
        canvas.hanging(&[span(Label::Plain, count)], widest + 2, &body);
    }
    let lines = all.iter().map(|r| r.count).sum();
    let total = [
        sentence::counted(words, "count-causes", all.len() as u64),
        sentence::counted(words, "count-lines", lines),
    ];
    canvas.gap();
    canvas.text(0, &[span(Label::Faint, total.join(" · "))]);
    canvas.finish()
}

fn times(words: &Words, group: &Repeated) -> String {
    match (group.first.as_str(), group.last.as_str()) {
        ("", "") => String::new(),
        (first, last) if first == last || last.is_empty() => plain(first),
        (first, last) => words.with("from-to", &[("first", first), ("last", last)]),
    }
}
