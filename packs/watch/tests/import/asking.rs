//! Questions that need no vectors.

use serde_json::{Value, json};
use toolwright_watch::ChannelChoice;

use crate::making::{Desk, at, channel_id, watched, with};

fn id(name: &str) -> ChannelChoice {
    ChannelChoice::Id(channel_id(name))
}

fn name(name: &str) -> ChannelChoice {
    ChannelChoice::Name(name.to_owned())
}

fn entry(video: &str, channel: &str, day: u8) -> Value {
    watched(video, "Tea", channel, &format!("2024-01-{day:02}T12:00:00Z"))
}

fn desk() -> Desk {
    let desk = Desk::new();
    desk.entries(&[
        entry("aaaaaaaaaaa", "Tech Channel", 1),
        entry("aaaaaaaaaaa", "Tech Channel", 9),
        entry("bbbbbbbbbbb", "Tech Channel", 5),
        entry("ccccccccccc", "Crème Brûlée", 7),
        entry("ddddddddddd", "Veritasium", 2),
        entry("eeeeeeeeeee", "The Veritas Forum", 3),
        with(entry("fffffffffff", "", 4), json!({"subtitles": null})),
    ]);
    desk
}

fn recent(desk: &Desk, most: usize, of: Option<&ChannelChoice>) -> Vec<String> {
    desk.library.recent(most, of).unwrap().into_iter().map(|it| it.id).collect()
}

#[test]
fn recent_videos_come_once_each_and_newest_first() {
    let desk = desk();
    assert_eq!(recent(&desk, 3, None), ["aaaaaaaaaaa", "ccccccccccc", "bbbbbbbbbbb"]);
    assert_eq!(recent(&desk, 100, None).len(), 6);
    assert!(recent(&desk, 0, None).is_empty());
}

#[test]
fn the_filter_comes_before_the_limit() {
    let desk = desk();
    assert_eq!(recent(&desk, 1, Some(&id("Veritasium"))), ["ddddddddddd"]);
    assert_eq!(recent(&desk, 1, Some(&name("tech channel"))), ["aaaaaaaaaaa"]);
    assert_eq!(recent(&desk, 9, Some(&name("creme  BRULEE"))), ["ccccccccccc"]);
    assert!(recent(&desk, 9, Some(&name("Nobody at all"))).is_empty());
    assert!(recent(&desk, 9, Some(&ChannelChoice::Id(String::from("UCnothing")))).is_empty());
}

#[test]
fn a_name_means_a_channel_where_it_can_mean_one_only() {
    let desk = desk();
    let meant = |said: &str| {
        desk.library.channels(&name(said)).unwrap().into_iter().next().map(|it| it.channel.name)
    };
    assert_eq!(meant("tech").as_deref(), Some("Tech Channel"));
    assert_eq!(meant("Tech Chanel").as_deref(), Some("Tech Channel"));
    assert_eq!(meant("veritasium").as_deref(), Some("Veritasium"));
    assert_eq!(meant("veritas"), None);
    assert_eq!(meant("forum").as_deref(), Some("The Veritas Forum"));
    assert_eq!(meant(" "), None);
    assert_eq!(meant("%"), None);
}

#[test]
fn names_alike_come_in_the_order_of_likeness() {
    let desk = desk();
    let names = |said: &str| -> Vec<String> {
        desk.library.channels_like(said).unwrap().into_iter().map(|it| it.1.name).collect()
    };
    assert_eq!(names("veritas"), ["Veritasium", "The Veritas Forum"]);
    assert_eq!(names("VERITASIUM"), ["Veritasium"]);
    assert_eq!(names("Veritasum"), ["Veritasium"]);
    assert!(names("").is_empty());
    let many: Vec<_> =
        (0..50).map(|at| entry(&format!("xxxxxxxxx{at:02}"), &format!("Maker {at}"), 1)).collect();
    desk.entries(&many);
    assert_eq!(names("maker").len(), 20);
}

#[test]
fn statistics_count_what_was_watched() {
    let desk = desk();
    desk.entries(&[with(
        entry("", "", 8),
        json!({"title": "Watched a video that has been removed", "titleUrl": null, "subtitles": null}),
    )]);
    // Lengths: a minute, watched twice; and a stream of thirty hours, counted as twelve.
    let set = "UPDATE videos SET seconds = CASE id WHEN 'aaaaaaaaaaa' THEN 60 ELSE 108000 END \
        WHERE id IN ('aaaaaaaaaaa', 'ccccccccccc')";
    desk.database().execute(set, []).unwrap();
    let statistics = desk.library.statistics().unwrap();
    assert_eq!((statistics.videos, statistics.channels, statistics.watches), (6, 4, 7));
    assert_eq!((statistics.gone, statistics.with_length), (1, 2));
    assert_eq!(statistics.seconds, 2 * 60 + 12 * 3600);
    assert_eq!(statistics.average, Some(54_030.0));
    assert_eq!(statistics.oldest, Some(at("2024-01-01T12:00:00Z")));
    assert_eq!(statistics.newest, Some(at("2024-01-09T12:00:00Z")));
    assert_eq!((statistics.top[0].0.name.as_str(), statistics.top[0].1), ("Tech Channel", 2));
    assert_eq!(statistics.top.len(), 4);

    let channel = desk.library.channels(&id("Tech Channel")).unwrap().remove(0);
    assert_eq!((channel.videos, channel.watches, channel.seconds), (2, 3, 120));
    assert_eq!(channel.average, Some(60.0));
    assert_eq!(channel.latest.unwrap().id, "aaaaaaaaaaa");
}

#[test]
fn an_empty_library_has_answers() {
    let desk = Desk::new();
    let statistics = desk.library.statistics().unwrap();
    assert_eq!((statistics.videos, statistics.average, statistics.oldest), (0, None, None));
    assert!(statistics.top.is_empty());
    assert_eq!(desk.library.video("aaaaaaaaaaa").unwrap(), None);
    assert_eq!(desk.library.channels(&name("Anybody")).unwrap(), []);
    assert!(recent(&desk, 5, None).is_empty());
}

#[test]
fn channels_of_the_same_name_are_all_meant_those_watched_most_first() {
    let desk = Desk::new();
    let of = |video: &str, letter: char| {
        let url = format!("https://www.youtube.com/channel/UC{}", letter.to_string().repeat(22));
        with(entry(video, "", 1), json!({"subtitles": [{"name": "Tea", "url": url}]}))
    };
    desk.entries(&[of("aaaaaaaaaaa", 'a'), of("bbbbbbbbbbb", 'b'), of("ccccccccccc", 'b')]);
    let meant = desk.library.channels(&name("tea")).unwrap();
    let ids: Vec<_> = meant.into_iter().filter_map(|it| it.channel.id).collect();
    assert_eq!(ids, [format!("UC{}", "b".repeat(22)), format!("UC{}", "a".repeat(22))]);
    let all = recent(&desk, 5, Some(&name("tea")));
    assert_eq!(all.len(), 3, "{all:?}");
}
