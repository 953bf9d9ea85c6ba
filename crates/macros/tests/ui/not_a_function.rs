#![allow(unused)]

use toolwright_macros::tool;

#[tool]
struct Weather;

struct State;

#[tool]
impl State {}

fn main() {}
