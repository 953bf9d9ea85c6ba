//! What YouTube's Data API adds.

use serde_json::{Value, json};
use toolwright_watch::{Api, ApiSettings, WatchErrorKind};

use crate::{
    making::{Desk, channel_id, watched, with},
    server::{KEY, Server},
};

fn item(id: &str, duration: &str) -> Value {
    json!({"id": id, "contentDetails": {"duration": duration}, "snippet": {
        "title": "What it is called", "channelId": channel_id("One"), "channelTitle": "One",
        "description": "long", "thumbnails": {}}})
}

fn id(at: usize) -> String {
    format!("aaaaaa{at:05}")
}

/// A library of so many videos, of which only the ids are known.
fn bare(count: usize) -> Desk {
    let desk = Desk::new();
    let entries: Vec<_> = (0..count)
        .map(|at| {
            let time = format!("2024-01-01T{:02}:{:02}:00Z", at / 60 % 24, at % 60);
            let title = format!("Watched https://www.youtube.com/watch?v={}", id(at));
            with(watched(&id(at), "", "", &time), json!({"title": title, "subtitles": null}))
        })
        .collect();
    desk.entries(&entries);
    desk
}

#[tokio::test]
async fn fifty_are_asked_about_at_once_and_each_only_once() {
    let (desk, server) = (bare(120), Server::start().await);
    server.known.lock().unwrap().items = (0..120).map(|at| item(&id(at), "PT1M")).collect();
    let mut told = Vec::new();
    let enriched =
        desk.library.enrich(&server.api(), &mut |done, all| told.push((done, all))).await.unwrap();
    assert_eq!((enriched.asked, enriched.found), (120, 120));
    assert_eq!(told.last(), Some(&(120, Some(120))));
    let again = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap();
    assert_eq!(again.asked, 0);
    let known = server.known.lock().unwrap();
    let sizes: Vec<_> = known.asked.iter().map(Vec::len).collect();
    assert_eq!(sizes, [50, 50, 20]);
    let mut all = known.asked.concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 120);
    assert!(known.queries.iter().all(|it| it.contains("part=snippet%2CcontentDetails")));
}

#[tokio::test]
async fn what_was_missing_is_filled_in_and_what_was_known_stays() {
    let (desk, server) = (bare(1), Server::start().await);
    desk.entries(&[watched(
        "bbbbbbbbbbb",
        "Its own title",
        "Its own channel",
        "2023-01-01T00:00:00Z",
    )]);
    let known = with(
        item("bbbbbbbbbbb", "PT1H1M1S"),
        json!({"snippet": {"title": "Another",
        "channelId": channel_id("Its own channel"), "channelTitle": "Renamed"}}),
    );
    server.known.lock().unwrap().items = vec![item(&id(0), "PT15M33S"), known];
    desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap();

    let video = desk.video(&id(0));
    assert_eq!((video.title.as_deref(), video.seconds), (Some("What it is called"), Some(933)));
    assert_eq!(video.channel.unwrap().id, Some(channel_id("One")));
    assert_eq!(desk.with_words("called one"), [id(0)]);
    let video = desk.video("bbbbbbbbbbb");
    assert_eq!((video.title.as_deref(), video.seconds), (Some("Its own title"), Some(3661)));
    assert_eq!(video.channel.unwrap().name, "Its own channel");
}

#[tokio::test]
async fn a_channel_known_by_name_gets_its_id_and_keeps_it() {
    let (desk, server) = (Desk::new(), Server::start().await);
    let entry = with(
        watched(&id(0), "Tea", "", "2024-01-01T00:00:00Z"),
        json!({"subtitles": [{"name": "Old name", "url": "https://www.youtube.com/@one"}]}),
    );
    desk.entries(std::slice::from_ref(&entry));
    server.known.lock().unwrap().items = vec![item(&id(0), "PT1M")];
    desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap();
    desk.entries(&[entry]);
    let channel = desk.video(&id(0)).channel.unwrap();
    assert_eq!((channel.id, channel.name.as_str()), (Some(channel_id("One")), "One"));
    assert_eq!(desk.library.statistics().unwrap().channels, 1);
}

