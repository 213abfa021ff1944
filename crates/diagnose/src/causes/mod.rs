//! The table: one file of rows for each area of the vocabulary.

mod answers;
mod config;
mod credentials;
mod network;
mod places;
mod registry;
mod way_remedies;

use crate::row::Row;

/// The rows that any client can meet: a probe has no node's configuration, and no pod's secrets.
pub static OF_PROBES: &[&[Row]] = &[network::ROWS, registry::ROWS, places::ROWS];

/// Every row.
pub static ALL: &[&[Row]] = &[
    network::ROWS,
    config::ROWS,
    registry::ROWS,
    answers::ROWS,
    credentials::secret::ROWS,
    credentials::attachment::ROWS,
    credentials::controllers::ROWS,
    credentials::account::ROWS,
    credentials::node::ROWS,
    places::ROWS,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::How;

    fn rows() -> impl Iterator<Item = &'static Row> {
        ALL.iter().flat_map(|area| area.iter())
    }

    /// Whether some question would be answered otherwise for the one than for the other, or concerns only the one.
    fn told_apart(one: &Row, other: &Row) -> bool {
        let counts = |how: How| !matches!(how, How::Hint(_));
        one.expects
            .iter()
            .filter(|e| counts(e.how))
            .any(|e| other.expects.iter().all(|o| o.q.id != e.q.id || !o.allows.overlaps(e.allows)))
    }

    #[test]
    fn two_causes_that_can_show_alike_are_told_apart_by_a_question() {
        let rows: Vec<&Row> = rows().collect();
        for (n, one) in rows.iter().enumerate() {
            for other in rows.iter().skip(n + 1).filter(|o| o.cause != one.cause) {
                let alike = one.shows_as.iter().any(|c| other.shows_as.contains(c));
                let apart = told_apart(one, other) || told_apart(other, one);
                assert!(!alike || apart, "{} and {}", one.cause, other.cause);
            }
        }
    }

    #[test]
    fn every_row_says_what_would_show_it() {
        for row in rows() {
            let shows = |how: How| matches!(how, How::Proof | How::Decides);
            assert!(row.expects.iter().any(|e| shows(e.how)), "{}", row.cause);
            assert!(!row.shows_as.contains(&row.cause), "{} shows as itself", row.cause);
        }
    }
}
