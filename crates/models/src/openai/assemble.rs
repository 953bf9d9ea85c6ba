//! [`Assembler`]: pieces of a reply, put together whatever order and shape they come in.
//!
//! A whole completion is one large piece: stream and non-stream take the same path.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_core::{Call, FinishReason, ModelError, ModelErrorKind, ModelResponse, Usage};

use super::{
    body::OF_CALL,
    lenient::Fragment,
    sink::Sink,
    slot::{Piece, Slot},
};

/// More than any model has reason to say.
const LONGEST_TEXT: usize = 16 << 20;
const MOST_CALLS: usize = 128;

/// Puts a reply together.
#[derive(Default)]
pub(super) struct Assembler {
    text: String,
    reasoning: String,
    slots: Vec<Slot>,
    finish: Option<FinishReason>,
    /// Whether what it said is that it declines.
    is_refusal: bool,
    usage: Usage,
    extra: Map<String, Value>,
    begun: bool,
    /// How often something other than text was taken.
    others: u64,
    /// Which chunk is being taken.
    chunk: u64,
}

/// How much was taken, to tell later what has come since.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    text: usize,
    others: u64,
}

impl Assembler {
    /// Notes that there is a message at all.
    pub(super) fn begin(&mut self) {
        self.begun = true;
    }

    /// Whether there is a message at all.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    /// How much was taken so far.
    pub(super) fn taken(&self) -> Taken {
        Taken { text: self.text.len(), others: self.others }
    }

    /// The text that was taken since, if there is any and it is all that was taken.
    pub(super) fn only_said_since(&self, before: Taken) -> Option<&str> {
        let text = self.text.get(before.text..).filter(|text| !text.is_empty());
        text.filter(|_| self.others == before.others)
    }

    /// Notes what the reply cost so far.
    pub(super) fn cost(&mut self, usage: Option<impl Into<Usage>>) {
        if let Some(usage) = usage {
            self.others += 1;
            self.usage = usage.into();
        }
    }

    /// Notes why the provider stopped.
    pub(super) fn finished(&mut self, reason: &str) -> Result<(), ModelError> {
        if !reason.is_empty() {
            self.others += 1;
            self.finish = Some(finish_of(reason)?);
        }
        Ok(())
    }

    /// Takes text for the person.
    pub(super) fn said(
        &mut self,
        text: Option<Cow<'_, str>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(()) };
        append(&mut self.text, &text, LONGEST_TEXT)?;
        sink.text(&text);
        Ok(())
    }

    /// Takes the words in which the model declines.
    pub(super) fn refused(
        &mut self,
        text: Option<Cow<'_, str>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        self.is_refusal |= text.as_ref().is_some_and(|text| !text.is_empty());
        self.said(text, sink)
    }

    /// Takes reasoning.
    pub(super) fn thought(
        &mut self,
        text: Option<Cow<'_, str>>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(()) };
        self.others += 1;
        append(&mut self.reasoning, &text, LONGEST_TEXT)?;
        sink.reasoning(&text);
        Ok(())
    }

    /// Whether the provider has said why it stopped.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The whole reply.
    pub(super) fn reply(self) -> ModelResponse {
        let slots = self.slots.into_iter().filter(|slot| !slot.is_empty());
        let calls: Vec<Call> = slots.map(Slot::call).collect();
        let finish = self.finish.unwrap_or_default();
        let is_refusal = self.is_refusal && finish == FinishReason::Stop;
        ModelResponse {
            text: self.text,
            reasoning: self.reasoning,
            calls,
            finish: if is_refusal { FinishReason::Refusal } else { finish },
            usage: self.usage,
            model: None,
            extra: (!self.extra.is_empty()).then_some(self.extra),
        }
    }

    /// Lists that must be echoed come in pieces as well.
    pub(super) fn keep(&mut self, key: &str, value: Value) {
        if value.is_null() {
            return;
        }
        self.others += 1;
        match (self.extra.get_mut(key), value) {
            (Some(Value::Array(kept)), Value::Array(more)) => {
                more.into_iter().for_each(|piece| join(kept, piece));
            }
            (_, value) => {
                self.extra.insert(key.to_owned(), value);
            }
        }
    }

