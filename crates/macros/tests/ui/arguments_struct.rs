#![allow(unused)]

use toolwright_macros::tool;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Arguments {
    x: i32,
}

/// Two sources.
#[tool]
fn both(#[tool(args)] arguments: Arguments, y: i32) {}

/// Two structs.
#[tool]
fn two(#[tool(args)] a: Arguments, #[tool(args)] b: Arguments) {}

/// About a field.
#[tool]
fn field(#[tool(args, default)] arguments: Arguments) {}

/// Fields without a struct.
#[tool]
fn no_struct(#[tool(grounded("x"))] x: i32) {}

fn main() {}
