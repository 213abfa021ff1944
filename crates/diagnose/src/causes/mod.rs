//! The table: one file of rows for each area of the vocabulary.

mod config;
mod credentials;
mod network;
mod places;
mod registry;

use crate::row::Row;

/// The rows that any client can meet: a probe has no node's configuration, and no pod's secrets.
pub static OF_PROBES: &[&[Row]] = &[network::ROWS, registry::ROWS, places::ROWS];

/// Every row.
pub static ALL: &[&[Row]] = &[
    network::ROWS,
    config::ROWS,
    registry::ROWS,
    credentials::secret::ROWS,
    credentials::attachment::ROWS,
    credentials::controllers::ROWS,
    credentials::account::ROWS,
    credentials::node::ROWS,
    places::ROWS,
];
