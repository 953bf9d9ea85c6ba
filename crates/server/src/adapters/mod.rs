//! The same runs for clients that speak another protocol: the AI SDK's UI message stream, AG-UI, and
//! OpenAI's chat completions. Each is a fold of the run's events into that protocol's own.

pub(crate) mod ag_ui;
pub(crate) mod ai_sdk;
pub(crate) mod openai;
mod openai_options;
mod parts;
mod telling;

use serde_json::Value;
use toolwright_core::{ConversationId, Event};

use crate::{ApiError, runs::Heard, sse::Said};

/// What a protocol makes of events.
pub(crate) trait Telling: Send + 'static {
    /// What an event becomes: nothing, one thing, or several.
    fn tell(&mut self, event: &Event) -> Vec<Value>;

    /// Whether this was all, though the run goes on.
    fn is_over(&self) -> bool {
        false
    }
}

/// What somebody hears, in the words of a protocol: one JSON value a server-sent event, and `last`
/// behind the end of the run.
fn written(mut telling: impl Telling, last: &'static str) -> impl FnMut(Heard) -> Said + Send {
    move |heard| {
        let Heard::Frames(frames) = heard else { return Said::nothing() };
        let mut text = String::new();
        for frame in frames {
            for value in telling.tell(&frame.event) {
                text.push_str(&format!("data: {value}\n\n"));
            }
            if frame.event.kind.is_terminal() {
                text.push_str(last);
            }
            if telling.is_over() {
                return Said::last(text);
            }
        }
        Said::more(text)
    }
}

/// A conversation that a client names itself, as it likes.
fn named(id: &str) -> Result<ConversationId, ApiError> {
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    if (1..=64).contains(&id.len()) && id.chars().all(is_name) {
        Ok(id.into())
    } else {
        Err(ApiError::invalid(
            "the conversation's name must have 1 to 64 letters, digits, `-` or `_`",
        ))
    }
}
