//! The target `reference`: what must hold stands in `pullproof_fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| pullproof_fuzz::image_reference(data));
