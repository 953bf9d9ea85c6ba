//! [`Grammar`]: what a turn may be, compiled from the tools and the context.

use super::{
    context::Grounds,
    list::List,
    spans::{Length, Spans},
    text::{Amount, Clock},
};

/// What a turn may be. A part of the turn that has a beginning is a [`List`] of these, each with what
/// follows; only the inside of strings and prose is something else.
pub(super) struct Grammar {
    pub(super) nodes: Vec<Node>,
    pub(super) lists: Vec<List<Then>>,
    /// The pieces of the whole conversation.
    pub(super) spans: Spans,
    /// The pieces that name things.
    pub(super) ids: Spans,
    /// The pieces of the lines that something is to be taken out of.
    pub(super) taken_out: Spans,
    /// What an answer is made of; where there is none, of whatever one likes.
    pub(super) grounds: Option<Grounds>,
    /// What calls begin with, up to their arguments: one for each tool.
    pub(super) calls: Option<ListId>,
    /// The same behind another call.
    pub(super) more_calls: Option<ListId>,
    /// What ends a call, behind its arguments.
    pub(super) end_of_call: ListId,
    /// What a turn may begin with.
    pub(super) begin: Begin,
    /// Tools that cannot be called whatever is said, and what in their schemas is the reason.
    pub(super) refused: Vec<(String, String)>,
}

/// What a turn may begin with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    Prose,
    Call,
    Either,
}

pub(super) type NodeId = u32;
pub(super) type ListId = u32;

/// A value that may be written.
pub(super) struct Node {
    /// What it may begin with. Numbers, words and enums are here wholly.
    pub(super) open: ListId,
    pub(super) kind: Kind,
}

/// What a value goes on with.
pub(super) enum Kind {
    /// Nothing: it was written with its beginning.
    Whole,
    /// A piece of the conversation.
    Span(Length, Pieces),
    /// A day, or a moment.
    Date(Clock),
    /// Any text.
    Text(Length),
    /// Any number.
    Number { is_whole: bool },
    /// Fields in their order.
    Object(Vec<Field>),
    /// Items, at least and at most so many.
    Array { item: NodeId, least: u32, most: u32, next: ListId, last: ListId, either: ListId },
    /// Values under keys of the conversation.
    Map { value: NodeId, keys: ListId, next: ListId, last: ListId, most: u32 },
}

/// Which pieces of the conversation a string may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Pieces {
    /// Any.
    All,
    /// Those that name things.
    Ids,
    /// Those of the lines that something is to be taken out of.
    TakenOut,
}

/// A field of an object.
pub(super) struct Field {
    pub(super) value: NodeId,
    /// What may come after it: another key, or the end.
    pub(super) after: ListId,
}

/// What follows once an entry of a list was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The value is complete.
    Done,
    /// The inside of a string.
    Inside(NodeId),
    /// The rest of a number.
    Number(NodeId, Amount),
    /// A field of an object.
    Field(NodeId, u32),
    /// The first item of an array.
    FirstItem(NodeId),
    /// Another item of the array that is open.
    NextItem,
    /// The first key of a map.
    FirstKey(NodeId),
    /// Another key of the map that is open.
    NextKey,
    /// The value under a key.
    Keyed,
    /// The array or map that is open ends.
    Close,
    /// The arguments of a call: this value.
    Arguments(NodeId),
    /// The call is complete.
    Called,
}

impl Grammar {
    pub(super) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)
    }

    pub(super) fn spans(&self, pieces: Pieces) -> &Spans {
        match pieces {
            Pieces::All => &self.spans,
            Pieces::Ids => &self.ids,
            Pieces::TakenOut => &self.taken_out,
        }
    }

    /// Whether a call may begin with this byte.
    pub(super) fn call_begins_with(&self, byte: u8) -> bool {
        let calls = self.calls.and_then(|it| self.list(it));
        calls.is_some_and(|it| it.narrow(it.whole(), byte).is_some())
    }

    pub(super) fn list(&self, id: ListId) -> Option<&List<Then>> {
        self.lists.get(id as usize)
    }
}
