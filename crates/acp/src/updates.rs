//! [`Updates`]: what an editor is told of a run: a fold of its events, live and when they are read again.
//!
//! The text is what [`DisplayText`] shows, so that an answer that was rejected is never told, and none twice.

use std::{collections::HashMap, path::PathBuf};

use serde_json::{Value, json};
use toolwright_core::{
    Author, CallId, DisplayText, Event, EventKind, Limit, Message, RequestedCall, Status,
    ToolMessage, Usage, Verdict, truncate_line,
};

use crate::{
    answer::StopReason,
    prompt::blocks,
    rpc::{RpcError, with},
    tool_call::{ToolCall, bounded, text},
};

/// How much of a notice, of what a tool says of its progress, and of what no result has is told, in characters.
const NOTICE: usize = 500;
const PROGRESS: usize = 2_000;
const FOUND: usize = 300;

/// Whether what is told happens now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Telling {
    /// It does: the editor knows what the user said. Whether it shows notices.
    Live { notices: bool },
    /// It is read again.
    Again,
}

/// What an editor is told of a run.
pub(crate) struct Updates {
    telling: Telling,
    cwd: PathBuf,
    /// How many tokens the model reads.
    window: u64,
    shown: DisplayText,
    /// Whether reasoning was told in this round.
    has_thought: bool,
    calls: HashMap<CallId, ToolCall>,
    limit: Option<Limit>,
    end: Option<Result<StopReason, RpcError>>,
}

impl Updates {
    pub(crate) fn new(telling: Telling, cwd: PathBuf, window: u64) -> Self {
        let (shown, has_thought, calls, limit, end) = Default::default();
        Self { telling, cwd, window, shown, has_thought, calls, limit, end }
    }

    /// How the run ended; nothing while it goes on.
    pub(crate) fn end(&self) -> Option<&Result<StopReason, RpcError>> {
        self.end.as_ref()
    }

    /// What an event adds.
    pub(crate) fn add(&mut self, event: &Event) -> Vec<Value> {
        let mut out = Vec::new();
        // What was thought comes before what was said.
        self.thought(event, &mut out);
        if let Some(words) = self.shown.add(event) {
            out.push(chunk("agent_message_chunk", event, &words));
        }
        match &event.kind {
            EventKind::RunStarted { .. } => (self.limit, self.end) = (None, None),
            EventKind::Message { message } => self.said(event, message, &mut out),
            EventKind::Reply { usage, .. } => out.extend(self.usage(usage)),
            EventKind::Reviewed { findings, verdict: Verdict::NotSupported, .. } => {
                let found = truncate_line(&Verdict::describe_findings(findings), FOUND);
                let line = format!("\n\n> Not found in the tool results: {found}\n");
                out.push(chunk("agent_message_chunk", event, &line));
            }
            EventKind::LimitReached { limit, message } => {
                self.limit = Some(*limit);
                self.notice(event, message, &mut out);
            }
            EventKind::Notice { message, .. } => self.notice(event, message, &mut out),
            EventKind::ModelRetry { attempt, reason, .. } => {
                let told = format!("The model gave no reply ({reason}); attempt {attempt}.");
                self.notice(event, &told, &mut out);
            }
            EventKind::ModelFallback { from, to, reason, .. } => {
                self.notice(
                    event,
                    &format!("{from} gave no reply ({reason}): {to} goes on."),
                    &mut out,
                );
            }
            EventKind::Compacted(digest) => {
                let told = format!("{} older messages were shortened.", digest.replaced);
                self.notice(event, &told, &mut out);
            }
            EventKind::Done(answer) => {
                if let Some(notice) = answer.finish_reason.notice() {
                    self.notice(event, notice, &mut out);
                }
                self.end = Some(Ok(StopReason::of_answer(answer, self.limit)));
            }
            EventKind::Error(failure) => {
                let end = StopReason::of_failure(failure);
                if self.telling == Telling::Again && end.is_err() {
                    let line = format!("[No answer: {}]", truncate_line(&failure.message, NOTICE));
                    out.push(chunk("agent_message_chunk", event, &line));
                }
                self.end = Some(end);
            }
            EventKind::ToolCalls { tool_calls } => out.extend(self.begun(tool_calls)),
            _ => out.extend(self.of_call(event)),
        }
        out
    }

    fn thought(&mut self, event: &Event, out: &mut Vec<Value>) {
        let piece = match &event.kind {
            EventKind::RoundStarted { .. } => {
                self.has_thought = false;
                return;
            }
            EventKind::Reasoning { data } => data,
            EventKind::Reply { message, .. } => match &**message {
                Message::Assistant(said) if !self.has_thought => &said.reasoning,
                _ => return,
            },
            _ => return,
        };
        if !piece.is_empty() {
            self.has_thought = true;
            out.push(chunk("agent_thought_chunk", event, piece));
        }
    }

    /// The user's own words are told where the editor does not have them.
    fn said(&self, event: &Event, message: &Message, out: &mut Vec<Value>) {
        let Message::User(said) = message else { return };
        if self.telling == Telling::Again && said.origin != Author::Runtime {
            let id = format!("{}-{}", event.run, event.seq);
            let chunks = blocks(said).into_iter().map(|block| {
                json!({"sessionUpdate": "user_message_chunk", "content": block, "messageId": id})
            });
            out.extend(chunks);
        }
    }

