//! What is watched counts, and what is not does not.

use serde_json::{Value, json};
use toolwright_watch::{Channel, Imported};

use crate::making::{Desk, at, channel_id, watched, with};

const TIME: &str = "2023-06-04T04:07:59.107Z";

fn import(entry: Value) -> (Desk, Imported) {
    let desk = Desk::new();
    // A file of which nothing is watched would be none of ours.
    let other = watched("-----------", "Something else", "Somebody", "2020-01-01T00:00:00Z");
    let imported = desk.entries(&[entry, other]);
    assert_eq!(imported.entries, 2);
    (desk, imported)
}

fn plain() -> Value {
    watched("rtTWtzWav8I", "An Alternative", "Benn Jordan", TIME)
}

#[test]
fn an_ordinary_entry_is_kept_as_it_is() {
    let (desk, imported) = import(plain());
    assert_eq!((imported.added, imported.videos, imported.known), (2, 2, 0));
    let video = desk.video("rtTWtzWav8I");
    assert_eq!(video.title.as_deref(), Some("An Alternative"));
    let channel =
        Channel { id: Some(channel_id("Benn Jordan")), name: String::from("Benn Jordan") };
    assert_eq!(video.channel, Some(channel));
    assert_eq!((video.seconds, video.is_music, video.watches), (None, false, 1));
    assert_eq!(video.last, at("2023-06-04T04:07:59Z"));
    assert_eq!(desk.with_words("alternative benn"), ["rtTWtzWav8I"]);
}

#[test]
fn advertisements_are_not_watched() {
    let details =
        ["From Google Ads", "Von Google Ads", "Google 광고에서", "Provenant de Google Annonces"];
    for name in details {
        let (desk, imported) = import(with(plain(), json!({"details": [{"name": name}]})));
        assert_eq!((imported.ads, imported.added), (1, 1), "{name}");
        assert_eq!(desk.library.video("rtTWtzWav8I").unwrap(), None);
    }
    let bare = with(plain(), json!({"details": [{"name": "Something"}], "subtitles": null}));
    assert_eq!(import(bare).1.ads, 1);
    let detailed = with(plain(), json!({"details": [{"name": "From the living room"}]}));
    assert_eq!(import(detailed).1.added, 2);
}

#[test]
fn what_is_removed_or_private_is_counted_only() {
    let gone = json!({"titleUrl": null, "subtitles": null, "title": "Watched a video that has been removed"});
    let (desk, imported) = import(with(plain(), gone.clone()));
    assert_eq!((imported.gone, imported.added), (1, 1));
    assert_eq!(desk.library.statistics().unwrap().gone, 1);

    let private = with(plain(), with(gone, json!({"title": "Watched a private video"})));
    let again = desk.entries(&[private.clone(), private]);
    assert_eq!(again.gone, 2);
    assert_eq!(desk.library.statistics().unwrap().gone, 2);
}

#[test]
fn a_lost_title_is_unknown_and_its_video_is_watched() {
    let url = "https://www.youtube.com/watch?v=rtTWtzWav8I";
    let lost = with(plain(), json!({"title": format!("Watched {url}"), "subtitles": null}));
    let (desk, imported) = import(lost.clone());
    assert_eq!(imported.added, 2);
    let video = desk.video("rtTWtzWav8I");
    assert_eq!((video.title, video.channel), (None, None));

    let (desk, _) = import(with(lost, json!({"titleUrl": null})));
    assert_eq!(desk.video("rtTWtzWav8I").title, None);
}

#[test]
fn what_is_no_watching_is_left_out() {
    let others = [
        json!({"title": "Watched story", "titleUrl": null}),
        json!({"title": "Viewed A post by somebody", "titleUrl": "https://www.youtube.com/post/Ugkx"}),
        json!({"title": "Watched a clip", "titleUrl": "https://www.youtube.com/clip/UgkxAAAAAAA"}),
        json!({"title": "Visited YouTube Music", "titleUrl": null}),
        json!({"title": "YouTube Music aufgerufen", "titleUrl": null}),
        json!({"title": "Visited YouTube.com", "titleUrl": "https://www.youtube.com/"}),
        json!({"title": "Played Angry Birds", "titleUrl": "https://www.youtube.com/playables/UgkxAAAAAAA"}),
        json!({"title": "Answered survey question", "titleUrl": null}),
        json!({"title": "Liked An Alternative"}),
        json!({"title": "Searched for tea", "titleUrl": "https://www.youtube.com/results?search_query=tea"}),
        json!({"header": "Chrome", "products": ["Chrome"]}),
    ];
    for change in others {
        let (desk, imported) = import(with(plain(), change.clone()));
        assert_eq!((imported.other, imported.added), (1, 1), "{change}");
        assert_eq!(desk.library.statistics().unwrap().videos, 1);
    }
}

#[test]
fn a_video_whose_title_begins_with_story_is_watched() {
    let (desk, _) = import(with(plain(), json!({"title": "Watched story of my life"})));
    assert_eq!(desk.video("rtTWtzWav8I").title.as_deref(), Some("story of my life"));
}

#[test]
fn music_is_marked_wherever_it_shows() {
    let marks = [
        json!({"header": "YouTube Music"}),
        json!({"titleUrl": "https://music.youtube.com/watch?v=rtTWtzWav8I"}),
        json!({"subtitles": [{"name": "Benn Jordan - Topic"}]}),
    ];
    for mark in marks {
        let (desk, _) = import(with(plain(), mark.clone()));
        assert!(desk.video("rtTWtzWav8I").is_music, "{mark}");
        // Music stays music when it is watched as a video too.
        desk.entries(&[with(plain(), json!({"time": "2024-01-01T00:00:00Z"}))]);
        let video = desk.video("rtTWtzWav8I");
        assert_eq!((video.is_music, video.watches), (true, 2));
    }
}

#[test]
fn fields_that_are_missing_are_no_error() {
    let few =
        json!({"products": null, "activityControls": null, "subtitles": [{"name": "Only a name"}]});
    let (desk, imported) = import(with(plain(), few));
    assert_eq!(imported.broken, 0);
    let channel = desk.video("rtTWtzWav8I").channel.unwrap();
    assert_eq!((channel.id, channel.name.as_str()), (None, "Only a name"));
}

#[test]
fn times_with_any_fraction_are_read() {
    for time in ["2023-06-04T04:07:59Z", "2023-06-04T04:07:59.1Z", "2023-06-04T04:07:59.107342Z"] {
        let (desk, _) = import(with(plain(), json!({ "time": time })));
        assert_eq!(desk.video("rtTWtzWav8I").last, at("2023-06-04T04:07:59Z"), "{time}");
    }
}
