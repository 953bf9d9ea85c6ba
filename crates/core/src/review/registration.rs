//! [`ReviewerRegistration`]: how an agent finds the reviewer that is linked into its program.

use std::sync::Arc;

use super::Reviewer;

/// The reviewer of agents that are given none, brought by the crate that has it. So whoever puts agents
/// together need not depend on that crate, and a program without it has no reviewer.
pub struct ReviewerRegistration {
    /// Makes the reviewer.
    pub make: fn() -> Arc<dyn Reviewer>,
}

inventory::collect!(ReviewerRegistration);

impl ReviewerRegistration {
    /// The reviewer that is linked into this program. None where there are several: which of them is
    /// meant has to be said.
    pub fn find() -> Option<Arc<dyn Reviewer>> {
        let mut all = inventory::iter::<Self>.into_iter();
        let first = all.next()?;
        all.next().is_none().then(|| (first.make)())
    }
}
