//! The questions: the only place where facts become answers. One file for each area.

pub mod account;
pub mod attachment;
pub mod history;
pub mod places;
pub mod secrets;
pub mod sent;
pub mod words;
