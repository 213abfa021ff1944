//! The ladder from here to a registry: what one pull would meet, rung by rung, each with its own evidence and time.
//!
//! Answers what this machine sees on the way to one image. What that means is left to `diagnose`; what another
//! machine's configuration would make of it is left to `emulate`. Nothing here blocks without a deadline, reads a body
//! without a bound, or sends a credential where the emulated client would not.

mod client_certificate;
mod climb;
mod credentials;
mod judge;
mod note;
mod origin;
mod product;
mod reach;
mod redirect;
mod request;
mod rungs;
mod sight;
mod surroundings;
mod trouble;
mod trust;
mod wire;

pub use client_certificate::{ClientCertificate, ClientCertificateError};
pub use climb::{blind_spots, climb};
pub use credentials::{Credential, CredentialError, Credentials, Found, Kind, Rule};
pub use origin::Origin;
pub use request::{Endpoint, Families, Manner, Request, RequestError};
pub use rungs::together;
pub use surroundings::Surroundings;
pub use trust::Trust;
