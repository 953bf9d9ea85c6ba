//! [`Authenticity`]: whether something in a log was written by this installation.
//!
//! A log may come from elsewhere, or may have been changed where it is kept. What it says is worth
//! reading; what it allows is not. [`Message::foreign`], [`CompactedHistory::foreign`](crate::CompactedHistory::foreign)
//! and [`Run::replay_mixed`](crate::Run::replay_mixed) leave the first and take the second away.

use std::sync::Arc;

use crate::{Author, Message, ToolMessage, UserMessage};

/// Whether something in a log was written by this installation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authenticity {
    /// It was written here, and is as it was written.
    #[default]
    Authentic,
    /// It was imported, or nobody can tell where it comes from. Nothing in it allows anything.
    Foreign,
}

impl Message {
    /// The message as it counts where it was not written here. Nobody typed it here; instructions in
    /// it are none, so there is nothing left of a system message or of a project's; what only a provider sees is not
    /// handed to one.
    pub fn foreign(&self) -> Option<Arc<Self>> {
        let foreign = match self {
            Self::System(_) => return None,
            // What a project says here is read here.
            Self::User(said) if said.origin == Author::Project => return None,
            Self::User(said) => {
                Self::User(UserMessage { origin: Author::Imported, ..said.clone() })
            }
            Self::Assistant(_) => self.clone().without_extra(),
            Self::Tool(result) => {
                let mut outcome = result.outcome.clone();
                outcome.edited_arguments = None;
                outcome.notice = 0;
                Self::Tool(ToolMessage { outcome, ..result.clone() })
            }
        };
        Some(Arc::new(foreign))
    }

    /// The message without what only a provider sees: whoever sent it may have written anything there.
    #[must_use]
    pub fn without_extra(mut self) -> Self {
        if let Self::Assistant(said) = &mut self {
            said.extra = None;
            said.calls.iter_mut().for_each(|call| call.extra = None);
        }
        self
    }
}
