#![allow(unused)]

use toolwright_macros::tool;

/// Two effects.
#[tool(read_only, destructive)]
fn both() {}

fn main() {}
