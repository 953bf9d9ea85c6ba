//! [`Selector`]: which of many tools are worth offering now.

mod context;
mod find;
mod index;
mod kin;
mod words;

use std::{collections::HashMap, sync::Arc};

use toolwright_core::{Conversation, ToolSpec};

pub use self::find::{FIND_TOOLS, find_tools};
use self::{
    context::want,
    index::{Index, Wanted},
};

/// When and how many tools are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Choose only with more tools than this.
    pub above: usize,
    /// How many are offered.
    pub offer: usize,
}

impl Default for Selection {
    fn default() -> Self {
        Self { above: 40, offer: 24 }
    }
}

/// An index of the tools' own words, made once per toolbox.
pub struct Selector {
    selection: Selection,
    index: Index,
    by_name: HashMap<Box<str>, usize>,
    /// The tools that must answer before each tool.
    before: Vec<Vec<usize>>,
}

impl Selector {
    /// Reads the tools' names, descriptions and parameters.
    pub fn new(specs: &[Arc<ToolSpec>], selection: Selection) -> Self {
        let by_name: HashMap<Box<str>, usize> =
            specs.iter().enumerate().map(|(at, spec)| (spec.name.as_str().into(), at)).collect();
        let before = |spec: &Arc<ToolSpec>| {
            spec.after.iter().filter_map(|name| by_name.get(name.as_str()).copied()).collect()
        };
        let before = specs.iter().map(before).collect();
        Self { selection, index: Index::new(specs), by_name, before }
    }

    /// Whether there are so many tools that some have to be left out.
    pub fn is_needed(&self) -> bool {
        self.before.len() > self.selection.above
    }

    /// The tools worth offering now, as indices into the specs, in the specs' order, which a
    /// prompt cache likes. `kept` were offered before in this run and stay. So do tools that were
    /// called in the conversation; and what has to be called before a chosen tool comes along.
    pub fn choose(&self, conversation: &Conversation, kept: &[usize]) -> Vec<usize> {
        if !self.is_needed() {
            return (0..self.before.len()).collect();
        }
        let mut chosen = Chosen::new(self.before.len());
        kept.iter().for_each(|tool| chosen.add(*tool));
        conversation.results().for_each(|result| {
            if let Some(tool) = self.by_name.get(result.name.as_str()) {
                chosen.add(*tool);
            }
        });
        let mut wanted = Wanted::new(&self.index);
        want(conversation, &mut wanted);
        wanted.feedback();
        for (rank, tool) in self.ranked(&wanted).into_iter().enumerate() {
            if chosen.count < self.selection.offer || rank < self.selection.offer / 2 {
                chosen.add(tool);
            }
        }
        chosen.in_order()
    }

    /// The best tools for some words, best first: what `find_tools` answers with.
    pub fn search(&self, words: &str, most: usize) -> Vec<usize> {
        let mut wanted = Wanted::new(&self.index);
        wanted.add(words, 1.0);
        let mut best = self.ranked(&wanted);
        best.truncate(most);
        best
    }

    fn ranked(&self, wanted: &Wanted<'_>) -> Vec<usize> {
        let scores = self.index.scores(wanted);
        let mut ranked: Vec<_> =
            scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.into_iter().map(|(tool, _)| tool).collect()
    }
}

struct Chosen {
    is_chosen: Vec<bool>,
    count: usize,
}

impl Chosen {
    fn new(tools: usize) -> Self {
        Self { is_chosen: vec![false; tools], count: 0 }
    }

    fn add(&mut self, tool: usize) {
        if let Some(chosen) = self.is_chosen.get_mut(tool) {
            self.count += usize::from(!*chosen);
            *chosen = true;
        }
    }

    fn in_order(&self) -> Vec<usize> {
        self.is_chosen.iter().enumerate().filter(|(_, chosen)| **chosen).map(|(at, _)| at).collect()
    }
}
