//! The questions: the only place where facts become answers. One file for each area.

pub mod account;
pub mod answers;
pub mod attachment;
pub mod by_hand;
pub mod chains;
pub mod climbs;
pub mod clocks;
pub mod config;
pub mod fallback;
pub mod front;
pub mod history;
pub mod hostless;
pub mod hosts;
pub mod local_ports;
pub mod names;
pub mod node_credentials;
pub mod places;
pub mod products;
pub mod provider;
pub mod proxies;
pub mod routes;
pub mod sandbox;
pub mod secrets;
pub mod sent;
pub mod verified;
pub mod words;
