//! The report as one file for a browser: no script, nothing fetched, everything escaped by the template.

use crate::Look;
use crate::view::{self, Page};
use crate::words::Words;
use askama::Template;
use report::Report;

/// `templates/report.html`; askama escapes every value for HTML.
#[derive(Template)]
#[template(path = "report.html")]
struct Document<'a> {
    lang: &'static str,
    words: &'a Words,
    page: Page,
}

impl Document<'_> {
    fn head(&self, key: &str) -> String {
        self.words.heading(key)
    }
}

/// The report as HTML.
pub fn html(report: &Report, look: &Look) -> String {
    let words = Words::of(look.lang);
    let document = Document { lang: look.lang.word(), words, page: view::page(report, words) };
    // Rendering into a string fails only where a value's own formatting does; these are strings.
    document.render().unwrap_or_default()
}
