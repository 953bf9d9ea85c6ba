//! [`CompactedHistory`]: what stands for the older part of a conversation that has grown too long.
//!
//! It is made without a model, so it costs nothing and makes nothing up: what was asked, which
//! tools answered what, what was said, each in a line. The values that results returned are kept as
//! an index, so that an identifier from before is still known where it came from.

use std::{collections::BTreeSet, fmt::Write, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Conversation, ResultLocation, echo::Asked, edit::edits};
use crate::{Author, CallId, Message, truncate_line};

/// What stands for the older part of a conversation. It holds everything that is left of the
/// conversation at that moment: whoever loads one need not read what came before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CompactedHistory {
    /// How many messages it stands for.
    pub replaced: usize,
    /// What the model is sent from now on: the instructions, the digest, and the messages that
    /// were kept as they are.
    pub messages: Vec<Arc<Message>>,
    /// What earlier results returned.
    pub returned: Vec<ReturnedValue>,
    /// What the person said.
    pub said: Vec<String>,
    /// The tools that answered.
    pub answered: BTreeSet<String>,
    /// Whether a part of what it stands for was not written here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}

/// A value that an earlier result returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct ReturnedValue {
    /// The value, in the one spelling of all its spellings.
    pub value: String,
    /// The key it stood under.
    pub key: String,
    /// Where.
    #[serde(flatten)]
    pub source: ResultLocation,
    /// Whether the result only repeated it: it stands in the call's own arguments.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub echoed: bool,
}

/// More values than this are not remembered; the oldest go first.
const VALUES: usize = 20_000;
/// A longer value is prose and identifies nothing.
const VALUE: usize = 80;
/// How much of a result, an answer or arguments the digest quotes, in characters.
const QUOTE: usize = 240;
/// How much of a question it quotes: the person's words are worth more.
const QUESTION: usize = 2_000;
/// How long the digest itself may become; the oldest lines go first.
const LINES: usize = 60;

impl Conversation {
    /// A digest of all but the newest part, that part being at most `keep` characters long. Cut
    /// only where no call is parted from its result; none where there is nothing to gain.
    pub fn digest(&self, keep: usize) -> Option<CompactedHistory> {
        let cut = self.cut(keep);
        let (old, kept) = self.messages.split_at_checked(cut)?;
        let (system, old): (Vec<_>, Vec<_>) = old.iter().partition(|it| it.role() == "system");
        if old.len() < 2 {
            return None;
        }
        let mut digest = CompactedHistory {
            replaced: old.len(),
            foreign: self.foreign,
            ..CompactedHistory::default()
        };
        if let Some(before) = &self.digest {
            digest.returned.clone_from(&before.returned);
            digest.said.clone_from(&before.said);
            digest.answered.clone_from(&before.answered);
        }
        digest.messages.extend(system.into_iter().cloned());
        digest.messages.push(Arc::new(Message::correction(words(&old, kept))));
        digest.messages.extend(kept.iter().cloned());
        let mut asked = Asked::default();
        for message in &old {
            asked.hear(message);
            digest.remember(message, &asked);
        }
        let typed = edits(self.messages.get(..cut).unwrap_or_default());
        digest.said.extend(typed.flat_map(|edit| edit.typed()).map(|text| beginning(&text)));
        let over = digest.returned.len().saturating_sub(VALUES);
        digest.returned.drain(..over);
        Some(digest)
    }

    /// Goes on from a digest. The ids of calls made before are still taken.
    pub fn restore(&mut self, digest: &Arc<CompactedHistory>) {
        let ids = std::mem::take(&mut self.ids);
        let foreign = self.foreign || digest.foreign;
        *self = Self { ids, foreign, digest: Some(digest.clone()), ..Self::default() };
        digest.messages.iter().for_each(|message| self.push(message.clone()));
    }

    /// How many characters the model is sent: the measure by which a conversation is long.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The first message of the newest part. It is one that opens a turn or a round: results stand
    /// behind their calls, so nothing before it is answered after it.
    fn cut(&self, keep: usize) -> usize {
        let (mut length, mut cut) = (0, self.messages.len());
        for (at, message) in self.messages.iter().enumerate().rev() {
            length += size(message);
            if length > keep {
                break;
            }
            if matches!(message.role(), "user" | "assistant") {
                cut = at;
            }
        }
        // The newest round stays, however long: the model has not seen its results yet.
        let newest = self.messages.iter().rposition(|it| matches!(it.role(), "user" | "assistant"));
        cut.min(newest.unwrap_or(0))
    }
}

