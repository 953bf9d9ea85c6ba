//! [`OneAtATime`]: one call in a reply.

use super::{CallCheck, Guard, Refusal};

/// Refuses every call of a reply but the first, for tasks where each call needs the result of the
/// one before.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneAtATime;

impl Guard for OneAtATime {
    fn name(&self) -> &str {
        "one_at_a_time"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        if check.index == 0 {
            return Ok(());
        }
        Err(Refusal::new("Only one tool may be called at a time, so this call was not run.")
            .instead(
                "Look at the result of the first call, then call this tool if it is still needed.",
            ))
    }
}
