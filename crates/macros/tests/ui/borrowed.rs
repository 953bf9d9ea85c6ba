#![allow(unused)]

use toolwright_macros::tool;

/// Borrowed text.
#[tool]
fn text(text: &str) {}

/// Borrowed list.
#[tool]
fn list(list: &[String]) {}

/// Borrowed value.
#[tool]
fn value(value: &u8) {}

/// Borrowed further in.
#[tool]
fn inside(names: Option<Vec<&str>>, text: std::borrow::Cow<'_, str>) {}

/// Borrowed result.
#[tool]
fn result(context: &toolwright_core::RunContext) -> &str {
    let _ = context;
    ""
}

fn main() {}
