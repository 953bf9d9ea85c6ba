//! [`Wanted`]: what is wanted of the tools, in the terms of an [`Index`].

use toolwright_core::{Conversation, Message};

use super::{index::Index, words::Words};

/// What is wanted of the tools: a weight for each term of an [`Index`].
pub(super) struct Wanted<'a> {
    index: &'a Index,
    cutter: Words,
    weights: Vec<f32>,
    /// The terms that have a weight, as they came.
    terms: Vec<usize>,
}

/// What each part of a conversation weighs beside the person's last message, which weighs 1.
mod part {
    /// The person's message before it; the one before that weighs this much of this, and so on.
    pub(super) const EARLIER: f32 = 0.6;
    /// What the model said last.
    pub(super) const ANSWER: f32 = 0.5;
    /// The name of a tool that was called last.
    pub(super) const CALLED: f32 = 0.5;
    /// A key in its result.
    pub(super) const KEY: f32 = 0.15;
}

/// Earlier messages that weigh less than this are not read.
const LEAST: f32 = 0.1;
/// How many results are read.
const RESULTS: usize = 2;
/// How much of the beginning and of the end of a text is read, in bytes. People paste.
const ENDS: usize = 1000;

impl<'a> Wanted<'a> {
    /// What somebody wants who says these words.
    pub(super) fn by_words(index: &'a Index, words: &str) -> Self {
        let mut wanted = Self::nothing(index);
        wanted.add(words, 1.0);
        wanted
    }

    /// What a conversation is about now.
    pub(super) fn by_conversation(index: &'a Index, conversation: &Conversation) -> Self {
        let mut wanted = Self::nothing(index);
        let mut weight = 1.0;
        let mut is_answer = true;
        for message in conversation.messages().iter().rev() {
            match &**message {
                Message::User(said) if said.is_turn() => {
                    wanted.add(&said.content, weight);
                    weight *= part::EARLIER;
                }
                Message::Assistant(said) if is_answer && !said.content.is_empty() => {
                    wanted.add(&said.content, part::ANSWER);
                    is_answer = false;
                }
                _ => {}
            }
            if weight < LEAST {
                break;
            }
        }
        for result in conversation.results().rev().take(RESULTS) {
            wanted.add(&result.name, part::CALLED);
            each_key(head(&result.outcome.text), |key| wanted.add(key, part::KEY));
        }
        wanted
    }

    /// The terms that are wanted, each with its weight.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, f32)> {
        let weight = |term: &usize| Some((*term, self.weights.get(*term).copied()?));
        self.terms.iter().filter_map(weight)
    }

    fn nothing(index: &'a Index) -> Self {
        let weights = vec![0.0; index.meanings.len()];
        Self { index, cutter: Words::default(), weights, terms: Vec::new() }
    }

    fn add(&mut self, text: &str, weight: f32) {
        if text.len() <= 2 * ENDS {
            return self.add_all(text, weight);
        }
        self.add_all(head(text), weight);
        self.add_all(tail(text), weight);
    }

    /// A term counts once, as much as in the place that gives it most.
    fn add_all(&mut self, text: &str, weight: f32) {
        let Self { index, cutter, weights, terms } = self;
        let mut want = |term: usize, weight: f32| {
            let Some(wanted) = weights.get_mut(term) else { return };
            if *wanted == 0.0 {
                terms.push(term);
            }
            *wanted = wanted.max(weight);
        };
        cutter.each(text, |word| index.each_term(word, |term, part| want(term, part * weight)));
    }
}

fn head(text: &str) -> &str {
    let to = (0..=ENDS.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    to.and_then(|to| text.get(..to)).unwrap_or_default()
}

fn tail(text: &str) -> &str {
    let from = (text.len().saturating_sub(ENDS)..).find(|at| text.is_char_boundary(*at));
    from.and_then(|from| text.get(from..)).unwrap_or_default()
}

/// The keys in what may be JSON and may be cut off: what stands in quotes before a colon.
fn each_key(text: &str, mut each: impl FnMut(&str)) {
    let mut pieces = text.split('"').skip(1).peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_some_and(|after| after.trim_start().starts_with(':')) {
            each(piece);
        }
    }
}
