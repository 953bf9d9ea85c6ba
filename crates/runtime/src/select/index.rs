//! [`Index`]: which tools have which words, and how much that says about them.

use std::{
    collections::BTreeMap,
    ops::Bound::{Included, Unbounded},
    sync::Arc,
};

use serde_json::Value;
use toolwright_core::ToolSpec;

use super::{
    kin::kin,
    words::{Words, each_phrase},
};

/// Which tools have which words, and how much each word says about each tool: what its places
/// weigh, and how few tools have it (BM25 over fields). All of that is known beforehand, so that a
/// question costs one look-up for each of its words and one addition for each tool that has it.
pub(super) struct Index {
    /// What each word stands for: itself where a tool has it, and its kin. In order, so that words
    /// that begin alike stand together.
    meanings: BTreeMap<Box<str>, Vec<Meaning>>,
    /// The tools that have a word, by the word's number.
    having: Vec<Vec<Having>>,
    pub(super) words_of: Vec<Vec<(usize, f32)>>,
    tools: usize,
}

/// A word that another stands for.
#[derive(Clone, Copy)]
struct Meaning {
    word: usize,
    weight: f32,
}

/// A tool that has a word.
#[derive(Clone, Copy)]
struct Having {
    tool: usize,
    weight: f32,
}

/// What a word weighs by the place it stands in.
mod place {
    pub(super) const NAME: f32 = 3.0;
    pub(super) const DESCRIPTION: f32 = 1.5;
    pub(super) const PARAMETER: f32 = 0.7;
    pub(super) const CHOICE: f32 = 0.7;
    pub(super) const EXPLANATION: f32 = 0.4;
}

/// How soon further occurrences of a word in one tool say nothing more.
const SATURATION: f32 = 1.2;
/// How much a tool of many words has to have a word more often.
const LENGTH: f32 = 0.4;
/// A word no tool has stands for those that share this many letters with it.
const ALIKE: usize = 5;
/// What such a likeness weighs.
const ALIKE_WEIGHT: f32 = 0.4;

impl Index {
    pub(super) fn new(specs: &[Arc<ToolSpec>]) -> Self {
        let mut drafts = Drafts::default();
        specs.iter().enumerate().for_each(|(tool, spec)| drafts.add(tool, spec));
        drafts.finish(specs.len())
    }

    /// The tools' scores for what is wanted.
    pub(super) fn scores(&self, wanted: &Wanted<'_>) -> Vec<f32> {
        let mut scores = vec![0.0f32; self.tools];
        let mut best = vec![0.0f32; self.tools];
        let mut touched = Vec::new();
        let mix = knob("MIX", 0.0);
        for (_, weight, meanings) in &wanted.concepts {
            for m in meanings {
                for it in &self.having[m.word] {
                    let v = it.weight * m.weight * weight;
                    if best[it.tool] == 0.0 {
                        touched.push(it.tool);
                    }
                    let (hi, lo) =
                        if v > best[it.tool] { (v, best[it.tool]) } else { (best[it.tool], v) };
                    best[it.tool] = hi;
                    scores[it.tool] += mix * lo;
                }
            }
            for t in touched.drain(..) {
                scores[t] += best[t];
                best[t] = 0.0;
            }
        }
        for (having, wanted) in self.having.iter().zip(&wanted.weights) {
            if *wanted > 0.0 {
                for it in having {
                    scores[it.tool] += it.weight * wanted;
                }
            }
        }
        scores
    }

    /// What a word stands for. One that no tool has and nobody knows stands for those that begin
    /// alike: it may be another form, or a slip of the finger.
    fn each_meaning(&self, word: &str, mut each: impl FnMut(Meaning)) {
        if let Some(meanings) = self.meanings.get(word) {
            return meanings.iter().copied().for_each(each);
        }
        let Some(start) = word.get(..ALIKE) else { return };
        let alike = self.meanings.range::<str, _>((Included(start), Unbounded));
        for (_, meanings) in alike.take_while(|(other, _)| other.starts_with(start)) {
            for Meaning { word, weight } in meanings.iter().copied() {
                each(Meaning { word, weight: weight * knob("AW", 0.4) });
            }
        }
    }
}

/// What is wanted: a weight for each word of an [`Index`].
pub(super) struct Wanted<'a> {
    index: &'a Index,
    cutter: Words,
    weights: Vec<f32>,
    concepts: Vec<(String, f32, Vec<Meaning>)>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(index: &'a Index) -> Self {
        Self {
            index,
            cutter: Words::default(),
            weights: vec![0.0; index.having.len()],
            concepts: Vec::new(),
        }
    }

    pub(super) fn feedback(&mut self) {
        let scores = self.index.scores(self);
        let mut r: Vec<(usize, f32)> =
            scores.into_iter().enumerate().filter(|x| x.1 > 0.0).collect();
        r.sort_by(|a, b| b.1.total_cmp(&a.1));
        r.truncate(knob("PT", 4.0) as usize);
        let Some(top) = r.first().map(|x| x.1) else { return };
        let mut add = vec![0.0f32; self.weights.len()];
        for (t, sc) in r {
            for (w, x) in &self.index.words_of[t] {
                add[*w] += sc / top * x;
            }
        }
        for (w, a) in self.weights.iter_mut().zip(add) {
            *w += knob("PG", 0.05) * a;
        }
    }

    /// Wants the words of a text. A word counts once, as much as the place says that gives it most.
    pub(super) fn add(&mut self, text: &str, weight: f32) {
        let Self { index, cutter, concepts, .. } = self;
        let mut add = |w: &str, phrase: bool| {
            if let Some(c) = concepts.iter_mut().find(|c| c.0 == w) {
                c.1 = c.1.max(weight);
                return;
            }
            let mut m = Vec::new();
            if phrase {
                m.extend(index.meanings.get(w).into_iter().flatten().copied());
            } else {
                index.each_meaning(w, |x| m.push(x));
            }
            if !m.is_empty() {
                concepts.push((w.to_owned(), weight, m));
            }
        };
        each_phrase(text, |phrase| add(phrase, true));
        cutter.each(text, |word| add(word, false));
    }
}

