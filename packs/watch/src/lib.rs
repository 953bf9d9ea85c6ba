//! Tools for a watch history.
//!
//! [`Library`] is what was watched, on the disk. [`Library::import`] fills it from Google Takeout,
//! [`Library::enrich`] adds what Takeout leaves out, [`Library::embed`] makes the vectors by which
//! [`Library::search`] finds videos by meaning. [`History`] has the tools.

mod asking;
mod clock;
mod enrich;
mod error;
mod history;
mod import;
mod index;
mod library;
mod pack;
mod sample;
mod search;
mod tools;
mod video;
mod vocabulary;
mod words;

pub use jiff::tz::TimeZone;

pub use self::{
    asking::{ChannelChoice, ChannelStatistics, Statistics},
    clock::{Clock, time_zone},
    enrich::{Api, ApiSettings, Enriched},
    error::{WatchError, WatchErrorKind},
    history::{History, HistorySettings},
    import::{Added, Imported},
    index::Embedded,
    library::Library,
    pack::WatchPack,
    search::{Filter, Hit, Query},
    video::{Channel, Video, Watched},
    words::count as grouped,
};

/// Told how far a long piece of work has come: so many of so many, where that is known.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, Option<u64>) + Send);
