//! [`Notice`]: news as the server carries them from process to process.
//!
//! Anybody who may connect to the database can listen and send one: so one that shows something is sealed with the key
//! of the log, and the others make nobody do more than look.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use serde::{Deserialize, Serialize};
use toolwright_core::{ConversationId, Event, RunId};

use crate::{LogKey, News, Position, sealed::Sealed};

/// News as the server carries them.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Notice {
    Kept {
        id: ConversationId,
        events: u64,
    },
    Queue {
        id: ConversationId,
    },
    Instructed {
        id: ConversationId,
    },
    /// What is shown is JSON, and sealed.
    Shown {
        id: ConversationId,
        sealed: String,
    },
}

/// What is shown, by which store, as its how-manieth.
#[derive(Serialize, Deserialize)]
struct Shown {
    by: u64,
    number: u64,
    at: Position,
    /// Older processes do not tell.
    #[serde(default)]
    before: u64,
    event: Event,
}

impl Notice {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A notice that shows an event; nothing where it cannot be written.
    pub(super) fn shown(
        key: &LogKey,
        (by, number): (u64, u64),
        id: &ConversationId,
        (at, before): (Position, u64),
        event: &Event,
    ) -> Option<String> {
        let shown = Shown { by, number, at, before, event: event.clone() };
        let shown = serde_json::to_vec(&shown).ok()?;
        let sealed = about(id, &RunId::from("")).seal(key, &shown).ok()?;
        let sealed = STANDARD_NO_PAD.encode(sealed);
        serde_json::to_string(&Self::Shown { id: id.clone(), sealed }).ok()
    }

    /// The news in a notice; nothing where it is none, or this store's own.
    pub(super) fn read(text: &str, key: &LogKey, own: u64) -> Option<News> {
        match serde_json::from_str(text).ok()? {
            Self::Kept { id, events } => Some(News::Kept { id, events }),
            Self::Queue { id } => Some(News::Queue { id }),
            Self::Instructed { id } => Some(News::Instructed { id }),
            Self::Shown { id, sealed } => {
                let sealed = STANDARD_NO_PAD.decode(sealed).ok()?;
                let shown = about(&id, &RunId::from("")).open(key, &sealed)?;
                let Shown { by, at, before, event, .. } = serde_json::from_slice(&shown).ok()?;
                (by != own).then_some(News::Shown { id, at, before, event })
            }
        }
    }
}

/// What is shown belongs to a conversation, and its event says to which run.
fn about<'a>(conversation: &'a ConversationId, run: &'a RunId) -> Sealed<'a> {
    Sealed { conversation, run, kind: "shown", subject: "" }
}

#[cfg(test)]
mod tests {
    use toolwright_core::{EventKind, Timestamp};

    use super::*;

    #[test]
    fn what_is_shown_is_read_by_those_who_have_the_key_and_are_others() {
        let (key, other) = ("ab".repeat(32), "ac".repeat(32));
        let (key, other): (LogKey, LogKey) = (key.parse().unwrap(), other.parse().unwrap());
        let (id, at) = (ConversationId::from("talk"), Position(7));
        let kind = EventKind::Content { data: "hunter2".to_owned() };
        let event = Event { seq: 3, run: "run_1".into(), round: 1, at: Timestamp(0), kind };
        let text = Notice::shown(&key, (1, 1), &id, (at, 5), &event).unwrap();
        assert!(!text.contains("hunter2") && !text.contains("run_1"), "{text}");
        assert_eq!(Notice::read(&text, &other, 2), None);
        assert_eq!(Notice::read(&text, &key, 1), None, "its own");
        assert_eq!(Notice::read(&text.replace("talk", "walk"), &key, 2), None);
        assert_eq!(Notice::read(&text, &key, 2), Some(News::Shown { id, at, before: 5, event }));
    }
}
