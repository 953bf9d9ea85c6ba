//! Any script: it is judged, and what only looks has no part that does more.

#![no_main]

libfuzzer_sys::fuzz_target!(|script: &str| toolwright_fuzz::judge(script));
