//! [`State`]: how far a turn was written, in every way it can be read.

use std::{hash::Hash, sync::Arc};

use super::{
    answer::Answer,
    grammar::{Begin, Grammar, Kind, ListId, NodeId, Then},
    list::{Bytes, Range},
    text::{Amount, Date, Text},
};

/// How many calls one turn has.
const CALLS: u32 = 8;

/// How far a turn was written, in every way it can be read. Nearly always there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) threads: Vec<Thread>,
}

/// One way to read what was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) leaf: Leaf,
    /// What is open around it, innermost first.
    open: Option<Arc<Open>>,
}

/// What is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Leaf {
    /// An entry of a list.
    Entry(ListId, Range),
    /// A piece of the conversation.
    Span(NodeId, Range),
    Date(NodeId, Date),
    Number(NodeId, Amount),
    Text(Text),
    Answer(Answer),
    /// Nothing more, unless another way goes on.
    End,
}

/// Something that is open.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Open {
    what: What,
    around: Option<Arc<Open>>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum What {
    /// A call; so many were there before it.
    Call(u32),
    /// A field of an object.
    Field(NodeId, u32),
    /// An array with so many items begun.
    Array(NodeId, u32),
    /// A map with these keys.
    Map(NodeId, Vec<u32>),
}

impl State {
    /// Before anything was written.
    pub(super) fn start(grammar: &Grammar) -> Self {
        let mut next = Step { grammar, state: Self::default() };
        if grammar.begin != Begin::Prose {
            grammar.calls.into_iter().for_each(|calls| next.entry(calls, None));
        }
        if grammar.begin != Begin::Call {
            next.add(Leaf::Answer(Answer::default()), None);
        }
        next.state
    }

    /// After one more byte; without threads where that cannot be.
    pub(super) fn push(&self, grammar: &Grammar, byte: u8) -> Self {
        let mut next = Step { grammar, state: Self::default() };
        self.threads.iter().for_each(|thread| next.thread(thread, byte));
        next.state
    }

    /// Whether nothing can be written after it.
    pub(super) fn is_dead(&self) -> bool {
        self.threads.is_empty()
    }

    /// Whether a call is complete here.
    pub(super) fn is_called(&self) -> bool {
        self.threads.iter().any(|thread| thread.leaf == Leaf::End)
    }

    /// Whether the turn may end here.
    pub(super) fn can_end(&self, grammar: &Grammar) -> bool {
        self.threads.iter().any(|thread| match thread.leaf {
            Leaf::End => true,
            Leaf::Answer(answer) => answer.can_end(grammar.grounds.as_ref()),
            _ => false,
        })
    }

    /// The bytes that may come next, and perhaps some that may not.
    pub(super) fn next(&self, grammar: &Grammar) -> Bytes {
        let mut bytes = Bytes::default();
        for thread in &self.threads {
            match thread.leaf {
                Leaf::Entry(list, range) => {
                    grammar.list(list).into_iter().for_each(|list| list.next(range, &mut bytes));
                }
                Leaf::Span(node, range) => {
                    bytes.add(b'"');
                    if let Some(Kind::Span(_, pieces)) = grammar.node(node).map(|it| &it.kind) {
                        grammar.spans(*pieces).next(range, &mut bytes);
                    }
                }
                Leaf::Date(..) => b"0123456789-: TZ\"".iter().for_each(|byte| bytes.add(*byte)),
                Leaf::Number(..) => b"0123456789.".iter().for_each(|byte| bytes.add(*byte)),
                Leaf::Text(_) | Leaf::Answer(_) => return Bytes::ALL,
                Leaf::End => {}
            }
        }
        bytes
    }
}

/// A [`State`] in the making.
struct Step<'a> {
    grammar: &'a Grammar,
    state: State,
}

