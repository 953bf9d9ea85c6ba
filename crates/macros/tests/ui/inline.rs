#![allow(unused)]

use toolwright_macros::{tool, toolset};

/// Waits anyway.
#[tool(inline)]
async fn waits() {}

/// Said twice.
#[tool(inline, inline)]
fn twice() {}

/// Not a question.
#[tool(inline = true)]
fn answered() {}

struct State;

#[toolset]
impl State {
    /// Waits anyway.
    #[tool(read_only, inline)]
    async fn method(&self) {}
}

fn main() {}