    /// Another chunk comes.
    pub(super) fn next_chunk(&mut self) {
        self.chunk += 1;
    }

    /// Takes a piece of a call.
    pub(super) fn fragment(
        &mut self,
        fragment: Fragment<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        self.others += 1;
        let piece = Piece::of(&fragment, self.chunk);
        let known = self.slots.len();
        let at = self.slot_for(&piece)?;
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        let announced = at >= known && !slot.name.is_empty();
        if slot.identify(&piece) || announced {
            sink.call_name(at, &slot.name);
        }
        if let Some(new) = slot.take(piece.arguments)? {
            sink.call_arguments(at, new);
        }
        if let Some(extra) = fragment.extra_content {
            slot.extra = Some(Map::from_iter([(OF_CALL.to_owned(), extra.into())]));
        }
        Ok(())
    }

    /// The call a piece belongs to: the one with its index and its id; else with its index; else
    /// with its id; else the last; and another one where that is complete or cannot be meant.
    fn slot_for(&mut self, piece: &Piece<'_>) -> Result<usize, ModelError> {
        let has_index = |slot: &Slot| piece.index.is_some() && slot.index == piece.index;
        let has_id = |slot: &Slot| !piece.id.is_empty() && slot.id == piece.id;
        let place = |is: &dyn Fn(&Slot) -> bool| self.slots.iter().rposition(is);
        let unindexed = |slot: &Slot| piece.index.is_none() || slot.index.is_none();
        let found = place(&|it| has_index(it) && has_id(it))
            .or_else(|| place(&has_index))
            .or_else(|| place(&|it| unindexed(it) && has_id(it)))
            .or_else(|| self.slots.len().checked_sub(1))
            .filter(|at| self.slots.get(*at).is_some_and(|it| has_index(it) || unindexed(it)));
        let slot = found.and_then(|at| self.slots.get(at));
        if let Some(at) = found.filter(|_| slot.is_some_and(|it| it.goes_on_with(piece))) {
            return Ok(at);
        }
        let slot = Slot::begin(piece, slot);
        // An id that came alone and that nothing followed was no call.
        if self.slots.last().is_some_and(Slot::is_empty) {
            self.slots.pop();
        }
        if self.slots.len() >= MOST_CALLS {
            return Err(too_much("calls"));
        }
        self.slots.push(slot);
        Ok(self.slots.len() - 1)
    }
}

/// Adds a piece of what must be echoed: to the part with its number where there is one, for parts come in pieces
/// as well, and what was signed is the whole.
fn join(parts: &mut Vec<Value>, piece: Value) {
    let same = |part: &Value| {
        let of = |name: &str| part.get(name) == piece.get(name);
        piece.get("index").is_some_and(|it| !it.is_null()) && of("index") && of("type")
    };
    let Some(Value::Object(part)) = parts.iter_mut().rev().find(|part| same(part)) else {
        return parts.push(piece);
    };
    let Value::Object(piece) = piece else { return };
    for (name, value) in piece {
        match (part.get_mut(&name), value) {
            (Some(Value::String(text)), Value::String(more))
                if matches!(name.as_str(), "text" | "summary" | "data") =>
            {
                text.push_str(&more);
            }
            // What the first piece left open, a later one says.
            (Some(Value::Null) | None, value) => {
                part.insert(name, value);
            }
            (Some(known), value) if !value.is_null() => *known = value,
            _ => {}
        }
    }
}

pub(super) fn append(to: &mut String, piece: &str, most: usize) -> Result<(), ModelError> {
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

fn finish_of(reason: &str) -> Result<FinishReason, ModelError> {
    Ok(match reason {
        "tool_calls" | "function_call" | "tool_call" | "tool_use" => FinishReason::ToolCalls,
        "length" | "model_length" | "max_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        "error" | "insufficient_system_resource" => {
            let message = format!("the provider broke off the reply ({reason})");
            return Err(ModelError::new(ModelErrorKind::Server, message));
        }
        // `stop`, `eos`, `end_turn` and whatever else a server calls it.
        _ => FinishReason::Stop,
    })
}
