//! How much was watched.

use jiff::Zoned;

use super::{
    Style, day, name_of,
    number::{count, counted, joined},
    plain,
    time::{average, total},
    title_of, when,
};
use crate::{ChannelStatistics, Statistics};

/// How many of the channels watched most are named.
const NAMED: usize = 3;

/// `You've watched 1,234 videos across 156 channels. Your total watch time is approximately 245 hours, …`.
pub(crate) fn statistics(all: &Statistics, now: &Zoned) -> String {
    if all.videos == 0 {
        return format!("Your YouTube watch history appears to be empty.{}", gone(all.gone));
    }
    let (videos, channels) = (counted(all.videos, "video"), counted(all.channels, "channel"));
    let mut text = format!("You've watched {videos} across {channels}. ");
    text.push_str(&watch_time(all));
    if all.watches > all.videos {
        text.push_str(&format!(" You've watched videos a total of {} times.", count(all.watches)));
    }
    if let (Some(oldest), Some(newest)) = (all.oldest, all.newest) {
        let (oldest, newest) = (day(oldest, now), day(newest, now));
        text.push_str(&if oldest == newest {
            format!(" All of it was on {oldest}.")
        } else {
            format!(" Your viewing history spans from {oldest} to {newest}.")
        });
    }
    text + &most_watched(all) + &gone(all.gone)
}

/// What there is of a channel; of each, where several have one name.
pub(crate) fn of_channels(all: &[ChannelStatistics], now: &Zoned) -> String {
    let (Some(first), true) = (all.first(), all.len() > 1) else {
        return all.iter().map(|it| of_channel(it, now)).collect();
    };
    let many = counted(all.len() as u64, "channel");
    let mut text = format!("{many} are called {}:", name_of(Some(&first.channel)));
    for (number, channel) in (1..).zip(all) {
        text.push_str(&format!("\n{number}. {}", of_channel(channel, now)));
    }
    text
}

/// `You've watched 45 videos from Tech Channel. Your total watch time from this channel is about 12 hours, …`.
fn of_channel(all: &ChannelStatistics, now: &Zoned) -> String {
    let name = name_of(Some(&all.channel));
    let mut text = format!("You've watched {} from {name}.", counted(all.videos, "video"));
    if all.seconds > 0 {
        let sum = total(all.seconds);
        text.push_str(&format!(" Your total watch time from this channel is about {sum}"));
        text.push_str(&each(all.average));
        text.push('.');
    }
    if all.watches > all.videos {
        text.push_str(&format!(
            " You've watched its videos a total of {} times.",
            count(all.watches)
        ));
    }
    if let Some(latest) = &all.latest {
        let (title, last) = (title_of(latest), when(latest.last, now, Style::Ago));
        text.push_str(&format!(" The most recent one was '{title}' ({}), {last}.", latest.id));
    }
    if let Some(id) = &all.channel.id {
        text.push_str(&format!(" The channel's ID is {id}."));
    }
    text
}

fn watch_time(all: &Statistics) -> String {
    if all.with_length == 0 {
        // An export does not have it: so it is with everybody who has just imported one.
        return "How long they are is not known, and so your watch time is not: `toolwright watch enrich` \
                finds out."
            .to_owned();
    }
    let mut text = format!("Your total watch time is approximately {}", total(all.seconds));
    text.push_str(&each(all.average));
    if all.with_length < all.videos {
        let (known, videos) = (count(all.with_length), count(all.videos));
        text.push_str(&format!(" (the length of {known} of the {videos} videos is known)"));
    }
    text + "."
}

fn each(seconds: Option<f64>) -> String {
    seconds
        .map(|it| format!(", with an average video duration of {}", average(it)))
        .unwrap_or_default()
}

fn most_watched(all: &Statistics) -> String {
    let named = |(channel, videos): &(crate::Channel, u64)| {
        format!("{} ({})", plain(&channel.name), counted(*videos, "video"))
    };
    let names: Vec<_> = all.top.iter().take(NAMED).map(named).collect();
    match names.len() {
        0 => String::new(),
        1 => format!(" The channel you've watched most is {}.", joined(&names, "and")),
        _ => format!(" The channels you've watched most are {}.", joined(&names, "and")),
    }
}

fn gone(times: u64) -> String {
    match times {
        0 => String::new(),
        1 => " Once you watched something that was removed or made private since.".to_owned(),
        many => {
            format!(
                " {} times you watched something that was removed or made private since.",
                count(many)
            )
        }
    }
}
