#![allow(unused)]

use toolwright_macros::tool;

/// No such word.
#[tool(render = pretty)]
fn pretty() {}

fn main() {}
