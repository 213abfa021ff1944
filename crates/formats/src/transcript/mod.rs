//! What commands printed: where each command of a text begins, which program it was, and what its output states.
//!
//! A command is recognised by the prompt before it (`$ `, `# `) or by its output's form. What the output means for a
//! pull is left to `diagnose`; what every reader needs (clocks, processes, listings, describe) is parsed here.

pub mod clock;
mod command;
pub mod curl;
pub mod describe;
mod form;
pub mod listing;
pub mod logfmt;
pub mod openssl;
pub mod process;
pub mod resolver;
mod split;
mod time;
pub mod when;

pub use command::{Command, command};
pub use form::{Form, form};
pub use split::{Block, split};
pub use time::{journal_tag, line_time};
