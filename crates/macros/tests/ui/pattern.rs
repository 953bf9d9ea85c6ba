#![allow(unused)]

use toolwright_macros::tool;

/// A pair.
#[tool]
fn pair((a, b): (i32, i32)) {}

/// Nothing at all.
#[tool]
fn nameless(_: i32) {}

fn main() {}
