//! [`ServerLock`]: a file has one server; what several servers share is PostgreSQL.

use toolwright_core::Digest;

use crate::{Store, StoreError, backend::ServerGuard};

/// The right to serve from a log, until this is dropped.
pub struct ServerLock {
    _guard: Option<ServerGuard>,
}

impl Store {
    /// Whether processes on several machines can share it.
    pub fn is_shared(&self) -> bool {
        self.backend.is_shared()
    }

    /// Says that this process serves from the log. Several may, where they can share it. The command line
    /// works beside a server either way.
    ///
    /// # Errors
    /// [`StoreError::Served`] when it is a file and another server has it.
    pub fn serve_alone(&self) -> Result<ServerLock, StoreError> {
        Ok(ServerLock { _guard: self.backend.serve_alone()? })
    }

    /// A name of the log that no other has, for whoever sends something to those who share it. A copy in another
    /// database has another name. Nothing where the log is in a file, or its database does not tell.
    pub async fn log_id(&self) -> Option<String> {
        let id = self.backend.database_id().await.inspect_err(|error| {
            tracing::debug!(%error, "the database does not tell which it is");
        });
        // Which server it is concerns nobody else.
        let digest = Digest::of(id.ok()??.as_bytes()).to_string();
        Some(digest.chars().filter(char::is_ascii_hexdigit).take(16).collect())
    }

    /// Has this process work in the log, with its key. What several share was begun by one of them: the first who comes
    /// with a key that others can have, too, decides which it is, and whoever comes with another could neither read what is
    /// left for runs nor be heard by those who drive them. In a file, which is one person's, any key will do.
    ///
    /// # Errors
    /// [`StoreError::OtherKey`] when it is another's.
    pub async fn enter(&self) -> Result<(), StoreError> {
        if self.is_shared() && self.key.lasts() && self.backend.noted_key().await?.is_none() {
            self.backend.note_key(self.key.check_value()).await?;
        }
        self.check_key().await
    }

    /// Whether [`Store::enter`] would refuse this process, for whoever only looks. Nothing is decided by that.
    ///
    /// # Errors
    /// As [`Store::enter`].
    pub async fn check_key(&self) -> Result<(), StoreError> {
        if !self.is_shared() {
            return Ok(());
        }
        match self.backend.noted_key().await? {
            Some(noted) if noted != self.key.check_value() => Err(StoreError::OtherKey),
            _ => Ok(()),
        }
    }
}
