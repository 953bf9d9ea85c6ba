#![allow(unused)]

use toolwright_macros::tool;

#[tool]
fn undescribed(text: String) {}

///
#[tool]
fn empty() {}

/// Overridden by nothing.
#[tool(description = " ")]
fn blank() {}

fn main() {}
