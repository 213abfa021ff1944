//! Foreign text into facts. Every parser is total: any bytes in, a value and its problems out, never a panic.

pub mod message;
pub mod reference;
