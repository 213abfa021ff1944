//! The target `registry_answers`: what must hold stands in `pullproof_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pullproof_fuzz::registry_answers(data));
