//! [`LookedUp`]: what was looked up and changed for a question, and which of it an answer says nothing of.
//!
//! A small model that is asked two things in one question looks both up, and tells one. What it looked up and made no
//! further call of is what it was asked for. And whatever it says of a change, people see what was changed, and what was not.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use toolwright_core::{
    Call, Conversation, Message, ToolMessage, ToolSpec, Verbatim, values::texts,
};

use super::results;
use crate::{constrain::left, diff::Diff};

/// Words that are shorter say little; figures are never short.
const LONG: usize = 4;
/// How the model says that something is not there. It overlooks much: where more than a line was found, people see that.
const NOTHING: [&str; 2] = ["says nothing about", "say nothing about"];

/// What was looked up since the question. It is read once there is an answer to hold against it.
#[derive(Clone, Debug)]
pub(crate) struct LookedUp {
    request: String,
    turn: Vec<Arc<Message>>,
    tools: Vec<Arc<ToolSpec>>,
}

/// A result that an answer is about.
#[derive(Clone, Debug)]
struct Leaf {
    /// Its place among the results.
    at: usize,
    /// Its figures, and the words that no other result has; none of the question's.
    tells: HashSet<String>,
    has_lines: bool,
}

impl LookedUp {
    /// In a conversation, where these are all tools.
    pub(crate) fn of(conversation: &Conversation, tools: &[Arc<ToolSpec>]) -> Self {
        let request = conversation.request().join("\n");
        Self { request, turn: conversation.turn().to_vec(), tools: tools.to_vec() }
    }

    /// What was to be changed and was not, where something else was: whoever asks for several changes is not told that all are made.
    pub(crate) fn undone(&self) -> Vec<String> {
        let results: Vec<_> = results(&self.turn).map(|it| text(it).to_owned()).collect();
        left(&self.request, &results)
    }

    /// The places of the results that an answer is about and says nothing of.
    pub(super) fn unsaid(&self, answer: &str) -> Vec<usize> {
        let is_nothing = NOTHING.iter().any(|it| answer.contains(it));
        // The number of a pointer is no figure.
        let lines = answer.lines().filter(|line| !line.starts_with("[["));
        let said: HashSet<_> = lines.flat_map(words).collect();
        let is_unsaid = |leaf: &Leaf| match is_nothing {
            true => leaf.has_lines,
            false => !leaf.tells.is_empty() && leaf.tells.is_disjoint(&said),
        };
        let unsaid = self.leaves().into_iter().filter(is_unsaid).map(|leaf| leaf.at);
        let mut unsaid: Vec<_> = unsaid.chain(self.changed()).collect();
        unsaid.sort_unstable();
        unsaid.dedup();
        unsaid
    }

    /// The places of the results that say what was changed. However an answer tells that, people see what it was.
    fn changed(&self) -> impl Iterator<Item = usize> {
        let is_diff = |result: &ToolMessage| {
            let spec = self.tools.iter().find(|it| it.name == result.name);
            result.outcome.status.is_ok()
                && spec.is_some_and(|it| it.verbatim == Some(Verbatim::Diff))
                && Diff::of(result.outcome.unmarked()).is_some()
        };
        let results = results(&self.turn).enumerate();
        results.filter(move |(_, it)| is_diff(it)).map(|(at, _)| at)
    }

