//! [`Draft`]: an [`Index`] in the making.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use toolwright_core::ToolSpec;

use super::{
    FIND_TOOLS,
    index::{Having, Index, Meaning},
    synonyms::{self, each_synonym},
    words::Words,
};

/// What a word weighs by the place it stands in.
mod place {
    pub(super) const NAME: f32 = 3.0;
    pub(super) const DESCRIPTION: f32 = 1.5;
    /// A parameter's name.
    pub(super) const PARAMETER: f32 = 0.7;
    /// A value a parameter may have.
    pub(super) const CHOICE: f32 = 1.0;
    /// A parameter's description.
    pub(super) const EXPLANATION: f32 = 0.4;
}

/// How soon further occurrences of a word in one tool say nothing more.
const SATURATION: f32 = 1.2;
/// How much more often a tool of many words has to have one, for it to count as much.
const LENGTH: f32 = 0.4;
/// How many words of a tool are its most telling ones.
const TELLING: usize = 6;
/// How deep a schema is read.
const DEPTH: usize = 8;

/// An [`Index`] in the making: collects what every tool says, then weighs it.
#[derive(Default)]
pub(super) struct Draft {
    cutter: Words,
    words: HashMap<Box<str>, usize>,
    having: Vec<Vec<Having>>,
    /// How many words each tool has, by what they weigh.
    lengths: Vec<f32>,
}

impl Draft {
    /// Adds a tool, whose number is above all before it.
    pub(super) fn add(&mut self, tool: usize, spec: &ToolSpec) {
        self.lengths.push(0.0);
        // Who looks for tools does not look for this one, and it speaks of all of them.
        if spec.name == FIND_TOOLS {
            return;
        }
        self.text(tool, &spec.name, place::NAME);
        self.text(tool, &spec.description, place::DESCRIPTION);
        self.schema(tool, &spec.parameters, DEPTH);
    }

    fn schema(&mut self, tool: usize, schema: &Value, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            self.text(tool, text, place::EXPLANATION);
        }
        for choice in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            self.text(tool, choice.as_str().unwrap_or_default(), place::CHOICE);
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, inner) in properties.into_iter().flatten() {
            self.text(tool, name, place::PARAMETER);
            self.schema(tool, inner, depth);
        }
        if let Some(items) = schema.get("items") {
            self.schema(tool, items, depth);
        }
    }

    fn text(&mut self, tool: usize, text: &str, weight: f32) {
        let Self { cutter, words, having, lengths } = self;
        cutter.each(text, |word| {
            let number = words.get(word).copied().unwrap_or_else(|| {
                having.push(Vec::new());
                *words.entry(word.into()).or_insert(having.len() - 1)
            });
            if let Some(having) = having.get_mut(number) {
                match having.last_mut() {
                    // Tools come one after the other, so this one's word can only be the last.
                    Some(last) if last.tool == tool => last.weight += weight,
                    _ => having.push(Having { tool, weight }),
                }
            }
            if let Some(length) = lengths.last_mut() {
                *length += weight;
            }
        });
    }

    /// Weighs what was collected.
    pub(super) fn finish(mut self) -> Index {
        let tools = self.lengths.len();
        let mean = self.lengths.iter().sum::<f32>() / tools.max(1) as f32;
        let mut telling = vec![Vec::new(); tools];
        for (word, having) in self.having.iter_mut().enumerate() {
            let with = having.len() as f32;
            let rarity = (1.0 + (tools as f32 - with + 0.5) / (with + 0.5)).ln();
            for Having { tool, weight } in having {
                let length = self.lengths.get(*tool).map_or(1.0, |length| length / mean);
                let damping = SATURATION * (1.0 - LENGTH + LENGTH * length);
                *weight = rarity * *weight / (*weight + damping);
                if let Some(telling) = telling.get_mut(*tool) {
                    telling.push(Meaning { word, weight: *weight });
                }
            }
        }
        for telling in &mut telling {
            telling.sort_by(|a: &Meaning, b| b.weight.total_cmp(&a.weight));
            telling.truncate(TELLING);
        }
        let (terms, meanings) = self.terms();
        Index { terms, meanings, having: self.having, telling }
    }

    /// Every word with itself and its synonyms, and every word that has only synonyms.
    fn terms(&self) -> (BTreeMap<Box<str>, usize>, Vec<Vec<Meaning>>) {
        let mut terms: BTreeMap<_, _> = self.words.clone().into_iter().collect();
        let itself = |word| vec![Meaning { word, weight: 1.0 }];
        let mut meanings: Vec<_> = (0..self.having.len()).map(itself).collect();
        each_synonym(|word, other| {
            let Some(other) = self.words.get(other).copied() else { return };
            let term = terms.get(word).copied().unwrap_or_else(|| {
                meanings.push(Vec::new());
                *terms.entry(word.into()).or_insert(meanings.len() - 1)
            });
            if let Some(known) = meanings.get_mut(term)
                && known.iter().all(|it| it.word != other)
            {
                known.push(Meaning { word: other, weight: synonyms::WEIGHT });
            }
        });
        (terms, meanings)
    }
}
