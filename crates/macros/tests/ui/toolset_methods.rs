#![allow(unused)]

use toolwright_macros::toolset;

struct State;

#[toolset]
impl State {
    /// Alone.
    #[tool]
    fn alone() {}

    /// Changes.
    #[tool]
    fn changes(&mut self) {}

    /// Consumes.
    #[tool]
    fn consumes(self) {}

    /// By hand.
    #[tool(manual)]
    fn by_hand(&self) {}

    #[tool]
    fn undescribed(&self) {}

    /// One.
    #[tool]
    fn one(&self) {}

    /// One again.
    #[tool(name = "one")]
    fn again(&self) {}

    /// Itself.
    #[tool]
    fn itself(&self, other: Vec<Self>) {}
}

fn main() {}
