//! A [`Conversation`] with all that it knows, for whoever stores it and goes on with it elsewhere: which ids are
//! taken, what stood in what was shortened, whether a part was not written here. Its plain form is what a model is sent, and
//! has none of that.

use std::{collections::BTreeSet, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{CompactedHistory, Conversation};
use crate::{CallId, Message};

#[derive(Serialize, Deserialize)]
struct Whole {
    messages: Vec<Arc<Message>>,
    /// Those of calls that no message has any more.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    ids: BTreeSet<CallId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    digest: Option<Arc<CompactedHistory>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    foreign: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outer: Option<Box<Self>>,
}

impl From<&Conversation> for Whole {
    fn from(conversation: &Conversation) -> Self {
        let calls = conversation.messages.iter().flat_map(|it| it.calls());
        let shown: BTreeSet<&CallId> = calls.map(|call| &call.id).collect();
        let gone = conversation.ids.iter().filter(|id| !shown.contains(id));
        Self {
            messages: conversation.messages.clone(),
            ids: gone.cloned().collect(),
            digest: conversation.digest.clone(),
            foreign: conversation.foreign,
            outer: conversation.outer().map(|it| Box::new(it.into())),
        }
    }
}

impl From<Whole> for Conversation {
    fn from(whole: Whole) -> Self {
        let mut conversation = Self {
            ids: whole.ids.into_iter().collect(),
            digest: whole.digest,
            foreign: whole.foreign,
            outer: whole.outer.map(|it| Arc::new((*it).into())),
            ..Self::default()
        };
        whole.messages.into_iter().for_each(|message| conversation.push(message));
        conversation
    }
}

pub(crate) fn serialize<S: Serializer>(
    conversation: &Conversation,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Whole::from(conversation).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Conversation, D::Error> {
    Whole::deserialize(deserializer).map(Conversation::from)
}
