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

    /// Whether the key of this store is the one that those who asked before have. The first who asks with a
    /// key that others can have, too, decides which it is.
    ///
    /// # Errors
    /// When the database cannot be read or written.
    pub async fn shares_key(&self) -> Result<bool, StoreError> {
        let own = self.key.check_value();
        if self.key.lasts() {
            self.backend.note_key(own.clone()).await?;
        }
        Ok(self.backend.noted_key().await?.is_some_and(|noted| noted == own))
    }
}
