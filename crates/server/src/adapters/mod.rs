//! The same runs for clients that speak another protocol: the AI SDK's UI message stream, AG-UI, and
//! OpenAI's chat completions. Each is a fold of the run's events into that protocol's own.

pub(crate) mod ag_ui;
pub(crate) mod ai_sdk;
pub(crate) mod openai;
mod openai_options;
mod parts;
mod telling;

use serde_json::Value;
use toolwright_core::{ConversationId, Digest, Event};

use crate::{ApiError, auth::Asker, routes::exact, runs::Heard, sse::Said};

/// What a protocol makes of events.
pub(crate) trait Telling: Send + 'static {
    /// What an event becomes: nothing, one thing, or several.
    fn tell(&mut self, event: &Event) -> Vec<Value>;
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
        }
        Said::more(text)
    }
}

/// A conversation that a client names itself, as it likes. What somebody calls one says nothing about what others do: it
/// is one of theirs that is called so, or one whose name is made of theirs and of whose it is.
async fn named(service: &Asker, id: &str) -> Result<ConversationId, ApiError> {
    if !is_name(id) {
        return Err(ApiError::invalid(
            "the conversation's name must have 1 to 64 letters, digits, `-` or `_`",
        ));
    }
    let who = service.who();
    let owner = match &who.owner {
        None if who.is_admin() => return Ok(id.into()),
        owner => owner.as_deref().unwrap_or_default(),
    };
    match exact(service, id).await {
        Ok(found) => Ok(found.id),
        Err(error) if error.is_not_found() => {
            let digest = Digest::of(format!("{owner}\0{id}").as_bytes()).to_string();
            Ok(format!("named_{}", digest.get(..32).unwrap_or_default()).into())
        }
        Err(error) => Err(error),
    }
}

/// Whether a conversation can be called so.
fn is_name(id: &str) -> bool {
    let fits = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    (1..=64).contains(&id.len()) && id.chars().all(fits)
}
