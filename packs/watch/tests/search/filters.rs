//! Filters count before the best are taken, not after.

use toolwright_embed::Embedder;
use toolwright_watch::{Filter, Library};

use crate::{
    grams::GRAMS,
    shelf::{Shelf, minute, titles, watched},
};

/// A thousand videos about one thing, and three of another channel that hardly are, watched in between.
async fn crowd() -> Shelf {
    let shelf = Shelf::new();
    let mut all: Vec<_> = (0..1000)
        .map(|it| watched(it, "Python Tutorial Python Tutorial", "Tech Channel", minute(it as i64)))
        .collect();
    for (number, title) in
        ["Tutorial on pythons", "A python in the zoo", "Keeping a python"].iter().enumerate()
    {
        let at =
            minute(500).saturating_add(jiff::SignedDuration::from_secs(1 + number as i64)).unwrap();
        all.push(watched(2000 + number, title, "Paw Lessons", at));
    }
    shelf.library.add(&all).unwrap();
    shelf.embed(&GRAMS).await;
    shelf
}

#[tokio::test]
async fn the_last_of_all_are_found_where_a_filter_leaves_only_them() {
    let shelf = crowd().await;
    let rows = vec![shelf.channel("Paw Lessons")];
    let by_channel = Filter { channels: Some(rows), ..Filter::default() };
    let after = minute(500).saturating_add(jiff::SignedDuration::from_millis(1)).unwrap();
    let by_date = Filter { from: Some(after), before: Some(minute(501)), ..Filter::default() };
    let with_vectors: Option<&dyn Embedder> = Some(&GRAMS);
    for by in [with_vectors, None] {
        let everything = shelf.search("python tutorial", by).await;
        assert!(titles(&everything).iter().all(|it| it.starts_with("Python Tutorial")));
        for filter in [&by_channel, &by_date] {
            let found = shelf.filtered("python tutorial", filter.clone(), by).await;
            let mut titles = titles(&found);
            titles.sort_unstable();
            assert_eq!(titles, ["A python in the zoo", "Keeping a python", "Tutorial on pythons"]);
        }
    }
}

#[tokio::test]
async fn both_filters_count_together() {
    let shelf = crowd().await;
    let filter = Filter {
        before: Some(minute(500)),
        channels: Some(vec![shelf.channel("Paw Lessons")]),
        ..Filter::default()
    };
    assert!(shelf.filtered("python", filter, Some(&GRAMS)).await.is_empty());
    let none = Filter { channels: Some(Vec::new()), ..Filter::default() };
    assert!(shelf.filtered("python", none.clone(), Some(&GRAMS)).await.is_empty());
    assert!(shelf.filtered("python", none, None).await.is_empty());
    let two = Filter {
        channels: Some(vec![shelf.channel("Paw Lessons"), shelf.channel("Tech Channel"), 999]),
        ..Filter::default()
    };
    assert_eq!(shelf.filtered("python", two, Some(&GRAMS)).await.len(), 10);
}

/// Whether a video watched at minute 10 and at minute 20 is found, and the minute it is said to be watched at.
async fn watched_at(
    library: &Library,
    by: Option<&dyn Embedder>,
    range: (Option<i64>, Option<i64>),
) -> Option<i64> {
    let filter = Filter { from: range.0.map(minute), before: range.1.map(minute), channels: None };
    let query = toolwright_watch::Query { text: "sourdough".to_owned(), most: 5, filter };
    let found = library.search(&query, by).await.unwrap();
    assert!(found.len() <= 1);
    found.first().map(|it| (it.watched.as_second() - minute(0).as_second()) / 60)
}

#[tokio::test]
async fn a_video_counts_if_any_time_it_was_watched_does() {
    let shelf = Shelf::new();
    let twice = [10, 20].map(|it| watched(1, "Sourdough", "Kitchen Basics", minute(it)));
    shelf.library.add(&twice).unwrap();
    shelf.embed(&GRAMS).await;
    let with_vectors: Option<&dyn Embedder> = Some(&GRAMS);
    for by in [with_vectors, None] {
        for (from, before, at) in [
            (None, None, Some(20)),
            (Some(10), None, Some(20)),
            (Some(20), None, Some(20)),
            (Some(21), None, None),
            (None, Some(21), Some(20)),
            (None, Some(20), Some(10)),
            (None, Some(10), None),
            (Some(10), Some(20), Some(10)),
            (Some(10), Some(11), Some(10)),
            (Some(11), Some(20), None),
            (Some(11), Some(21), Some(20)),
            (Some(20), Some(10), None),
        ] {
            assert_eq!(
                watched_at(&shelf.library, by, (from, before)).await,
                at,
                "{from:?} {before:?}"
            );
        }
    }
}

#[tokio::test]
async fn the_ends_of_time_are_no_special_case() {
    let shelf = crowd().await;
    let filter = Filter {
        from: Some(jiff::Timestamp::MIN),
        before: Some(jiff::Timestamp::MAX),
        channels: None,
    };
    let found = shelf.filtered("python tutorial", filter, Some(&GRAMS)).await;
    assert_eq!(found, shelf.search("python tutorial", Some(&GRAMS)).await);
}

#[tokio::test]
async fn a_part_of_a_millisecond_counts() {
    let shelf = Shelf::of(&[("Sourdough", "Kitchen Basics")]);
    shelf.embed(&GRAMS).await;
    let later = minute(0).saturating_add(jiff::SignedDuration::from_nanos(1)).unwrap();
    let from = Filter { from: Some(later), ..Filter::default() };
    assert!(shelf.filtered("sourdough", from, Some(&GRAMS)).await.is_empty());
    let before = Filter { before: Some(later), ..Filter::default() };
    assert_eq!(shelf.filtered("sourdough", before, Some(&GRAMS)).await.len(), 1);
}
