//! [`Similarity`]: how much tools mean what a conversation asks for.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use futures_core::future::BoxFuture;
use toolwright_core::{Conversation, Message, ToolSimilarity, ToolSpec};
use toolwright_embed::{EmbedError, Embedder, Source};

/// What counts of a question that is read together with the one before it: a follow-up may only be
/// understood after that, and a new subject must not drown in the old.
const TOGETHER: f32 = 0.9;
/// How much of a question is read, in characters, from its end: what is pasted comes before what is
/// asked of it. The model reads about a hundred words.
const READ: usize = 500;

/// Compares tools with what is asked, by vectors: a tool's of its name, its description and its
/// [examples](ToolSpec::examples), made once.
pub struct Similarity {
    tools: ToolVectors,
}

impl Similarity {
    /// Compares by vectors of this source.
    pub fn new(source: Arc<Source>) -> Self {
        Self { tools: ToolVectors::new(source) }
    }

    async fn compare(
        &self,
        conversation: &Conversation,
        tools: &[Arc<ToolSpec>],
    ) -> Option<Vec<f32>> {
        let asked = asked(conversation)?;
        let likeness = self.tools.likeness(&asked, tools).await?;
        let mut likeness = likeness.into_iter();
        let mut best = likeness.next()?;
        for together in likeness {
            for (best, together) in best.iter_mut().zip(together) {
                *best = best.max(TOGETHER * together);
            }
        }
        Some(best)
    }
}

impl ToolSimilarity for Similarity {
    fn similarities<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<f32>>> {
        Box::pin(self.compare(conversation, tools))
    }
}

/// What people said, the last first.
pub(crate) fn said(conversation: &Conversation) -> impl Iterator<Item = &str> {
    conversation.messages().iter().rev().filter_map(|message| match &**message {
        Message::User(said) if said.is_turn() => Some(said.content.as_str()),
        _ => None,
    })
}

/// The question, and the question behind the one before it. None where nothing was asked.
fn asked(conversation: &Conversation) -> Option<Vec<String>> {
    let mut said = said(conversation).map(end).filter(|it| !it.is_empty());
    let question = said.next()?.to_owned();
    let together = said.next().map(|before| format!("{before} {question}"));
    Some([question].into_iter().chain(together).collect())
}

fn end(text: &str) -> &str {
    let text = text.trim();
    let from = text.char_indices().rev().nth(READ - 1).map_or(0, |(at, _)| at);
    text.get(from..).unwrap_or_default()
}

/// Vectors of what tools say of themselves, kept by what is said: toolboxes that have tools in common,
/// as those of one server do, have their vectors in common.
pub(crate) struct ToolVectors {
    source: Arc<Source>,
    known: Mutex<HashMap<String, Vector>>,
}

type Vector = Arc<[f32]>;

/// How many vectors are kept of tools that are not asked about now. One has 1.5 KB.
const KEPT: usize = 4_096;

impl ToolVectors {
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self { source, known: Mutex::default() }
    }

    /// For each text how like it each tool is. None where no vectors can be made.
    pub(crate) async fn likeness(
        &self,
        texts: &[String],
        tools: &[Arc<ToolSpec>],
    ) -> Option<Vec<Vec<f32>>> {
        let embedder = self.source.open().await.ok()?;
        let vectors = self.vectors(&*embedder, tools).await.ok()?;
        let asked = embedder.embed(texts).await.ok()?;
        let likeness = |text: &Vec<f32>| vectors.iter().map(|it| best(it, text)).collect();
        Some(asked.iter().map(likeness).collect())
    }

    /// The vectors of each tool: one of its name and description, one of each example.
    async fn vectors(
        &self,
        embedder: &dyn Embedder,
        tools: &[Arc<ToolSpec>],
    ) -> Result<Vec<Vec<Vector>>, EmbedError> {
        let told: Vec<Vec<String>> = tools.iter().map(|spec| told(spec)).collect();
        let new: HashSet<&String> = {
            let known = self.known();
            told.iter().flatten().filter(|text| !known.contains_key(*text)).collect()
        };
        if !new.is_empty() {
            let new: Vec<_> = new.into_iter().cloned().collect();
            let vectors = embedder.embed(&new).await?.into_iter().map(Vector::from);
            self.keep(new.into_iter().zip(vectors).collect(), &told);
        }
        let known = self.known();
        let of =
            |texts: Vec<String>| texts.iter().filter_map(|it| known.get(it).cloned()).collect();
        Ok(told.into_iter().map(of).collect())
    }

    fn keep(&self, new: Vec<(String, Vector)>, told: &[Vec<String>]) {
        let mut known = self.known();
        if known.len() + new.len() > KEPT {
            let told: HashSet<_> = told.iter().flatten().collect();
            known.retain(|text, _| told.contains(text));
        }
        known.extend(new);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Vector>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a tool says of itself.
fn told(spec: &ToolSpec) -> Vec<String> {
    let line = spec.description.lines().next().unwrap_or_default();
    let name = format!("{}: {line}", spec.name.replace(['_', '-'], " "));
    [name].into_iter().chain(spec.examples.iter().cloned()).collect()
}

/// How like a vector the most like of others is.
fn best(vectors: &[Vector], other: &[f32]) -> f32 {
    let product = |vector: &Vector| vector.iter().zip(other).map(|(a, b)| a * b).sum();
    vectors.iter().map(product).fold(f32::MIN, f32::max)
}

#[cfg(test)]
mod tests;
