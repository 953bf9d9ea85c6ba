//! Any address: one that is taken for this machine leads nowhere else.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| toolwright_fuzz::address(text));
