#![allow(unused)]

use toolwright_macros::tool;

/// Unsafe.
#[tool]
unsafe fn dangerous() {}

/// Foreign.
#[tool]
extern "C" fn foreign() {}

fn main() {}
