//! The questions: the only place where facts become answers. One file for each area.

pub mod account;
pub mod attachment;
pub mod history;
pub mod node_credentials;
pub mod places;
pub mod provider;
pub mod sandbox;
pub mod secrets;
pub mod sent;
pub mod verified;
pub mod words;
