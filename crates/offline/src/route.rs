//! [`Routes`]: the few tools a short prompt has room for, found by what people say.

use std::{collections::HashSet, sync::Arc};

use futures_core::future::BoxFuture;
use toolwright_core::{Conversation, ToolRouter, ToolSpec};
use toolwright_embed::Source;

use crate::{
    schema,
    similarity::{ToolVectors, said},
};

/// How many tools a prompt has.
pub const MOST: usize = 6;
/// How many of them are there because they were used before.
const USED: usize = 3;
/// A question of fewer words may only be understood after the one before.
const SHORT: usize = 5;
/// How many letters of a parameter's name tell that a description speaks of it.
const STEM: usize = 6;

/// Finds the tools a question is about: those with a name, a description or an
/// [example](ToolSpec::examples) most like it, or like a part of it.
pub struct Routes {
    tools: ToolVectors,
}

impl Routes {
    /// Routes by vectors of this source. Without them tools are chosen by their words.
    pub fn new(source: Arc<Source>) -> Self {
        Self { tools: ToolVectors::new(source) }
    }

    async fn choose(
        &self,
        conversation: &Conversation,
        tools: &[Arc<ToolSpec>],
    ) -> Option<Vec<usize>> {
        let likeness = self.tools.likeness(&asked(conversation), tools).await?;
        Some(Choice::new(tools, &likeness).made(conversation))
    }
}

impl ToolRouter for Routes {
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>> {
        Box::pin(async move {
            if tools.len() <= MOST {
                return Some((0..tools.len()).collect());
            }
            self.choose(conversation, tools).await
        })
    }
}

/// What the person asks, whole and in parts; and what was asked before, where it may be needed.
fn asked(conversation: &Conversation) -> Vec<String> {
    let mut said = said(conversation).take(2);
    let question = said.next().unwrap_or_default();
    let mut asked = vec![question.to_owned()];
    let parts = question.split(['?', '.', ';', ',', '\n']).flat_map(|part| part.split(" and "));
    let parts = parts.map(str::trim).filter(|part| part.contains(' ') && *part != question);
    asked.extend(parts.map(str::to_owned));
    if question.split_whitespace().count() < SHORT {
        asked.extend(said.next().map(str::to_owned));
    }
    asked
}

/// The tools that are chosen so far.
struct Choice<'a> {
    tools: &'a [Arc<ToolSpec>],
    /// Best first.
    ranked: Vec<usize>,
    chosen: HashSet<usize>,
}

impl<'a> Choice<'a> {
    /// `likeness` of each tool to each part of what is asked. The parts take turns: the tools for
    /// one must not take the room of those for another.
    fn new(tools: &'a [Arc<ToolSpec>], likeness: &[Vec<f32>]) -> Self {
        let order = |part: &Vec<f32>| {
            let like = |at: &usize| part.get(*at).copied().unwrap_or(f32::MIN);
            let mut order: Vec<_> = (0..tools.len()).collect();
            order.sort_by(|a, b| like(b).total_cmp(&like(a)));
            order
        };
        let orders: Vec<_> = likeness.iter().map(order).collect();
        let mut known = HashSet::new();
        let turns =
            (0..tools.len()).flat_map(|turn| orders.iter().filter_map(move |it| it.get(turn)));
        let ranked = turns.copied().filter(|at| known.insert(*at)).collect();
        Self { tools, ranked, chosen: HashSet::new() }
    }

    /// Those used last, then the best, each with what it needs first.
    fn made(mut self, conversation: &Conversation) -> Vec<usize> {
        for result in conversation.results().rev() {
            let used = self.tools.iter().position(|spec| spec.name == result.name);
            if self.chosen.len() < USED {
                self.chosen.extend(used);
            }
        }
        for tool in self.ranked.clone() {
            let needed = self.needed(tool);
            let more = [tool].into_iter().chain(needed).filter(|it| !self.chosen.contains(it));
            let more: Vec<_> = more.collect();
            if self.chosen.len() + more.len() <= MOST {
                self.chosen.extend(more);
            }
        }
        let mut chosen: Vec<_> = self.chosen.into_iter().collect();
        chosen.sort_unstable();
        chosen
    }

    /// What must have answered before a tool, and where the values come from that must come from
    /// somewhere: of the tools that speak of them the one that asks for least.
    fn needed(&self, tool: usize) -> Vec<usize> {
        let Some(spec) = self.tools.get(tool) else { return Vec::new() };
        let named = |name: &String| self.tools.iter().position(|other| other.name == *name);
        let mut needed: Vec<_> = spec.after.iter().filter_map(named).collect();
        let gives = |at: &&usize| {
            self.tools.get(**at).is_some_and(|other| {
                let text = other.description.to_lowercase();
                let stem = |name: &String| name.chars().take(STEM).collect::<String>();
                other.grounded.is_empty() && spec.grounded.iter().any(|it| text.contains(&stem(it)))
            })
        };
        let demands = |at: &&usize| self.tools.get(**at).map(|it| schema::demands(&it.parameters));
        needed.extend(self.ranked.iter().filter(gives).min_by_key(demands));
        needed
    }
}

#[cfg(test)]
mod tests;
