//! [`ToolSelector`]: which of many tools are worth offering now.
//!
//! Every definition costs tokens in every request, and among hundreds a model picks worse. What is
//! offered is ranked by the words that the conversation and the tools have in common, and by their
//! meaning where something compares that ([`ToolSimilarity`](toolwright_core::ToolSimilarity)). What
//! that misses the model finds by itself, with [`find_tools`].

mod draft;
mod find;
mod index;
mod synonyms;
mod wanted;
mod words;

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use toolwright_core::{Conversation, Message, ToolSpec};

pub use self::find::{FIND_TOOLS, find_tools};
use self::{index::Index, wanted::Wanted};

/// When and how many tools are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectionConfig {
    /// Choose only with more tools than this.
    pub above: usize,
    /// How many are offered.
    pub offer: usize,
}

impl Default for SelectionConfig {
    fn default() -> Self {
        Self { above: 40, offer: 24 }
    }
}

/// An index of the tools' own words, made once per toolbox, when it is first needed.
pub struct ToolSelector {
    selection: SelectionConfig,
    specs: Vec<Arc<ToolSpec>>,
    index: OnceLock<(Index, Names)>,
}

type Names = HashMap<Box<str>, usize>;

impl ToolSelector {
    /// A selector of these tools.
    pub fn new(specs: &[Arc<ToolSpec>], selection: SelectionConfig) -> Self {
        Self { selection, specs: specs.to_vec(), index: OnceLock::new() }
    }

    /// Whether there are so many tools that some have to be left out.
    pub fn is_needed(&self) -> bool {
        self.specs.len() > self.selection.above
    }

    /// The tools worth offering now, as indices into the specs, in the specs' order (a prompt cache
    /// likes a stable order).
    ///
    /// `kept` were offered before in this run and stay. So do tools that were called in the
    /// conversation and what `find_tools` has found in this run. The rest is filled with the best,
    /// and where there is no rest, the best still get half as many places as are usually offered:
    /// a conversation may turn to something new. What a tool names in its `after` comes along with
    /// it. Where the conversation says nothing about any tool, none is added.
    pub fn choose(&self, conversation: &Conversation, kept: &[usize]) -> Vec<usize> {
        self.choose_similar(conversation, kept, &[])
    }

    /// As [`choose`](Self::choose), with how similar each tool is to what is asked.
    pub fn choose_similar(
        &self,
        conversation: &Conversation,
        kept: &[usize],
        similarities: &[f32],
    ) -> Vec<usize> {
        if !self.is_needed() {
            return (0..self.specs.len()).collect();
        }
        let (index, names) = self.index();
        let mut chosen = Chosen { is_chosen: vec![false; self.specs.len()], count: 0 };
        let called = conversation.results().map(|result| result.name.as_str());
        let found = found(conversation);
        for name in called.chain(found.iter().map(String::as_str)).chain([FIND_TOOLS]) {
            names.get(name).into_iter().for_each(|tool| self.add(&mut chosen, names, *tool));
        }
        let used = chosen.is_chosen.clone();
        kept.iter().for_each(|tool| self.add(&mut chosen, names, *tool));
        let wanted = Wanted::by_conversation(index, conversation);
        let ranked =
            index.ranked_with_kind(&wanted, similarities).into_iter().map(|(tool, _)| tool);
        let unused = ranked.filter(|tool| used.get(*tool) == Some(&false));
        for (rank, tool) in unused.enumerate() {
            let has_place = rank < self.selection.offer.div_ceil(2);
            if !has_place && chosen.count >= self.selection.offer {
                break;
            }
            self.add(&mut chosen, names, tool);
        }
        chosen.in_order()
    }

    /// The best tools for some words, best first: what `find_tools` answers with.
    pub fn search(&self, words: &str, most: usize) -> Vec<usize> {
        let (index, _) = self.index();
        let ranked = index.ranked(&Wanted::by_words(index, words));
        ranked.into_iter().take(most).map(|(tool, _)| tool).collect()
    }

    fn index(&self) -> &(Index, Names) {
        self.index.get_or_init(|| {
            let names = self.specs.iter().enumerate();
            let names = names.map(|(at, spec)| (spec.name.as_str().into(), at)).collect();
            (Index::new(&self.specs), names)
        })
    }

    /// Chooses a tool, and what must have answered before it.
    fn add(&self, chosen: &mut Chosen, names: &Names, tool: usize) {
        let mut open = vec![tool];
        while let Some(tool) = open.pop() {
            if let Some(spec) = self.specs.get(tool)
                && chosen.add(tool)
            {
                open.extend(spec.after.iter().filter_map(|name| names.get(name.as_str())));
            }
        }
    }
}

/// The tools that are chosen so far.
struct Chosen {
    is_chosen: Vec<bool>,
    count: usize,
}

impl Chosen {
    /// Whether that is new.
    fn add(&mut self, tool: usize) -> bool {
        let Some(is_chosen) = self.is_chosen.get_mut(tool).filter(|is_chosen| !**is_chosen) else {
            return false;
        };
        *is_chosen = true;
        self.count += 1;
        true
    }

    fn in_order(self) -> Vec<usize> {
        let all = self.is_chosen.into_iter().enumerate();
        all.filter_map(|(tool, is_chosen)| is_chosen.then_some(tool)).collect()
    }
}

/// The tools that `find_tools` has named since the person spoke.
fn found(conversation: &Conversation) -> Vec<String> {
    let mut names = Vec::new();
    for message in conversation.messages().iter().rev() {
        match &**message {
            Message::User(said) if said.is_question() => break,
            Message::Tool(result) if result.name == FIND_TOOLS => {
                names.extend(find::names_in(&result.outcome));
            }
            _ => {}
        }
    }
    names
}
