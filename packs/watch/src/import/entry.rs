//! [`Entry`]: one entry of an export, before it is known what it is.

use jiff::Timestamp;

use super::{
    dating::Moment,
    link,
    verbs::{Verbs, plain},
};
use crate::{Channel, Watched};

/// One entry of an export, before it is known what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    /// Which of YouTube's services it is of.
    pub(super) header: String,
    pub(super) products: Vec<String>,
    /// What was done, and with what, in a sentence.
    pub(super) said: String,
    /// The title alone, where the export sets it apart.
    pub(super) title: Option<String>,
    pub(super) address: Option<String>,
    /// The name of the channel and its address.
    pub(super) channel: Option<(String, Option<String>)>,
    pub(super) details: Vec<String>,
    pub(super) at: Moment,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    Watched(Watched),
    /// Something was watched that is not named any more: `removed` or `private`.
    Gone(Timestamp, &'static str),
    Ad,
    /// A search, a visit, a game.
    Other,
}

/// What else is done at YouTube, and is written down next to what is watched.
const OTHERS: [&str; 17] = [
    "Answered ",
    "Commented ",
    "Disliked ",
    "Followed ",
    "Liked ",
    "Played ",
    "Purchased ",
    "Rated ",
    "Saved ",
    "Searched ",
    "Shared ",
    "Subscribed ",
    "Unsubscribed ",
    "Used ",
    "Viewed ",
    "Visited ",
    "Voted ",
];

/// How languages call what pays for the others.
const ADS: [&str; 18] = [
    "ads",
    "anzeigen",
    "werbung",
    "annonces",
    "anuncios",
    "anúncios",
    "annunci",
    "advertenties",
    "annonser",
    "annoncer",
    "mainoks",
    "reklam",
    "реклам",
    "광고",
    "広告",
    "广告",
    "廣告",
    "विज्ञापन",
];

impl Entry {
    /// The id of its video, if it has one.
    pub(super) fn video(&self) -> Option<&str> {
        link::video(self.address.as_deref()?)
    }

    /// What the entry is, which was at this moment.
    pub(super) fn meaning(&self, at: Timestamp, verbs: &mut Verbs) -> Meaning {
        if !self.is_youtube() {
            return Meaning::Other;
        }
        if self.is_ad() {
            return Meaning::Ad;
        }
        let said = plain(&self.said);
        let rest = verbs.title(&said);
        // A verb of watching may be at the end: then the others are the beginning of a title.
        let is_other = rest == said && OTHERS.iter().any(|it| said.starts_with(it));
        if is_other || said == "Watched story" {
            return Meaning::Other;
        }
        let title = self.title.as_deref().map_or_else(|| rest.to_owned(), plain);
        let address =
            self.address.as_deref().or_else(|| link::is_address(&title).then_some(&*title));
        let Some(address) = address else { return without_address(at, &said) };
        let Some(id) = link::video(address) else { return Meaning::Other };
        let channel = self.channel();
        let is_topic = channel.as_ref().is_some_and(|it| it.name.ends_with(" - Topic"));
        let is_known = !title.is_empty() && !link::is_address(&title);
        Meaning::Watched(Watched {
            id: id.to_owned(),
            is_music: is_topic || self.header.trim() == "YouTube Music" || link::is_music(address),
            channel,
            title: is_known.then(|| title.clone()),
            at,
        })
    }

    /// What says that a video was watched, where the title is not set apart from the verb.
    pub(super) fn sentence(&self) -> Option<String> {
        let is_video = self.address.as_deref().is_some_and(|it| link::video(it).is_some());
        let is_plain = self.is_youtube() && !self.is_ad() && self.title.is_none();
        (is_video && is_plain).then(|| plain(&self.said))
    }

    fn is_youtube(&self) -> bool {
        let named = |it: &str| it.contains("YouTube");
        if self.products.is_empty() {
            return named(&self.header)
                || self.address.as_deref().is_some_and(|it| link::video(it).is_some());
        }
        named(&self.header) || self.products.iter().any(|it| named(it))
    }

    fn is_ad(&self) -> bool {
        let is_bare = !self.details.is_empty() && self.channel.is_none();
        is_bare || self.details.iter().any(|it| is_of_ads(it))
    }

    fn channel(&self) -> Option<Channel> {
        let (name, address) = self.channel.as_ref()?;
        let name = plain(name);
        let id = address.as_deref().and_then(link::channel).map(str::to_owned);
        (!name.is_empty() && !link::is_address(&name)).then_some(Channel { id, name })
    }
}

/// Visits name what was visited, in every language; what was removed has no name.
fn without_address(at: Timestamp, said: &str) -> Meaning {
    if said.contains("YouTube") {
        return Meaning::Other;
    }
    let is_private = said == "Watched a private video";
    Meaning::Gone(at, if is_private { "private" } else { "removed" })
}

/// Whether this says that something came from Google's advertisements.
pub(super) fn is_of_ads(detail: &str) -> bool {
    let detail = detail.to_lowercase();
    detail.contains("google") && ADS.iter().any(|it| detail.contains(it))
}
