//! [`Transcript`]: a conversation as a text to read: what was asked, what was called, what was answered.

use std::fmt::Write;

use toolwright_core::{Author, Event, EventKind, Message, Status};

/// A conversation as a text to read, event by event.
#[derive(Default)]
pub(super) struct Transcript(String);

impl Transcript {
    /// Begins with a title.
    pub(super) fn titled(title: &str) -> Self {
        Self(format!("# {}\n", title.trim()))
    }

    /// The text.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Adds what an event tells.
    pub(super) fn take(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Message { message, .. } => self.asked(message),
            EventKind::ToolCalls { tool_calls } => {
                for call in tool_calls {
                    let arguments = serde_json::to_string_pretty(&*call.args).unwrap_or_default();
                    self.add(&format!("**Called** `{}`", call.tool));
                    self.fenced("json", &arguments);
                }
            }
            EventKind::CallFinished { status, message, .. } => self.returned(*status, message),
            EventKind::Done(answer) => self.answered(&answer.response),
            EventKind::Error(failure) => {
                self.answered(&failure.response);
                self.add(&format!("*No answer: {}*", failure.message.trim()));
            }
            _ => {}
        }
    }

    fn asked(&mut self, message: &Message) {
        let Message::User(said) = message else { return };
        if !matches!(said.origin, Author::Person | Author::Client) {
            return;
        }
        self.add("## You");
        self.add(said.content.trim());
        for file in &said.attachments {
            self.add(&format!("*Attached: {}*", file.describe()));
        }
    }

    fn returned(&mut self, status: Status, message: &Message) {
        let Message::Tool(result) = message else { return };
        self.add(&match status {
            Status::Ok => format!("`{}` **returned**", result.name),
            other => format!("`{}`: **{}**", result.name, other.as_str()),
        });
        self.fenced("", message.content().trim_end());
    }

    fn answered(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.add("## Answer");
            self.add(text.trim());
        }
    }

    fn add(&mut self, text: &str) {
        // Writing to a text cannot fail.
        let _ = write!(self.0, "\n{text}\n");
    }

    /// As it is, whatever is in it: the fence is longer than any that stands there.
    fn fenced(&mut self, language: &str, text: &str) {
        let runs = text.split(|it| it != '`').map(str::len);
        let fence = "`".repeat(runs.max().unwrap_or_default().max(2) + 1);
        self.add(&format!("{fence}{language}\n{text}\n{fence}"));
    }
}
