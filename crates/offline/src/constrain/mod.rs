//! [`Constraint`]: which tokens a model may write next.
//!
//! A turn is text, or calls of the tools on offer. A call is JSON typed by the tool's schema, its keys in
//! the schema's order. What it says comes from the conversation:
//!
//! - A string is a piece of a line somebody wrote, from the beginning of a word to the end of one; or one
//!   the schema names (an `enum`, the default, and for a parameter that may be left out what its
//!   description quotes). A parameter the tool declares as [generated](toolwright_core::ToolSpec::generated) may be anything.
//! - Where something is to be taken out of a text that was read, a line that goes has a word of the request, if any line has, and
//!   what stays of it is a piece of it.
//! - A number stands in the conversation, in figures or in words (`five`, `2nd`, `20%` as 20 or 0.2,
//!   `5 million`), or is the default.
//! - A day is one on which a period begins or ends that the person speaks of (`last month`), and any where none is spoken of.
//! - A figure in an answer stands in the conversation ([`Prose::Grounded`]), or counts its lines or items. What stands between
//!   backticks is a piece of a line of it. What is long is pointed at, in a line of its own (`[[1]]`), and there are no fences.
//!
//! A tool that must have something the conversation does not give cannot be called, nor one that changes something and that
//! nobody [asked for](toolwright_core::ToolSpec::asked_by). No call stands in a turn twice. Whatever is begun can be ended.
//!
//! How: the schemas and the conversation are compiled to a `Grammar` of bytes; its `State` is walked
//! along the vocabulary's trie, so that a step looks only at tokens that begin as something allowed does.

mod answer;
mod asking;
mod calls;
mod change;
mod compile;
mod containers;
mod context;
mod days;
mod forms;
mod grammar;
mod lexicon;
mod list;
mod mark;
mod mask;
mod merge;
mod numbers;
mod repeated;
mod shapes;
mod spans;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod values;

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use toolwright_core::{ToolChoice, ToolSpec};

pub(crate) use self::change::{left, may_take_out, only_adds};
use self::{
    answer::{Answer, At},
    grammar::Grammar,
    lexicon::Trie,
    repeated::Repeated,
    state::{Leaf, State, Thread},
};
pub use self::{calls::CallForm, context::Context, lexicon::Lexicon, mark::Mark, mask::Mask};

/// How many tokens an answer has.
const ANSWER: usize = 600;
/// Composed text may be this long before it matters how much longer it may be: longer than any token.
const FAR: u32 = 256;

/// Whether the figures in an answer must stand in the conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prose {
    /// They must.
    #[default]
    Grounded,
    /// Any may be written.
    Free,
}

/// Where the arguments of calls come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// The conversation, but for what a tool declares as [generated](ToolSpec::generated).
    #[default]
    Taken,
    /// The model, but for what a tool declares as [grounded](ToolSpec::grounded).
    Written,
}

/// How a model writes its turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which figures stand in an answer.
    pub prose: Prose,
    /// Where the arguments of calls come from.
    pub values: Values,
    /// How a call is written.
    pub calls: CallForm,
}

/// Which tokens a model may write next in a turn.
pub struct Constraint {
    lexicon: Arc<Lexicon>,
    grammar: Grammar,
    state: State,
    /// The calls that were written.
    repeated: Repeated,
    is_finished: bool,
    /// How many tokens were written.
    length: usize,
    /// The tokens that may follow in states that come again: within text, where they are many.
    known: HashMap<State, Mask>,
    mask: Mask,
    /// Whether `mask` is that of the state.
    is_current: bool,
}

impl Constraint {
    /// Before the turn begins. `context` is what the model has read.
    ///
    /// Where no tool can be called, the turn is text whatever the choice.
    pub fn new(
        lexicon: Arc<Lexicon>,
        tools: &[Arc<ToolSpec>],
        context: Context,
        choice: &ToolChoice,
        style: Style,
    ) -> Self {
        let grammar = compile::grammar(tools, context, choice, style);
        let state = State::start(&grammar);
        let mask = Mask::empty(lexicon.vocabulary().size());
        let known = HashMap::new();
        let (repeated, is_finished, length, is_current) = (Repeated::default(), false, 0, false);
        Self { lexicon, grammar, state, repeated, is_finished, length, known, mask, is_current }
    }

    /// The same, where none of these calls may be written again, letter by letter.
    #[must_use]
    pub fn without(mut self, calls: impl IntoIterator<Item = String>) -> Self {
        calls.into_iter().for_each(|call| self.repeated.add(&call));
        self
    }

    /// Why a tool cannot be called whatever is said: what its schema asks that cannot be seen to while it is written.
    pub fn unwritable(&self, tool: &str) -> Option<&str> {
        let refused = self.grammar.refused.iter().find(|(name, _)| name == tool);
        refused.map(|(_, reason)| reason.as_str())
    }

    /// The tokens that may come next; none once the turn is over.
    pub fn allowed(&mut self) -> &Mask {
        if !self.is_current {
            self.fill();
            let trie = &self.lexicon.all;
            self.repeated.forbid(&self.grammar, &self.state, trie, &mut self.mask);
            self.is_current = true;
        }
        &self.mask
    }

