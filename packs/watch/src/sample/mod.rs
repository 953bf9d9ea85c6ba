//! [`Sample`]: a small watch history that nobody watched, so that the tools answer on a fresh machine.

mod videos;

use jiff::{SignedDuration, ToSpan, Zoned};

use self::videos::{CHANNELS, Listed};
use crate::{Channel, Watched};

/// A small watch history that nobody watched.
pub(crate) struct Sample {
    /// The times something was watched, the newest two hours before now.
    pub(crate) watched: Vec<Watched>,
    /// How long the videos are, by id, where that is known.
    pub(crate) seconds: Vec<(String, u32)>,
}

/// How many times something was watched.
const WATCHES: usize = 150;
/// Over how many hours these are spread: about fourteen months.
const HOURS: usize = 425 * 24;
/// From one watch to the next in the list of videos: it has no divisor in common with their number, so
/// that each comes up before one does for the second time, and neighbours are about other things.
const STRIDE: usize = 37;

impl Sample {
    /// The one that ends now.
    pub(crate) fn ending(now: &Zoned) -> Self {
        let videos: Vec<_> = videos().collect();
        let watched = (0..WATCHES).filter_map(|nth| {
            let it = videos.get(nth * STRIDE % videos.len().max(1))?;
            // Lately more was watched than a year ago; the minutes are there to look like somebody's.
            let hours = 2 + HOURS * nth * (nth + WATCHES / 2) / (WATCHES * (WATCHES + WATCHES / 2));
            let ago = SignedDuration::from_mins((hours * 60 + nth * 7 % 50) as i64);
            Some(Watched { at: now.timestamp().checked_sub(ago).ok()?, ..it.watched.clone() })
        });
        let watched = watched.chain(lately(&videos, now)).collect();
        let seconds = videos.iter().filter_map(|it| Some((it.watched.id.clone(), it.seconds?)));
        Self { watched, seconds: seconds.collect() }
    }
}

/// Two of each channel: one of last week, one of last month, whatever day it is. What there is about a thing
/// is in two channels at least, so that questions about those times find something.
fn lately(videos: &[Entry], now: &Zoned) -> Vec<Watched> {
    let today = now.date();
    let monday = today.saturating_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
    let month = today.first_of_month().saturating_sub(1.day()).first_of_month();
    let mut begin = 0;
    let mut watched = Vec::new();
    for (nth, (_, listed)) in (0_i64..).zip(CHANNELS) {
        // The first of all was watched today.
        let first = begin + usize::from(nth % 2 == 0);
        let week = monday.saturating_sub((7 - nth % 7).days());
        let days = [(first, week), (first + 1, month.saturating_add((nth * 5 % 28).days()))];
        for (video, day) in days {
            let hour = i8::try_from(8 + nth % 12).unwrap_or(8);
            let at = day.at(hour, i8::try_from(nth * 2).unwrap_or(0), 0, 0);
            let at = at.to_zoned(now.time_zone().clone()).map(|it| it.timestamp());
            if let (Some(it), Ok(at)) = (videos.get(video), at) {
                watched.push(Watched { at, ..it.watched.clone() });
            }
        }
        begin += listed.len();
    }
    watched
}

struct Entry {
    watched: Watched,
    seconds: Option<u32>,
}

/// Every video, with ids no real one has.
fn videos() -> impl Iterator<Item = Entry> {
    let of_channel = |(nth, (name, videos)): (usize, &'static Listed)| {
        let channel =
            Channel { id: Some(format!("UCsample-channel-{nth:07}")), name: (*name).to_owned() };
        videos.iter().map(move |video| (channel.clone(), video))
    };
    (1..).zip(CHANNELS).flat_map(of_channel).zip(1..).map(|((channel, (title, seconds)), nth)| {
        Entry {
            watched: Watched {
                id: format!("sample-{nth:04}"),
                title: Some((*title).to_owned()),
                channel: Some(channel),
                is_music: false,
                at: jiff::Timestamp::UNIX_EPOCH,
            },
            seconds: (*seconds > 0).then_some(*seconds),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use jiff::{ToSpan, Zoned};

    use super::{CHANNELS, STRIDE, Sample, Watched, videos};

    #[test]
    fn it_is_as_large_as_a_sample_should_be() {
        let now: Zoned = "2025-01-15T12:00[Europe/Berlin]".parse().unwrap();
        let Sample { watched, seconds } = Sample::ending(&now);
        let count = videos().count();
        assert!(
            !count.is_multiple_of(STRIDE) && STRIDE < count && count < watched.len(),
            "some are watched twice"
        );
        assert!(watched.len() >= 120 && count >= 80 && CHANNELS.len() >= 20);
        let ids: HashSet<_> = watched.iter().map(|it| it.id.clone()).collect();
        assert_eq!(ids.len(), count, "each is watched");
        assert!(ids.iter().all(|it| it.len() == 11), "as ids are");
        let channels = watched.iter().filter_map(|it| it.channel.clone()?.id);
        assert!(channels.into_iter().all(|it| it.len() == 24));
        assert!(seconds.len() < count && seconds.len() > count * 9 / 10, "most lengths are known");
        let moments: HashSet<_> = watched.iter().map(|it| it.at).collect();
        assert_eq!(moments.len(), watched.len());
        let days = |at: jiff::Timestamp| now.timestamp().duration_since(at).as_hours() / 24;
        let (newest, oldest) = (moments.iter().max().unwrap(), moments.iter().min().unwrap());
        assert_eq!((days(*newest), days(*oldest) / 30), (0, 14), "in months");
        let lately = moments.iter().filter(|it| days(**it) < 30).count();
        assert!((30..80).contains(&lately), "{lately}");
    }

    /// On every day of more than two years, and for everything there is two channels about.
    #[test]
    fn there_is_something_last_week_and_last_month_whatever_day_it_is() {
        let first: Zoned = "2024-01-01T00:30[Europe/Berlin]".parse().unwrap();
        for day in 0..800 {
            let now = first.checked_add(day.days()).unwrap();
            let today = now.date();
            let watched = Sample::ending(&now).watched;
            let of = |from: jiff::civil::Date, before: jiff::civil::Date| -> HashSet<String> {
                let day = |it: &Watched| it.at.to_zoned(now.time_zone().clone()).date();
                let within = watched.iter().filter(|it| (from..before).contains(&day(it)));
                within.filter_map(|it| Some(it.channel.clone()?.name)).collect()
            };
            let monday =
                today.checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days());
            let monday = monday.unwrap();
            let week = of(monday.checked_sub(7.days()).unwrap(), monday);
            let month = today.first_of_month();
            let month = of(month.checked_sub(1.month()).unwrap(), month);
            assert_eq!((week.len(), month.len()), (CHANNELS.len(), CHANNELS.len()), "{today}");
            assert!(watched.iter().all(|it| it.at <= now.timestamp()), "{today}");
        }
    }

    #[test]
    fn titles_are_there_once() {
        let titles: Vec<_> = videos().filter_map(|it| it.watched.title).collect();
        assert_eq!(titles.iter().collect::<HashSet<_>>().len(), titles.len());
    }
}
