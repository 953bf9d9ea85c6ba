//! [`Store`]: the append-only log of everything that happened, in SQLite or PostgreSQL.
//!
//! The log is the only truth. Conversations, summaries and the search index are folds of it that
//! are kept beside it, in the same transaction. A conversation has one writer at a time: whoever
//! [holds](Store::acquire) it gets a [`ConversationLease`], which is the [`Journal`](toolwright_core::Journal) of
//! its runs. Once an append is acknowledged it survives a crash of the process and of the machine.
//!
//! ```no_run
//! # use toolwright_store::{StoreLocation, Store};
//! # async fn example() -> Result<(), toolwright_store::StoreError> {
//! let store = Store::open(&StoreLocation::Sqlite("data/toolwright.db".into())).await?;
//! let lease = store.acquire(&"conv_1".into()).await?;
//! let loaded = lease.load().await?;
//! // Run something on `loaded.history`, with `lease` as its journal.
//! # Ok(())
//! # }
//! ```

#[cfg(not(any(feature = "sqlite", feature = "postgres")))]
compile_error!("a store needs a database: enable the feature `sqlite` or `postgres`");

#[cfg(feature = "postgres")]
mod address;
mod adopt;
mod backend;
mod branches;
mod claim;
mod columns;
mod error;
mod exported;
mod failpoint;
mod fork;
mod format;
mod grant;
mod import;
mod instruction;
mod key;
mod lease;
mod ledger;
mod load;
mod location;
mod news;
mod open_run;
mod owner;
mod position;
#[cfg(feature = "postgres")]
mod postgres;
mod progress;
mod queue;
mod record;
mod refusal;
mod rounds;
mod rule;
mod seal;
mod sealed;
mod search;
mod serving;
mod spec;
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
mod state;
mod store;
mod summary;
mod usage;
mod words;

pub use self::{
    claim::{KeyClaim, KeyState},
    error::{LeaseHolder, StoreError},
    exported::ExportedAttachment,
    grant::{Grant, GrantKind},
    import::ImportReport,
    instruction::{Instructed, InstructedVerdict, Instruction},
    key::{InvalidKey, LogKey},
    lease::{ConversationLease, LeaseWatch},
    location::{LocationError, StoreLocation, Timeouts},
    news::{News, StoreNews},
    open_run::OpenRun,
    position::Position,
    progress::Progress,
    queue::Withdrawal,
    refusal::Refusal,
    rounds::StoredRound,
    rule::StoredRule,
    search::{Role, SearchHit},
    serving::ServerLock,
    state::ConversationState,
    store::{IntegrityReport, KEY_FILE, Store},
    summary::{ConversationPage, ConversationStatus, ConversationSummary, Cursor},
    usage::{RunUsage, ToolUsage, UsageReport},
};
