//! [`FailedText`]: the words in which a call failed are no content.

use super::{CallCheck, Guard, Refusal};
use crate::{Message, Status, asks, truncate_line};

/// Refuses to write down what a call of the same question failed with, as if it were what was to be looked up: a text of
/// the model's own ([`free_text`](crate::ToolSpec::free_text)) in a call that changes something which is nothing but that
/// sentence, or the better half of it, unless the user speaks of errors. What such a sentence recommends may be done.
#[derive(Clone, Copy, Debug, Default)]
pub struct FailedText;

/// Fewer words may be anything: a name, a path.
const FEWEST: usize = 4;
/// How much of it a refusal repeats.
const SHOWN: usize = 80;
/// Words by which people ask for what failed.
const OF_FAILURES: [&str; 9] =
    ["error", "fail", "wrong", "problem", "message", "exception", "reason", "log", "why"];

impl Guard for FailedText {
    fn name(&self) -> &str {
        "failed_text"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        // Whoever changed a call by hand means what they wrote.
        if check.spec.effect.is_read_only() || check.original_arguments.is_some() {
            return Ok(());
        }
        let failures: Vec<_> =
            check.conversation.turn().iter().filter_map(|it| failure(it)).collect();
        let is_failure = |text: &&str| {
            let is_most = |it: &&str| it.contains(text.trim()) && text.trim().len() * 2 >= it.len();
            text.split_whitespace().count() >= FEWEST && failures.iter().any(is_most)
        };
        let spec = check.spec;
        let own = spec.free_text.iter().filter(|name| !spec.seen.contains(name));
        let mut own = own.filter_map(|name| check.arguments.get(name)?.as_str());
        let Some(text) = own.find(is_failure) else { return Ok(()) };
        if check.conversation.request().iter().any(|said| asks(said, &OF_FAILURES)) {
            return Ok(());
        }
        Err(Refusal::new(format!(
            "`{}` is what a call failed with, and not what was asked for.",
            truncate_line(text.trim(), SHOWN)
        ))
        .instead("Get what was asked for first, in another way, or tell the user what failed."))
    }
}

/// What a call failed with, in a sentence: what a command printed before it failed stands behind that.
fn failure(message: &Message) -> Option<&str> {
    let Message::Tool(result) = message else { return None };
    let failed =
        matches!(result.outcome.status, Status::Failed | Status::Refused | Status::TimedOut);
    result.outcome.said().lines().next().filter(|_| failed)
}
