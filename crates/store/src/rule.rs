//! [`StoredRule`]: what was approved for good, once for all processes that share the log. It is kept beside it, and is no
//! part of it.
//!
//! What a rule says is sealed: it may name what nobody else is to read, and whoever can only write to the database
//! approves nothing.

use hmac::Mac;
use toolwright_core::{ConversationId, RunId};

use crate::{LogKey, Store, StoreError, columns::Columns, sealed::Sealed};

/// What was approved for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRule {
    /// What it is called by. No other rule is ever called so, also where this one is gone.
    pub number: u64,
    /// What it says, in words of whoever keeps it; nothing where it was kept under another key, or not by us.
    pub body: Option<Vec<u8>>,
}

const KIND: &str = "rule";

const INSERT: &str = "INSERT INTO rule (digest, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const ALL: &str = "SELECT number, digest, body FROM rule ORDER BY number";
const REMOVE: &str = "DELETE FROM rule WHERE number = $1";
const CLEAR: &str = "DELETE FROM rule";

impl Store {
    /// Keeps a rule; whether it was not there before.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn put_rule(&self, body: &[u8]) -> Result<bool, StoreError> {
        let digest = digest(&self.key, body);
        let sealed = with(&digest, |about| about.seal(&self.key, body))?;
        let cells = vec![digest.as_str().into(), sealed.into()];
        Ok(self.backend.execute(INSERT, cells).await? > 0)
    }

    /// All rules as they are now, in the order in which they were given.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn rules(&self) -> Result<Vec<StoredRule>, StoreError> {
        let read = |row: &dyn Columns| {
            let body = row.maybe_bytes(2)?.unwrap_or_default().to_vec();
            Ok((row.int(0)?, row.text(1)?.to_owned(), body))
        };
        let found = self.backend.query(ALL, Vec::new(), read).await?;
        let opened = found.into_iter().map(|(number, digest, stored)| StoredRule {
            number: number.max(0).unsigned_abs(),
            body: with(&digest, |about| about.open(&self.key, &stored)),
        });
        Ok(opened.collect())
    }

    /// Takes a rule back; whether it was there.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_rule(&self, number: u64) -> Result<bool, StoreError> {
        // There is none of a number that no database has.
        let Ok(number) = i64::try_from(number) else { return Ok(false) };
        Ok(self.backend.execute(REMOVE, vec![number.into()]).await? > 0)
    }

    /// Takes all of them back.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn clear_rules(&self) -> Result<(), StoreError> {
        self.backend.execute(CLEAR, Vec::new()).await.map(drop)
    }
}

/// By which a rule is known again that is given twice. It tells nothing of what the rule says.
fn digest(key: &LogKey, body: &[u8]) -> String {
    let mut mac = key.mac();
    mac.update(b"toolwright rule 1\0");
    mac.update(body);
    mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A rule is of no conversation and no run.
fn with<T>(digest: &str, does: impl FnOnce(Sealed<'_>) -> T) -> T {
    let (conversation, run) = (ConversationId::from(""), RunId::from(""));
    does(Sealed { conversation: &conversation, run: &run, kind: KIND, subject: digest })
}
