//! [`Conversation`]: the array of messages a model is sent, and what a program can ask of it.

mod beside;
mod compaction;
mod echo;
mod edit;
mod fill;
mod kinship;
mod known;
mod lasting;
mod query;
mod records;
mod repair;
mod request;
mod values;
mod web_address;
pub(crate) mod whole;

use std::{collections::HashSet, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use self::compaction::size;
pub(crate) use self::edit::Edit;
pub(crate) use self::kinship::{Kinship, Pair};
pub(crate) use self::known::KnownText;
use self::values::Index;
pub(crate) use self::values::escaped;
pub(crate) use self::web_address::WebAddress;
pub use self::{
    compaction::{CompactedHistory, HistoryLine, ReturnedValue, Speaker},
    echo::ArgumentWords,
    edit::texts,
    fill::ContextFill,
    query::QueryError,
    repair::Repair,
    values::{Leaf, ResultLocation, ValueOrigin, ValueOrigins, each_leaf},
};
use crate::{CallId, Message, ToolMessage};

/// The array of messages a model is sent: system, user, assistant, tool.
///
/// It only grows, but for a [`CompactedHistory`] that takes the place of its older part, and each message is
/// shared, never copied. Serialised it is a plain JSON array.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    messages: Vec<Arc<Message>>,
    ids: HashSet<CallId>,
    index: Index,
    /// How many characters the messages have.
    size: usize,
    /// What stands for the part that was too long to keep.
    digest: Option<Arc<CompactedHistory>>,
    /// Whether a part of it was not written here.
    foreign: bool,
    /// The conversation in which somebody's model asked for this one.
    outer: Option<Arc<Self>>,
}

impl Conversation {
    /// An empty conversation.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty conversation that a model began in the course of another: what the user said there was said,
    /// and what results returned there was returned, but no model is sent any of it here.
    #[must_use]
    pub fn within(outer: Arc<Self>) -> Self {
        Self { outer: Some(outer), ..Self::default() }
    }

    /// The conversation in the course of which this one was begun.
    pub fn outer(&self) -> Option<&Self> {
        self.outer.as_deref()
    }

    /// Adds a message at the end.
    pub fn push(&mut self, message: impl Into<Arc<Message>>) {
        let message = message.into();
        self.ids.extend(message.calls().iter().map(|call| call.id.clone()));
        self.size += compaction::size(&message);
        self.messages.push(message);
    }

    /// Puts instructions first, where there are none: providers want them there, and a history from
    /// elsewhere may have none.
    pub fn instruct(&mut self, system: &str) {
        if self.messages.iter().any(|it| it.role() == "system") {
            return;
        }
        let messages = std::mem::take(&mut self.messages);
        (self.index, self.size) = (Index::default(), 0);
        self.push(Message::system(system));
        messages.into_iter().for_each(|message| self.push(message));
    }

    /// Takes note that what joins it now was not written here.
    pub fn mark_foreign(&mut self) {
        self.foreign = true;
    }

    /// Whether a part of it was not written here.
    pub fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> &[Arc<Message>] {
        &self.messages
    }

    /// The last question and what followed; all messages where nobody asked.
    pub fn turn(&self) -> &[Arc<Message>] {
        let asked = self.messages.iter().rposition(|it| it.is_question()).unwrap_or_default();
        self.messages.get(asked..).unwrap_or_default()
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Whether a call of this id was made.
    pub fn has_call(&self, id: &CallId) -> bool {
        self.ids.contains(id)
    }

    /// The results of calls, oldest first.
    pub fn results(&self) -> impl DoubleEndedIterator<Item = &ToolMessage> {
        self.messages.iter().filter_map(|message| match &**message {
            Message::Tool(result) => Some(result),
            _ => None,
        })
    }
}

impl PartialEq for Conversation {
    fn eq(&self, other: &Self) -> bool {
        self.messages == other.messages
    }
}

impl FromIterator<Message> for Conversation {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        let mut conversation = Self::new();
        messages.into_iter().for_each(|message| conversation.push(message));
        conversation
    }
}

impl Serialize for Conversation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.messages.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Conversation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Message>::deserialize(deserializer).map(Self::from_iter)
    }
}
