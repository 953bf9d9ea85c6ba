#![allow(unused)]

use toolwright_macros::tool;

/// A space.
#[tool(name = "get weather")]
fn space() {}

/// A letter no provider takes.
#[tool]
fn größe() {}

/// After a tool that cannot be.
#[tool(after = "")]
fn nothing() {}

/// After itself.
#[tool(after("other", "itself"))]
fn itself() {}

fn main() {}
