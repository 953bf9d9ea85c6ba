//! [`Updates`]: what an editor is told of a run: a fold of its events, live and when they are read again.
//!
//! The text is what [`DisplayText`] shows, so that an answer that was rejected is never told, and none twice.

use std::path::PathBuf;

use serde_json::{Value, json};
use toolwright_core::{
    Author, CallId, DisplayText, Event, EventKind, Limit, Message, RunId, Usage, Verdict,
    truncate_line,
};

use crate::{answer::StopReason, calls::Calls, prompt::blocks, rpc::RpcError};

/// How much of a notice, and of what no result has is told, in characters.
const NOTICE: usize = 500;
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
    /// How many tokens the model reads.
    window: u64,
    shown: DisplayText,
    /// Whether reasoning was told in this round.
    has_thought: bool,
    calls: Calls,
    limit: Option<Limit>,
    end: Option<Result<StopReason, RpcError>>,
}

impl Updates {
    pub(crate) fn new(telling: Telling, cwd: PathBuf, window: u64) -> Self {
        let (shown, has_thought, limit, end) = Default::default();
        Self { telling, window, shown, has_thought, calls: Calls::new(cwd), limit, end }
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
            EventKind::Message { message, .. } => self.said(event, message, &mut out),
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
            _ => out.extend(self.calls.add(event)),
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

    /// What is told at the end of a log that ends in the middle of a run.
    pub(crate) fn interrupted(&mut self) -> Vec<Value> {
        self.calls.interrupted()
    }

    /// What the editor knows a call by, of this run or of one within it.
    pub(crate) fn call_id(&self, run: &RunId, call: &CallId) -> String {
        self.calls.id_of(run, call)
    }
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
