//! One video.

use jiff::Zoned;

use super::{Style, address, name_of, number::count, time::length, title_of, when};
use crate::Video;

/// `You watched 'Python Tutorial' from Tech Channel. It's 15 minutes long and you watched it 3 times, …`.
pub(crate) fn details(video: &Video, now: &Zoned) -> String {
    let (title, channel) = (title_of(video), name_of(video.channel.as_ref()));
    let last = when(video.last, now, Style::Ago);
    let times = match video.watches {
        ..=1 => format!("you watched it once, {last}"),
        many => format!("you watched it {} times, most recently {last}", count(many.into())),
    };
    let times = match video.seconds {
        Some(seconds) => format!("It's {} long and {times}", length(seconds.into())),
        None => times.replacen("you", "You", 1),
    };
    let id = video.channel.as_ref().and_then(|it| it.id.as_deref());
    let id = id.map(|it| format!(" Its channel's ID is {it}.")).unwrap_or_default();
    format!("You watched '{title}' from {channel}. {times}.{id} Its link is {}", address(&video.id))
}
