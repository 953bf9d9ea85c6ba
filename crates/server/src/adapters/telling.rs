//! What the protocols have in common: text that is opened before its first piece and closed behind
//! its last, and what a result is to a client.

use std::borrow::Cow;

use serde_json::Value;
use toolwright_core::Message;

/// A text that comes in pieces.
#[derive(Default)]
pub(super) struct Text {
    /// Its number among the run's texts.
    number: u32,
    is_open: bool,
}

impl Text {
    /// Whether the next piece is the first.
    pub(super) fn opens(&mut self) -> bool {
        let opens = !self.is_open;
        if opens {
            self.number += 1;
            self.is_open = true;
        }
        opens
    }

    /// Whether there is something to close.
    pub(super) fn closes(&mut self) -> bool {
        std::mem::take(&mut self.is_open)
    }

    /// Its name.
    pub(super) fn id(&self, run: impl std::fmt::Display) -> String {
        format!("{run}-{}", self.number)
    }
}

/// What a tool returned: as data where there is some, and in words.
pub(super) fn result(message: &Message) -> (Value, &str) {
    let text = message.content();
    let data = match message {
        Message::Tool(result) => result.outcome.value().ok().map(Cow::into_owned),
        _ => None,
    };
    (data.unwrap_or_else(|| Value::from(text)), text)
}
