//! Any text, mended: what comes out is JSON.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| toolwright_fuzz::mend(text));
