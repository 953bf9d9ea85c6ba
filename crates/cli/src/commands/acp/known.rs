//! [`KnownSessions`]: the sessions that editors began, and in which folder: the log of a conversation does not
//! say that.

use toolwright_acp::KnownSession;
use toolwright_app::{Config, ListFile};
use toolwright_core::ConversationId;

use crate::error::{CommandError, Result};

/// How many are kept; the oldest are forgotten. Their conversations stay.
const MOST: usize = 1_000;

/// The sessions that editors began.
pub(super) struct KnownSessions(ListFile);

impl KnownSessions {
    /// Those of the configured data folder.
    pub(super) fn of(config: &Config) -> Self {
        Self(ListFile::new(config.data.value.join("acp-sessions.json")))
    }

    pub(super) fn list(&self) -> Result<Vec<KnownSession>> {
        Ok(self.0.read().map_err(|error| self.unusable(&error))?)
    }

    pub(super) fn remember(&self, session: &KnownSession) -> Result<()> {
        self.change(|sessions| {
            sessions.retain(|it| it.id != session.id);
            sessions.push(session.clone());
            let over = sessions.len().saturating_sub(MOST);
            sessions.drain(..over);
        })
    }

    pub(super) fn forget(&self, id: &ConversationId) -> Result<()> {
        self.change(|sessions| sessions.retain(|it| it.id != *id))
    }

    fn change(&self, change: impl FnOnce(&mut Vec<KnownSession>)) -> Result<()> {
        Ok(self.0.change(change).map_err(|error| self.unusable(&error))?)
    }

    fn unusable(&self, error: &std::io::Error) -> CommandError {
        let path = self.0.path().display();
        CommandError::failed(format!("the list of sessions ({path}) cannot be used: {error}"))
            .with_advice("move the file away; the conversations themselves are not in it")
    }
}
