//! [`Prerequisites`]: this tool only once that one has answered.

use super::{CallCheck, Guard, Refusal};

/// Refuses a tool whose declared predecessors ([`ToolSpec::after`](crate::ToolSpec::after)) have
/// not answered yet. Failing does not count as answering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Prerequisites;

impl Guard for Prerequisites {
    fn name(&self) -> &str {
        "after"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        match check.spec.after.iter().find(|tool| !check.conversation.has_answered(tool)) {
            None => Ok(()),
            Some(tool) => Err(Refusal::new(format!(
                "`{}` can only be called once `{tool}` has answered, and it has not.",
                check.spec.name
            ))
            .instead(format!("Call `{tool}` first and use what it returns."))),
        }
    }
}
