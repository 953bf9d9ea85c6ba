//! What pieces and whole items bring, taken into the reply: each thing once.

use serde_json::{Map, Value};
use toolwright_core::ModelError;

use super::{
    alike::Target,
    delta::{field_of, text, words},
    items::Items,
    kept::verbatim,
};
use crate::endpoint::{Draft, LONGEST_ARGUMENTS, append, broken};

/// As much as a reply may have in it that goes back as it came, in bytes.
const MOST_KEPT: usize = 16 << 20;
/// What stands between two messages, and between two parts of what was thought.
const BREAK: &str = "\n\n";

impl Items {
    pub(super) fn say(
        &mut self,
        at: usize,
        text: &str,
        refuses: bool,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let Some(slot) = self.slots.get_mut(at).filter(|_| !text.is_empty()) else { return Ok(()) };
        if slot.taken == 0 {
            if self.text > 0 {
                draft.said(BREAK)?;
                self.text += BREAK.len();
            }
            slot.span = self.text..self.text;
        }
        self.is_jumbled |= slot.span.end != self.text;
        match refuses {
            true => draft.refused(text)?,
            false => draft.said(text)?,
        }
        self.text += text.len();
        slot.taken += text.len();
        slot.span.end = self.text;
        Ok(())
    }

    pub(super) fn think(
        &mut self,
        at: usize,
        part: (bool, u64),
        text: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let Some(slot) = self.slots.get_mut(at).filter(|_| !text.is_empty()) else { return Ok(()) };
        let is_new = slot.part.is_none_or(|it| it != part);
        if is_new && std::mem::replace(&mut self.has_thought, true) {
            draft.thought(BREAK)?;
        }
        slot.part = Some(part);
        slot.taken += text.len();
        draft.thought(text)
    }

    pub(super) fn argue(
        &mut self,
        at: usize,
        piece: &str,
        draft: &mut Draft<'_>,
    ) -> Result<Target, ModelError> {
        let Some(slot) = self.slots.get_mut(at) else { return Ok(Target::Other) };
        match slot.call {
            Some(call) => draft.arguments(call, piece).map(|()| Target::Arguments(call)),
            None => append(&mut slot.early, piece, LONGEST_ARGUMENTS).map(|()| Target::Other),
        }
    }

    /// Takes of a whole message what has not come yet.
    pub(super) fn message(
        &mut self,
        at: usize,
        item: &Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        self.phase(at, item);
        let taken = self.slots.get(at).map_or(0, |slot| slot.taken);
        let mut before = 0;
        for (words, refuses) in said_in(field_of(item, "content")) {
            let rest = words.get(taken.saturating_sub(before)..).unwrap_or_default();
            self.say(at, rest, refuses, draft)?;
            before += words.len();
        }
        Ok(())
    }

    /// Notes whether a message is a remark on the way or the answer.
    pub(super) fn phase(&mut self, at: usize, item: &Value) {
        let phase = text(item, "phase");
        if let Some(slot) = self.slots.get_mut(at).filter(|_| !phase.is_empty()) {
            slot.phase = Some(phase.to_owned());
        }
    }

    /// Takes of thoughts what was not streamed: all or nothing, for what is streamed as one thing may come as
    /// another at the end.
    pub(super) fn thoughts(
        &mut self,
        at: usize,
        item: &Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        if self.slots.get(at).is_none_or(|slot| slot.taken > 0) {
            return Ok(());
        }
        for (field, is_summary) in [("summary", true), ("content", false)] {
            let parts = field_of(item, field).as_array().into_iter().flatten();
            for (number, part) in (0..).zip(parts) {
                self.think(at, (is_summary, number), text(part, "text"), draft)?;
            }
        }
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        at: usize,
        item: &Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        let (own, name) = (text(item, "call_id"), text(item, "name"));
        let id = if own.is_empty() { text(item, "id") } else { own };
        let whole =
            words(item.get("arguments").or_else(|| item.get("input")).unwrap_or(&Value::Null));
        let early = std::mem::take(&mut slot.early);
        let call = match slot.call {
            Some(call) => call,
            // Nothing at all is no call.
            None if name.is_empty() && whole.is_empty() && early.is_empty() => return Ok(()),
            None => *slot.call.insert(draft.call(id, name)?),
        };
        let Some(known) = draft.call_mut(call) else { return Ok(()) };
        if !own.is_empty() && known.id.as_str() != own {
            known.id = own.into();
        }
        if !name.is_empty() && known.name != name {
            name.clone_into(&mut known.name);
            draft.named(call, name);
        }
        complete(call, if whole.is_empty() { &early } else { &whole }, draft)?;
        match draft.call_mut(call) {
            // One that was cut before its first letter must not run as one that has no arguments.
            Some(call) if text(item, "status") == "incomplete" && call.arguments.is_empty() => {
                call.arguments.push('{');
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn keep(&mut self, at: usize, item: Map<String, Value>) -> Result<(), ModelError> {
        let Some(slot) = self.slots.get_mut(at).filter(|it| it.kept.is_none()) else {
            return Ok(());
        };
        let Some(kept) = verbatim(item) else { return Ok(()) };
        self.kept += kept.to_string().len();
        slot.kept = Some(kept);
        if self.kept > MOST_KEPT {
            return Err(broken("it has more to keep than any reply has reason to hold"));
        }
        Ok(())
    }
}

/// Gives a call the arguments that are said to be all of them.
pub(super) fn complete(call: usize, whole: &str, draft: &mut Draft<'_>) -> Result<(), ModelError> {
    let Some(known) = draft.call_mut(call).filter(|_| !whole.is_empty()) else { return Ok(()) };
    match whole.strip_prefix(known.arguments.as_str()) {
        Some(rest) => draft.arguments(call, rest),
        None => {
            known.arguments.clear();
            append(&mut known.arguments, whole, LONGEST_ARGUMENTS)
        }
    }
}

/// The texts in a message's content, and whether it declines in them.
fn said_in(content: &Value) -> impl Iterator<Item = (&str, bool)> {
    let parts = content.as_array().into_iter().flatten().map(|part| {
        let refusal = text(part, "refusal");
        if refusal.is_empty() { (text(part, "text"), false) } else { (refusal, true) }
    });
    content.as_str().map(|it| (it, false)).into_iter().chain(parts)
}
