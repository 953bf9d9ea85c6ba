#![allow(unused)]

use toolwright_macros::tool;

/// No such word.
#[tool(readonly)]
fn misspelled() {}

/// Said twice.
#[tool(name = "a", name = "b")]
fn twice() {}

fn main() {}
