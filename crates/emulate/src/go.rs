//! What Go's own network stack decides: proxies, name lookup.

pub mod proxy;
pub mod resolve;
