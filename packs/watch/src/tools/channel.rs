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

/// What a call says of a channel.
pub(super) struct Asked {
    choice: ChannelChoice,
    /// What else it says: an id and a name may contradict each other.
    name: Option<String>,
}

/// What a call says of a channel. An id that is none is taken for a name.
pub(super) fn asked(id: Option<String>, name: Option<String>) -> Option<Asked> {
    let name = said(name);
    let by_id = said(id).map(|it| match channel_id(&it) {
        Some(id) => ChannelChoice::Id(id.to_owned()),
        None => ChannelChoice::Name(it),
    });
    match (by_id, name) {
        (Some(choice), name) => Some(Asked { choice, name }),
        (None, name) => Some(Asked { choice: ChannelChoice::Name(name?), name: None }),
    }
}

/// Why no channel is meant.
pub(super) enum Unknown {
    /// Nothing was watched of it.
    Missing {
        called: String,
        /// Names like it, the likeliest first.
        near: Vec<String>,
    },
    /// The id is one channel's, and the name another's.
    Contradiction {
        /// What the id, or the first name, stands for.
        called: String,
        is: String,
        name: String,
        /// Those that have the name.
        named: Vec<String>,
    },
}

impl Chosen {
    /// The channel that is meant. One that is only spelled like it is taken where nothing else can be
    /// meant: the answer names it. Where there are several, they are offered.
    pub(super) fn find(
        library: &Library,
        Asked { choice, name }: Asked,
    ) -> Result<Result<Self, Unknown>, WatchError> {
        let (ChannelChoice::Id(called) | ChannelChoice::Name(called)) = &choice;
        let called = words::plain(called);
        let like = match &choice {
            ChannelChoice::Id(_) => Vec::new(),
            ChannelChoice::Name(name) => library.channels_like(name)?,
        };
        let beside = match &name {
            Some(name) => library.channels_like(name)?,
            None => Vec::new(),
        };
        let choice = match (choice, only(&like)) {
            (ChannelChoice::Name(_), Some(name)) => ChannelChoice::Name(name),
            (choice, _) => choice,
        };
        let meant: Vec<_> = match &choice {
            ChannelChoice::Id(id) => library.channel_of_id(id)?.into_iter().collect(),
            ChannelChoice::Name(name) => {
                let folded = fold(name);
                like.iter().filter(|(_, it)| fold(&it.name) == folded).cloned().collect()
            }
        };
        let Some((_, one)) = meant.first() else {
            let names = like.iter().map(|(_, it)| words::plain(&it.name));
            let near = first(names.chain(beside.iter().map(|(_, it)| labelled(it))));
            return Ok(Err(Unknown::Missing { called, near }));
        };
        let is_meant = |row: &i64| meant.iter().any(|it| it.0 == *row);
        if let Some(name) = name.filter(|_| !beside.iter().any(|(row, _)| is_meant(row))) {
            let is = words::plain(&one.name);
            let named = first(beside.iter().map(|(_, it)| labelled(it)));
            let name = words::plain(&name);
            return Ok(Err(Unknown::Contradiction { called, is, name, named }));
        }
        let rows = meant.into_iter().map(|(row, _)| row).collect();
        Ok(Ok(Self { choice, rows }))
    }
}

/// `Garden (UC…)`: two channels may have one name.
fn labelled(channel: &Channel) -> String {
    let name = words::plain(&channel.name);
    channel.id.as_ref().map(|id| format!("{name} ({id})")).unwrap_or(name)
}

impl Unknown {
    /// The channel of the videos that have the title which was given for a channel's name, where all are of one, and
    /// a sentence that says so.
    pub(super) fn by_title(
        &self,
        library: &Library,
    ) -> Result<Option<(ChannelChoice, String)>, WatchError> {
        let Self::Missing { called, near } = self else { return Ok(None) };
        // What may be a channel after all is asked about.
        if !near.is_empty() {
            return Ok(None);
        }
        let videos = library.videos_titled(called)?;
        let mut channels = videos.iter().map(|it| it.channel.as_ref());
        let Some(Some(channel)) = channels.next() else { return Ok(None) };
        if !channels.all(|it| it == Some(channel)) {
            return Ok(None);
        }
        let choice = match &channel.id {
            Some(id) => ChannelChoice::Id(id.clone()),
            None => ChannelChoice::Name(channel.name.clone()),
        };
        let name = words::plain(&channel.name);
        let said = format!("{called} is no channel: it is a video from {name}.\n\n");
        Ok(Some((choice, said)))
    }

    /// ` Did you mean Tech Channel?`, if there is anything like it.
    pub(super) fn offer(&self) -> String {
        match self {
            Self::Missing { near: offered, .. } | Self::Contradiction { named: offered, .. }
                if !offered.is_empty() =>
            {
                format!(" Did you mean {}?", words::joined(offered, "or"))
            }
            _ => String::new(),
        }
    }
}

impl From<Unknown> for Stop {
    fn from(unknown: Unknown) -> Self {
        let offer = unknown.offer();
        Self::Told(match unknown {
            Unknown::Missing { called, .. } => {
                format!("I couldn't find {called} in your watch history.{offer}")
            }
            Unknown::Contradiction { called, is, name, .. } => format!(
                "The channel ID and the channel name contradict each other: {called} is {is}, not {name}. \
                 Please give only one of them.{offer}"
            ),
        })
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