#[tokio::test]
async fn what_the_api_does_not_know_is_not_asked_again() {
    let (desk, server) = (bare(3), Server::start().await);
    server.known.lock().unwrap().items = vec![item(&id(1), "P0D")];
    let enriched = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap();
    assert_eq!((enriched.asked, enriched.found), (3, 1));
    assert_eq!(desk.video(&id(1)).seconds, None);
    assert_eq!(desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap().asked, 0);
    desk.entries(&[watched("bbbbbbbbbbb", "New", "One", "2025-01-01T00:00:00Z")]);
    assert_eq!(desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap().asked, 1);
}

#[tokio::test]
async fn a_spent_quota_stops_and_the_rest_is_asked_later() {
    let (desk, server) = (bare(70), Server::start().await);
    let items: Vec<_> = (0..70).map(|at| item(&id(at), "PT1M")).collect();
    server.known.lock().unwrap().items.clone_from(&items);
    server.known.lock().unwrap().refusals.push_back((200, json!({"items": items})));
    server.refuse(403, "quotaExceeded");
    let error = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap_err();
    assert_eq!(error.kind, WatchErrorKind::Api);
    assert!(error.advice.unwrap().contains("midnight Pacific"));
    assert_eq!(server.known.lock().unwrap().asked.len(), 2);
    assert_eq!(desk.library.statistics().unwrap().with_length, 50);
    assert_eq!(desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap().asked, 20);
}

#[tokio::test]
async fn what_passes_is_asked_again_and_what_stays_is_not() {
    let (desk, server) = (bare(1), Server::start().await);
    for (status, reason) in
        [(429, ""), (500, "backendError"), (503, ""), (403, "rateLimitExceeded")]
    {
        server.refuse(status, reason);
    }
    desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap();
    assert_eq!(server.known.lock().unwrap().asked.len(), 5);

    let desk = bare(1);
    for _ in 0..9 {
        server.refuse(503, "");
    }
    let error = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap_err();
    assert!(error.message.contains("503"), "{error}");
    assert_eq!(server.known.lock().unwrap().asked.len(), 10);
    server.known.lock().unwrap().refusals.clear();

    for (status, reason, word) in [
        (400, "keyInvalid", "key"),
        (403, "accessNotConfigured", "switched on"),
        (302, "", "elsewhere"),
    ] {
        let before = server.known.lock().unwrap().asked.len();
        server.refuse(status, reason);
        let error = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap_err();
        assert!(error.message.contains(word), "{error}");
        assert_eq!(server.known.lock().unwrap().asked.len(), before + 1);
    }
}

#[tokio::test]
async fn the_key_is_in_its_header_and_nowhere_else() {
    let (desk, server) = (bare(1), Server::start().await);
    server.refuse(400, "badRequest");
    let api = server.api();
    let error = desk.library.enrich(&api, &mut |_, _| {}).await.unwrap_err();
    let shown = format!("{error} {error:?} {api:?} {:?}", ApiSettings::new(KEY));
    assert!(!shown.contains(KEY), "{shown}");
    let known = server.known.lock().unwrap();
    assert_eq!(known.keys, [Some(KEY.to_owned())]);
    assert!(known.queries.iter().all(|it| !it.contains("key")));
}

#[test]
fn addresses_and_keys_that_cannot_be_are_refused() {
    for base_url in
        ["", "ftp://example.org", "https://user:word@example.org", "https://example.org?key=1"]
    {
        let settings = ApiSettings { base_url: base_url.to_owned(), ..ApiSettings::new(KEY) };
        assert!(Api::new(&settings).is_err(), "{base_url}");
    }
    let error = Api::new(&ApiSettings {
        base_url: String::from("http://localhost"),
        ..ApiSettings::new(" \n")
    });
    assert!(error.unwrap_err().advice.unwrap().contains("key"));
}

#[tokio::test]
async fn what_is_not_the_api_is_told_so() {
    let (desk, server) = (bare(1), Server::start().await);
    server.known.lock().unwrap().refusals.push_back((200, json!("<html>")));
    let error = desk.library.enrich(&server.api(), &mut |_, _| {}).await.unwrap_err();
    assert!(error.message.contains("not YouTube's API"), "{error}");
}
