#![allow(unused)]

use toolwright_macros::tool;

/// Takes one.
#[tool]
fn takes(value: impl Into<String>) {}

/// Returns one.
#[tool]
fn returns() -> impl serde::Serialize {
    3
}

fn main() {}
