//! [`Routes`]: the few tools a short prompt has room for, found by what people say.

mod packs;

use std::{collections::HashSet, sync::Arc};

use futures_core::future::BoxFuture;
use toolwright_core::{Conversation, Message, ToolRouter, ToolSpec, asks};
use toolwright_embed::Source;

use crate::{
    asked::parts,
    files::{is_for_files, names_file},
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
const USUAL: usize = 7;
/// A question of fewer words may only be understood after the one before.
const SHORT: usize = 5;
/// How many letters of a parameter's name tell that a description speaks of it.
const STEM: usize = 6;
/// How much less like the question than the best one the best tool of a group may be, for the group to be offered, too.
const NEAR: f32 = 0.08;
/// What is less like every tool than this may be no question about any of them.
const LIKE: f32 = 0.34;
/// What is even less like them tells nothing but which group is the least unlikely: it may be a greeting, or in words that no
/// vector knows.
const FAINT: f32 = 0.28;
/// How much more a tool is meant whose group was used last.
const CONTEXT: f32 = 0.08;
/// How much more a tool for files is like what names a file.
const FILE: f32 = 0.15;
/// How much more a tool is meant by the words by which people mean its pack, where they surely do.
const PACK: f32 = 0.25;

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
        for (text, part) in asked.iter().zip(&mut likeness) {
            let (names_file, meant) = (names_file(text), packs::meant(text));
            for (like, spec) in part.iter_mut().zip(tools) {
                let is_own = |pack: &str| spec.group.as_ref().is_some_and(|it| &*it.name == pack);
                let likely = meant.iter().find(|(pack, _)| is_own(pack)).map_or(0.0, |it| it.1);
                *like += PACK * likely + if names_file && is_for_files(spec) { FILE } else { 0.0 };
            }
        }
        Some(Choice::new(tools, likeness, conversation).made(&asked))
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
    asked.extend(
        parts(question).filter(|it| it.contains(' ') && *it != question).map(str::to_owned),
    );
    if question.split_whitespace().count() < SHORT {
        asked.extend(said.next().map(str::to_owned));
    }
    asked
}

/// The group of a tool.
fn group_of(tools: &[Arc<ToolSpec>], tool: usize) -> Option<&str> {
    Some(&*tools.get(tool)?.group.as_ref()?.name)
}

/// The tools that were used last before the question.
fn used(conversation: &Conversation, tools: &[Arc<ToolSpec>]) -> Vec<usize> {
    let messages = conversation.messages().iter().rev();
    let before = messages.skip_while(|message| !message.is_question());
    let results = before.filter_map(|message| match &**message {
        Message::Tool(result) => Some(result),
        _ => None,
    });
    let mut last = Vec::new();
    for result in results.take(RECENT) {
        let tool = tools.iter().position(|spec| spec.name == result.name);
        last.extend(tool.filter(|it| last.len() < USED && !last.contains(it)));
    }
    last
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
    /// Those that were used last before the question.
    used: Vec<usize>,
    /// Whether any tool is surely about what is asked, and whether any may be.
    is_about_tools: bool,
    may_be_about_tools: bool,
    /// Best first.
    ranked: Vec<usize>,
    chosen: HashSet<usize>,
}

impl<'a> Choice<'a> {
    /// `likeness` of each tool to each part of what is asked. The parts take turns: the tools for
    /// one must not take the room of those for another.
    fn new(
        tools: &'a [Arc<ToolSpec>],
        mut likeness: Vec<Vec<f32>>,
        conversation: &Conversation,
    ) -> Self {
        // Where a part is about no tool, the others say what is meant.
        let reaches = |part: &Vec<f32>, least: f32| part.iter().any(|like| *like >= least);
        let is_about_tools = likeness.iter().any(|it| reaches(it, LIKE));
        let may_be_about_tools = likeness.iter().any(|it| reaches(it, FAINT));
        if is_about_tools {
            likeness.retain(|it| reaches(it, LIKE));
        }
        let used = used(conversation, tools);
        if let Some(group) = used.first().and_then(|it| group_of(tools, *it)) {
            for part in &mut likeness {
                let same = part.iter_mut().enumerate();
                let same = same.filter(|(tool, _)| group_of(tools, *tool) == Some(group));
                same.for_each(|(_, like)| *like += CONTEXT);
            }
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
        let chosen = HashSet::new();
        Self { tools, likeness, used, is_about_tools, may_be_about_tools, ranked, chosen }
    }

    /// The best for each part, those that are asked for by name, those used last, and the groups that are meant: the first of
    /// them in front.
    fn made(mut self, asked: &[String]) -> Vec<usize> {
        let groups = self.groups();
        let best: Vec<_> = match self.is_about_tools {
            true => self.likeness.iter().filter_map(|part| best(part)).collect(),
            false => Vec::new(),
        };
        let named = self.named(asked);
        let singles: Vec<_> = best.into_iter().chain(named).chain(self.used.clone()).collect();
        singles.into_iter().for_each(|tool| self.add(tool));
        let main = groups.first().cloned().unwrap_or_default();
        self.add_group(main.clone());
        let first: Vec<_> = groups.iter().skip(1).filter_map(|it| it.first().copied()).collect();
        first.into_iter().for_each(|tool| self.add(tool));
        // Of one that has no room as a whole those that are most like the question.
        groups.into_iter().skip(1).for_each(|group| self.add_group(group));
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
    /// one, and the best one for each of its parts. Where no tool is like it, it is the one that was used last, or the least
    /// unlikely one. Tools of no group are one.
    fn groups(&self) -> Vec<Vec<usize>> {
        let name = |tool: usize| group_of(self.tools, tool);
        let tools = |group: Option<&str>| {
            self.ranked.iter().copied().filter(|tool| name(*tool) == group).collect()
        };
        if !self.may_be_about_tools {
            let last = self.used.first().or(self.ranked.first());
            return vec![tools(name(last.copied().unwrap_or_default()))];
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
