//! Any path: it leads nowhere outside of the workspace.

#![no_main]

libfuzzer_sys::fuzz_target!(|typed: &str| toolwright_fuzz::resolve(typed));