    fn leaves(&self) -> Vec<Leaf> {
        let Self { turn, .. } = self;
        let people = turn.iter().filter(|it| matches!(&***it, Message::User(_)));
        let asked: HashSet<_> = people.flat_map(|it| words(it.content())).collect();
        let calls: Vec<_> = turn.iter().flat_map(|it| it.calls()).collect();
        let results: Vec<_> = results(turn).collect();
        let said: Vec<HashSet<_>> = results.iter().map(|it| new_words(it, &asked)).collect();
        let mut count = HashMap::<&String, usize>::new();
        said.iter().flatten().for_each(|word| *count.entry(word).or_default() += 1);
        let leaves = results.iter().zip(&said).enumerate().filter(|(_, (result, said))| {
            let later = later(turn, result);
            self.is_looked_up(result)
                && !is_used(result, said, &later)
                && !is_tried_again(result, &calls, &later)
        });
        let leaves = leaves.map(|(at, (result, said))| {
            let own = |word: &&String| is_figure(word) || count.get(*word) == Some(&1);
            let tells = said.iter().filter(own).cloned().collect();
            Leaf { at, tells, has_lines: text(result).trim_end().contains('\n') }
        });
        leaves.collect()
    }

    fn is_looked_up(&self, result: &ToolMessage) -> bool {
        let spec = self.tools.iter().find(|it| it.name == result.name);
        let prints =
            |it: &Arc<ToolSpec>| matches!(it.verbatim, Some(Verbatim::Text | Verbatim::Numbered));
        let is_read = |it: &Arc<ToolSpec>| it.effect.is_read_only() || prints(it);
        result.outcome.status.is_ok() && spec.is_some_and(is_read)
    }
}

/// What a result says, as the model was shown it.
fn text(result: &ToolMessage) -> &str {
    result.outcome.words.as_deref().unwrap_or(&result.outcome.text)
}

/// What a result says that the question does not.
fn new_words(result: &ToolMessage, asked: &HashSet<String>) -> HashSet<String> {
    words(text(result)).filter(|word| !asked.contains(word)).collect()
}

/// The calls that were made after a result was known.
fn later<'a>(turn: &'a [Arc<Message>], result: &ToolMessage) -> Vec<&'a Call> {
    let is_own = |it: &&Arc<Message>| matches!(&***it, Message::Tool(it) if it.call == result.call);
    turn.iter().skip_while(|it| !is_own(it)).flat_map(|it| it.calls()).collect()
}

/// Whether a later call was made of what a result says: of a word that nobody had said, or of a whole piece.
fn is_used(result: &ToolMessage, said: &HashSet<String>, later: &[&Call]) -> bool {
    let given = later.iter().filter_map(|it| it.parse().ok()).flat_map(|it| texts(&it));
    let is_piece = |piece: &str| piece.contains(' ') && text(result).contains(piece);
    given.into_iter().any(|it| is_piece(&it) || words(&it).any(|word| said.contains(&word)))
}

/// Whether the same was looked for once more, in fewer words, or after nothing but a line was found.
fn is_tried_again(result: &ToolMessage, calls: &[&Call], later: &[&Call]) -> bool {
    let given = |call: &Call| -> HashSet<String> {
        let texts = call.parse().map(|it| texts(&it)).unwrap_or_default();
        texts.iter().flat_map(|it| words(it)).collect()
    };
    let own = calls.iter().find(|it| it.id == result.call).map(|it| given(it));
    let is_line = !text(result).trim_end().contains('\n');
    later.iter().filter(|it| it.name == result.name).any(|call| {
        let given = given(call);
        let is_part = |own: &HashSet<String>| !given.is_empty() && given.is_subset(own);
        is_line || own.as_ref().is_some_and(is_part)
    })
}

fn is_figure(word: &str) -> bool {
    word.contains(|it: char| it.is_ascii_digit())
}

/// The figures of a text, without what groups their digits, and its longer words.
fn words(text: &str) -> impl Iterator<Item = String> {
    let is_apart = |it: char| !it.is_alphanumeric() && !matches!(it, '.' | ',');
    let parts = text.split(is_apart).map(|it| it.trim_matches(['.', ',']));
    let parts = parts.flat_map(|it| match is_figure(it) {
        true => vec![it.replace(',', "")],
        false => it.split(['.', ',']).map(str::to_lowercase).collect(),
    });
    parts.filter(|it| is_figure(it) || it.chars().count() >= LONG)
}
