//! The words everything shares. No behaviour, no dependencies but serde and its schema.

mod cause;
mod stage;

pub use cause::{Cause, Level, UnknownCause};
pub use stage::{Confidence, Operation, Phase, Runtime, Stage};
