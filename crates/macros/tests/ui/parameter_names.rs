#![allow(unused)]

use toolwright_macros::tool;

/// Two of one name.
#[tool]
fn two(a: i32, #[tool(rename = "a")] b: i32) {}

/// Here or not.
#[tool]
fn perhaps(#[cfg(test)] a: i32) {}

fn main() {}
