//! [`StoreError`]: why the log could not be read or written, and what to do about it.

use std::{
    borrow::Cow,
    fmt,
    time::{Duration, UNIX_EPOCH},
};

use toolwright_core::{
    ActionableError, ConversationId, Fault, JournalError, JournalErrorKind, RunId, Timestamp,
};

use crate::Refusal;

/// Why the log could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Somebody else is at work in the conversation.
    #[error("the conversation {id} is in use{}", holder.as_ref().map_or_else(String::new, |it| format!(" by {it}")))]
    InUse {
        /// The conversation.
        id: ConversationId,
        /// Who has it, where that is known.
        holder: Option<LeaseHolder>,
    },
    /// The conversation was taken by somebody else, or deleted, since it was held.
    #[error("the conversation {0} is in other hands now")]
    NotHeld(ConversationId),
    /// What was to be appended does not fit what is there.
    #[error("{0}")]
    Conflict(String),
    /// Events that are no log.
    #[error("these events cannot be imported: {0}")]
    Invalid(String),
    /// A point of a conversation at which nothing can go on, and why.
    #[error("{0}")]
    Point(&'static str),
    /// A title that cannot be used.
    #[error("a title has 1 to {most} characters, and this one has {found}")]
    Title {
        /// How many it may have.
        most: usize,
        /// How many it has, once the blanks around it are gone.
        found: usize,
    },
    /// No conversation has this id, or one that begins so.
    #[error("there is no conversation `{0}`")]
    NotFound(String),
    /// Several conversations begin so.
    #[error("`{prefix}` fits several conversations: {}", list(candidates))]
    Ambiguous {
        /// What was asked for.
        prefix: String,
        /// Some of those that begin so.
        candidates: Vec<ConversationId>,
    },
    /// Another program holds the database for too long.
    #[error("the database is locked by another program")]
    Busy,
    /// There is no room for more.
    #[error("there is no room left for the database ({0})")]
    Full(String),
    /// The database was written by a newer version of this program.
    #[error("the database is of format {found}, and this version knows formats up to {known}")]
    Newer {
        /// The database's format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// The database was written by an older version of this program.
    #[error("{name} was written by an older version of Toolwright (format {found})")]
    Older {
        /// The database: a file, or what a server calls it.
        name: String,
        /// The database's format.
        found: i64,
    },
    /// The database belongs to another program.
    #[error("{0} is not a database of Toolwright's")]
    Foreign(String),
    /// What is there cannot be read, or is not what was written.
    #[error("the database{} is damaged: {what}", place.as_ref().map_or_else(String::new, |it| format!(" {it}")))]
    Damaged {
        /// The database.
        place: Option<String>,
        /// What is wrong with it.
        what: String,
    },
    /// The key by which this installation knows what it wrote cannot be used.
    #[error("the key of the log in {place} cannot be used: {reason}")]
    Key {
        /// The file.
        place: String,
        /// Why.
        reason: String,
    },
    /// The log is shared, and was begun with another key.
    #[error(
        "the log in this database was begun with another log key than the one this process has"
    )]
    OtherKey,
    /// How a run was asked for was kept under another key.
    #[error("how the run {0} was asked for was sealed with another key than this process has")]
    Sealed(RunId),
    /// Another server has the database, and it is a file.
    #[error("another `toolwright serve` has the database {place}{}", holder.as_ref().map_or_else(String::new, |it| format!(": {it}")))]
    Served {
        /// The file.
        place: String,
        /// Who has it, where that is known.
        holder: Option<LeaseHolder>,
    },
    /// There is no safe way to the server, and one was asked for.
    #[error("there is no safe connection to PostgreSQL: {what}")]
    Tls {
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// The address of a server says nothing that could be asked. What stands in it is not shown: a password may.
    #[error("the address of PostgreSQL cannot be read: {what}")]
    Address {
        /// What is wrong with it.
        what: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// The connection broke; whether the last change was made is not known.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// The database is of a kind that was not compiled in.
    #[error("this program was built without the feature `{0}`, and that database needs it")]
    NotBuilt(&'static str),
    /// It is somewhere, and does nothing for us.
    #[error("the database cannot be used: {what}")]
    Refused {
        /// What it says, or what is seen.
        what: String,
        /// Why.
        why: Refusal,
    },
    /// It cannot be reached or written.
    #[error("the database cannot be used: {0}")]
    Unavailable(String),
}

/// Who has a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseHolder {
    /// The process, and the machine it runs on where that is another one.
    pub process: String,
    /// Since when.
    pub since: Option<Timestamp>,
}

impl fmt::Display for LeaseHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.process)?;
        // A time that a calendar cannot hold was never written by us.
        let Some(since) = self.since.filter(|since| since.0 < 253_402_300_800_000) else {
            return Ok(());
        };
        let since = UNIX_EPOCH + Duration::from_millis(since.0);
        write!(f, " since {}", humantime::format_rfc3339_seconds(since))
    }
}

