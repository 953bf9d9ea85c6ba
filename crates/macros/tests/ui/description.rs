#![allow(unused)]

use toolwright_macros::tool;

/// Overridden by nothing.
#[tool(description = " ")]
fn blank() {}

fn main() {}
