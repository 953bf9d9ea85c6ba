//! [`LastingResults`]: what stays as it is when a conversation is shortened, each result with its call.

use std::{collections::HashSet, sync::Arc};

use super::compaction::size;
use crate::{AssistantMessage, Call, Message, ToolMessage};

/// How much of them stays at most, in characters; the oldest go first.
const MOST: usize = 100_000;

/// What stays as it is when a conversation is shortened.
#[derive(Default)]
pub(super) struct LastingResults<'m> {
    /// Oldest first.
    kept: Vec<(&'m Call, &'m AssistantMessage, &'m Arc<Message>)>,
}

impl<'m> LastingResults<'m> {
    /// Those among old messages of which this holds, by the names of their tools: each once, and `most` characters
    /// in all.
    pub(super) fn among(
        old: &[&'m Arc<Message>],
        most: usize,
        is_lasting: &dyn Fn(&str) -> bool,
    ) -> Self {
        let mut left = most.min(MOST);
        let mut seen = HashSet::new();
        let mut kept = Vec::new();
        for (message, result) in old.iter().rev().filter_map(|it| lasting(it, is_lasting)) {
            let mut calls = old
                .iter()
                .filter_map(|it| of_model(it))
                .flat_map(|said| said.calls.iter().map(move |call| (call, said)));
            let Some((call, said)) = calls.find(|(call, _)| call.id == result.call) else {
                continue;
            };
            let length = size(message);
            if length <= left && seen.insert((&call.name, &call.arguments)) {
                left -= length;
                kept.push((call, said, message));
            }
        }
        kept.reverse();
        Self { kept }
    }

    /// Whether a message stays, or has nothing in it that does not.
    pub(super) fn has(&self, message: &Arc<Message>) -> bool {
        if self.kept.iter().any(|(_, _, it)| Arc::ptr_eq(it, message)) {
            return true;
        }
        let Some(said) = of_model(message) else { return false };
        let is_kept = |call: &Call| self.kept.iter().any(|(it, ..)| it.id == call.id);
        said.content.trim().is_empty() && !said.calls.is_empty() && said.calls.iter().all(is_kept)
    }

    /// The results, each behind its call.
    pub(super) fn messages(&self) -> impl Iterator<Item = Arc<Message>> {
        self.kept.iter().flat_map(|(call, said, result)| {
            let calls = vec![(*call).clone()];
            // What a provider signed it signed with the rest of what was said.
            let call = AssistantMessage { calls, model: said.model.clone(), ..Default::default() };
            [Arc::new(Message::Assistant(call)), (*result).clone()]
        })
    }
}

fn lasting<'m>(
    message: &'m Arc<Message>,
    is_lasting: &dyn Fn(&str) -> bool,
) -> Option<(&'m Arc<Message>, &'m ToolMessage)> {
    match &**message {
        Message::Tool(result) if result.outcome.status.is_ok() && is_lasting(&result.name) => {
            Some((message, result))
        }
        _ => None,
    }
}

fn of_model(message: &Message) -> Option<&AssistantMessage> {
    match message {
        Message::Assistant(said) => Some(said),
        _ => None,
    }
}
