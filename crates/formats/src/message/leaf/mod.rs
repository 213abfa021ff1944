//! The tables: small patterns, one file an area. Adding a wording is a row here and a line in the corpus test.

pub(crate) mod auth;
pub(crate) mod blob;
pub(crate) mod connect;
pub(crate) mod credentials;
pub(crate) mod dns;
pub(crate) mod http;
pub(crate) mod manifest;
pub(crate) mod other;
pub(crate) mod policy;
pub(crate) mod proxy;
pub(crate) mod push;
pub(crate) mod runtime;
pub(crate) mod storage;
pub(crate) mod tls;

use super::row::Row;

/// Every row, area by area.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    [
        policy::ROWS,
        credentials::ROWS,
        dns::ROWS,
        connect::ROWS,
        proxy::ROWS,
        tls::ROWS,
        http::ROWS,
        auth::ROWS,
        manifest::ROWS,
        blob::ROWS,
        storage::ROWS,
        push::ROWS,
        runtime::ROWS,
    ]
    .into_iter()
    .flatten()
}
