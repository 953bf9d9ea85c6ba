//! The order of what is found, and what its relevance says.

use toolwright_embed::Embedder;
use toolwright_watch::Hit;

use crate::{
    grams::GRAMS,
    shelf::{Shelf, minute, titles, watched},
};

const TITLES: &[(&str, &str)] = &[
    ("Python Tutorial for Beginners", "Tech Channel"),
    ("Advanced Python: Decorators", "Tech Channel"),
    ("How to Prune Roses", "Green Thumb"),
    ("Growing Tomatoes on a Balcony", "Green Thumb"),
    ("Perfect Carbonara", "Kitchen Basics"),
    ("Rose Water Cake", "Kitchen Basics"),
    ("Café Racer Motorcycles", "Two Wheels"),
];

async fn shelf() -> Shelf {
    let shelf = Shelf::of(TITLES);
    shelf.embed(&GRAMS).await;
    shelf
}

fn is_ordered(found: &[Hit]) -> bool {
    found.is_sorted_by(|a, b| a.relevance >= b.relevance)
        && found.iter().all(|it| (0.0..=1.0).contains(&it.relevance))
}

#[tokio::test]
async fn the_most_relevant_comes_first() {
    let shelf = shelf().await;
    let with_vectors: Option<&dyn Embedder> = Some(&GRAMS);
    for by in [with_vectors, None] {
        for text in
            ["python", "python decorators", "roses", "tutorial roses cake balcony", "green thumb"]
        {
            let found = shelf.search(text, by).await;
            assert!(!found.is_empty() && is_ordered(&found), "{text}: {found:?}");
        }
    }
}

#[tokio::test]
async fn more_of_the_words_is_more_relevant() {
    let shelf = shelf().await;
    let found = shelf.search("python decorators", None).await;
    assert_eq!(titles(&found), ["Advanced Python: Decorators", "Python Tutorial for Beginners"]);
    assert!(found[0].relevance > 0.7 && found[1].relevance < 0.6, "{found:?}");
}

#[tokio::test]
async fn words_raise_what_the_vector_says() {
    let shelf = shelf().await;
    let with = shelf.search("prune roses", Some(&GRAMS)).await;
    let without = shelf.search("rune oses", Some(&GRAMS)).await;
    assert_eq!(titles(&with)[0], "How to Prune Roses");
    assert_eq!(titles(&without)[0], "How to Prune Roses");
    assert!(with[0].relevance > without[0].relevance);
}

#[tokio::test]
async fn case_and_accents_do_not_count() {
    let shelf = shelf().await;
    assert_eq!(titles(&shelf.search("CAFE racer", None).await), ["Café Racer Motorcycles"]);
    assert_eq!(titles(&shelf.search("cafe\u{301}", None).await), ["Café Racer Motorcycles"]);
}

#[tokio::test]
async fn what_has_nothing_to_do_with_it_is_not_shown() {
    let shelf = shelf().await;
    assert!(shelf.search("xylophone", None).await.is_empty());
    assert!(shelf.search("xyzzyx", Some(&GRAMS)).await.is_empty());
}

#[tokio::test]
async fn a_video_is_like_others_and_not_like_itself() {
    let shelf = shelf().await;
    shelf
        .library
        .add(&[watched(50, "Python Tutorial for Everyone", "Tech Channel", minute(50))])
        .unwrap();
    shelf.embed(&GRAMS).await;
    let found = shelf.library.similar("video000000", 3).await.unwrap().unwrap();
    assert_eq!(titles(&found)[0], "Python Tutorial for Everyone");
    assert!(is_ordered(&found) && found.iter().all(|it| it.video.id != "video000000"), "{found:?}");
    assert_eq!(found[0].watched, minute(50));
    assert!(found.len() <= 3);
    assert_eq!(shelf.library.similar("video999999", 3).await.unwrap(), None);
}

#[tokio::test]
async fn a_video_without_a_vector_is_like_others_by_its_words() {
    let shelf = Shelf::of(TITLES);
    let found = shelf.library.similar("video000000", 5).await.unwrap().unwrap();
    assert_eq!(titles(&found), ["Advanced Python: Decorators"]);
    let untitled = watched(60, "", "", minute(60));
    shelf.library.add(&[untitled]).unwrap();
    assert_eq!(shelf.library.similar("video000060", 5).await.unwrap(), Some(Vec::new()));
}

#[tokio::test]
async fn a_hit_says_all_that_is_known() {
    let shelf = shelf().await;
    shelf.database().execute("UPDATE videos SET seconds = 930 WHERE row = 1", []).unwrap();
    shelf
        .library
        .add(&[watched(0, "Python Tutorial for Beginners", "Tech Channel", minute(90))])
        .unwrap();
    let found = shelf.search("python tutorial", Some(&GRAMS)).await;
    let video = &found[0].video;
    assert_eq!((video.row, video.id.as_str(), video.seconds), (1, "video000000", Some(930)));
    assert_eq!(video.channel.as_ref().unwrap().name, "Tech Channel");
    assert_eq!((video.watches, video.last, found[0].watched), (2, minute(90), minute(90)));
}
