#![allow(unused)]

use toolwright_macros::tool;

/// Get candles.
#[tool]
fn unknown(#[tool(grounded(with = "segment"))] id: u32) {}

/// Get candles.
#[tool]
fn misspelled(#[tool(grounded(wiht = "segment"))] id: u32, segment: String) {}

fn main() {}
