//! [`Assembler`]: pieces of a reply, put together whatever order and shape they come in.
//!
//! A whole completion is one large piece: stream and non-stream take the same path.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright_core::{Call, CallId, Finish, ModelError, ModelErrorKind, Part, Reply, Usage};

use super::{
    error::from_body,
    wire::{Arguments, Choice, Chunk, Delta, Fragment, Function},
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
}

/// A call in the making.
#[derive(Default)]
struct Slot {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    extra: Option<Map<String, Value>>,
}

impl Assembler {
    /// Takes a chunk, or a whole completion; hands what is new in it to `emit`.
    pub(super) fn chunk(
        &mut self,
        chunk: Chunk<'_>,
        emit: &mut impl FnMut(Part),
    ) -> Result<(), ModelError> {
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(from_body(None, &error));
        }
        if chunk.object.as_deref() == Some("error") {
            let message = chunk.message.unwrap_or(Cow::Borrowed("no reason given"));
            return Err(from_body(None, &Value::String(message.into_owned())));
        }
        if let Some(usage) = chunk.usage.or(chunk.x_groq.and_then(|groq| groq.usage)) {
            // Totals, also where they come with every chunk: the last one counts.
            self.usage = usage.into();
        }
        match chunk.choices {
            Some(choice) => self.choice(choice, emit),
            None => Ok(()),
        }
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
            .map(|slot| Call {
                id: CallId::from(slot.id),
                name: clean(&slot.name).to_owned(),
                arguments: slot.arguments,
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

    fn choice(
        &mut self,
        choice: Choice<'_>,
        emit: &mut impl FnMut(Part),
    ) -> Result<(), ModelError> {
        if let Some(error) = choice.error.filter(|error| !error.is_null()) {
            return Err(from_body(None, &error));
        }
        for delta in [choice.delta, choice.message].into_iter().flatten() {
            self.delta(delta, emit)?;
        }
        if let Some(reason) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
            self.finish = Some(finish_of(&reason)?);
        }
        Ok(())
    }

    fn delta(&mut self, delta: Delta<'_>, emit: &mut impl FnMut(Part)) -> Result<(), ModelError> {
        for thought in [delta.reasoning_content, delta.reasoning].into_iter().flatten().take(1) {
            append(&mut self.reasoning, &thought, LONGEST_TEXT)?;
            if !thought.is_empty() {
                emit(Part::Reasoning(thought.into_owned()));
            }
        }
        if let Some(details) = delta.reasoning_details.filter(|it| !it.is_null()) {
            self.keep("reasoning_details", details);
        }
        for said in [delta.content, delta.refusal].into_iter().flatten() {
            append(&mut self.text, &said, LONGEST_TEXT)?;
            if !said.is_empty() {
                emit(Part::Text(said.into_owned()));
            }
        }
        for fragment in delta.tool_calls {
            self.fragment(fragment, emit)?;
        }
        if let Some(function) = delta.function_call {
            self.fragment(
                Fragment { index: Some(0), function: Some(function), ..Default::default() },
                emit,
            )?;
        }
        Ok(())
    }

    /// Lists that must be echoed come in pieces as well.
    fn keep(&mut self, key: &str, value: Value) {
        match (self.extra.get_mut(key), value) {
            (Some(Value::Array(kept)), Value::Array(more)) => kept.extend(more),
            (_, value) => {
                self.extra.insert(key.to_owned(), value);
            }
        }
    }

    fn fragment(
        &mut self,
        fragment: Fragment<'_>,
        emit: &mut impl FnMut(Part),
    ) -> Result<(), ModelError> {
        let Function { name, arguments } = fragment.function.unwrap_or_default();
        let (id, name) = (fragment.id.unwrap_or_default(), name.unwrap_or_default());
        let at = self.slot_for(fragment.index, &id, &name)?;
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        if slot.id.is_empty() {
            slot.id.push_str(&id);
        }
        if fragment.extra_content.is_some() {
            let mut extra = Map::new();
            extra.extend(fragment.extra_content.map(|it| ("extra_content".to_owned(), it.into())));
            slot.extra = Some(extra);
        }
        // Some repeat the name with every piece, some cut it in two.
        if !name.is_empty() && slot.name != *name && slot.arguments.is_empty() {
            slot.name.push_str(&name);
            emit(Part::CallName { index: at, name: slot.name.clone() });
        }
        let had = slot.arguments.len();
        match arguments {
            Arguments::None => {}
            Arguments::Text(piece) if is_cumulative(&slot.arguments, &piece) => {
                slot.arguments = piece.into_owned();
            }
            Arguments::Text(piece) => append(&mut slot.arguments, &piece, LONGEST_ARGUMENTS)?,
            Arguments::Value(value) => slot.arguments = value.to_string(),
        }
        if let Some(new) = slot.arguments.get(had..).filter(|new| !new.is_empty()) {
            emit(Part::CallArguments { index: at, json: new.to_owned() });
        }
        Ok(())
    }

    /// The call a piece belongs to: by its index, unless the server uses one index for all; else
    /// by its id; else the last.
    fn slot_for(&mut self, index: Option<u64>, id: &str, name: &str) -> Result<usize, ModelError> {
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
        if let Some(at) = found {
            return Ok(at);
        }
        if self.slots.len() >= MOST_CALLS {
            return Err(too_much("calls"));
        }
        self.slots.push(Slot { index, ..Slot::default() });
        Ok(self.slots.len() - 1)
    }
}

/// Whether a piece is not the next piece but everything so far, and complete.
fn is_cumulative(have: &str, piece: &str) -> bool {
    !have.is_empty()
        && piece.len() >= have.len()
        && piece.starts_with(have)
        && piece.trim_start().starts_with('{')
        && serde_json::from_str::<serde::de::IgnoredAny>(piece).is_ok()
}

fn append(to: &mut String, piece: &str, most: usize) -> Result<(), ModelError> {
    if to.len() + piece.len() > most {
        return Err(too_much("text"));
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
