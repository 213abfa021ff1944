//! Lines of other programs' logs, known by what they do not have: most lines with a word of failure are such, and what
//! the tables would make of them need not be worked out.

use super::finder::Finder;
use super::leaf;
use super::marks::{MARKS, Mark};
use super::row::Weight;
use super::subject::{framed, only_pulls_meet};
use std::sync::LazyLock;

/// The marks with which a line may speak of a pull.
const SPEAKS: &[Mark] =
    &[Mark::Pulling, Mark::Push, Mark::PullFailed, Mark::Pullish, Mark::Acts, Mark::Sandbox, Mark::Provider];

/// What a line may have that makes it one about a pull, besides marks and rows: a request, the kubelet's reasons, a
/// reference that was not found.
const TELLING: &[&str] = &["://", "errimage", "imagepullbackoff", ": not found"];

static ABOUT_PULLS: LazyLock<Finder> = LazyLock::new(|| {
    let marks = MARKS.iter().filter(|(mark, _)| SPEAKS.contains(mark)).flat_map(|(_, words)| words.iter());
    let rows = leaf::rows().filter(|r| r.weight >= Weight::Fact && only_pulls_meet(r.cause));
    let keys = rows.filter_map(|r| r.words.first());
    Finder::of(TELLING.iter().chain(marks).chain(keys).map(|w| w.trim_matches('|')))
});

/// Whether a text is one line of a log that has nothing by which `subject` could find it to be about a pull.
pub(crate) fn is_foreign(text: &str) -> bool {
    framed(text) && memchr::memchr(b'\n', text.as_bytes()).is_none() && !ABOUT_PULLS.any(text.as_bytes())
}