/// An index in the making.
#[derive(Default)]
struct Drafts {
    cutter: Words,
    numbers: BTreeMap<Box<str>, usize>,
    having: Vec<Vec<Having>>,
    /// How many words each tool has, by what they weigh.
    lengths: Vec<f32>,
}

impl Drafts {
    fn add(&mut self, tool: usize, spec: &ToolSpec) {
        self.lengths.push(0.0);
        self.text(tool, &spec.name, knob("NAME", 3.0));
        self.text(tool, &spec.description, knob("DESCRIPTION", 1.5));
        self.schema(tool, &spec.parameters);
    }

    fn schema(&mut self, tool: usize, schema: &Value) {
        if let Some(text) = schema.get("description").and_then(Value::as_str) {
            self.text(tool, text, knob("EXPLANATION", 0.4));
        }
        for choice in schema.get("enum").and_then(Value::as_array).into_iter().flatten() {
            self.text(tool, choice.as_str().unwrap_or_default(), knob("CHOICE", 0.7));
        }
        for (name, inner) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            self.text(tool, name, knob("PARAMETER", 0.7));
            self.schema(tool, inner);
        }
        if let Some(items) = schema.get("items") {
            self.schema(tool, items);
        }
    }

    fn text(&mut self, tool: usize, text: &str, weight: f32) {
        let Self { cutter, numbers, having, lengths } = self;
        cutter.each(text, |word| {
            let next = having.len();
            let number = match numbers.get(word) {
                Some(number) => *number,
                None => *numbers.entry(word.into()).or_insert(next),
            };
            if number == next {
                having.push(Vec::new());
            }
            // Tools come one after the other: what this one has stands last.
            match having.get_mut(number) {
                Some(having) => match having.last_mut() {
                    Some(last) if last.tool == tool => last.weight += weight,
                    _ => having.push(Having { tool, weight }),
                },
                None => {}
            }
            if let Some(length) = lengths.last_mut() {
                *length += weight;
            }
        });
    }

    fn finish(self, tools: usize) -> Index {
        let Self { numbers, mut having, lengths, .. } = self;
        let mean = lengths.iter().sum::<f32>() / (tools.max(1) as f32);
        for having in &mut having {
            let with = having.len() as f32;
            let rarity = (1.0 + (tools as f32 - with + 0.5) / (with + 0.5)).ln();
            for Having { tool, weight } in having {
                let length = lengths.get(*tool).copied().unwrap_or(mean) / mean;
                let damping = knob("K1", 1.2) * (1.0 - knob("B", 0.4) + knob("B", 0.4) * length);
                *weight = rarity * *weight / (*weight + damping);
            }
        }
        let mut words_of = vec![Vec::new(); tools];
        for (n, h) in having.iter().enumerate() {
            for x in h {
                words_of[x.tool].push((n, x.weight));
            }
        }
        for w in &mut words_of {
            w.sort_by(|a: &(usize, f32), b| b.1.total_cmp(&a.1));
            w.truncate(knob("PW", 6.0) as usize);
        }
        Index { meanings: meanings(numbers), having, tools, words_of }
    }
}

fn meanings(numbers: BTreeMap<Box<str>, usize>) -> BTreeMap<Box<str>, Vec<Meaning>> {
    let mut cutter = Words::default();
    let mut stem = |word: &str| {
        let mut stem = String::new();
        cutter.each(word, |it| stem.push_str(it));
        stem
    };
    let mut meanings: BTreeMap<Box<str>, Vec<Meaning>> = BTreeMap::new();
    kin(|word, other, weight| {
        if let Some(number) = numbers.get(stem(other).as_str()) {
            let mut key = stem(word);
            if word.contains(' ') {
                each_phrase(word, |it| key = it.to_owned());
            }
            let known = meanings.entry(key.into()).or_default();
            match known.iter_mut().find(|it| it.word == *number) {
                Some(it) => it.weight = it.weight.max(weight),
                None => known.push(Meaning { word: *number, weight }),
            }
        }
    });
    for (word, number) in numbers {
        let known = meanings.entry(word).or_default();
        known.retain(|it| it.word != number);
        known.push(Meaning { word: number, weight: 1.0 });
    }
    meanings
}

pub(super) fn knob(name: &str, default: f32) -> f32 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}
