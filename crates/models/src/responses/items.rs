//! [`Items`]: the items of a reply, put together whatever order and shape they come in.

use serde_json::Value;
use toolwright_core::ModelError;

use super::{
    alike::Target,
    delta::{Channel, Delta, field_of, text, words},
    fill::complete,
    kept::OF_MESSAGE,
    slot::{Place, Slot, Sort, Step},
};
use crate::endpoint::{Draft, LONGEST_ARGUMENTS, append, broken};

/// More than any reply has reason to hold.
const MOST_ITEMS: usize = 1024;

/// The items of a reply in the making.
#[derive(Default)]
pub(super) struct Items {
    pub(super) slots: Vec<Slot>,
    /// How much text the reply has, in bytes.
    pub(super) text: usize,
    pub(super) has_thought: bool,
    /// Whether texts came side by side, so that none of them stands in one piece.
    pub(super) is_jumbled: bool,
    /// How much goes back as it came.
    pub(super) kept: usize,
}

impl Items {
    /// Takes a piece of text; where pieces like it go.
    pub(super) fn delta(
        &mut self,
        delta: &Delta<'_>,
        draft: &mut Draft<'_>,
    ) -> Result<Target, ModelError> {
        let channel = delta.channel();
        let sort = match channel {
            Channel::Text | Channel::Refusal => Sort::Message,
            Channel::Thought => Sort::Reasoning,
            Channel::Arguments => Sort::Call,
            Channel::Other => return Ok(Target::Other),
        };
        draft.begin();
        let (index, id) = (delta.output_index, &*delta.item_id);
        let at = self.place(&Place { index, id, sort, step: Step::Piece })?;
        match channel {
            Channel::Refusal => self.say(at, &delta.delta, true, draft).map(|()| Target::Other),
            Channel::Thought => {
                self.think(at, delta.part(), &delta.delta, draft).map(|()| Target::Thought(at))
            }
            Channel::Arguments => self.argue(at, &delta.delta, draft),
            _ => self.say(at, &delta.delta, false, draft).map(|()| Target::Text(at)),
        }
    }

    /// Takes a piece that is like the one before.
    pub(super) fn more(
        &mut self,
        to: Target,
        text: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        match to {
            Target::Text(at) => self.say(at, text, false, draft),
            Target::Thought(at) => {
                let part = self.slots.get(at).and_then(|it| it.part).unwrap_or_default();
                self.think(at, part, text, draft)
            }
            Target::Arguments(call) => draft.arguments(call, text),
            Target::Other => Ok(()),
        }
    }

    /// Takes a text that is said to be whole, where nothing of it came before.
    pub(super) fn whole(
        &mut self,
        event: &Value,
        channel: Channel,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let found = Delta::of(event);
        let (sort, field) = match channel {
            Channel::Text => (Sort::Message, "text"),
            Channel::Refusal => (Sort::Message, "refusal"),
            Channel::Arguments => (Sort::Call, "arguments"),
            // The item itself says it again, and in which parts.
            Channel::Thought | Channel::Other => return Ok(()),
        };
        let place =
            Place { index: found.output_index, id: &found.item_id, sort, step: Step::Piece };
        let at = self.place(&place)?;
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        let whole = words(field_of(event, field));
        match (sort, slot.call) {
            (Sort::Call, Some(call)) => complete(call, &whole, draft),
            (Sort::Call, None) => {
                slot.early.clear();
                append(&mut slot.early, &whole, LONGEST_ARGUMENTS)
            }
            _ if slot.taken == 0 => self.say(at, &whole, channel == Channel::Refusal, draft),
            _ => Ok(()),
        }
    }

    /// Takes an item that begins.
    pub(super) fn begun(
        &mut self,
        index: Option<u64>,
        item: &Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        draft.begin();
        let (id, sort) = (text(item, "id"), Sort::of(text(item, "type")));
        let at = self.place(&Place { index, id, sort, step: Step::Begins })?;
        match sort {
            Sort::Call if !text(item, "name").is_empty() => self.call(at, item, draft),
            _ => {
                self.phase(at, item);
                Ok(())
            }
        }
    }

    /// Takes an item that is whole.
    pub(super) fn done(
        &mut self,
        index: Option<u64>,
        item: Value,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        draft.begin();
        let (id, sort) = (text(&item, "id"), Sort::of(text(&item, "type")));
        let at = self.place(&Place { index, id, sort, step: Step::Whole })?;
        match sort {
            Sort::Message => self.message(at, &item, draft)?,
            Sort::Reasoning => self.thoughts(at, &item, draft)?,
            Sort::Call => self.call(at, &item, draft)?,
            _ => {}
        }
        let Some(slot) = self.slots.get_mut(at) else { return Ok(()) };
        slot.is_done = true;
        // Its id may be another than that of its pieces: this is the one that counts.
        let id = text(&item, "id");
        if !id.is_empty() {
            id.clone_into(&mut slot.id);
        }
        match item {
            Value::Object(item) if matches!(sort, Sort::Reasoning | Sort::Other) => {
                self.keep(at, item)
            }
            _ => Ok(()),
        }
    }

    /// Takes all items of a reply at its end: those that have not come yet.
    pub(super) fn all(
        &mut self,
        items: Vec<Value>,
        draft: &mut Draft<'_>,
    ) -> Result<(), ModelError> {
        let done = self.slots.iter().filter(|slot| slot.is_done).count();
        if done >= items.len() {
            return Ok(());
        }
        for (index, item) in (0..).zip(items) {
            if !self.slots.iter().any(|slot| slot.is_done && slot.index == Some(index)) {
                self.done(Some(index), item, draft)?;
            }
        }
        Ok(())
    }

    /// Hands over what has to go back: nothing, where there are but texts and calls.
    pub(super) fn settle(&mut self, draft: &mut Draft<'_>) {
        let mut slots = std::mem::take(&mut self.slots);
        slots.sort_by_key(|slot| slot.index.unwrap_or(u64::MAX));
        let is_bound = slots.iter().any(|it| it.kept.is_some() || it.phase.is_some());
        let leads =
            |slot: &Slot| slot.taken > 0 && slot.sort == Sort::Message || slot.call.is_some();
        if !is_bound || !slots.iter().any(leads) {
            return;
        }
        if self.is_jumbled {
            let last = slots.iter().rposition(|it| it.sort == Sort::Message);
            for (at, slot) in slots.iter_mut().enumerate().filter(|it| it.1.sort == Sort::Message) {
                (slot.span, slot.taken) = (0..self.text, usize::from(Some(at) == last));
            }
        }
        *draft.kept(OF_MESSAGE) = slots.into_iter().filter_map(Slot::entry).collect();
    }

    /// The item that is meant, or another one.
    fn place(&mut self, place: &Place<'_>) -> Result<usize, ModelError> {
        let at = place.find(&self.slots).unwrap_or(self.slots.len());
        if at >= MOST_ITEMS {
            return Err(broken("it has more items than any reply has reason to hold"));
        }
        if at == self.slots.len() {
            self.slots.push(Slot::default());
        }
        if let Some(slot) = self.slots.get_mut(at) {
            slot.sort = place.sort;
            slot.index = slot.index.or(place.index);
            slot.is_begun |= place.step == Step::Begins;
            if slot.id.is_empty() {
                place.id.clone_into(&mut slot.id);
            }
        }
        Ok(at)
    }
}
