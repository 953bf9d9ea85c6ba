//! Ids that stand inside something longer in a source: a file in a path, a part of an address.

use std::collections::HashSet;

use serde_json::Value;
use toolwright_core::{
    Conversation, Message,
    values::{Leaf, each_leaf, texts},
};

use super::echoes::Echoes;

/// Those of `wanted`, all in lower case, that stand somewhere in a source. Every source is read
/// once, and only where an id was not found in the index.
pub(super) fn quoted(
    wanted: Vec<String>,
    conversation: &Conversation,
    echoes: &Echoes,
) -> HashSet<String> {
    let mut search = Search { missing: wanted, found: HashSet::new() };
    for message in conversation.messages() {
        if let Some(typed) = message.edited_arguments() {
            texts(typed).iter().for_each(|text| search.read(text, &|_| false));
        }
        match &**message {
            Message::User(user) if user.is_turn() || message.is_project() => {
                user.texts().for_each(|text| search.read(text, &|_| false));
            }
            Message::Tool(result) if result.outcome.status.is_ok() => {
                let is_echo = |id: &str| echoes.has_text(&result.call, id);
                search.read(result.outcome.said(), &is_echo);
                if let Some(data) = &result.outcome.data {
                    each_leaf(data, &mut |leaf| match leaf {
                        Leaf::Key { name, .. } => search.read(name, &is_echo),
                        Leaf::Scalar { value: Value::String(text), .. } => {
                            search.read(text, &is_echo);
                        }
                        Leaf::Scalar { .. } => {}
                    });
                }
            }
            _ => {}
        }
    }
    search.found
}

struct Search {
    missing: Vec<String>,
    found: HashSet<String>,
}

impl Search {
    /// Looks into a text for what it does not only repeat.
    fn read(&mut self, text: &str, is_echo: &dyn Fn(&str) -> bool) {
        if self.missing.is_empty() {
            return;
        }
        let lower = text.to_lowercase();
        let (found, missing) = std::mem::take(&mut self.missing)
            .into_iter()
            .partition(|it| lower.contains(it.as_str()) && !is_echo(it));
        self.missing = missing;
        let found: Vec<String> = found;
        self.found.extend(found);
    }
}
