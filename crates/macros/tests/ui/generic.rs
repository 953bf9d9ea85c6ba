#![allow(unused)]

use toolwright_macros::tool;

/// Generic.
#[tool]
fn generic<T>(value: T) {}

/// Generic over a lifetime.
#[tool]
fn lifetime<'a>(value: std::borrow::Cow<'a, str>) {}

/// Constrained.
#[tool]
fn constrained(value: String)
where
    String: Clone,
{
}

fn main() {}
