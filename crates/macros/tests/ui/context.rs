#![allow(unused)]

use toolwright_macros::tool;

use toolwright_core::RunContext;

/// By value.
#[tool]
fn owned(context: RunContext) {}

/// To change it.
#[tool]
fn changed(context: &mut RunContext) {}

/// With something to say.
#[tool]
fn described(#[tool(grounded)] context: &RunContext) {}

fn main() {}
