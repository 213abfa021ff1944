//! Prints the reports that the tests use, to be looked at: `gallery REPORT FORMAT LANG WIDTH [color]`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

#[path = "../tests/reports/mod.rs"]
mod reports;

use render::{Format, Lang, Look};
use std::io::Write;

fn main() -> std::io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |i: usize, default: &str| args.get(i).map_or(default, String::as_str).to_owned();
    let report = match arg(0, "two").as_str() {
        "probed" => reports::probed(),
        "well" => reports::well(),
        "unseen" => reports::unseen(),
        "hostile" => reports::hostile(),
        _ => reports::two(),
    };
    let format: Format = arg(1, "text").parse().unwrap_or(Format::Text);
    let lang: Lang = arg(2, "en").parse().unwrap_or(Lang::En);
    let look = Look::new(lang, arg(3, "100").parse().unwrap_or(100), args.len() > 4);
    std::io::stdout().write_all(render::report(&report, format, &look).as_bytes())
}
