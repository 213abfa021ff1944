//! Only what fails, for scripts: `cause/incident`, a line each, as `kubectl -o name` prints `kind/name`.

use crate::hostile::plain;
use report::Report;

/// The report as names.
pub fn name(report: &Report) -> String {
    report.incidents.iter().map(|i| format!("{}/{}\n", i.cause.id(), plain(&i.id))).collect()
}
