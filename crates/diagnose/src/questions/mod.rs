//! The questions: the only place where facts become answers. One file for each area.

pub mod words;