    /// How much of what the model reads is in use. A provider that does not say is not quoted.
    fn usage(&self, usage: &Usage) -> Option<Value> {
        let used = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        let tells = used > 0 && self.window > 0;
        tells.then(|| json!({"sessionUpdate": "usage_update", "used": used, "size": self.window}))
    }

    /// What is worth knowing and no part of the conversation. It is told once, while it happens.
    fn notice(&self, event: &Event, message: &str, out: &mut Vec<Value>) {
        let title = truncate_line(message, NOTICE);
        match self.telling {
            Telling::Live { notices: true } => out.push(notice(&title)),
            Telling::Live { notices: false } => {
                let thought = format!("\n[{title}]\n");
                out.push(chunk("agent_thought_chunk", event, &thought));
            }
            Telling::Again => {}
        }
    }

    fn of_call(&mut self, event: &Event) -> Option<Value> {
        match &event.kind {
            EventKind::CallChecked { id, arguments, effect, .. } => {
                let call = self.calls.get_mut(id)?;
                let before = (call.kind(), call.arguments.clone());
                call.effect = Some(*effect);
                call.arguments = (**arguments).clone();
                let is_same = before == (call.kind(), call.arguments.clone());
                (!is_same).then(|| with(shape(id, call), "rawInput", call.raw_input()))
            }
            EventKind::CallPreview { id, preview, .. } => {
                let call = self.calls.get_mut(id)?;
                call.preview = Some((**preview).clone());
                let update = with(shape(id, call), "content", call.preview_content(&self.cwd));
                Some(with(update, "locations", call.locations(&self.cwd)))
            }
            EventKind::CallStarted { id, .. } => Some(with(changed(id), "status", "in_progress")),
            EventKind::CallProgress { id, data } => {
                let mut content = self.calls.get(id)?.preview_content(&self.cwd);
                content.push(text(&truncated(data)));
                Some(with(changed(id), "content", content))
            }
            EventKind::CallFinished { id, status, message, .. } => {
                let Message::Tool(result) = &**message else { return None };
                let call = self.calls.remove(id)?;
                Some(self.finished(id, &call, *status, result))
            }
            _ => None,
        }
    }

    fn finished(
        &self,
        id: &CallId,
        call: &ToolCall,
        status: Status,
        result: &ToolMessage,
    ) -> Value {
        let outcome = &result.outcome;
        let mut content = call.preview_content(&self.cwd);
        // A change that was made is told by its diff.
        let is_diff = |it: &Value| it.get("type").is_some_and(|it| it == "diff");
        let is_told = status.is_ok() && content.iter().any(is_diff);
        if !is_told {
            content.push(text(outcome.unmarked()));
        }
        content.extend(outcome.attachments.iter().map(|it| text(&it.describe())));
        let raw = match outcome.value() {
            Ok(value) => bounded(&value),
            Err(_) => bounded(&Value::from(outcome.said())),
        };
        let status = if status.is_ok() { "completed" } else { "failed" };
        let update = with(changed(id), "status", status);
        with(with(update, "content", content), "rawOutput", raw)
    }

    /// The calls of a reply, before any has run.
    fn begun(&mut self, tool_calls: &[RequestedCall]) -> Vec<Value> {
        let begun = tool_calls.iter().map(|it| {
            let call = ToolCall::new(&it.tool, &it.args);
            let mut told = json!({
                "sessionUpdate": "tool_call", "toolCallId": it.id, "name": it.tool,
                "title": call.title(), "kind": call.kind(), "status": "pending",
                "rawInput": call.raw_input(),
            });
            let locations = call.locations(&self.cwd);
            if !locations.is_empty() {
                told = with(told, "locations", locations);
            }
            self.calls.insert(it.id.clone(), call);
            told
        });
        begun.collect()
    }

    /// What is told at the end of a log that ends in the middle of a run: nobody is at work on its calls.
    pub(crate) fn interrupted(&mut self) -> Vec<Value> {
        let mut open: Vec<CallId> = self.calls.drain().map(|(id, _)| id).collect();
        open.sort();
        let told = open.iter().map(|id| {
            let content = vec![text("Interrupted before it returned a result.")];
            with(with(changed(id), "status", "failed"), "content", content)
        });
        told.collect()
    }
}

fn changed(id: &CallId) -> Value {
    json!({"sessionUpdate": "tool_call_update", "toolCallId": id})
}

/// What a call looks like, where that changed.
fn shape(id: &CallId, call: &ToolCall) -> Value {
    with(with(changed(id), "kind", call.kind()), "title", call.title())
}

/// A notice of its own, for clients that show them.
pub(crate) fn notice(title: &str) -> Value {
    json!({"sessionUpdate": "notice", "severity": "warning", "title": title})
}

/// A piece of what is said or thought. Those of one round are one message.
fn chunk(kind: &str, event: &Event, text: &str) -> Value {
    let part = if kind == "agent_thought_chunk" { "thought" } else { "text" };
    let id = format!("{}-{}-{part}", event.run, event.round);
    json!({"sessionUpdate": kind, "content": {"type": "text", "text": text}, "messageId": id})
}

fn truncated(text: &str) -> String {
    match text.char_indices().nth(PROGRESS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
