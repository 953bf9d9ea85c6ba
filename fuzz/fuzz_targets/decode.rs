//! Any reply, in any dialect: the laws of a reading hold.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| toolwright_fuzz::decode(bytes));
