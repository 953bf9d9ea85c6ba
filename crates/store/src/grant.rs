//! [`Grant`]: what lets somebody in, for all servers that share the log. They are kept beside it, and are no part of it.

use toolwright_core::Timestamp;

use crate::{
    Store, StoreError,
    columns::{Columns, millis},
};

/// What lets somebody in: a token, a browser's session, a sign-in that has begun, or a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What it is.
    pub kind: GrantKind,
    /// What it is called by; once for each kind.
    pub name: String,
    /// The digest of the secret that shows it; of the secret nothing else is kept.
    pub digest: String,
    /// What else is known of it, in words of whoever keeps it.
    pub body: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, roughly; when it was made where it was not.
    pub used_at: Timestamp,
    /// When it ends; never where there is no such time.
    pub expires_at: Option<Timestamp>,
}

/// What lets somebody in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GrantKind {
    /// A token with a name.
    Token,
    /// A browser that is signed in.
    Session,
    /// A sign-in that has begun and waits for its end.
    SignIn,
    /// A link that lets one browser in, once.
    Link,
    /// A browser that followed a link.
    Browser,
    /// Nobody: an engine that drives the runs of this log, as whoever uses it notes.
    Engine,
}

impl GrantKind {
    const ALL: [Self; 6] =
        [Self::Token, Self::Session, Self::SignIn, Self::Link, Self::Browser, Self::Engine];

    fn as_str(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Session => "session",
            Self::SignIn => "sign_in",
            Self::Link => "link",
            Self::Browser => "browser",
            Self::Engine => "engine",
        }
    }

    fn read(text: &str) -> Result<Self, StoreError> {
        Self::ALL
            .into_iter()
            .find(|it| it.as_str() == text)
            .ok_or_else(|| StoreError::damaged(format_args!("nobody is let in by `{text}`")))
    }
}

/// What stands for never.
const NEVER: i64 = 0;

const INSERT: &str =
    "INSERT INTO access (kind, name, digest, body, created_at, used_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
const BY_DIGEST: &str = "SELECT kind, name, digest, body, created_at, used_at, expires_at
    FROM access WHERE kind = $1 AND digest = $2";
const OF_KIND: &str = "SELECT kind, name, digest, body, created_at, used_at, expires_at
    FROM access WHERE kind = $1 ORDER BY name";
const USE: &str = "UPDATE access SET used_at = $1 WHERE kind = $2 AND name = $3";
const REMOVE: &str = "DELETE FROM access WHERE kind = $1 AND name = $2";
const TIDY: &str = "DELETE FROM access WHERE expires_at <> 0 AND expires_at <= $1";

impl Grant {
    fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let expires = row.int(6)?;
        Ok(Self {
            kind: GrantKind::read(row.text(0)?)?,
            name: row.text(1)?.to_owned(),
            digest: row.text(2)?.to_owned(),
            body: row.text(3)?.to_owned(),
            created_at: row.time(4)?,
            used_at: row.time(5)?,
            expires_at: (expires != NEVER).then(|| Timestamp(expires.max(0).unsigned_abs())),
        })
    }

    /// Whether it is good at this moment.
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now.0 < end.0)
    }
}

impl Store {
    /// Keeps one; whether there was none of that name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_grant(&self, grant: &Grant) -> Result<bool, StoreError> {
        let cells = vec![
            grant.kind.as_str().into(),
            grant.name.as_str().into(),
            grant.digest.as_str().into(),
            grant.body.as_str().into(),
            millis(grant.created_at).into(),
            millis(grant.used_at).into(),
            grant.expires_at.map_or(NEVER, |end| millis(end).max(1)).into(),
        ];
        Ok(self.backend.execute(INSERT, cells).await? > 0)
    }

    /// The one that a secret with this digest shows, be it over or not.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn grant(&self, kind: GrantKind, digest: &str) -> Result<Option<Grant>, StoreError> {
        let cells = vec![kind.as_str().into(), digest.into()];
        Ok(self.backend.query(BY_DIGEST, cells, Grant::read).await?.into_iter().next())
    }

    /// All of a kind, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn grants(&self, kind: GrantKind) -> Result<Vec<Grant>, StoreError> {
        self.backend.query(OF_KIND, vec![kind.as_str().into()], Grant::read).await
    }

    /// Notes that one was used.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn note_grant_use(
        &self,
        kind: GrantKind,
        name: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let cells = vec![millis(at).into(), kind.as_str().into(), name.into()];
        self.backend.execute(USE, cells).await.map(drop)
    }

    /// Removes one; whether it was there. Of several who remove the same one, one is told so: what may be used once is
    /// used by removing it.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_grant(&self, kind: GrantKind, name: &str) -> Result<bool, StoreError> {
        let cells = vec![kind.as_str().into(), name.into()];
        Ok(self.backend.execute(REMOVE, cells).await? > 0)
    }

    /// Removes those that are over.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn tidy_grants(&self, now: Timestamp) -> Result<(), StoreError> {
        self.backend.execute(TIDY, vec![millis(now).into()]).await.map(drop)
    }
}
