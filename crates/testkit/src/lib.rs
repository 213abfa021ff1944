//! Real registries, proxies and front ends for tests, each on an ephemeral loopback port and gone when dropped.
//!
//! Only tests use this crate: a failure here is a failed test, so it panics where shipped code may not. Programs that
//! are not installed skip a test loudly, and the skip is counted (see [`missing`]).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a failure here is a failed test"
)]

pub mod big_cluster;
mod dns;
mod image;
mod nginx;
mod peer;
mod pki;
mod process;
mod programs;
mod proxies;
mod registry;
mod shelf;
mod socks;
mod sshd;
mod token_service;

pub use dns::{NameServer, Says};
pub use image::{Image, digest_of};
pub use nginx::Nginx;
pub use peer::{Peer, deaf_port};
pub use pki::{Authority, Issued, Leaf, SelfSigned};
pub use process::free_port;
pub use programs::{missing, skipped};
pub use proxies::{Interceptor, Squid, SquidRules};
pub use registry::{Auth, Registry, RegistryOptions};
pub use shelf::Shelf;
pub use socks::{Socks, SocksRules};
pub use sshd::Sshd;
pub use token_service::{Claims, TokenOptions, TokenService, accept_tls};
