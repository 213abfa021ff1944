//! Faults, each injected by a mechanism of its own into a real registry or the way to it, and what the ladder makes of
//! each: the rung at which it ends, the symptom, the facts that tell its root, and the verdict on them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

#[path = "../support/mod.rs"]
mod support;

mod authorization;
mod blob;
mod connect;
mod dns;
mod elsewhere;
mod http;
mod manifest;
mod proxy;
mod tls;
mod token;