impl Step<'_> {
    fn add(&mut self, leaf: Leaf, open: Option<Arc<Open>>) {
        let thread = Thread { leaf, open };
        if !self.state.threads.contains(&thread) {
            self.state.threads.push(thread);
        }
    }

    fn thread(&mut self, thread: &Thread, byte: u8) {
        let Thread { leaf, open } = thread;
        match *leaf {
            Leaf::Entry(list, range) => self.entry_goes_on(list, range, byte, open),
            Leaf::Span(node, range) => self.span(node, range, byte, open),
            Leaf::Date(node, date) => {
                let Some(Kind::Date(clock)) = self.kind(node) else { return };
                if byte == b'"' && date.can_end(*clock) {
                    return self.done(open);
                }
                if let Some(date) = date.push(byte, *clock) {
                    self.add(Leaf::Date(node, date), open.clone());
                }
            }
            Leaf::Number(node, amount) => {
                let is_whole = matches!(self.kind(node), Some(Kind::Number { is_whole: true }));
                if let Some(amount) = amount.push(byte, is_whole) {
                    self.amount(node, amount, open);
                }
            }
            Leaf::Text(text) => {
                if byte == b'"' && text.can_end() {
                    return self.done(open);
                }
                if let Some(text) = text.push(byte) {
                    self.add(Leaf::Text(text), open.clone());
                }
            }
            Leaf::Answer(answer) => {
                let grounds = self.grammar.grounds.as_ref();
                answer.push(byte, grounds, |answer| self.add(Leaf::Answer(answer), None));
            }
            Leaf::End => {}
        }
    }

    /// A number goes on, or is over.
    fn amount(&mut self, node: NodeId, amount: Amount, open: &Option<Arc<Open>>) {
        self.add(Leaf::Number(node, amount), open.clone());
        if amount.can_end() {
            self.done(open);
        }
    }

    fn span(&mut self, node: NodeId, range: Range, byte: u8, open: &Option<Arc<Open>>) {
        let Some(Kind::Span(length, pieces)) = self.kind(node) else { return };
        let (spans, length) = (self.grammar.spans(*pieces), *length);
        // In a piece a quote stands only behind a backslash, where a piece cannot end.
        if let Some(range) = spans.narrow(range, byte, length) {
            self.add(Leaf::Span(node, range), open.clone());
        } else if byte == b'"' && range.depth > 0 && spans.can_end(range, length) {
            self.done(open);
        }
    }

    /// Begins an entry of a list.
    fn entry(&mut self, list: ListId, open: Option<Arc<Open>>) {
        if let Some(entries) = self.grammar.list(list) {
            self.add(Leaf::Entry(list, entries.whole()), open);
        }
    }

    fn entry_goes_on(&mut self, list: ListId, range: Range, byte: u8, open: &Option<Arc<Open>>) {
        let Some(entries) = self.grammar.list(list) else { return };
        let Some(range) = entries.narrow(range, byte) else { return };
        // A key that is there already is no entry any more.
        let used = match open.as_deref() {
            Some(Open { what: What::Map(node, used), .. }) if self.keys(*node) == Some(list) => {
                used
            }
            _ => &Vec::new(),
        };
        for (number, then) in entries.complete(range).filter(|(at, _)| !used.contains(at)) {
            self.then(*then, number, open);
        }
        let is_longer = |bytes: &[u8]| bytes.len() > range.depth as usize;
        let mut within = entries.within(range);
        if within.any(|(at, (bytes, _))| is_longer(bytes) && !used.contains(&at)) {
            self.add(Leaf::Entry(list, range), open.clone());
        }
    }

    /// Goes on after an entry; `number` is its number in its list.
    fn then(&mut self, then: Then, number: u32, open: &Option<Arc<Open>>) {
        match then {
            Then::Done => self.done(open),
            Then::Inside(node) => self.inside(node, open),
            Then::Number(node, amount) => self.amount(node, amount, open),
            Then::Field(node, at) => {
                let Some(Kind::Object(fields)) = self.kind(node) else { return };
                let value = fields.get(at as usize).map(|field| field.value);
                self.value(value, What::Field(node, at), open.clone());
            }
            Then::FirstItem(node) => self.item(node, 1, open.clone()),
            Then::NextItem => {
                if let Some(Open { what: What::Array(node, count), around }) = open.as_deref() {
                    self.item(*node, count + 1, around.clone());
                }
            }
            Then::FirstKey(node) => self.key(node, Vec::new(), open.clone()),
            Then::NextKey => {
                if let Some(Open { what: What::Map(node, used), around }) = open.as_deref() {
                    self.key(*node, used.clone(), around.clone());
                }
            }
            Then::Keyed => {
                let Some(Open { what: What::Map(node, used), around }) = open.as_deref() else {
                    return;
                };
                let Some(Kind::Map { value, .. }) = self.kind(*node) else { return };
                let used = used.iter().copied().chain([number]).collect();
                self.value(Some(*value), What::Map(*node, used), around.clone());
            }
            Then::Close => {
                if let Some(open) = open.as_deref() {
                    self.done(&open.around);
                }
            }
            Then::Arguments(node) => {
                let before = match open.as_deref() {
                    Some(Open { what: What::Call(before), .. }) => before + 1,
                    _ => 0,
                };
                self.value(Some(node), What::Call(before), None);
            }
            Then::Called => {
                self.add(Leaf::End, None);
                let Some(Open { what: What::Call(before), .. }) = open.as_deref() else { return };
                let has_more = before + 1 < CALLS;
                if let Some(more) = self.grammar.more_calls.filter(|_| has_more) {
                    self.entry(more, open.clone());
                }
            }
        }
    }

    /// Begins a value within something.
    fn value(&mut self, node: Option<NodeId>, what: What, around: Option<Arc<Open>>) {
        if let Some(node) = node.and_then(|node| self.grammar.node(node)) {
            self.entry(node.open, Some(Arc::new(Open { what, around })));
        }
    }

    fn item(&mut self, node: NodeId, count: u32, around: Option<Arc<Open>>) {
        let Some(Kind::Array { item, .. }) = self.kind(node) else { return };
        self.value(Some(*item), What::Array(node, count), around);
    }

    fn key(&mut self, node: NodeId, used: Vec<u32>, around: Option<Arc<Open>>) {
        if let Some(keys) = self.keys(node) {
            self.entry(keys, Some(Arc::new(Open { what: What::Map(node, used), around })));
        }
    }

    fn inside(&mut self, node: NodeId, open: &Option<Arc<Open>>) {
        let leaf = match self.kind(node) {
            Some(Kind::Span(_, pieces)) => Leaf::Span(node, self.grammar.spans(*pieces).whole()),
            Some(Kind::Date(_)) => Leaf::Date(node, Date::default()),
            Some(Kind::Text(length)) => {
                let (least, most) = (length.least, length.most);
                Leaf::Text(Text { char: Default::default(), is_escape: false, least, most })
            }
            _ => return,
        };
        self.add(leaf, open.clone());
    }

    /// Goes on after a value that is complete.
    fn done(&mut self, open: &Option<Arc<Open>>) {
        let Some(Open { what, around }) = open.as_deref() else { return };
        match what {
            What::Call(_) => self.entry(self.grammar.end_of_call, open.clone()),
            What::Field(node, at) => {
                let Some(Kind::Object(fields)) = self.kind(*node) else { return };
                let after = fields.get(*at as usize).map(|field| field.after);
                after.into_iter().for_each(|after| self.entry(after, around.clone()));
            }
            What::Array(node, count) => {
                let Some(Kind::Array { least, most, next, last, either, .. }) = self.kind(*node)
                else {
                    return;
                };
                let list = if count < least {
                    next
                } else if count < most {
                    either
                } else {
                    last
                };
                self.entry(*list, open.clone());
            }
            What::Map(node, used) => {
                let Some(Kind::Map { next, last, most, .. }) = self.kind(*node) else { return };
                let list = if (used.len() as u32) < *most { next } else { last };
                self.entry(*list, open.clone());
            }
        }
    }

    fn kind(&self, node: NodeId) -> Option<&'_ Kind> {
        self.grammar.node(node).map(|node| &node.kind)
    }

    fn keys(&self, node: NodeId) -> Option<ListId> {
        match self.kind(node)? {
            Kind::Map { keys, .. } => Some(*keys),
            _ => None,
        }
    }
}
