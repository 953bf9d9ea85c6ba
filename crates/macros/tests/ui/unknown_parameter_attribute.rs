#![allow(unused)]

use toolwright_macros::tool;

/// No such word.
#[tool]
fn misspelled(#[tool(min = 3)] number: i32) {}

/// No bounds.
#[tool]
fn unbounded(#[tool(range)] number: i32) {}

/// No such bound.
#[tool]
fn least(#[tool(length(least = 3))] text: String) {}

fn main() {}
