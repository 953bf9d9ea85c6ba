//! Whatever a person types is a question.

use std::sync::OnceLock;

use proptest::prelude::*;
use toolwright_watch::{Filter, Query};

use crate::{grams::GRAMS, shelf::Shelf};

fn shelf() -> &'static Shelf {
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    SHELF.get_or_init(|| {
        let shelf = Shelf::of(&[
            ("NEAR and far: OR, AND, NOT", "Code Corner"),
            ("\"Quoted\" 'titles' (100%) *", "Tech Channel"),
            ("채널 소개 🦀 Ürün", "Word by Word"),
        ]);
        runtime().block_on(shelf.embed(&GRAMS));
        shelf
    })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn check(text: String, most: usize) -> Result<(), TestCaseError> {
    let query = Query { text, most, filter: Filter::default() };
    for by in [None, Some(&GRAMS as &dyn toolwright_embed::Embedder)] {
        let found = runtime().block_on(shelf().library.search(&query, by));
        prop_assert!(found.is_ok(), "{:?}", found);
        let found = found.unwrap();
        prop_assert!(found.len() <= most);
        prop_assert!(found.iter().all(|it| (0.0..=1.0).contains(&it.relevance)));
        prop_assert!(found.is_sorted_by(|a, b| a.relevance >= b.relevance));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_a_question(text in any::<String>(), most in 0usize..5) {
        check(text, most)?;
    }

    #[test]
    fn syntax_of_fts5_is_a_question(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "\"", "'", "*", "^", "(", ")", "{", "}", ":", "-", "+", "NEAR", "NEAR(", "AND", "OR",
                "NOT", "title", "title:", " ", "\0", "\\", ";", "--", "%", "quoted", "é", "e\u{301}",
                "\u{301}", "\u{200d}", "채널", "🦀", "²", "ª", "١",
            ]),
            0..30,
        ),
        most in 0usize..5,
    ) {
        check(parts.concat(), most)?;
    }

    #[test]
    fn any_id_is_an_id(id in any::<String>()) {
        let found = runtime().block_on(shelf().library.similar(&id, 5));
        prop_assert!(matches!(found, Ok(None)), "{:?}", found);
    }
}

#[test]
fn an_empty_question_finds_nothing() {
    for text in ["", " \t\n", "\u{a0}"] {
        assert!(runtime().block_on(shelf().search(text, Some(&GRAMS))).is_empty());
    }
}

#[test]
fn a_very_long_question_is_one_too() {
    let text = "quoted titles and others ".repeat(20_000);
    let found = runtime().block_on(shelf().search(&text, None));
    assert_eq!(found[0].video.id, "video000001");
}

#[test]
fn as_many_as_there_are_when_more_are_asked_for() {
    let query =
        Query { text: "quoted titles".to_owned(), most: usize::MAX, filter: Filter::default() };
    let found = runtime().block_on(shelf().library.search(&query, Some(&GRAMS))).unwrap();
    assert!((1..=3).contains(&found.len()));
    let similar = runtime().block_on(shelf().library.similar("video000000", usize::MAX)).unwrap();
    assert!(similar.unwrap().len() <= 2);
}
