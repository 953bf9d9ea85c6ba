//! [`Notice`]: news as the server carries them from process to process.
//!
//! Anybody who may write to the database can send one: so one that shows something is proved with the key of the
//! log, and the others make nobody do more than look.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use hmac::Mac;
use serde::{Deserialize, Serialize};
use toolwright_core::{ConversationId, Event};

use crate::{LogKey, News, Position};

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
    /// What is shown is JSON, and proved.
    Shown {
        proof: String,
        shown: String,
    },
}

/// What is shown, by which store, as its how-manieth.
#[derive(Serialize, Deserialize)]
struct Shown {
    by: u64,
    number: u64,
    id: ConversationId,
    at: Position,
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
        at: Position,
        event: &Event,
    ) -> Option<String> {
        let shown = Shown { by, number, id: id.clone(), at, event: event.clone() };
        let shown = serde_json::to_string(&shown).ok()?;
        let proof = proof(key, &shown).finalize().into_bytes();
        serde_json::to_string(&Self::Shown { proof: STANDARD_NO_PAD.encode(proof), shown }).ok()
    }

    /// The news in a notice; nothing where it is none, or this store's own.
    pub(super) fn read(text: &str, key: &LogKey, own: u64) -> Option<News> {
        match serde_json::from_str(text).ok()? {
            Self::Kept { id, events } => Some(News::Kept { id, events }),
            Self::Queue { id } => Some(News::Queue { id }),
            Self::Instructed { id } => Some(News::Instructed { id }),
            Self::Shown { proof: found, shown } => {
                let found = STANDARD_NO_PAD.decode(found).ok()?;
                proof(key, &shown).verify_slice(&found).ok()?;
                let Shown { by, id, at, event, .. } = serde_json::from_str(&shown).ok()?;
                (by != own).then_some(News::Shown { id, at, event })
            }
        }
    }
}

fn proof(key: &LogKey, shown: &str) -> impl Mac + use<> {
    let mut mac = key.mac();
    mac.update(b"toolwright shown 1\0");
    mac.update(shown.as_bytes());
    mac
}
