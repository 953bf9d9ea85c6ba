//! [`Stream`]: a run as AG-UI events.

use std::collections::HashMap;

use serde_json::{Value, json};
use toolwright_core::{
    AttachmentKind, CallId, ConversationId, DisplayText, Event, EventKind, FailureKind, Message,
    RequestedCall, RunId,
};

use super::interrupts::Interrupts;
use crate::{
    adapters::{
        Telling,
        telling::{Reviewed, Text, result},
    },
    routes::attachments::path_of,
};

/// A run as AG-UI events.
pub(super) struct Stream {
    thread: String,
    run: String,
    is_started: bool,
    /// The run here, and its round, as they were told last.
    of: RunId,
    round: u32,
    /// What it may be interrupted for.
    pub(super) interrupts: Interrupts,
    shown: DisplayText,
    text: Text,
    reasoning: Text,
    review: Reviewed,
    /// The round that goes on.
    step: Option<String>,
    /// The tools of calls, by which agents are named.
    calls: HashMap<CallId, String>,
    /// The way to what is told right now, in runs within the run.
    subagents: Vec<RunId>,
}

impl Stream {
    /// As the client calls its conversation and its run.
    pub(super) fn new(thread: &str, run: &str) -> Self {
        Self {
            thread: thread.to_owned(),
            run: run.to_owned(),
            is_started: false,
            of: RunId::from(""),
            round: 0,
            interrupts: Interrupts::default(),
            shown: DisplayText::new(),
            text: Text::default(),
            reasoning: Text::default(),
            review: Reviewed::default(),
            step: None,
            calls: HashMap::new(),
            subagents: Vec::new(),
        }
    }

    /// A client's run begins with its own words, also where it goes on with one that waited.
    fn start(&mut self, out: &mut Vec<Value>) {
        if !std::mem::replace(&mut self.is_started, true) {
            out.push(json!({
                "type": "RUN_STARTED", "threadId": self.thread, "runId": self.run,
                "protocolVersion": "1.0",
            }));
        }
    }

    fn close(&mut self, out: &mut Vec<Value>) {
        if self.reasoning.closes() {
            let id = self.reasoning.id(format!("{}-r", self.of));
            out.push(json!({"type": "REASONING_MESSAGE_END", "messageId": id}));
            out.push(json!({"type": "REASONING_END", "messageId": id}));
        }
        if self.text.closes() {
            out.push(json!({"type": "TEXT_MESSAGE_END", "messageId": self.text.id(&self.of)}));
        }
    }

    fn end_step(&mut self, out: &mut Vec<Value>) {
        self.close(out);
        if let Some(step) = self.step.take() {
            out.push(json!({"type": "STEP_FINISHED", "stepName": step}));
        }
    }

