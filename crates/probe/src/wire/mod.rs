//! Bytes on the wire: sockets, name servers, TLS and HTTP/1.1, each step with its deadline and its bound.
//!
//! What a rung makes of them is left to `rungs`.

pub(crate) mod conversation;
pub(crate) mod name_server;
pub(crate) mod socket;
pub(crate) mod tap;
pub(crate) mod tls;
pub(crate) mod verifier;
