//! [`Approver`]: who decides whether a destructive tool may run.

use futures_core::future::BoxFuture;
use toolwright_core::{Decision, ToolRun, ToolSpec};

/// Decides whether a call may run: a person at a terminal, a page, or a rule.
pub trait Approver: Send + Sync {
    /// Decides about one call. The run waits for as long as this takes.
    ///
    /// A call that was repaired ([`ToolRun::obtained`]) runs only with
    /// [`Decision::AllowRepaired`], which is for those who looked at its arguments.
    fn decide<'a>(&'a self, call: &'a ToolRun, tool: &'a ToolSpec) -> BoxFuture<'a, Decision>;
}

/// Nobody is there to ask: everything that needs a decision is denied. The default.
#[derive(Clone, Copy, Debug, Default)]
pub struct DenyAll;

impl Approver for DenyAll {
    fn decide<'a>(&'a self, _: &'a ToolRun, _: &'a ToolSpec) -> BoxFuture<'a, Decision> {
        let reason = Some("nobody is there to approve it.".to_owned());
        Box::pin(std::future::ready(Decision::Deny { reason }))
    }
}

/// The person approved everything beforehand: everything that the model wrote as it should. A call
/// that had to be repaired is denied, and the model asked to send it again.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllowAll;

impl Approver for AllowAll {
    fn decide<'a>(&'a self, _: &'a ToolRun, _: &'a ToolSpec) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Allow))
    }
}
