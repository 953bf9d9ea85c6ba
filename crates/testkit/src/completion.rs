//! [`Completion`]: one assistant message, rendered as a stream of chunks or as a whole.

use serde_json::{Map, Value, json};

/// Letters per delta: short enough that words, names and arguments come in several fragments.
const FRAGMENT: usize = 5;

/// What the model says in one reply.
#[derive(Debug, Clone)]
pub(crate) struct Completion {
    pub(crate) text: Option<String>,
    pub(crate) reasoning: Option<String>,
    pub(crate) calls: Vec<Call>,
    pub(crate) finish: Finish,
    pub(crate) usage: Option<(u64, u64)>,
    pub(crate) done: bool,
}

/// A tool call as the model makes it; the arguments may be any text.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) arguments: String,
}

/// What the reply gives as `finish_reason`.
#[derive(Debug, Clone)]
pub(crate) enum Finish {
    /// `tool_calls` with calls, else `stop`.
    Fitting,
    Is(String),
    /// None at all: a stream has no closing chunk, a whole completion says null.
    Missing,
}

impl Default for Completion {
    fn default() -> Self {
        Self {
            text: None,
            reasoning: None,
            calls: Vec::new(),
            finish: Finish::Fitting,
            usage: Some((10, 5)),
            done: true,
        }
    }
}

/// What both forms of a completion say about themselves.
pub(crate) struct Envelope<'a> {
    pub(crate) id: String,
    pub(crate) model: &'a str,
}

impl Completion {
    /// The body of a `chat.completion`.
    pub(crate) fn whole(&self, envelope: &Envelope<'_>) -> Vec<u8> {
        let mut message = json!({"role": "assistant", "content": self.text, "refusal": null});
        if let Some(reasoning) = &self.reasoning {
            insert(&mut message, "reasoning_content", json!(reasoning));
        }
        if !self.calls.is_empty() {
            let calls = self.calls.iter().map(|call| {
                let function = json!({"name": call.name, "arguments": call.arguments});
                json!({"id": call.id, "type": "function", "function": function})
            });
            insert(&mut message, "tool_calls", calls.collect());
        }
        let mut completion = json!({
            "id": envelope.id,
            "object": "chat.completion",
            "created": 1,
            "model": envelope.model,
            "choices": [{
                "index": 0,
                "message": message,
                "logprobs": null,
                "finish_reason": self.finish_reason(),
            }],
        });
        if let Some(usage) = self.usage_object() {
            insert(&mut completion, "usage", usage);
        }
        completion.to_string().into_bytes()
    }

    /// The events of a streamed completion, up to and including `[DONE]`.
    pub(crate) fn stream(&self, envelope: &Envelope<'_>, include_usage: bool) -> Vec<u8> {
        let mut events = String::new();
        let mut event = |choices: Value, usage: Value| {
            let mut chunk = json!({
                "id": envelope.id,
                "object": "chat.completion.chunk",
                "created": 1,
                "model": envelope.model,
                "choices": choices,
            });
            if include_usage {
                insert(&mut chunk, "usage", usage);
            }
            events.push_str(&format!("data: {chunk}\n\n"));
        };
        for delta in self.deltas() {
            event(json!([{"index": 0, "delta": delta, "finish_reason": null}]), Value::Null);
        }
        if let Some(reason) = self.finish_reason() {
            event(json!([{"index": 0, "delta": {}, "finish_reason": reason}]), Value::Null);
        }
        if let Some(usage) = self.usage_object().filter(|_| include_usage) {
            event(json!([]), usage);
        }
        if self.done {
            events.push_str("data: [DONE]\n\n");
        }
        events.into_bytes()
    }

    fn deltas(&self) -> Vec<Value> {
        let opening = self.text.as_ref().map(|_| "");
        let mut deltas = vec![json!({"role": "assistant", "content": opening})];
        for part in fragments(self.reasoning.as_deref().unwrap_or_default()) {
            deltas.push(json!({"reasoning_content": part}));
        }
        for part in fragments(self.text.as_deref().unwrap_or_default()) {
            deltas.push(json!({"content": part}));
        }
        for (index, call) in self.calls.iter().enumerate() {
            let function = json!({"name": call.name, "arguments": ""});
            let first =
                json!({"index": index, "id": call.id, "type": "function", "function": function});
            deltas.push(json!({"tool_calls": [first]}));
            for part in fragments(&call.arguments) {
                let next = json!({"index": index, "function": {"arguments": part}});
                deltas.push(json!({"tool_calls": [next]}));
            }
        }
        deltas
    }

    fn finish_reason(&self) -> Option<&str> {
        match &self.finish {
            Finish::Fitting if self.calls.is_empty() => Some("stop"),
            Finish::Fitting => Some("tool_calls"),
            Finish::Is(reason) => Some(reason),
            Finish::Missing => None,
        }
    }

    fn usage_object(&self) -> Option<Value> {
        let (prompt, completion) = self.usage?;
        Some(json!({
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt.saturating_add(completion),
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        }))
    }
}

fn insert(value: &mut Value, key: &str, entry: Value) {
    if let Some(object) = value.as_object_mut() {
        Map::insert(object, key.to_owned(), entry);
    }
}

/// `text` in fragments of [`FRAGMENT`] letters. Real servers never split a letter between two
/// events; splitting its bytes on the wire is what `Chunking` is for.
fn fragments(mut text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    while !text.is_empty() {
        let end = text.char_indices().nth(FRAGMENT).map_or(text.len(), |(end, _)| end);
        let (part, rest) = text.split_at(end);
        parts.push(part);
        text = rest;
    }
    parts
}
