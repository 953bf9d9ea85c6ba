//! However the entries of a history come, the same library comes of them.

use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Value, json};

use crate::making::{Desk, channel_url, watched, with};

/// An entry: one of a few videos, at one of a few times, told more or less.
#[derive(Clone, Debug)]
struct Told {
    video: u8,
    minute: u16,
    has_title: bool,
    channel: u8,
    is_music: bool,
    is_gone: bool,
}

fn told() -> impl Strategy<Value = Told> {
    (0_u8..12, 0_u16..400, any::<bool>(), 0_u8..3, any::<bool>(), prop::bool::weighted(0.1))
        .prop_map(|(video, minute, has_title, channel, is_music, is_gone)| Told {
            video,
            minute,
            has_title,
            channel,
            is_music,
            is_gone,
        })
}

fn entry(told: &Told) -> Value {
    let id = format!("video-{:05}", told.video);
    // What a video is called depends on when it was watched; of whom it is does not.
    let title = format!("Title {} of {}", told.minute / 50, told.video);
    let channel = format!("Channel Nº {}", told.video % 4);
    let time = format!("2024-01-01T{:02}:{:02}:00.5Z", told.minute / 60, told.minute % 60);
    let whole = watched(&id, &title, &channel, &time);
    if told.is_gone {
        let title = "Watched a video that has been removed";
        return with(whole, json!({"title": title, "titleUrl": null, "subtitles": null}));
    }
    let whole = match told.channel {
        0 => with(whole, json!({"subtitles": null})),
        1 => {
            with(whole, json!({"subtitles": [{"name": channel.to_uppercase().replace('º', "o")}]}))
        }
        _ => with(whole, json!({"subtitles": [{"name": channel, "url": channel_url(&channel)}]})),
    };
    let header = if told.is_music { "YouTube Music" } else { "YouTube" };
    let whole = with(whole, json!({ "header": header }));
    if told.has_title {
        return whole;
    }
    with(whole, json!({"title": format!("Watched https://www.youtube.com/watch?v={id}")}))
}

/// All there is in a library, but for the numbers of the rows.
fn contents(desk: &Desk) -> Vec<String> {
    let database = desk.database();
    let questions = [
        "SELECT videos.id, title, channels.id, folded, seconds, is_music, watches, last FROM videos \
         LEFT JOIN channels ON channels.row = channel ORDER BY 1",
        "SELECT id, at FROM watches JOIN videos ON row = video ORDER BY 1, 2",
        "SELECT at, kind FROM gone ORDER BY 1, 2",
        "SELECT id, folded FROM channels ORDER BY 2, 1",
    ];
    let mut contents = Vec::new();
    for sql in questions {
        let mut statement = database.prepare(sql).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let values: Vec<_> =
                (0..columns).map(|at| format!("{:?}", row.get_ref(at).unwrap())).collect();
            contents.push(values.join(" "));
        }
    }
    for number in 0..9 {
        contents.push(format!(
            "{:?}",
            desk.with_words(&format!("title: {number} channel: {}", number % 4))
        ));
    }
    contents
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_order_split_and_repetition_makes_the_same_library(
        all in vec(told(), 1..40),
        order in vec(any::<Index>(), 0..60),
        parts in 1_usize..5,
    ) {
        // One title for each time: two in the same minute would be the same entry, told differently.
        let mut all = all;
        all.sort_by_key(|it| (it.video, it.minute));
        let whole: Vec<_> = all.iter().map(entry).collect();
        let once = Desk::new();
        // One that is watched, as a file of which nothing is would be none of ours.
        let first = watched("-----------", "First", "Somebody", "2020-01-01T00:00:00Z");
        once.entries(&[vec![first.clone()], whole.clone()].concat());

        // Some again and in any order, then all of them the other way round.
        let mut mixed: Vec<_> = order.iter().map(|it| it.get(&whole).clone()).collect();
        mixed.extend(whole.iter().rev().cloned());
        let split = Desk::new();
        let size = mixed.len().div_ceil(parts);
        for part in mixed.chunks(size) {
            split.entries(&[vec![first.clone()], part.to_vec()].concat());
        }
        prop_assert_eq!(contents(&once), contents(&split));
    }
}
