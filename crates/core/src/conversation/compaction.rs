//! [`CompactedHistory`]: what stands for the older part of a conversation that has grown too long.
//!
//! It is made without a model, so it costs nothing and makes nothing up: what was asked, which
//! tools answered what, what was said, each in a line. The values that results returned are kept as
//! an index, so that an identifier from before is still known where it came from.

use std::{
    collections::BTreeSet,
    fmt::{self, Write},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    Conversation, ResultLocation, echo::ArgumentWords, edit::edits, lasting::LastingResults,
};
use crate::{Attachment, AttachmentKind, Author, CallId, Message, Status, truncate_line};

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
    /// What the digest tells, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<HistoryLine>,
    /// Whether a part of what it stands for was not written here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub foreign: bool,
}

/// A value that an earlier result returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[non_exhaustive]
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

/// A line of a digest: a message in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HistoryLine {
    /// Whose words it tells.
    pub speaker: Speaker,
    /// The line, without a name before it.
    pub text: String,
}

/// Whose words a line of a digest tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Speaker {
    /// The user's.
    User,
    /// The model's own.
    Model,
    /// A tool's, with how its call ended.
    Tool {
        /// The tool.
        name: String,
        /// How its call ended.
        status: Status,
    },
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
        self.digest_keeping(keep, &|_| false)
    }

    /// As [`Conversation::digest`], with results that stay as they are: those of tools of which `is_lasting` holds, by
    /// their names, up to half of `keep` characters. Each stays once, and the newest first.
    pub fn digest_keeping(
        &self,
        keep: usize,
        is_lasting: &dyn Fn(&str) -> bool,
    ) -> Option<CompactedHistory> {
        let cut = self.cut(keep);
        let (old, kept) = self.messages.split_at_checked(cut)?;
        let (standing, old): (Vec<_>, Vec<_>) = old.iter().partition(|it| is_standing(it));
        let lasting = LastingResults::among(&old, keep / 2, is_lasting);
        let old: Vec<_> = old.iter().copied().filter(|it| !lasting.has(it)).collect();
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
        digest.lines = self.lines(&old);
        // Of what a project said, the last takes the place of what it said before.
        let last = standing.iter().rposition(|it| it.is_project());
        let standing = standing.into_iter().enumerate();
        let standing = standing.filter(|(at, it)| !it.is_project() || Some(*at) == last);
        digest.messages.extend(standing.map(|(_, it)| it.clone()));
        let words = words(&digest.lines, &question(&old, kept));
        digest.messages.push(Arc::new(Message::correction(words)));
        digest.messages.extend(lasting.messages());
        digest.messages.extend(kept.iter().cloned());
        let mut asked = ArgumentWords::default();
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

    /// Messages in lines, behind those of the digest that stands for what was before them.
    fn lines(&self, old: &[&Arc<Message>]) -> Vec<HistoryLine> {
        let before = self.digest.as_deref();
        let told = before.and_then(|it| it.messages.iter().find(|it| !is_standing(it)));
        let new = old.iter().filter(|it| !told.is_some_and(|told| Arc::ptr_eq(told, it)));
        let new = new.filter_map(|message| HistoryLine::of(message));
        let mut lines: Vec<_> =
            before.into_iter().flat_map(|it| it.lines.iter().cloned()).chain(new).collect();
        // The oldest lines go first, but what the user said goes last.
        for is_spared in [|line: &HistoryLine| line.speaker == Speaker::User, |_: &_| false] {
            let mut over = lines.len().saturating_sub(LINES);
            lines.retain(|line| {
                let goes = over > 0 && !is_spared(line);
                over -= usize::from(goes);
                !goes
            });
        }
        lines
    }

    /// Goes on from a digest. The ids of calls made before are still taken, and what was said around it still counts.
    pub fn restore(&mut self, digest: &Arc<CompactedHistory>) {
        let (ids, outer) = (std::mem::take(&mut self.ids), self.outer.take());
        let foreign = self.foreign || digest.foreign;
        *self = Self { ids, foreign, outer, digest: Some(digest.clone()), ..Self::default() };
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
    let attached = message.attachments().iter().map(attached_size);
    message.content().len() + calls.sum::<usize>() + attached.sum::<usize>()
}

/// What an attachment counts for, in characters: a text for what it is long, anything else for about as many
/// tokens as providers take for a picture.
fn attached_size(attachment: &Attachment) -> usize {
    const PICTURE: usize = 4_000;
    // More of a file is not put into a message.
    const TEXT: u64 = 200_000;
    match attachment.kind() {
        AttachmentKind::Text => attachment.size.min(TEXT) as usize,
        _ => PICTURE,
    }
}

impl CompactedHistory {
    /// The digest as it counts where it was not written here: it says what happened, and nothing
    /// that the user said.
    #[must_use]
    pub fn foreign(&self) -> Self {
        let messages = self.messages.iter().filter_map(|message| message.foreign());
        Self { messages: messages.collect(), said: Vec::new(), foreign: true, ..self.clone() }
    }

    fn remember(&mut self, message: &Message, asked: &ArgumentWords) {
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
    fn said_by(&mut self, call: &CallId, tool: &str, text: &str, asked: &ArgumentWords) {
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

/// The digest in words for the model, and the question that it has to answer now.
fn words(lines: &[HistoryLine], question: &[&Message]) -> String {
    let mut text = HEAD.to_owned();
    for line in lines {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n{line}");
    }
    for (at, said) in question.iter().enumerate() {
        let head = if at == 0 { ASKED } else { STEERED };
        let _ = write!(text, "\n\n{head}\n{}", said.content());
    }
    text
}

/// The question to answer now and what was said to it since, where that is among what is replaced.
fn question<'m>(old: &[&'m Arc<Message>], kept: &[Arc<Message>]) -> Vec<&'m Message> {
    if kept.iter().any(|it| it.is_question()) {
        return Vec::new();
    }
    let Some(asked) = old.iter().rposition(|it| it.is_question()) else { return Vec::new() };
    let since = old.iter().skip(asked).map(|it| &***it);
    since.filter(|it| it.is_question() || it.is_steering()).collect()
}

impl HistoryLine {
    /// A message in a line, if it says anything.
    fn of(message: &Message) -> Option<Self> {
        let (speaker, text) = match message {
            Message::User(it) if it.is_turn() => {
                (Speaker::User, truncate_line(&it.content, QUESTION))
            }
            Message::Assistant(it) if !it.content.trim().is_empty() => {
                (Speaker::Model, truncate_line(&it.content, QUOTE))
            }
            Message::Tool(it) => {
                let speaker = Speaker::Tool { name: it.name.clone(), status: it.outcome.status };
                (speaker, truncate_line(it.outcome.readable(), QUOTE))
            }
            _ => return None,
        };
        Some(Self { speaker, text })
    }
}

impl fmt::Display for HistoryLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.speaker {
            Speaker::User => write!(f, "- The user: {}", self.text),
            Speaker::Model => write!(f, "- You: {}", self.text),
            Speaker::Tool { name, status } => write!(f, "- {name} ({status}): {}", self.text),
        }
    }
}

/// Whether it stands above the conversation, however long that becomes.
fn is_standing(message: &Message) -> bool {
    message.role() == "system" || message.is_project()
}

const ASKED: &str = "The question to answer now:";
const STEERED: &str = "What the user said to it since:";
const HEAD: &str = "What happened so far in this conversation, shortened:";
