//! The rungs, one file each, all of the same shape: what stands below comes in, a [`crate::note::Step`] goes out.

pub(crate) mod authorization;
pub(crate) mod blob;
pub(crate) mod connect;
pub(crate) mod credentials;
pub(crate) mod dns;
pub(crate) mod http;
pub(crate) mod manifest;
pub(crate) mod platform;
pub(crate) mod proxy;
pub(crate) mod reference;
pub(crate) mod tags;
pub(crate) mod tls;
pub(crate) mod token;
