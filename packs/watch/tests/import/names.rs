//! Titles and channels: what is known stays known, and what becomes known is taken.

use serde_json::json;

use crate::making::{Desk, channel_id, watched, with};

const ID: &str = "rtTWtzWav8I";

#[test]
fn the_same_export_again_adds_nothing() {
    let desk = Desk::new();
    let entries = [
        watched(ID, "Tea", "One", "2023-06-04T04:07:59.107Z"),
        watched(ID, "Tea", "One", "2023-06-05T04:07:59.107Z"),
        watched("aaaaaaaaaaa", "Cake", "Two", "2023-06-06T04:07:59.107Z"),
    ];
    let first = desk.entries(&entries);
    assert_eq!((first.added, first.known, first.videos), (3, 0, 2));
    let again = desk.entries(&entries);
    assert_eq!((again.added, again.known, again.videos), (0, 3, 0));
    assert_eq!(desk.video(ID).watches, 2);
}

#[test]
fn an_unknown_title_never_takes_the_place_of_a_known_one() {
    let desk = Desk::new();
    desk.entries(&[watched(ID, "Tea", "One", "2023-06-04T04:07:59Z")]);
    let lost = with(
        watched(ID, "", "", "2024-06-04T04:07:59Z"),
        json!({"title": format!("Watched https://www.youtube.com/watch?v={ID}"), "subtitles": null}),
    );
    desk.entries(&[lost]);
    let video = desk.video(ID);
    assert_eq!((video.title.as_deref(), video.watches), (Some("Tea"), 2));
    assert_eq!(video.channel.unwrap().name, "One");
    assert_eq!(desk.with_words("tea one"), [ID]);
}

#[test]
fn a_title_that_becomes_known_is_found_by_its_words() {
    let desk = Desk::new();
    let lost = with(
        watched(ID, "", "", "2024-06-04T04:07:59Z"),
        json!({"title": format!("Watched https://www.youtube.com/watch?v={ID}"), "subtitles": null}),
    );
    desk.entries(&[lost]);
    assert!(desk.with_words("tea").is_empty());
    desk.entries(&[watched(ID, "Crème Tea", "One", "2023-06-04T04:07:59Z")]);
    assert_eq!(desk.with_words("creme tea"), [ID]);
    assert_eq!(desk.with_words("one"), [ID]);
    // A later title takes the place of an earlier one, and its words that of the earlier words.
    desk.entries(&[watched(ID, "Coffee", "One", "2025-06-04T04:07:59Z")]);
    assert!(desk.with_words("tea").is_empty());
    assert_eq!(desk.with_words("coffee"), [ID]);
}

#[test]
fn a_channel_known_by_name_gets_its_id() {
    let desk = Desk::new();
    let named = json!({"subtitles": [{"name": "CAFÉ  One"}]});
    desk.entries(&[with(watched(ID, "Tea", "", "2023-06-04T04:07:59Z"), named)]);
    assert_eq!(desk.video(ID).channel.unwrap().id, None);
    let full = json!({"subtitles": [{"name": "Cafe one", "url": "https://www.youtube.com/channel/UC0123456789012345678901"}]});
    desk.entries(&[with(watched("aaaaaaaaaaa", "Cake", "", "2023-06-05T04:07:59Z"), full)]);
    for id in [ID, "aaaaaaaaaaa"] {
        let channel = desk.video(id).channel.unwrap();
        assert_eq!(channel.id.as_deref(), Some("UC0123456789012345678901"));
        assert_eq!(channel.name, "Cafe one");
    }
    assert_eq!(desk.library.statistics().unwrap().channels, 1);
}

#[test]
fn a_channel_without_an_id_in_its_address_is_known_by_name() {
    let desk = Desk::new();
    for (at, url) in ["@one", "user/one", "c/one"].iter().enumerate() {
        let url = format!("https://www.youtube.com/{url}");
        let change = json!({"subtitles": [{"name": "One", "url": url}]});
        let entry = watched(&format!("aaaaaaaaaa{at}"), "Tea", "", "2023-06-04T04:07:59Z");
        desk.entries(&[with(entry, change)]);
    }
    let statistics = desk.library.statistics().unwrap();
    assert_eq!((statistics.videos, statistics.channels), (3, 1));
}

#[test]
fn a_channel_has_the_name_it_had_last_in_every_video() {
    let desk = Desk::new();
    let named = |name: &str| json!({"subtitles": [{"name": name, "url": format!("https://www.youtube.com/channel/{}", channel_id("One"))}]});
    desk.entries(&[with(watched(ID, "Tea", "", "2023-06-04T04:07:59Z"), named("Older"))]);
    desk.entries(&[with(
        watched("aaaaaaaaaaa", "Cake", "", "2024-06-04T04:07:59Z"),
        named("Newer"),
    )]);
    desk.entries(&[with(
        watched("bbbbbbbbbbb", "Scone", "", "2022-06-04T04:07:59Z"),
        named("Oldest"),
    )]);
    assert_eq!(desk.with_words("newer"), ["aaaaaaaaaaa", "bbbbbbbbbbb", ID]);
    assert!(desk.with_words("older").is_empty());
}
