//! A Report as people and programs read it: one file for each form.
//!
//! Reads [`report::Report`] only and decides nothing: every sentence is a key of the report, its words stand in
//! `locales/`. No I/O: the caller says how wide the reader's window is and whether it takes colour.

mod format;
mod hostile;
mod html;
mod json;
mod junit;
mod lang;
mod look;
mod markdown;
mod name;
mod place;
mod sarif;
mod sentence;
mod sheets;
mod terminal;
mod view;
mod words;

pub use format::Format;
pub use hostile::plain;
pub use lang::Lang;
pub use look::Look;
pub use words::Words;

use report::{Explanation, Repeated, Report, Sheet};
use terminal::Detail;

/// The report in the asked form, ready to print, with a line break at its end.
pub fn report(report: &Report, format: Format, look: &Look) -> String {
    match format {
        Format::Text => terminal::page(report, look, Detail::Short),
        Format::Wide => terminal::page(report, look, Detail::Full),
        Format::Json => json::json(report, look),
        Format::Yaml => json::yaml(report, look),
        Format::Markdown => markdown::markdown(report, look),
        Format::Html => html::html(report, look),
        Format::Sarif => sarif::sarif(report, look),
        Format::Junit => junit::junit(report, look),
        Format::Name => name::name(report),
    }
}

/// One pasted text, explained to a person.
pub fn explanation(says: &Explanation, look: &Look) -> String {
    terminal::explanation(says, look)
}

/// The failures of a whole log, a paragraph each, in the order given.
pub fn repeated(all: &[Repeated], look: &Look) -> String {
    terminal::repeated(all, look)
}

/// What a node's runtime would do and what was met on its way, for people.
pub fn node(report: &report::node::NodeReport, climbs: &[report::Climb], look: &Look) -> String {
    terminal::node(report, climbs, look)
}

/// What differs between nodes, for people.
pub fn comparison(found: &report::node::Comparison, look: &Look) -> String {
    terminal::comparison(found, look)
}

/// Every cause in a line of its own.
pub fn causes_index(all: &[Sheet], look: &Look) -> String {
    sheets::index(all, look)
}

/// Everything about one cause.
pub fn cause_sheet(sheet: &Sheet, look: &Look) -> String {
    sheets::one(sheet, look)
}

/// The causes as a document in Markdown.
pub fn causes_document(all: &[Sheet], lang: Lang) -> String {
    sheets::document(all, lang)
}

/// The JSON Schema that the JSON form keeps to.
pub fn schema() -> String {
    json::schema()
}

/// One line that says why a command gave up.
pub fn complaint(look: &Look, color: bool, why: &str) -> String {
    terminal::complaint(look, color, why)
}
