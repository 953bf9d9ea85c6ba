//! [`Registration`]: how a tool is found without being listed by hand.

use std::sync::Arc;

use super::Tool;

/// One tool that `#[tool]` put on the list of this program.
pub struct Registration {
    /// Makes the tool.
    pub make: fn() -> Arc<dyn Tool>,
    /// Where it was written, `file:line`, for whoever lists what was found.
    pub at: &'static str,
}

inventory::collect!(Registration);

impl Registration {
    /// Every tool marked with `#[tool]` in any crate linked into this program.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        inventory::iter::<Self>.into_iter()
    }
}
