#![allow(unused)]

use toolwright_macros::tool;

/// No unit.
#[tool(timeout = "5")]
fn bare() {}

/// No time at all.
#[tool(read_only, timeout = "0s")]
fn zero() {}

/// Not text.
#[tool(timeout = 5)]
fn number() {}

fn main() {}
