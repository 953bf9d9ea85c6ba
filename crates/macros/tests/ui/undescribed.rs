// A function without a doc comment is a tool, and the compiler warns: here that is an error.
#![deny(deprecated)]
#![allow(unused)]

use toolwright_macros::{tool, toolset};

#[tool(crate = ::toolwright_core)]
fn undescribed(text: String) {}

///
#[tool(crate = ::toolwright_core)]
fn empty() {}

struct Desk;

#[toolset(crate = ::toolwright_core)]
impl Desk {
    #[tool]
    fn unsaid(&self, text: String) {}
}

/// Described.
#[tool(crate = ::toolwright_core)]
fn described() {}

fn main() {}
