//! [`Repetition`]: not the same call with the same result, again and again.

use crate::{Call, CallId, Message, Outcome};

use super::{CallCheck, Guard, Refusal};

/// Refuses a call that was made several times with the same arguments, however they are spaced,
/// and gave the same result each time.
#[derive(Clone, Copy, Debug)]
pub struct Repetition {
    /// How often the same is allowed.
    pub most: usize,
}

impl Default for Repetition {
    fn default() -> Self {
        Self { most: 3 }
    }
}

/// How far back it looks, in messages: loops are tight, and a look must not cost the whole past.
const WINDOW: usize = 64;

impl Guard for Repetition {
    fn name(&self) -> &str {
        "repetition"
    }

    fn check_call(&self, check: &CallCheck<'_>) -> Result<(), Refusal> {
        let letters = letters(&check.call.arguments);
        let is_same = |earlier: &Call, outcome: &Outcome| {
            earlier.name == check.call.name
                && match &outcome.edited_arguments {
                    Some(ran) => **ran == *check.arguments,
                    None => {
                        earlier.arguments == check.call.arguments
                            // Parsing decides, but only where it can come out equal.
                            || (self::letters(&earlier.arguments) == letters
                                && matches!((earlier.parse(), check.call.parse()), (Ok(a), Ok(b)) if a == b))
                    }
                }
        };
        let mut results: Vec<(&CallId, &Outcome)> = Vec::new();
        let mut same: Option<&Outcome> = None;
        let mut count = 0;
        for message in check.conversation.messages().iter().rev().take(WINDOW) {
            match &**message {
                Message::Tool(result) => results.push((&result.call, &result.outcome)),
                Message::Assistant(reply) => {
                    for call in &reply.calls {
                        let result = results.iter().find(|(id, _)| **id == call.id);
                        let result = result.map(|(_, outcome)| *outcome);
                        let Some(outcome) = result.filter(|it| is_same(call, it)) else { continue };
                        // Its own refusals are no results of the tool.
                        if outcome.status == crate::Status::Refused {
                            continue;
                        }
                        if same.is_some_and(|it| it.said() != outcome.said()) {
                            return Ok(());
                        }
                        same = Some(outcome);
                        count += 1;
                    }
                    results.clear();
                }
                _ => {}
            }
            if count >= self.most {
                break;
            }
        }
        match same {
            Some(outcome) if count >= self.most => Err(Refusal::new(format!(
                "`{}` was already called {count} times with these arguments and gave the same result each time: {}",
                check.spec.name,
                outcome.said().chars().take(200).collect::<String>(),
            ))
            .instead("Use that result, call with other arguments, or answer.")),
            _ => Ok(()),
        }
    }
}

/// The same for texts of the same letters, whatever their order and the space between them.
fn letters(text: &str) -> u64 {
    let solid = text.bytes().filter(|byte| !byte.is_ascii_whitespace());
    // A sum, so that the order does not count; of odd multiples, so that most sums differ.
    solid.fold(0, |sum, byte| {
        let spread = (u64::from(byte) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum.wrapping_add(spread ^ (spread >> 29))
    })
}
