//! The target `containerd`: what must hold stands in `pullproof_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pullproof_fuzz::containerd(data));
