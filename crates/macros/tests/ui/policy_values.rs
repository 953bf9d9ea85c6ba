#![allow(unused)]

use toolwright_macros::tool;

/// No unit.
#[tool(read_only, cache = "60")]
fn cache_time() {}

/// No time.
#[tool(read_only, cache(entries = 5))]
fn cache_without() {}

/// No time at all.
#[tool(idle_timeout = "0s")]
fn no_time() {}

/// One is none.
#[tool(read_only, retry = 1)]
fn once() {}

/// Not a number.
#[tool(read_only, retry = "3")]
fn text() {}

/// Nothing said.
#[tool(read_only, retry)]
fn bare() {}

/// Nothing said, either.
#[tool(read_only, cache)]
fn bare_cache() {}

/// No such failures.
#[tool(read_only, retry(on = "always"))]
fn always() {}

/// More than all.
#[tool(breaker(failures = 1.5))]
fn share() {}

/// Sees less than it waits for.
#[tool(breaker(window = 3))]
fn window() {}

/// With a value.
#[tool(breaker = 3)]
fn value() {}

/// Never.
#[tool(limit(calls = 0))]
fn never() {}

/// How many?
#[tool(limit(period = "1s"))]
fn period() {}

/// How often?
#[tool(limit)]
fn how_often() {}

/// Which?
#[tool(redact())]
fn which() {}

fn main() {}
