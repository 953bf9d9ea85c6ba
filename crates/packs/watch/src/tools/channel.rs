//! [`Chosen`]: the channel that is meant.

use super::{
    answer::Stop,
    arguments::{channel_id, said},
};
use crate::{Channel, ChannelChoice, Library, WatchError, library::fold, words};

/// The channel that is meant.
pub(super) struct Chosen {
    /// By its id or its name.
    pub(super) choice: ChannelChoice,
    /// Its rows: two channels may have one name.
    pub(super) rows: Vec<i64>,
}

/// How many names are offered in the place of one that is not there.
const OFFERED: usize = 3;

/// What was chosen: the id wins, and one that is none is taken for a name.
pub(super) fn choice(id: Option<String>, name: Option<String>) -> Option<ChannelChoice> {
    let by_id = said(id).map(|it| match channel_id(&it) {
        Some(id) => ChannelChoice::Id(id.to_owned()),
        None => ChannelChoice::Name(it),
    });
    by_id.or_else(|| said(name).map(ChannelChoice::Name))
}

/// A channel of which nothing was watched.
pub(super) struct Unknown {
    called: String,
    /// Names like it, the likeliest first.
    near: Vec<String>,
}

impl Chosen {
    /// The channel that is meant. One that is only spelled like it is taken where nothing else can be
    /// meant: the answer names it. Where there are several, they are offered.
    pub(super) fn find(
        library: &Library,
        choice: ChannelChoice,
    ) -> Result<Result<Self, Unknown>, WatchError> {
        let (ChannelChoice::Id(called) | ChannelChoice::Name(called)) = &choice;
        let called = words::plain(called);
        let like = match &choice {
            ChannelChoice::Id(_) => Vec::new(),
            ChannelChoice::Name(name) => library.channels_like(name)?,
        };
        let choice = match (choice, only(&like)) {
            (ChannelChoice::Name(_), Some(name)) => ChannelChoice::Name(name),
            (choice, _) => choice,
        };
        let rows: Vec<_> = match &choice {
            ChannelChoice::Id(id) => library.row_of_channel(id)?.into_iter().collect(),
            ChannelChoice::Name(name) => {
                let folded = fold(name);
                let named = like.iter().filter(|(_, it)| fold(&it.name) == folded);
                named.map(|(row, _)| *row).collect()
            }
        };
        if rows.is_empty() {
            let names = like.iter().map(|(_, it)| words::plain(&it.name));
            return Ok(Err(Unknown { called, near: first(names) }));
        }
        Ok(Ok(Self { choice, rows }))
    }
}

impl Unknown {
    /// ` Did you mean Tech Channel?`, if there is anything like it.
    pub(super) fn offer(&self) -> String {
        if self.near.is_empty() {
            return String::new();
        }
        format!(" Did you mean {}?", words::joined(&self.near, "or"))
    }
}

impl From<Unknown> for Stop {
    fn from(unknown: Unknown) -> Self {
        let Unknown { called, .. } = &unknown;
        Self::Told(format!("I couldn't find {called} in your watch history.{}", unknown.offer()))
    }
}

/// The name, if it is the only one.
fn only(like: &[(i64, Channel)]) -> Option<String> {
    let ((_, first), rest) = like.split_first()?;
    let is_only = rest.iter().all(|(_, it)| fold(&it.name) == fold(&first.name));
    is_only.then(|| first.name.clone())
}

/// The first few that differ.
fn first(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut few: Vec<String> = Vec::new();
    for name in names {
        if few.len() < OFFERED && !few.contains(&name) {
            few.push(name);
        }
    }
    few
}