    fn say(&mut self, piece: &str, out: &mut Vec<Value>) {
        let opens = self.text.opens();
        let id = self.text.id(&self.of);
        if opens {
            out.push(json!({"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant"}));
        }
        out.push(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": piece}));
    }

    fn think(&mut self, piece: &str, out: &mut Vec<Value>) {
        let opens = self.reasoning.opens();
        let id = self.reasoning.id(format!("{}-r", self.of));
        if opens {
            out.push(json!({"type": "REASONING_START", "messageId": id}));
            out.push(json!({
                "type": "REASONING_MESSAGE_START", "messageId": id, "role": "reasoning",
            }));
        }
        // The protocol knows no empty pieces.
        if !piece.is_empty() {
            out.push(json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": id, "delta": piece}));
        }
    }

    /// What happened in a call that is a run of another agent: that it began and how it ended, and what waits for
    /// a decision or an answer in it.
    fn within(&mut self, call: &CallId, event: &Event, out: &mut Vec<Value>) {
        let run = &event.run;
        let agent = self.agent(call);
        self.interrupts.note(event, Some(&agent));
        match &event.kind {
            EventKind::RunStarted { .. } => {
                let above = self.subagents.last().cloned();
                let mut started = json!({
                    "type": "SUBAGENT_STARTED", "subagentRunId": run, "name": agent,
                    "parentToolCallId": call,
                });
                if let (Some(above), Some(fields)) = (above, started.as_object_mut()) {
                    fields.insert("parentSubagentRunId".to_owned(), json!(above));
                }
                out.push(started);
            }
            EventKind::ToolCalls { tool_calls } => self.know(tool_calls),
            EventKind::Nested { id, event: inner } => {
                self.subagents.push(run.clone());
                self.within(id, inner, out);
                self.subagents.pop();
            }
            EventKind::Done(answer) => out.push(json!({
                "type": "SUBAGENT_FINISHED", "subagentRunId": run, "result": answer.response,
            })),
            EventKind::Error(failure) => out.push(json!({
                "type": "SUBAGENT_ERROR", "subagentRunId": run, "message": failure.message,
            })),
            _ => {}
        }
    }

    /// What an event tells of what waits, of a part of the run that the client knows already.
    pub(super) fn remember(&mut self, event: &Event) {
        match &event.kind {
            EventKind::ToolCalls { tool_calls } => self.know(tool_calls),
            EventKind::Nested { id, event: inner } => return self.remember_within(id, inner),
            _ => {}
        }
        self.interrupts.note(event, None);
    }

    fn remember_within(&mut self, call: &CallId, event: &Event) {
        match &event.kind {
            EventKind::ToolCalls { tool_calls } => self.know(tool_calls),
            EventKind::Nested { id, event: inner } => return self.remember_within(id, inner),
            _ => {}
        }
        let agent = self.agent(call);
        self.interrupts.note(event, Some(&agent));
    }

    fn know(&mut self, calls: &[RequestedCall]) {
        self.calls.extend(calls.iter().map(|it| (it.id.clone(), it.tool.clone())));
    }

    /// The agent that a call is a run of.
    fn agent(&self, call: &CallId) -> String {
        self.calls.get(call).cloned().unwrap_or_else(|| "agent".to_owned())
    }

    /// The client's run ends here: this waits.
    pub(super) fn interrupted(&mut self, interrupts: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        self.start(&mut out);
        self.end_step(&mut out);
        out.push(json!({
            "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
            "outcome": {"type": "interrupt", "interrupts": interrupts},
            "metadata": {"round": self.round},
        }));
        out
    }
}

impl Telling for Stream {
    fn tell(&mut self, event: &Event) -> Vec<Value> {
        let mut out = Vec::new();
        self.start(&mut out);
        self.of.clone_from(&event.run);
        self.round = event.round;
        self.interrupts.note(event, None);
        self.interrupts.told(event);
        if let Some(text) = self.shown.add(event) {
            self.say(&text, &mut out);
        }
        if let Some(review) = self.review.add(event).cloned() {
            self.close(&mut out);
            out.push(json!({"type": "CUSTOM", "name": "review", "value": review}));
        }
        match &event.kind {
            EventKind::RoundStarted { of, .. } => {
                self.end_step(&mut out);
                let step = match event.round {
                    // Behind the last round with tools there is one to answer in.
                    round if round > *of => "answer".to_owned(),
                    round => format!("round {round} of {of}"),
                };
                out.push(json!({"type": "STEP_STARTED", "stepName": step}));
                self.step = Some(step);
            }
            EventKind::Reasoning { data } => self.think(data, &mut out),
            // What comes next is a text of its own.
            EventKind::ModelFallback { from, to, reason, .. } => {
                self.close(&mut out);
                out.push(json!({
                    "type": "CUSTOM", "name": "model_fallback",
                    "value": {"from": from, "to": to, "reason": reason},
                }));
            }
            EventKind::Reply { .. } => self.close(&mut out),
            EventKind::ToolCalls { tool_calls } => {
                self.know(tool_calls);
                for call in tool_calls {
                    let (id, args) = (&call.id, call.args.to_string());
                    out.push(json!({
                        "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": call.tool,
                    }));
                    out.push(json!({"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": args}));
                    out.push(json!({"type": "TOOL_CALL_END", "toolCallId": id}));
                }
            }
            EventKind::CallProgress { id, data } => out.push(json!({
                "type": "CUSTOM", "name": "progress", "value": {"toolCallId": id, "text": data},
            })),
            EventKind::CallFinished { id, message, .. } => {
                let content = content(&ConversationId::from(self.thread.as_str()), message);
                out.push(json!({
                    "type": "TOOL_CALL_RESULT", "messageId": format!("{id}-result"),
                    "toolCallId": id, "content": content, "role": "tool",
                }));
            }
            EventKind::Nested { id, event: inner } => self.within(id, inner, &mut out),
            EventKind::Done(answer) => {
                self.end_step(&mut out);
                let usage = &answer.usage;
                out.push(json!({
                    "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
                    "outcome": {"type": "success"},
                    "result": {"finishReason": answer.finish_reason},
                    "usage": [{
                        "inputTokens": usage.prompt_tokens, "outputTokens": usage.completion_tokens,
                        "totalTokens": usage.total(),
                    }],
                }));
            }
            EventKind::Error(failure) if failure.kind == FailureKind::Cancelled => {
                self.end_step(&mut out);
                out.push(json!({
                    "type": "RUN_FINISHED", "threadId": self.thread, "runId": self.run,
                    "outcome": {"type": "cancelled"},
                }));
            }
            EventKind::Error(failure) => {
                self.close(&mut out);
                out.push(json!({"type": "RUN_ERROR", "message": failure.message}));
            }
            _ => {}
        }
        out
    }
}

/// What a tool returned: its words, and what it gave back beside them, by where that can be fetched.
fn content(conversation: &ConversationId, message: &Message) -> Value {
    let (_, text) = result(message);
    if message.attachments().is_empty() {
        return text.into();
    }
    let files = message.attachments().iter().map(|it| {
        let kind = match it.kind() {
            AttachmentKind::Image => "image",
            AttachmentKind::Audio => "audio",
            _ => "document",
        };
        let url = path_of(conversation, &it.digest, it.name.as_deref());
        json!({"type": kind, "source": {"type": "url", "value": url, "mimeType": it.media_type}})
    });
    std::iter::once(json!({"type": "text", "text": text})).chain(files).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapters::telling::fallen_back;

    #[test]
    fn what_another_model_says_is_a_message_of_its_own() {
        let mut stream = Stream::new("thread", "run");
        let told = fallen_back(|event| stream.tell(event)).concat();
        let turned = told.iter().position(|it| it["name"] == "model_fallback").unwrap();
        assert_eq!(told[turned - 1]["type"], "TEXT_MESSAGE_END");
        assert_eq!(told[turned]["value"]["to"], "openai:scripted");
        let starts = told.iter().filter(|it| it["type"] == "TEXT_MESSAGE_START").count();
        assert_eq!(starts, 2);
    }
}
