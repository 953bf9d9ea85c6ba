#![allow(unused)]

use toolwright_macros::tool;

/// Not a number.
#[tool]
fn number(#[tool(default = "many")] number: i32) {}

/// Not text.
#[tool]
fn text(#[tool(default = 3)] text: String) {}

fn main() {}
