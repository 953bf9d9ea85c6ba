#![allow(unused)]

use toolwright_macros::tool;

/// No word.
#[tool(asked_by())]
fn none() {}

/// Not a word.
#[tool(asked_by("order", "*"))]
fn anything() {}

/// Not a list.
#[tool(asked_by = "order")]
fn one() {}

/// Of no parameter.
#[tool]
fn whole(#[tool(args, asked_by("order"))] all: String) {}

/// A list, but of no words.
#[tool]
fn flag(#[tool(even_unseen = "all")] force: bool) {}

fn main() {}
