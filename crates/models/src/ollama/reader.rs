//! [`ChatReader`]: reads a reply, line by line or whole.

use serde_json::json;
use toolwright_core::{FinishReason, ModelError, Usage};

use super::{
    alike::Alike,
    wire::{Called, Line, count},
};
use crate::endpoint::{Draft, Reader, from_body, understand};

/// Reads a reply.
#[derive(Default)]
pub(super) struct ChatReader {
    said: Alike,
    thought: Alike,
    /// How many calls there are.
    calls: usize,
    is_over: bool,
}

impl Reader for ChatReader {
    fn take(&mut self, data: &mut [u8], draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if let Some(text) = self.said.text(data) {
            return draft.said(text);
        }
        if let Some(text) = self.thought.text(data) {
            return draft.thought(text);
        }
        understand(data, |json| {
            let line: Line<'_> = serde_json::from_str(json)?;
            self.learn(json, &line);
            Ok(self.line(line, draft)?)
        })
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn settle(&mut self, draft: &mut Draft<'_>) {
        // A whole reply of a server that forgets to say that it is done.
        if draft.has_calls() && !draft.is_finished() {
            draft.finished(FinishReason::ToolCalls);
        }
    }
}

impl ChatReader {
    /// Remembers what a line looks like that brings text or reasoning and nothing else.
    fn learn(&mut self, json: &str, line: &Line<'_>) {
        let Some(piece) = line.message.as_ref().filter(|_| line.is_piece()) else { return };
        if piece.tool_calls.iter().next().is_some() {
            return;
        }
        match (piece.content.as_str(), piece.thinking.as_str()) {
            ("", "") => {}
            (text, "") => self.said.learn(json.as_bytes(), b"\"content\":\"", text),
            ("", text) => self.thought.learn(json.as_bytes(), b"\"thinking\":\"", text),
            _ => {}
        }
    }

    fn line(&mut self, line: Line<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        if !line.error.is_null() {
            return Err(from_body(None, &json!({"error": line.error})));
        }
        let is_last = line.is_last();
        if let Some(piece) = line.message {
            draft.begin();
            draft.thought(piece.thinking.as_str())?;
            draft.said(piece.content.as_str())?;
            for call in piece.tool_calls.into_iter() {
                self.call(call, draft)?;
            }
        }
        let (read, written) = (count(&line.prompt_eval_count), count(&line.eval_count));
        if read.is_some() || written.is_some() {
            // What was read from its cache is left out of the first by some versions, and nothing says how
            // much that was.
            draft.cost(Usage {
                prompt_tokens: read.unwrap_or_default(),
                completion_tokens: written.unwrap_or_default(),
                ..Usage::default()
            });
        }
        if is_last {
            self.is_over = true;
            draft.finished(finish_of(line.done_reason.as_str().unwrap_or_default(), draft));
        }
        Ok(())
    }

    fn call(&mut self, call: Called<'_>, draft: &mut Draft<'_>) -> Result<(), ModelError> {
        let Some(function) = call.function else { return Ok(()) };
        let (id, name) = (call.id.as_str(), clean(function.name.as_str()));
        if name.is_empty() && function.arguments.0.is_none() {
            return Ok(());
        }
        // A call comes whole: where there are none, it has none.
        let arguments = function.arguments.0.as_deref().unwrap_or("{}");
        // Some servers say all calls once more at the end.
        let is_known = (0..self.calls).any(|at| {
            draft.call_mut(at).is_some_and(|it| {
                it.id.as_str() == id && it.name == name && it.arguments == arguments
            })
        });
        if is_known && !id.is_empty() {
            return Ok(());
        }
        let at = draft.call(id, name)?;
        self.calls = at + 1;
        draft.arguments(at, arguments)
    }
}

/// Why it stopped. With calls it just says `stop`.
fn finish_of(reason: &str, draft: &Draft<'_>) -> FinishReason {
    match reason {
        "length" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        _ if draft.has_calls() => FinishReason::ToolCalls,
        _ => FinishReason::Stop,
    }
}

/// A name without the special tokens that parsers of replies leave behind it.
fn clean(name: &str) -> &str {
    name.split("<|").next().unwrap_or(name).trim()
}
