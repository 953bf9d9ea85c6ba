//! [`Calls`]: pieces of calls, put together whatever order and shape they come in.

use serde_json::{Map, Value};
use toolwright_core::{Call, FinishReason, ModelError, ModelErrorKind};

use super::{
    lenient::Fragment,
    messages::OF_CALL,
    slot::{Piece, Slot},
};
use crate::endpoint::Draft;

/// Calls in the making.
#[derive(Default)]
pub(super) struct Calls {
    slots: Vec<Slot>,
    /// Which chunk is being taken.
    chunk: u64,
}

impl Calls {
    /// Another chunk comes.
    pub(super) fn next_chunk(&mut self) {
        self.chunk += 1;
    }

    /// What they came to.
    pub(super) fn settle(&mut self) -> impl Iterator<Item = Call> {
        let slots = std::mem::take(&mut self.slots).into_iter();
        slots.filter(|slot| !slot.is_empty()).map(Slot::call)
    }

    /// Takes a piece of a call.
    pub(super) fn fragment(
        &mut self,
        fragment: Fragment<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let piece = Piece::of(&fragment, self.chunk);
        let known = self.slots.len();
        let at = self.slot_for(&piece, draft)?;
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        let announced = at >= known && !slot.name.is_empty();
        if slot.identify(&piece) || announced {
            draft.named(at, &slot.name);
        }
        if let Some(new) = slot.take(piece.arguments)? {
            draft.argued(at, new);
        }
        if let Some(extra) = fragment.extra_content {
            slot.extra = Some(Map::from_iter([(OF_CALL.to_owned(), extra.into())]));
        }
        Ok(())
    }

    /// The call a piece belongs to: the one with its index and its id; else with its index; else
    /// with its id; else the last; and another one where that is complete or cannot be meant.
    fn slot_for(&mut self, piece: &Piece<'_>, draft: &Draft<'_>) -> Result<usize, ModelError> {
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
        draft.is_room_for(self.slots.len())?;
        self.slots.push(slot);
        Ok(self.slots.len() - 1)
    }
}

/// Lists that must be echoed come in pieces as well.
pub(super) fn keep(kept: &mut Value, value: Value) {
    match (kept, value) {
        (Value::Array(kept), Value::Array(more)) => {
            more.into_iter().for_each(|piece| join(kept, piece));
        }
        (kept, value) => *kept = value,
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

/// Why a provider stopped, by its own word for it.
pub(super) fn finish_of(reason: &str) -> Result<FinishReason, ModelError> {
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
