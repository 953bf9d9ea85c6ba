//! Making vectors: what is made, when, and what is kept.

use std::sync::atomic::AtomicUsize;

use toolwright_watch::{Embedded, WatchErrorKind};

use crate::{
    grams::{Failing, GRAMS, Given, Grams},
    shelf::{Shelf, minute, titles, watched},
};

fn many(count: usize) -> Shelf {
    let shelf = Shelf::new();
    let all: Vec<_> = (0..count)
        .map(|it| watched(it, &format!("Lesson {it}"), "Tech Channel", minute(it as i64)))
        .collect();
    shelf.library.add(&all).unwrap();
    shelf
}

#[tokio::test]
async fn an_empty_library_has_none() {
    let shelf = Shelf::new();
    assert_eq!(shelf.embed(&GRAMS).await, Embedded::default());
    assert!(shelf.search("anything", Some(&GRAMS)).await.is_empty());
    assert!(shelf.search("anything", None).await.is_empty());
    assert_eq!(shelf.library.similar("video000000", 5).await.unwrap(), None);
}

#[tokio::test]
async fn each_is_made_once() {
    let shelf = many(150);
    let mut told = Vec::new();
    let made = shelf.library.embed(&GRAMS, &mut |done, all| told.push((done, all))).await.unwrap();
    assert_eq!(made, Embedded { made: 150, all: 150 });
    assert_eq!(told, [(0, Some(150)), (64, Some(150)), (128, Some(150)), (150, Some(150))]);
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 0, all: 150 });
}

#[tokio::test]
async fn a_video_without_a_title_has_none() {
    let shelf =
        Shelf::of(&[("Docker in 100 Seconds", "Code Corner"), ("", "Code Corner"), ("  ", "")]);
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 1, all: 1 });
}

#[tokio::test]
async fn a_changed_title_or_channel_makes_it_anew() {
    let shelf = many(3);
    shelf.embed(&GRAMS).await;
    let before = shelf.vectors();
    shelf
        .database()
        .execute("UPDATE videos SET title = 'Pruning roses' WHERE row = 2", [])
        .unwrap();
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 1, all: 3 });
    let after = shelf.vectors();
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    assert_ne!(after[1], before[1]);
    let found = shelf.search("🌹 pruning roses", Some(&GRAMS)).await;
    assert_eq!(titles(&found)[0], "Pruning roses");

    shelf.database().execute("UPDATE channels SET name = 'Green Thumb'", []).unwrap();
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 3, all: 3 });
}

#[tokio::test]
async fn another_embedder_makes_all_anew() {
    let shelf = many(100);
    shelf.embed(&GRAMS).await;
    let before = shelf.vectors();
    let other = Grams { name: "other grams" };
    // Vectors of two embedders cannot be compared: words alone.
    let by_words = shelf.search("lesson 42", None).await;
    assert_eq!(shelf.search("lesson 42", Some(&other)).await, by_words);
    assert_eq!(shelf.embed(&other).await, Embedded { made: 100, all: 100 });
    assert!(shelf.vectors().iter().zip(&before).all(|(a, b)| a.2 != b.2));
    assert_ne!(shelf.search("lesson 42", Some(&other)).await, by_words);
}

#[tokio::test]
async fn a_title_that_is_lost_takes_its_vector_with_it() {
    let shelf = many(3);
    shelf.embed(&GRAMS).await;
    shelf.database().execute("UPDATE videos SET title = NULL WHERE row = 2", []).unwrap();
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 0, all: 2 });
}

#[tokio::test]
async fn what_was_made_is_kept_when_the_embedder_fails() {
    let shelf = many(200);
    let failing = Failing { name: "grams", after: AtomicUsize::new(130) };
    let error = shelf.library.embed(&failing, &mut |_, _| ()).await.unwrap_err();
    assert_eq!(error.kind, WatchErrorKind::Embedding);
    assert_eq!(
        (error.message.as_str(), error.advice.as_deref()),
        ("nobody answers", Some("start it"))
    );
    assert_eq!(shelf.vectors().len(), 128);
    assert_eq!(shelf.embed(&GRAMS).await, Embedded { made: 72, all: 200 });
}

#[tokio::test]
async fn an_embedder_that_makes_nothing_costs_no_vectors() {
    let shelf = many(10);
    shelf.embed(&GRAMS).await;
    let before = shelf.vectors();
    let other = Failing { name: "other", after: AtomicUsize::new(0) };
    shelf.library.embed(&other, &mut |_, _| ()).await.unwrap_err();
    assert_eq!(shelf.vectors(), before);
    assert!(!shelf.search("lesson", Some(&GRAMS)).await.is_empty());
}

#[tokio::test]
async fn a_search_goes_on_by_words_when_the_embedder_fails() {
    let shelf = many(10);
    shelf.embed(&GRAMS).await;
    let failing = Failing { name: "grams", after: AtomicUsize::new(0) };
    let found = shelf.search("lesson 7", Some(&failing)).await;
    assert_eq!(found, shelf.search("lesson 7", None).await);
    assert_eq!(titles(&found)[0], "Lesson 7");
}

#[tokio::test]
async fn vectors_that_are_none_are_not_kept() {
    let shelf = Shelf::of(&[("#0", "")]);
    for (vector, dimensions) in [(vec![1.0], 2), (vec![f32::NAN, 0.0], 2), (vec![], 0)] {
        let wrong = Given { vectors: vec![vector], question: vec![0.0; dimensions] };
        let error = shelf.library.embed(&wrong, &mut |_, _| ()).await.unwrap_err();
        assert_eq!(error.kind, WatchErrorKind::Embedding);
        assert!(error.message.contains("does not work as it should"), "{error}");
    }
    assert!(shelf.vectors().is_empty());
}

#[tokio::test]
async fn what_is_added_later_is_found_by_a_library_that_is_open() {
    let shelf = many(5);
    shelf.embed(&GRAMS).await;
    // The embedder knows letters and no meanings: some groups of three are alike by chance, and so the others may be
    // shown below it.
    let first = async |text: &str| {
        titles(&shelf.search(text, Some(&GRAMS)).await).first().map(ToString::to_string)
    };
    let tomatoes = Some("Growing tomatoes".to_owned());
    assert_ne!(first("growing tomatoes").await, tomatoes);
    let more = watched(9, "Growing tomatoes", "Green Thumb", minute(9));
    shelf.library.add(&[more]).unwrap();
    // It has no vector yet.
    assert_eq!(first("growing tomatoes").await, tomatoes);
    shelf.embed(&GRAMS).await;
    assert_eq!(first("rowing omatoes").await, tomatoes);
}
