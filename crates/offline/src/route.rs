//! [`Routes`]: the few tools a short prompt has room for, found by what people say.

use std::{collections::HashSet, sync::Arc};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{Conversation, ToolRouter, ToolSpec};
use toolwright_embed::Source;

use crate::{
    schema,
    similarity::{ToolVectors, said},
};

/// How many tools a prompt has.
pub const MOST: usize = 10;
/// How many of them are there because they were used before.
const USED: usize = 3;
/// How many of the last results are looked at for that.
const RECENT: usize = 32;
/// A question of fewer words may only be understood after the one before.
const SHORT: usize = 5;
/// How many letters of a parameter's name tell that a description speaks of it.
const STEM: usize = 6;
/// How much less like the question than the best one the best tool of a group may be, for the group to be offered, too.
const NEAR: f32 = 0.06;
/// How much more a tool for files is like a question that names a file.
const FILE: f32 = 0.15;

/// Finds the tools a question is about: those with a name, a description or an [example](ToolSpec::examples) most like it, or
/// like a part of it, and with them the others of their [group](ToolSpec::group), whole where there is room.
///
/// What belongs together is used together (whoever edits a file looks at it first), and a prompt that begins as an
/// earlier one did is read in no time.
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
        let asked = asked(conversation);
        let mut likeness = self.tools.likeness(&asked, tools).await?;
        if asked.first().is_some_and(|question| names_file(question)) {
            for part in &mut likeness {
                let tools = part.iter_mut().zip(tools).filter(|(_, spec)| is_for_files(spec));
                tools.for_each(|(like, _)| *like += FILE);
            }
        }
        Some(Choice::new(tools, likeness).made(conversation))
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
    let parts =
        question.split(['?', '.', ':', ';', ',', '\n']).flat_map(|part| part.split(" and "));
    let parts = parts.map(str::trim).filter(|part| part.contains(' ') && *part != question);
    asked.extend(parts.map(str::to_owned));
    if question.split_whitespace().count() < SHORT {
        asked.extend(said.next().map(str::to_owned));
    }
    asked
}

/// Whether a file is named: `src/main.rs`, `notes.txt`, or something between backticks.
fn names_file(question: &str) -> bool {
    let is_name =
        |it: &str| it.len() > 1 && it.chars().all(|it| it.is_alphanumeric() || "_-/.".contains(it));
    let is_ending =
        |it: &str| (1..=5).contains(&it.len()) && it.chars().all(|it| it.is_ascii_lowercase());
    question.contains('`')
        || question.split_whitespace().any(|word| {
            let word = word.trim_matches(|it: char| !it.is_alphanumeric());
            let named = |(name, ending): (&str, &str)| is_name(name) && is_ending(ending);
            word.rsplit_once('.').is_some_and(named)
        })
}

/// Whether a tool takes the name of a file.
fn is_for_files(spec: &ToolSpec) -> bool {
    let parameters = spec.parameters.get("properties").and_then(Value::as_object);
    parameters
        .is_some_and(|it| it.keys().any(|name| name.ends_with("path") || name.ends_with("file")))
}

/// The tools that are chosen so far.
struct Choice<'a> {
    tools: &'a [Arc<ToolSpec>],
    /// How like each part of what is asked each tool is.
    likeness: Vec<Vec<f32>>,
    /// Best first.
    ranked: Vec<usize>,
    chosen: HashSet<usize>,
}

impl<'a> Choice<'a> {
    /// `likeness` of each tool to each part of what is asked. The parts take turns: the tools for
    /// one must not take the room of those for another.
    fn new(tools: &'a [Arc<ToolSpec>], likeness: Vec<Vec<f32>>) -> Self {
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
        Self { tools, likeness, ranked, chosen: HashSet::new() }
    }

    /// The best for each part, those used last, and the groups that are meant.
    fn made(mut self, conversation: &Conversation) -> Vec<usize> {
        let best = |part: &Vec<f32>| {
            (0..part.len()).max_by(|a, b| {
                let like = |at: &usize| part.get(*at).copied().unwrap_or(f32::MIN);
                // Of equals the first.
                like(a).total_cmp(&like(b)).then(b.cmp(a))
            })
        };
        let best: Vec<_> = self.likeness.iter().filter_map(best).collect();
        best.into_iter().for_each(|tool| self.add(tool));
        let used = conversation
            .results()
            .rev()
            .filter_map(|result| self.tools.iter().position(|spec| spec.name == result.name));
        let mut last: Vec<usize> = Vec::new();
        for tool in used.take(RECENT) {
            if last.len() < USED && !last.contains(&tool) {
                last.push(tool);
            }
        }
        last.into_iter().for_each(|tool| self.add(tool));
        let groups = self.groups();
        let first = groups.iter().filter_map(|group| group.first().copied()).collect::<Vec<_>>();
        first.into_iter().for_each(|tool| self.add(tool));
        for mut group in groups {
            // One that is whole is always the same.
            if group.len() <= MOST {
                group.sort_unstable();
            }
            group.into_iter().for_each(|tool| self.add(tool));
        }
        let mut chosen: Vec<_> = self.chosen.into_iter().collect();
        chosen.sort_unstable();
        chosen
    }

    /// Adds a tool with what it needs, where there is room for both.
    fn add(&mut self, tool: usize) {
        let needed = self.needed(tool);
        let more = [tool].into_iter().chain(needed).filter(|it| !self.chosen.contains(it));
        let more: HashSet<_> = more.collect();
        if self.chosen.len() + more.len() <= MOST {
            self.chosen.extend(more);
        }
    }

    /// The groups that are meant, each with its tools, best first: those that are about as like the question as the best
    /// one, and the best one for each of its parts. Tools of no group are one.
    fn groups(&self) -> Vec<Vec<usize>> {
        let name =
            |tool: usize| self.tools.get(tool).and_then(|it| Some(&*it.group.as_ref()?.name));
        let mut meant: Vec<Option<&str>> = Vec::new();
        for (at, part) in self.likeness.iter().enumerate() {
            let mut order: Vec<_> = part.iter().copied().enumerate().collect();
            order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
            let best = order.first().map_or(f32::MIN, |(_, like)| *like);
            let near = if at == 0 { NEAR } else { 0.0 };
            for (tool, _) in order.into_iter().take_while(|(_, like)| best - like <= near) {
                if !meant.contains(&name(tool)) {
                    meant.push(name(tool));
                }
            }
        }
        let tools = |group: Option<&str>| {
            self.ranked.iter().copied().filter(|tool| name(*tool) == group).collect()
        };
        meant.into_iter().map(tools).collect()
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
