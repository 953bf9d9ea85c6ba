//! [`Slot`]: an item of a reply in the making.

use std::ops::Range;

use serde_json::Value;

use super::kept;

/// What an item is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    #[default]
    Message,
    Reasoning,
    Call,
    /// Something else, which is nobody's but the provider's.
    Other,
}

impl Sort {
    /// By the provider's word for it.
    pub(super) fn of(kind: &str) -> Self {
        match kind {
            "message" => Self::Message,
            "reasoning" => Self::Reasoning,
            "function_call" | "custom_tool_call" => Self::Call,
            _ => Self::Other,
        }
    }
}

/// An item of a reply in the making.
#[derive(Default)]
pub(super) struct Slot {
    /// Its number among the items.
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) sort: Sort,
    /// Whether it was said to begin.
    pub(super) is_begun: bool,
    /// Whether all of it has come.
    pub(super) is_done: bool,
    /// How much of its text was taken, in bytes.
    pub(super) taken: usize,
    /// Where that stands in the text of the reply.
    pub(super) span: Range<usize>,
    /// The part whose text came last.
    pub(super) part: Option<(bool, u64)>,
    pub(super) phase: Option<String>,
    /// Which call it is, once that has a name.
    pub(super) call: Option<usize>,
    /// Arguments of one that has none yet.
    pub(super) early: String,
    /// What goes back as it came.
    pub(super) kept: Option<Value>,
}

impl Slot {
    /// What is kept of it.
    pub(super) fn entry(self) -> Option<Value> {
        match self.sort {
            Sort::Message if self.taken > 0 => {
                Some(kept::message(&self.id, self.phase.as_deref(), &self.span))
            }
            Sort::Call => self.call.map(|number| kept::call(&self.id, number)),
            _ => self.kept,
        }
    }
}

/// Which item something is of, as far as that is said.
pub(super) struct Place<'a> {
    pub(super) index: Option<u64>,
    pub(super) id: &'a str,
    pub(super) sort: Sort,
    pub(super) step: Step,
}

/// What comes of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// That it begins.
    Begins,
    /// A piece of it.
    Piece,
    /// All of it.
    Whole,
}

impl Place<'_> {
    /// The item of these that is meant; none where it is another one. Numbers count more than ids, which some
    /// servers make up anew for every event, and of several with the same number the last one counts.
    pub(super) fn find(&self, slots: &[Slot]) -> Option<usize> {
        let last = |is: &dyn Fn(&Slot) -> bool| {
            slots.iter().rposition(|slot| slot.sort == self.sort && is(slot))
        };
        let has_id = |slot: &Slot| !self.id.is_empty() && slot.id == self.id;
        let has_index = |slot: &Slot| self.index.is_some() && slot.index == self.index;
        let both = last(&|slot| has_id(slot) && has_index(slot));
        // What is whole is followed by something else.
        let is_open = |slot: &Slot| match self.step {
            Step::Begins => !slot.is_begun && !slot.is_done,
            Step::Piece => !slot.is_done || slot.id.is_empty() || self.id.is_empty(),
            Step::Whole => !slot.is_done,
        };
        let by_index = || last(&|slot| has_index(slot) && is_open(slot));
        if self.step == Step::Begins {
            return both.or_else(by_index);
        }
        let nameless = self.index.is_none() && self.id.is_empty();
        let is_nameless = |slot: &Slot| slot.index.is_none() && slot.id.is_empty();
        both.or_else(by_index)
            .or_else(|| last(&has_id))
            .or_else(|| last(&|slot| (nameless || is_nameless(slot)) && !slot.is_done))
    }
}
