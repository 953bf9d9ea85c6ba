//! [`Routes`]: the few tools a short prompt has room for, found by what people say.

use std::{collections::HashSet, sync::Arc};

use futures_core::future::BoxFuture;
use serde_json::Value;
use toolwright_core::{Conversation, Message, ToolRouter, ToolSpec, asks};
use toolwright_embed::Source;

use crate::{
    schema,
    similarity::{ToolVectors, said},
};

/// How many tools a prompt has: a large pack, and one of another.
pub const MOST: usize = 12;
/// How many of them are there because they were used before.
const USED: usize = 3;
/// How many of the last results are looked at for that.
const RECENT: usize = 32;
/// How many of them are there because somebody said their words.
const NAMED: usize = 2;
/// How many of the words that a tool is asked for by name it when a question begins with them: the first ones are the usual
/// ones, and those behind them stand in questions about anything.
const USUAL: usize = 5;
/// How many tools there are of a group that has no room behind another one.
const PART: usize = 4;
/// A question of fewer words may only be understood after the one before.
const SHORT: usize = 5;
/// How many letters of a parameter's name tell that a description speaks of it.
const STEM: usize = 6;
/// How much less like the question than the best one the best tool of a group may be, for the group to be offered, too.
const NEAR: f32 = 0.06;
/// What is less like every tool than this is no question about any of them.
const LIKE: f32 = 0.34;
/// How much more a tool for files is like a question that names a file.
const FILE: f32 = 0.15;

/// Finds the tools a question is about: those with a name, a description or an [example](ToolSpec::examples) most like it, or
/// like a part of it, and with them the others of their [group](ToolSpec::group), whole where there is room.
///
/// What belongs together is used together (whoever edits a file looks at it first), and a prompt that begins as an
/// earlier one did is read in no time. So the choice depends on what people said and on what was used before they said it,
/// and on nothing that happens while they are answered; and the group that is meant most stands first, whatever stands
/// behind it.
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
        Some(Choice::new(tools, likeness).made(conversation, &asked))
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

    /// The groups that there is room for.
    fn usual(&self, tools: &[Arc<ToolSpec>]) -> Vec<Vec<usize>> {
        let mut groups: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
        for (at, spec) in tools.iter().enumerate() {
            let name = spec.group.as_ref().map(|it| &*it.name);
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, group)) => group.push(at),
                None => groups.push((name, vec![at])),
            }
        }
        groups.into_iter().map(|(_, group)| group).filter(|it| it.len() <= MOST).collect()
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

/// The tool that is most like a part of what is asked; of equals the first.
fn best(part: &[f32]) -> Option<usize> {
    (0..part.len()).max_by(|a, b| {
        let like = |at: &usize| part.get(*at).copied().unwrap_or(f32::MIN);
        like(a).total_cmp(&like(b)).then(b.cmp(a))
    })
}

/// The tools that are chosen so far.
struct Choice<'a> {
    tools: &'a [Arc<ToolSpec>],
    /// How like each part of what is asked each tool is.
    likeness: Vec<Vec<f32>>,
    /// Whether any tool is about what is asked.
    is_about_tools: bool,
    /// Best first.
    ranked: Vec<usize>,
    chosen: HashSet<usize>,
}

impl<'a> Choice<'a> {
    /// `likeness` of each tool to each part of what is asked. The parts take turns: the tools for
    /// one must not take the room of those for another.
    fn new(tools: &'a [Arc<ToolSpec>], mut likeness: Vec<Vec<f32>>) -> Self {
        // Where a part is about no tool, the others say what is meant.
        let is_about = |part: &Vec<f32>| part.iter().any(|like| *like >= LIKE);
        let is_about_tools = likeness.iter().any(is_about);
        if is_about_tools {
            likeness.retain(is_about);
        }
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
        Self { tools, likeness, is_about_tools, ranked, chosen: HashSet::new() }
    }

    /// The best for each part, those that are asked for by name, those used last, and the groups that are meant: the first of
    /// them in front.
    fn made(mut self, conversation: &Conversation, asked: &[String]) -> Vec<usize> {
        let used = self.used(conversation);
        let groups = self.groups(&used);
        let best: Vec<_> = match self.is_about_tools {
            true => self.likeness.iter().filter_map(|part| best(part)).collect(),
            false => Vec::new(),
        };
        let named = self.named(asked);
        let singles = best.into_iter().chain(named).chain(used);
        singles.collect::<Vec<_>>().into_iter().for_each(|tool| self.add(tool));
        let main = groups.first().cloned().unwrap_or_default();
        self.add_group(main.clone());
        let first: Vec<_> = groups.iter().skip(1).filter_map(|it| it.first().copied()).collect();
        first.into_iter().for_each(|tool| self.add(tool));
        for mut group in groups.into_iter().skip(1) {
            let new = group.iter().filter(|it| !self.chosen.contains(it)).count();
            if self.chosen.len() + new > MOST {
                group.truncate(PART);
            }
            self.add_group(group);
        }
        let mut chosen: Vec<_> = self.chosen.into_iter().collect();
        chosen.sort_unstable_by_key(|tool| (!main.contains(tool), *tool));
        chosen
    }

    /// The tools that are called for by the first of the [words](ToolSpec::asked_by) they declare: what is asked, or a part of
    /// it, begins with one.
    fn named(&self, asked: &[String]) -> Vec<usize> {
        let first: Vec<_> = asked.iter().filter_map(|it| it.split_whitespace().next()).collect();
        let is_named = |spec: &ToolSpec| {
            let usual = spec.asked_by.get(..USUAL).unwrap_or(&spec.asked_by);
            first.iter().any(|word| asks(word, usual))
        };
        self.ranked
            .iter()
            .copied()
            .filter(|tool| self.tools.get(*tool).is_some_and(|spec| is_named(spec)))
            .take(NAMED)
            .collect()
    }

    /// The tools that were used last before the question.
    fn used(&self, conversation: &Conversation) -> Vec<usize> {
        let messages = conversation.messages().iter().rev();
        let before = messages.skip_while(|message| !message.is_question());
        let results = before.filter_map(|message| match &**message {
            Message::Tool(result) => Some(result),
            _ => None,
        });
        let mut last = Vec::new();
        for result in results.take(RECENT) {
            let tool = self.tools.iter().position(|spec| spec.name == result.name);
            last.extend(tool.filter(|it| last.len() < USED && !last.contains(it)));
        }
        last
    }

    /// Adds the tools of a group. One that is whole is always the same.
    fn add_group(&mut self, mut group: Vec<usize>) {
        if group.len() <= MOST {
            group.sort_unstable();
        }
        group.into_iter().for_each(|tool| self.add(tool));
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
    /// one, and the best one for each of its parts. Where no tool is like it, it is that of the first tool in `used`, or the first
    /// one. Tools of no group are one.
    fn groups(&self, used: &[usize]) -> Vec<Vec<usize>> {
        let name =
            |tool: usize| self.tools.get(tool).and_then(|it| Some(&*it.group.as_ref()?.name));
        let tools = |group: Option<&str>| {
            self.ranked.iter().copied().filter(|tool| name(*tool) == group).collect()
        };
        if !self.is_about_tools {
            return vec![tools(name(used.first().copied().unwrap_or_default()))];
        }
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
