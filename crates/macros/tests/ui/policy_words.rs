#![allow(unused)]

use toolwright_macros::tool;

/// No such word.
#[tool(read_only, retry(tries = 3))]
fn retry() {}

/// No such word.
#[tool(read_only, cache(time = "1s"))]
fn cache() {}

/// No such word.
#[tool(breaker(open = "1s"))]
fn breaker() {}

/// No such word.
#[tool(limit(per_second = 1))]
fn limit() {}

/// Said twice.
#[tool(read_only, retry = 2, retry = 3)]
fn twice() {}

fn main() {}
