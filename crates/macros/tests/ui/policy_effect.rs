#![allow(unused)]

use toolwright_macros::{tool, toolset};

/// Nothing said of what it does.
#[tool(retry = 3)]
fn writes() {}

/// Cannot be taken back.
#[tool(destructive, retry(attempts = 2))]
fn erases() {}

/// Changes something.
#[tool(idempotent, cache = "60s")]
fn changes() {}

struct State;

#[toolset]
impl State {
    /// Says nothing of what it does.
    #[tool(retry = 3, cache = "1s")]
    fn both(&self) {}
}

fn main() {}
