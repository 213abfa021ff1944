//! Nodes beside each other for a terminal: each difference, the odd ones out first to be named.

use super::canvas::{Canvas, span};
use super::paint::Label;
use crate::Look;
use crate::hostile::plain;
use crate::words::Words;
use report::node::Comparison;

/// At most this many names of nodes stand in one line.
const NAMES: usize = 8;

/// The whole comparison.
pub fn comparison(found: &Comparison, look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut canvas = Canvas::new(look.width, look.color);
    let count = found.nodes.len().to_string();
    let key = if found.differences.is_empty() { "compare-same" } else { "compare-differs" };
    let label = if found.differences.is_empty() { Label::Passed } else { Label::Strong };
    let mut head = vec![span(label, words.with(key, &[("count", &count)]))];
    if let Some(image) = &found.image {
        head.push(span(Label::Faint, format!("\u{a0}\u{a0} {}", plain(image))));
    }
    canvas.text(0, &head);
    if found.several_images {
        canvas.text(0, &[span(Label::Doubtful, words.get("compare-several-images"))]);
    }
    for difference in &found.differences {
        canvas.gap();
        let what = words.with(&format!("compare-{}", difference.what), &[("about", &difference.about)]);
        canvas.text(2, &[span(Label::Head, what)]);
        for (n, group) in difference.groups.iter().enumerate() {
            let odd = difference.has_majority && n > 0;
            let label = if odd { Label::Failed } else { Label::Plain };
            let value = if group.value.is_empty() { words.get("node-none") } else { plain(&group.value) };
            let mut names: Vec<String> = group.nodes.iter().take(NAMES).map(|n| plain(n)).collect();
            if group.nodes.len() > NAMES {
                let more = (group.nodes.len() - NAMES).to_string();
                names.push(words.with("compare-more", &[("count", &more)]));
            }
            let mark = if odd { "✗ " } else { "\u{a0} " };
            let lead = [span(label, format!("{mark}{}", names.join(", ")))];
            canvas.text(4, &lead);
            canvas.text(8, &[span(Label::Plain, value)]);
        }
    }
    canvas.finish()
}
