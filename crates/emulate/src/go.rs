//! What Go's own standard library decides: certificates, proxies, name lookup, URLs, durations.

pub mod duration;
pub mod proxy;
mod quote;
pub mod resolve;
pub mod url;
mod version;
pub mod x509;

pub use quote::quoted;
pub use version::GoVersion;