/// How many characters of a message the model is sent.
pub(crate) fn size(message: &Message) -> usize {
    let calls = message.calls().iter().map(|call| call.name.len() + call.arguments.len());
    message.content().len() + calls.sum::<usize>()
}

impl CompactedHistory {
    /// The digest as it counts where it was not written here: it says what happened, and nothing
    /// that the user said.
    #[must_use]
    pub fn foreign(&self) -> Self {
        let messages = self.messages.iter().filter_map(|message| message.foreign());
        Self { messages: messages.collect(), said: Vec::new(), foreign: true, ..self.clone() }
    }

    fn remember(&mut self, message: &Message, asked: &Asked) {
        match message {
            Message::User(user) if user.origin == Author::Person => {
                self.said.push(beginning(&user.content));
            }
            Message::Tool(result) if result.outcome.status.is_ok() => {
                self.answered.insert(result.name.clone());
                let Ok(value) = result.outcome.value() else {
                    // Text is searched, not indexed.
                    return self.said_by(&result.call, &result.name, result.outcome.said(), asked);
                };
                super::values::each_value(&value, &mut |key, value, pointer| {
                    if value.len() <= VALUE {
                        let (call, tool) = (result.call.clone(), result.name.clone());
                        let source = ResultLocation { call, tool, pointer: pointer.to_owned() };
                        let echoed = asked.is_echo(&result.call, &value);
                        self.returned.push(ReturnedValue {
                            value,
                            key: key.to_owned(),
                            source,
                            echoed,
                        });
                    }
                });
            }
            _ => {}
        }
    }

    /// The words of a result that is text: those that could identify something.
    fn said_by(&mut self, call: &CallId, tool: &str, text: &str, asked: &Asked) {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'));
        let words = words.map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()));
        let words =
            words.filter(|it| it.len() <= VALUE && it.contains(|c: char| c.is_ascii_digit()));
        for word in words {
            let source = ResultLocation {
                call: call.clone(),
                tool: tool.to_owned(),
                pointer: String::new(),
            };
            let (value, key) = (word.to_lowercase(), String::new());
            let echoed = asked.is_echo(call, &value);
            self.returned.push(ReturnedValue { value, key, source, echoed });
        }
    }
}

/// As much of what the person said as is kept.
fn beginning(text: &str) -> String {
    text.chars().take(QUESTION).collect()
}

/// The digest in words for the model.
fn words(old: &[&Arc<Message>], kept: &[Arc<Message>]) -> String {
    let mut lines: Vec<String> = old.iter().flat_map(|message| about(message)).collect();
    // The oldest lines go first, but what the user said goes last.
    for is_spared in [|line: &str| line.starts_with(USER), |_: &str| false] {
        let mut over = lines.len().saturating_sub(LINES);
        lines.retain(|line| {
            let goes = over > 0 && !is_spared(line);
            over -= usize::from(goes);
            !goes
        });
    }
    let mut text = HEAD.to_owned();
    for line in lines {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n{line}");
    }
    if !kept.iter().any(|it| is_question(it))
        && let Some(question) = old.iter().rev().find(|it| is_question(it))
    {
        let _ = write!(text, "\n\n{ASKED}\n{}", question.content());
    }
    text
}

/// A message in a line, if it says anything; the lines of a digest as they are.
fn about(message: &Message) -> Vec<String> {
    match message {
        Message::User(it) if it.origin == Author::Runtime && it.content.starts_with(HEAD) => {
            let lines = it.content.lines().skip(1).take_while(|line| *line != ASKED);
            lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
        }
        Message::User(it) if it.is_turn() => {
            vec![format!("{USER} {}", truncate_line(&it.content, QUESTION))]
        }
        Message::Assistant(it) if !it.content.trim().is_empty() => {
            vec![format!("{ASSISTANT} {}", truncate_line(&it.content, QUOTE))]
        }
        Message::Tool(it) => {
            let (status, text) = (it.outcome.status, truncate_line(it.outcome.readable(), QUOTE));
            vec![format!("- {} ({status}): {text}", it.name)]
        }
        _ => Vec::new(),
    }
}

fn is_question(message: &Message) -> bool {
    matches!(message, Message::User(it) if it.is_turn())
}

const ASKED: &str = "The question to answer now:";
const USER: &str = "- The user:";
/// What begins a line about what the model itself said.
pub(crate) const ASSISTANT: &str = "- You:";
const HEAD: &str = "What happened so far in this conversation, shortened:";
