//! [`Assembler`]: pieces of a reply, put together whatever order and shape they come in.
//!
//! A whole completion is one large piece: stream and non-stream take the same path.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_core::{Call, CallId, Finish, ModelError, ModelErrorKind, Reply, Usage};

use super::{
    body::OF_CALL,
    lenient::{Arguments, Fragment, Function},
    sink::Sink,
};

/// More than any model has reason to say.
const LONGEST_TEXT: usize = 16 << 20;
const LONGEST_ARGUMENTS: usize = 1 << 20;
const MOST_CALLS: usize = 128;

/// Puts a reply together.
#[derive(Default)]
pub(super) struct Assembler {
    text: String,
    reasoning: String,
    slots: Vec<Slot>,
    finish: Option<Finish>,
    usage: Usage,
    extra: Map<String, Value>,
    begun: bool,
    /// How often something other than text was taken.
    others: u64,
}

/// How much was taken, to tell later what has come since.
#[derive(Clone, Copy)]
pub(super) struct Taken {
    text: usize,
    others: u64,
}

/// A call in the making.
#[derive(Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    /// Where the last piece of the arguments begins.
    last: usize,
    /// Whether some piece did not begin with the one before.
    pieced: bool,
    extra: Option<Map<String, Value>>,
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
    pub(super) fn reply(self) -> Reply {
        let calls: Vec<Call> = self
            .slots
            .into_iter()
            .map(|mut slot| Call {
                arguments: slot.whole_arguments(),
                id: CallId::from(slot.id),
                name: clean(&slot.name).to_owned(),
                obtained: toolwright_core::Obtained::Native,
                extra: slot.extra,
            })
            .collect();
        Reply {
            text: self.text,
            reasoning: self.reasoning,
            calls,
            finish: self.finish.unwrap_or_default(),
            usage: self.usage,
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
            (Some(Value::Array(kept)), Value::Array(more)) => kept.extend(more),
            (_, value) => {
                self.extra.insert(key.to_owned(), value);
            }
        }
    }

    /// Takes a piece of a call.
    pub(super) fn fragment(
        &mut self,
        fragment: Fragment<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<(), ModelError> {
        self.others += 1;
        let Function { name, arguments } = fragment.function.unwrap_or_default();
        let (id, name) = (fragment.id.0.unwrap_or_default(), name.0.unwrap_or_default());
        let at = self.slot_for(fragment.index, &id, &name, &arguments)?;
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        if slot.id.is_empty() {
            slot.id.push_str(&id);
        }
        if fragment.extra_content.is_some() {
            let mut extra = Map::new();
            extra.extend(fragment.extra_content.map(|it| (OF_CALL.to_owned(), it.into())));
            slot.extra = Some(extra);
        }
        // Some repeat the name with every piece, some cut it in two.
        if !name.is_empty() && slot.name != *name && slot.arguments.is_empty() {
            slot.name.push_str(&name);
            sink.call_name(at, &slot.name);
        }
        match arguments {
            Arguments::None => return Ok(()),
            Arguments::Text(piece) if piece.is_empty() => return Ok(()),
            Arguments::Text(piece) => slot.append(&piece)?,
            Arguments::Whole(json) => slot.replace(&json)?,
        }
        if let Some(new) = slot.arguments.get(slot.last..) {
            sink.call_arguments(at, new);
        }
        Ok(())
    }

    /// The call a piece belongs to: by its index, unless the server uses one index for all; else
    /// by its id; else the last.
    fn slot_for(
        &mut self,
        index: Option<u64>,
        id: &str,
        name: &str,
        arguments: &Arguments<'_>,
    ) -> Result<usize, ModelError> {
        let found = match index {
            Some(_) => self.slots.iter().rposition(|slot| slot.index == index).filter(|at| {
                let other = self.slots.get(*at).is_some_and(|slot| slot.id != id);
                !(other && !id.is_empty() && !name.is_empty())
            }),
            None if !id.is_empty() && self.slots.iter().any(|slot| slot.id == id) => {
                self.slots.iter().position(|slot| slot.id == id)
            }
            None if !id.is_empty() || !name.is_empty() => None,
            None => self.slots.len().checked_sub(1),
        };
        let another = |at: &usize| {
            !name.is_empty()
                && self.slots.get(*at).is_some_and(|it| it.ends_before(name, arguments))
        };
        if let Some(at) = found.filter(|at| !another(at)) {
            return Ok(at);
        }
        if self.slots.len() >= MOST_CALLS {
            return Err(too_much("calls"));
        }
        self.slots.push(Slot { index, ..Slot::default() });
        Ok(self.slots.len() - 1)
    }
}

impl Slot {
    fn append(&mut self, piece: &str) -> Result<(), ModelError> {
        // Some servers send all of the arguments so far with every piece. Whether this is one
        // shows at the end: a piece may begin like the one before by chance.
        let before = self.arguments.get(self.last..).unwrap_or_default();
        self.pieced = self.pieced || !piece.starts_with(before);
        self.last = self.arguments.len();
        append(&mut self.arguments, piece, LONGEST_ARGUMENTS)
    }

    fn replace(&mut self, arguments: &str) -> Result<(), ModelError> {
        self.arguments.clear();
        self.last = 0;
        append(&mut self.arguments, arguments, LONGEST_ARGUMENTS)
    }

    /// The arguments; the last piece alone, where each held all of them so far.
    fn whole_arguments(&mut self) -> String {
        let mut arguments = std::mem::take(&mut self.arguments);
        let last = arguments.get(self.last..).unwrap_or_default();
        if self.last > 0 && !self.pieced && !is_json(&arguments) && is_object(last) {
            arguments.drain(..self.last);
        }
        arguments
    }

    /// Whether a piece with a name and arguments begins another call, although its index or its id
    /// is this one's: this one is complete, and the piece does not say the same once more.
    fn ends_before(&self, name: &str, arguments: &Arguments<'_>) -> bool {
        let other = match arguments {
            _ if name != self.name => true,
            Arguments::None => false,
            Arguments::Text(piece) => {
                piece.trim_start().starts_with('{') && !piece.starts_with(&self.arguments)
            }
            Arguments::Whole(json) => self.arguments != *json,
        };
        other && is_object(&self.arguments)
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn is_object(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.trim_end().ends_with('}') && is_json(text)
}

fn append(to: &mut String, piece: &str, most: usize) -> Result<(), ModelError> {
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

/// A name without the special tokens some templates leave around it.
fn clean(name: &str) -> &str {
    let mut name = name.trim();
    while let Some((_, rest)) = name.strip_prefix("<|").and_then(|it| it.split_once("|>")) {
        name = rest;
    }
    let name = name.split("<|").next().unwrap_or(name);
    name.trim().trim_matches(['"', '\'', '`'])
}

fn finish_of(reason: &str) -> Result<Finish, ModelError> {
    Ok(match reason {
        "tool_calls" | "function_call" | "tool_call" | "tool_use" => Finish::ToolCalls,
        "length" | "model_length" | "max_tokens" => Finish::Length,
        "content_filter" => Finish::ContentFilter,
        "error" | "insufficient_system_resource" => {
            let message = format!("the provider broke off the reply ({reason})");
            return Err(ModelError::new(ModelErrorKind::Server, message));
        }
        // `stop`, `eos`, `end_turn` and whatever else a server calls it.
        _ => Finish::Stop,
    })
}
