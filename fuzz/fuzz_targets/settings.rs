//! Any settings of a folder: nothing is left that a folder may never set.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| toolwright_fuzz::settings(text));