    /// Goes on with a token. One that is not allowed ends the turn.
    pub fn push(&mut self, token: u32) {
        self.is_current = false;
        self.length += 1;
        if token == self.lexicon.vocabulary().end() {
            self.is_finished = true;
            return;
        }
        for byte in self.lexicon.vocabulary().bytes(token) {
            self.state = self.state.push(&self.grammar, *byte);
            self.repeated.push(*byte, &self.state);
        }
        self.is_finished |= self.state.is_dead();
    }

    /// Whether a turn that goes on with this token is calls, and no words.
    pub fn is_call(&self, token: u32) -> bool {
        let bytes = self.lexicon.vocabulary().bytes(token);
        // Most tokens are none by their first byte.
        let is_first = |byte: &u8| self.grammar.call_begins_with(*byte);
        if !bytes.first().is_some_and(is_first) {
            return false;
        }
        let begun = self.state.clone();
        let state = bytes.iter().fold(begun, |state, byte| state.push(&self.grammar, *byte));
        let is_words = |thread: &Thread| matches!(thread.leaf, Leaf::Answer(_));
        !state.is_dead() && !state.threads.iter().any(is_words)
    }

    /// The only token that may come next, where there is just one.
    pub fn forced(&mut self) -> Option<u32> {
        self.allowed().only()
    }

    /// The bytes that must come next, whatever the model prefers: a caller may read them at once
    /// instead of asking for each token. What follows them may belong to the same token as their last.
    pub fn ahead(&self) -> Vec<u8> {
        let mut state = self.state.clone();
        let mut ahead = Vec::new();
        while !state.can_end(&self.grammar) && !self.is_finished {
            let next = state.next(&self.grammar);
            let mut going = (0..=u8::MAX).filter(|byte| next.has(*byte)).filter_map(|byte| {
                let state = state.push(&self.grammar, byte);
                (!state.is_dead()).then_some((byte, state))
            });
            let (Some((byte, only)), None) = (going.next(), going.next()) else { break };
            ahead.push(byte);
            state = only;
        }
        ahead
    }

    /// Whether the turn is over.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }

    fn fill(&mut self) {
        self.mask.clear();
        if self.is_finished {
            return;
        }
        let can_end = self.state.can_end(&self.grammar);
        if can_end {
            self.mask.add(self.lexicon.vocabulary().end());
        }
        if can_end && self.length >= ANSWER {
            return;
        }
        let walk = Walk { grammar: &self.grammar, lexicon: &self.lexicon };
        if !comes_again(&self.state) {
            walk.fill(&self.state, &mut self.mask);
            return;
        }
        match self.known.entry(far(&self.state)) {
            Entry::Occupied(known) => self.mask.add_all(known.get()),
            Entry::Vacant(unknown) => {
                let mut mask = Mask::empty(self.lexicon.vocabulary().size());
                walk.fill(&self.state, &mut mask);
                self.mask.add_all(unknown.insert(mask));
            }
        }
    }
}

/// Whether a state is one within text.
fn comes_again(state: &State) -> bool {
    state.threads.iter().any(|thread| matches!(thread.leaf, Leaf::Text(_) | Leaf::Answer(_)))
}

/// The state as far as the next token can tell.
fn far(state: &State) -> State {
    let mut state = state.clone();
    for thread in &mut state.threads {
        if let Leaf::Text(text) = &mut thread.leaf {
            text.most = text.most.min(FAR);
            text.least = text.least.min(FAR);
        }
    }
    state
}

/// Finds the tokens that may follow a state.
struct Walk<'a> {
    grammar: &'a Grammar,
    lexicon: &'a Lexicon,
}

impl Walk<'_> {
    fn fill(&self, state: &State, mask: &mut Mask) {
        // Where text is written, the plain tokens are known and only the others are looked at. What
        // else may be written there is made of bytes that are not plain.
        match state.threads.iter().find_map(|thread| self.plain(&thread.leaf)) {
            Some(plain) => {
                mask.add_all(plain);
                self.visit(&self.lexicon.special, 0, state, mask);
            }
            None => self.visit(&self.lexicon.all, 0, state, mask),
        }
    }

    /// The plain tokens that may come next, where that depends on nothing else.
    fn plain(&self, leaf: &Leaf) -> Option<&Mask> {
        let is_free = match leaf {
            Leaf::Text(text) => text.char.is_whole() && !text.is_escape && text.most >= FAR,
            Leaf::Answer(Answer { at: At::Start, .. }) => return Some(&self.lexicon.opening),
            Leaf::Answer(answer) => answer.takes_words(self.grammar.grounds.as_ref()),
            _ => false,
        };
        is_free.then_some(&self.lexicon.plain)
    }

    fn visit(&self, trie: &Trie, node: u32, state: &State, mask: &mut Mask) {
        let next = state.next(self.grammar);
        for (byte, child) in trie.edges(node).iter().filter(|(byte, _)| next.has(*byte)) {
            let state = state.push(self.grammar, *byte);
            if state.is_dead() {
                continue;
            }
            trie.tokens(*child).iter().for_each(|token| mask.add(*token));
            // Whether another call may follow is seen when this one is whole.
            if !state.is_called() {
                self.visit(trie, *child, &state, mask);
            }
        }
    }
}

/// A character as it stands in a JSON string.
fn json_char(char: char) -> Vec<u8> {
    let text = serde_json::Value::from(char.to_string()).to_string();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inner.unwrap_or_default().as_bytes().to_vec()
}
