#![allow(unused)]

use toolwright_macros::tool;

struct State;

impl State {
    /// A method.
    #[tool]
    fn method(&self) {}
}

fn main() {}