fn list(ids: &[ConversationId]) -> String {
    ids.iter().map(ConversationId::as_str).collect::<Vec<_>>().join(", ")
}

impl ActionableError for StoreError {
    fn advice(&self) -> Option<Cow<'_, str>> {
        let advice = match self {
            Self::InUse { .. } => "wait until it is done there, or stop that process",
            Self::NotHeld(_) => "open the conversation again",
            Self::Ambiguous { .. } => "give more of the id",
            Self::NotFound(_) => "list the conversations to see which there are",
            Self::Busy => "close the program that uses the database, then try again",
            Self::Full(_) => "free some space, then try again; nothing that was stored is lost",
            Self::Newer { .. } => "use a newer version of Toolwright, or another database",
            Self::Older { .. } => {
                "this version keeps conversations in another form: move the file and those beside it \
                 that begin with its name away (on PostgreSQL, rename the schema `toolwright`), and a \
                 new database is begun"
            }
            Self::Foreign(_) => "name another file; this one was left as it is",
            Self::Damaged { .. } => {
                "stop Toolwright, save what can still be read with `toolwright conversations export`, \
                 move the database and the files beside it that begin with its name away, and restore \
                 it from a backup or `toolwright conversations import` what was saved"
            }
            Self::Key { .. } => {
                "check that the file and its folder are yours and can be used; where the key is lost, \
                 move the file away: a new one is made, and what was approved before is asked for again"
            }
            Self::Tls { advice, .. } | Self::Address { advice, .. } => advice,
            Self::OtherKey => {
                "give every process that shares the database the same one: TOOLWRIGHT_LOG_KEY, or the file \
                 log.key of the data folder; where it is lost for good, stop all of them, `DELETE FROM \
                 toolwright.log_key` in the database, and start them again: what was written until then \
                 counts as imported"
            }
            Self::Sealed(_) => {
                "give every server and worker that shares the database the same key: TOOLWRIGHT_LOG_KEY"
            }
            Self::Served { .. } => {
                "stop that one, or give both a database that several servers can share: \
                 DATABASE_URL=postgres://USER@HOST/DATABASE"
            }
            Self::Refused { why, .. } => why.advice(),
            Self::Lost(_) => "check that the database server runs, then try again",
            Self::Unavailable(_) => {
                "check that the database exists, can be reached and may be written"
            }
            Self::NotBuilt(_) => "build it with that feature, or name another database: --database",
            Self::Title { .. } => "give it a shorter name, or one at all",
            Self::Conflict(_) | Self::Invalid(_) | Self::Point(_) => return None,
        };
        Some(Cow::Borrowed(advice))
    }

    fn fault(&self) -> Fault {
        match self {
            // What was typed names nothing, or too much.
            Self::NotFound(_) | Self::Ambiguous { .. } => Fault::Usage,
            Self::NotBuilt(_)
            | Self::OtherKey
            | Self::Sealed(_)
            | Self::Served { .. }
            | Self::Newer { .. }
            | Self::Older { .. }
            | Self::Foreign(_)
            | Self::Tls { .. }
            | Self::Address { .. } => Fault::NotConfigured,
            Self::Refused { why, .. } => why.fault(),
            _ => Fault::Failure,
        }
    }
}

impl StoreError {
    /// A row that does not say what it should.
    pub(crate) fn damaged(what: impl fmt::Display) -> Self {
        Self::Damaged { place: None, what: what.to_string() }
    }

    /// Tables that are not those of the format that is noted beside them.
    pub(crate) fn other_tables(noted: i64, said: &str) -> Self {
        let what = format!("its tables do not fit the format {noted} that is noted there ({said})");
        Self::Refused { what, why: Refusal::OtherTables }
    }

    /// The same, saying which database it is about.
    pub(crate) fn in_place(self, place: &str) -> Self {
        match self {
            Self::Damaged { place: None, what } => {
                Self::Damaged { place: Some(place.to_owned()), what }
            }
            other => other,
        }
    }

    fn kind(&self) -> JournalErrorKind {
        match self {
            Self::Busy | Self::InUse { .. } => JournalErrorKind::Busy,
            Self::Full(_) => JournalErrorKind::Full,
            Self::NotHeld(_) => JournalErrorKind::NotHeld,
            Self::Conflict(_) | Self::Invalid(_) | Self::Point(_) => JournalErrorKind::Conflict,
            _ => JournalErrorKind::Unavailable,
        }
    }
}

impl From<StoreError> for JournalError {
    fn from(error: StoreError) -> Self {
        let journal = Self::new(error.kind(), error.to_string());
        match error.advice() {
            Some(advice) => journal.with_advice(advice),
            None => journal,
        }
    }
}
