//! [`Duplicate`]: what changes something happens once for one reply.

use super::{CallCheck, Guard, Refusal};
use crate::{Call, Message};

/// Refuses a call of a tool that changes something where the same reply has the same call before it: a model that
/// writes a call twice rarely means it twice, and what was done twice is not undone. Whoever means it calls again
/// once the first has its result. Tools that only look may be called as often as a reply likes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duplicate;

impl Guard for Duplicate {
    fn name(&self) -> &str {
        "duplicate"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.spec.effect.is_read_only() || check.original_arguments.is_some() {
            return Ok(());
        }
        match check.earlier_in_reply().iter().any(|earlier| is_same(earlier, check)) {
            false => Ok(()),
            true => Err(Refusal::new(format!(
                "`{}` stands twice in this reply with the same arguments, so it runs once.",
                check.spec.name
            ))
            .instead(
                "If it is meant to happen twice, call it again once the first has its result.",
            )),
        }
    }
}

impl<'a> CallCheck<'a> {
    /// The calls of the same reply before this one.
    pub(super) fn earlier_in_reply(&self) -> &'a [Call] {
        let replies = self.conversation.messages().iter().rev().filter_map(|it| match &**it {
            Message::Assistant(reply) => Some(reply.calls.as_slice()),
            _ => None,
        });
        // A call that nobody has put into the conversation stands in none.
        let place = |calls: &[Call]| calls.iter().position(|it| it.id == self.call.id);
        let found = replies.take(1).find_map(|calls| calls.get(..place(calls)?));
        found.unwrap_or_default()
    }
}

fn is_same(earlier: &Call, check: &CallCheck<'_>) -> bool {
    let is_named = earlier.name == check.call.name || earlier.name == check.spec.name;
    is_named
        && earlier.parse().is_ok_and(|parsed| {
            let mut parsed = std::sync::Arc::new(parsed);
            check.spec.drop_empty_options(&mut parsed);
            *parsed == *check.arguments
        })
}
