//! [`Pointers`]: what an answer may point at instead of retyping it.
//!
//! A small model points, it does not retype. In a line of its own it writes `[[N]]`, and whoever reads the answer finds
//! the N-th result there that was returned since the person's last question, whole and letter by letter; or `[[tools]]`, and
//! finds what all tools can do. The model itself reads only pointers: in its prompt the blocks of earlier answers are
//! turned back into them ([`Pointers::collapse`]). Both directions are functions of the results alone, so nothing has to be kept.

mod block;
mod expander;
mod listing;
#[cfg(test)]
mod tests;
mod unsaid;

use std::{collections::HashMap, sync::Arc};

use toolwright_core::{Conversation, Message, ToolMessage, ToolSpec, Verbatim};

use self::{
    block::{block, looks},
    listing::listing,
};
pub(crate) use self::{expander::Expander, unsaid::LookedUp};

/// How many results can be pointed at: their numbers have one figure.
const MOST: usize = 9;
/// What stands for the toolbox.
const TOOLS: &str = "[[tools]]";

/// What an answer may point at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    /// What stands in the place of each result; nothing where it says nothing.
    blocks: Vec<String>,
    /// What stands in the place of the toolbox.
    tools: String,
    /// What the tools there are declare of what they return.
    declared: HashMap<String, Option<Verbatim>>,
}

impl Pointers {
    /// What the next answer of a conversation may point at. `tools` are all there are, also those that are not offered.
    pub(crate) fn of(conversation: &Conversation, tools: &[Arc<ToolSpec>]) -> Self {
        let declared: HashMap<_, _> =
            tools.iter().map(|it| (it.name.clone(), it.verbatim)).collect();
        let verbatim = |name: &String| declared.get(name).copied().flatten();
        let results = results(conversation.turn());
        let blocks = results.map(|it| block(&it.outcome, verbatim(&it.name))).collect();
        Self { blocks, tools: listing(tools), declared }
    }

    /// What is to stand behind an answer: pointers to what was looked up for it and is not told, and to what was changed; and what was
    /// to be changed and was not.
    pub(crate) fn missing(&self, looked_up: &LookedUp, answer: &str) -> String {
        let (names, mut missing) = (self.names(), String::new());
        for pointer in looked_up.unsaid(answer).into_iter().map(numbered_pointer) {
            let is_there = answer.lines().any(|line| line == pointer);
            if names.contains(&pointer) && !is_there {
                missing.push_str(if missing.is_empty() { "\n\n" } else { "\n" });
                missing.push_str(&pointer);
            }
        }
        let undone = looked_up.undone();
        if !undone.is_empty() {
            missing.push_str(&format!("\n\nNot done: {}.", undone.join("; ")));
        }
        missing
    }

    /// The pointers there are. Of results that say the same the first is meant.
    pub(crate) fn names(&self) -> Vec<String> {
        let is_new = |at: usize, block: &String| {
            !block.is_empty() && !self.blocks.iter().take(at).any(|before| before == block)
        };
        let numbered = self.blocks.iter().enumerate().filter(|(at, block)| is_new(*at, block));
        let numbered = numbered.map(|(at, _)| numbered_pointer(at));
        let tools = (!self.tools.is_empty()).then(|| TOOLS.to_owned());
        numbered.chain(tools).collect()
    }

    /// What stands in the place of a pointer.
    fn block(&self, pointer: &str) -> Option<&str> {
        let block = match pointer {
            TOOLS => Some(&self.tools),
            _ => {
                let at = (0..self.blocks.len()).find(|at| numbered_pointer(*at) == pointer);
                at.and_then(|at| self.blocks.get(at))
            }
        };
        block.map(String::as_str).filter(|it| !it.is_empty())
    }

    /// Whether a line that begins so may be a pointer.
    fn begins(&self, line: &str) -> bool {
        let mut pointers = (0..self.blocks.len()).map(numbered_pointer).chain([TOOLS.to_owned()]);
        pointers.any(|it| it.starts_with(line))
    }

    /// An answer as people read it.
    pub(crate) fn expand(&self, answer: &str) -> String {
        let mut expander = Expander::new(self);
        let mut expanded = expander.push(answer);
        expanded.push_str(&expander.finish());
        expanded
    }

    /// An answer that was expanded, as the model wrote it. `results` are those that it could point at.
    pub(crate) fn collapse(&self, answer: &str, results: &[&ToolMessage]) -> String {
        let numbered = results.iter().take(MOST).enumerate().flat_map(|(at, result)| {
            let looks = match self.declared.get(&result.name) {
                Some(verbatim) => vec![block(&result.outcome, *verbatim)],
                // The tool is gone, and what it declared.
                None => looks(&result.outcome),
            };
            looks.into_iter().map(move |block| (numbered_pointer(at), block))
        });
        let blocks = numbered.chain([(TOOLS.to_owned(), self.tools.clone())]);
        let is_there = |block: &str| !block.is_empty() && answer.contains(block);
        let blocks: Vec<_> = blocks.filter(|(_, block)| is_there(block)).collect();
        let mut collapsed = String::new();
        let mut rest = answer;
        while !rest.is_empty() {
            let (shown, taken) = beginning(rest, &blocks);
            collapsed.push_str(shown);
            let after = rest.get(taken..).unwrap_or_default();
            rest = after.strip_prefix('\n').inspect(|_| collapsed.push('\n')).unwrap_or(after);
        }
        collapsed
    }
}

/// What a text begins with, and how long that is: a block, as its pointer, or a line.
fn beginning<'a>(text: &'a str, blocks: &'a [(String, String)]) -> (&'a str, usize) {
    let ends = |block: &str| matches!(text.as_bytes().get(block.len()), None | Some(b'\n'));
    let fits = |block: &str| text.starts_with(block) && ends(block);
    let fitting = blocks.iter().filter(|(_, block)| fits(block));
    // The longest, and of results that say the same the first.
    match fitting.rev().max_by_key(|(_, block)| block.len()) {
        Some((pointer, block)) => (pointer, block.len()),
        None => {
            let line = text.find('\n').unwrap_or(text.len());
            (text.get(..line).unwrap_or_default(), line)
        }
    }
}

/// The results of a turn that can be pointed at, in the order in which the prompt shows them.
fn results(turn: &[Arc<Message>]) -> impl Iterator<Item = &ToolMessage> {
    let results = turn.iter().filter_map(|it| match &**it {
        Message::Tool(result) => Some(result),
        _ => None,
    });
    results.take(MOST)
}

fn numbered_pointer(at: usize) -> String {
    format!("[[{}]]", at + 1)
}
