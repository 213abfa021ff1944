//! A registry and its token service inside the process, with named faults, for `demo` and for what no real program can
//! be made to show.
//!
//! Everything is real but the place: sockets on loopback, TLS with certificates that are minted at the start, tokens
//! that are signed and checked, an image whose digests are right. Each fault breaks one part of that, each by another
//! mechanism. It listens on 127.0.0.1 and nowhere else, and ends with the value that [`Registry::start`] returns.

mod api;
mod body;
mod door;
mod fault;
mod image;
mod names;
mod pki;
mod running;
mod site;
mod token;

pub use fault::{Fault, UnknownFault};
pub use running::{Login, Registry, Running, StartError};
