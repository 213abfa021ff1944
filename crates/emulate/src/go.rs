//! What Go's own standard library decides: proxies, name lookup, URLs, durations.

pub mod duration;
pub mod proxy;
pub mod resolve;
pub mod url;
