//! [`Draft`]: a reply in the making, whatever API it comes by.
//!
//! A whole reply is one large piece: stream and non-stream take the same path.

use serde_json::{Map, Value};
use toolwright_core::{
    Call, CallId, CallSource, FinishReason, ModelError, ModelErrorKind, ModelResponse, Usage,
};

use super::sink::Sink;

/// More than any model has reason to say.
const LONGEST_TEXT: usize = 16 << 20;
/// More than any call has reason to hold.
pub(crate) const LONGEST_ARGUMENTS: usize = 1 << 20;
const MOST_CALLS: usize = 128;

/// A reply in the making; what is new in it is handed on.
pub(crate) struct Draft<'a> {
    sink: Sink<'a>,
    text: String,
    reasoning: String,
    calls: Vec<Call>,
    finish: Option<FinishReason>,
    /// Whether what it said is that it declines.
    is_refusal: bool,
    usage: Usage,
    extra: Map<String, Value>,
    begun: bool,
    /// How often something other than text was taken.
    others: u64,
}

/// How much was taken, to tell later what has come since.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    text: usize,
    others: u64,
}

impl<'a> Draft<'a> {
    pub(super) fn new(sink: Sink<'a>) -> Self {
        Self {
            sink,
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            finish: None,
            is_refusal: false,
            usage: Usage::default(),
            extra: Map::new(),
            begun: false,
            others: 0,
        }
    }

    pub(super) fn sink(&self) -> &Sink<'a> {
        &self.sink
    }

    /// Notes that there is a message at all.
    pub(crate) fn begin(&mut self) {
        self.begun = true;
    }

    /// Whether there is a message at all.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// How much was taken so far.
    pub(crate) fn taken(&self) -> Taken {
        Taken { text: self.text.len(), others: self.others }
    }

    /// The text that was taken since, if there is any and it is all that was taken.
    pub(crate) fn only_said_since(&self, before: Taken) -> Option<&str> {
        let text = self.text.get(before.text..).filter(|text| !text.is_empty());
        text.filter(|_| self.others == before.others)
    }

    /// Takes text for the person.
    pub(crate) fn said(&mut self, text: &str) -> Result<(), ModelError> {
        if text.is_empty() {
            return Ok(());
        }
        append(&mut self.text, text, LONGEST_TEXT)?;
        self.sink.text(text);
        Ok(())
    }

    /// Takes the words in which the model declines.
    pub(crate) fn refused(&mut self, text: &str) -> Result<(), ModelError> {
        self.is_refusal |= !text.is_empty();
        self.said(text)
    }

    /// Takes reasoning.
    pub(crate) fn thought(&mut self, text: &str) -> Result<(), ModelError> {
        if text.is_empty() {
            return Ok(());
        }
        self.others += 1;
        append(&mut self.reasoning, text, LONGEST_TEXT)?;
        self.sink.reasoning(text);
        Ok(())
    }

    /// Begins a call; which one it is.
    pub(crate) fn call(&mut self, id: &str, name: &str) -> Result<usize, ModelError> {
        self.is_room_for(self.calls.len())?;
        self.calls.push(Call {
            id: CallId::from(id),
            name: name.to_owned(),
            arguments: String::new(),
            source: CallSource::Native,
            extra: None,
        });
        self.named(self.calls.len() - 1, name);
        Ok(self.calls.len() - 1)
    }

    /// Takes a piece of a call's arguments.
    pub(crate) fn arguments(&mut self, call: usize, piece: &str) -> Result<(), ModelError> {
        let Some(found) = self.calls.get_mut(call).filter(|_| !piece.is_empty()) else {
            return Ok(());
        };
        append(&mut found.arguments, piece, LONGEST_ARGUMENTS)?;
        self.argued(call, piece);
        Ok(())
    }

    /// What was taken of a call, to be completed or corrected before the end.
    pub(crate) fn call_mut(&mut self, call: usize) -> Option<&mut Call> {
        self.calls.get_mut(call)
    }

    /// Takes all calls back: they are not to be run.
    pub(crate) fn forget_calls(&mut self) {
        self.calls.clear();
    }

    /// Whether there are calls.
    pub(crate) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Takes calls that were put together elsewhere.
    pub(crate) fn settled(&mut self, calls: impl IntoIterator<Item = Call>) {
        self.calls.extend(calls);
    }

    /// Tells whoever watches that a call has a name.
    pub(crate) fn named(&mut self, call: usize, name: &str) {
        self.others += 1;
        self.sink.call_name(call, name);
    }

    /// Tells whoever watches of arguments.
    pub(crate) fn argued(&mut self, call: usize, piece: &str) {
        self.others += 1;
        self.sink.call_arguments(call, piece);
    }

    /// Whether another call may come behind so many.
    pub(crate) fn is_room_for(&self, calls: usize) -> Result<(), ModelError> {
        if calls < MOST_CALLS { Ok(()) } else { Err(too_much("calls")) }
    }

    /// Notes what the reply cost so far.
    pub(crate) fn cost(&mut self, usage: Usage) {
        self.others += 1;
        self.usage = usage;
    }

    /// Notes why the model stopped.
    pub(crate) fn finished(&mut self, reason: FinishReason) {
        self.others += 1;
        self.finish = Some(reason);
    }

    /// Whether the provider has said why it stopped.
    pub(crate) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// What must be echoed, kept under this name.
    pub(crate) fn kept(&mut self, key: &str) -> &mut Value {
        self.others += 1;
        self.extra.entry(key).or_insert(Value::Null)
    }

    /// Adds to a list of what must be echoed.
    pub(crate) fn keep(&mut self, key: &str, value: Value) {
        match self.kept(key) {
            Value::Array(list) => list.push(value),
            kept => *kept = Value::Array(vec![value]),
        }
    }

    /// The whole reply.
    pub(super) fn reply(mut self) -> ModelResponse {
        self.extra.retain(|_, value| !value.is_null());
        let finish = self.finish.unwrap_or_default();
        let is_refusal = self.is_refusal && finish == FinishReason::Stop;
        ModelResponse {
            text: self.text,
            reasoning: self.reasoning,
            calls: self.calls,
            finish: if is_refusal { FinishReason::Refusal } else { finish },
            usage: self.usage,
            model: None,
            extra: (!self.extra.is_empty()).then_some(self.extra),
        }
    }
}

/// Adds a piece, within bounds.
pub(crate) fn append(to: &mut String, piece: &str, most: usize) -> Result<(), ModelError> {
    if to.len() + piece.len() > most {
        return Err(too_much("text"));
    }
    if to.is_empty() {
        to.reserve(piece.len().max(64));
    }
    to.push_str(piece);
    Ok(())
}

fn too_much(what: &str) -> ModelError {
    let message = format!("the model sent more {what} than any reply has reason to hold");
    ModelError::new(ModelErrorKind::BrokenReply, message)
}
