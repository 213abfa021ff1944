//! The table: one file of rows for each area of the vocabulary.

mod registry;

use crate::row::Row;

/// Every row.
pub static ALL: &[&[Row]] = &[registry::ROWS];
