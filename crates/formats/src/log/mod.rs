//! Many texts at once: lines of `{"id","text"}`, and whole logs. Constant memory, whatever the input.
//!
//! What one text says is left to `message`.

pub mod jsonl;
