//! [`want`]: what a conversation is about now.

use toolwright_core::{Conversation, Message, Origin};

use super::index::Wanted;

/// What each part of a conversation weighs beside the person's last message, which weighs 1.
mod part {
    /// The person's message before it; the one before that weighs this much of this, and so on.
    pub(super) const EARLIER: f32 = 0.5;
    /// What the model said last.
    pub(super) const ANSWER: f32 = 0.4;
    /// The name of a tool that was called last.
    pub(super) const CALLED: f32 = 0.3;
    /// A key in its result.
    pub(super) const KEY: f32 = 0.15;
}

/// Earlier messages that weigh less than this are not read.
const LEAST: f32 = 0.1;
/// How many results are read.
const RESULTS: usize = 2;
/// How much of the beginning and of the end of a text is read, in bytes. People paste.
const ENDS: usize = 1000;

/// Wants what the conversation is about now.
pub(super) fn want(conversation: &Conversation, wanted: &mut Wanted<'_>) {
    let mut weight = 1.0;
    let mut answered = false;
    for message in conversation.messages().iter().rev() {
        match &**message {
            Message::User(said) if said.origin == Origin::Person => {
                add(wanted, &said.content, weight);
                weight *= super::index::knob("EARLIER", 0.5);
                if weight < LEAST {
                    break;
                }
            }
            Message::Assistant(said) if !answered && !said.content.is_empty() => {
                answered = true;
                add(wanted, &said.content, super::index::knob("ANSWER", 0.4));
            }
            _ => {}
        }
    }
    for result in conversation.results().rev().take(RESULTS) {
        wanted.add(&result.name, super::index::knob("CALLED", 0.3));
        keys(head(&result.outcome.text), |key| wanted.add(key, super::index::knob("KEY", 0.15)));
    }
}

fn add(wanted: &mut Wanted<'_>, text: &str, weight: f32) {
    if text.len() <= 2 * ENDS {
        return wanted.add(text, weight);
    }
    wanted.add(head(text), weight);
    let from = (text.len() - ENDS..text.len()).find(|at| text.is_char_boundary(*at));
    wanted.add(from.and_then(|from| text.get(from..)).unwrap_or_default(), weight);
}

fn head(text: &str) -> &str {
    let to = (0..=ENDS.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    to.and_then(|to| text.get(..to)).unwrap_or_default()
}

/// The keys in what may be JSON, and may be cut off: what stands in quotes before a colon.
fn keys(text: &str, mut each: impl FnMut(&str)) {
    let mut quoted = text.split('"').skip(1).peekable();
    while let Some(inside) = quoted.next() {
        match quoted.peek() {
            Some(after) if after.trim_start().starts_with(':') => each(inside),
            _ => {}
        }
    }
}
