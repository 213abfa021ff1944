//! `cargo xtask`: what is generated, and the house rules that the compiler cannot check.

fn main() {}
