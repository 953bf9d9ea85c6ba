//! Lists, finding and searching.

use toolwright_core::{Journal, Timestamp};
use toolwright_store::{ConversationPage, ConversationStatus, Cursor, Role, Store, StoreError};

use super::on_both;
use crate::common::{
    place::Place,
    talk::{Talk, keep, keep_in},
};

on_both!(
    a_summary_says_what_the_conversation_is,
    the_newest_come_first_page_by_page,
    an_id_is_found_by_its_beginning,
    all_words_must_be_there,
    a_match_is_shown_where_it_stands,
    what_nobody_said_is_not_found,
    any_words_can_be_looked_for,
);

async fn a_summary_says_what_the_conversation_is(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk").at(1_000);
    let mut reports = talk.ask(&format!("  How\n is {}", "it ".repeat(99)), &["a", "b"], "It is.");
    reports.extend(talk.chat("And now?", "Now, too."));
    let last = reports.last().and_then(|it| it.last()).map(|it| it.at);
    keep_in(&store, &talk, &reports).await;
    let listed = store.list(&ConversationPage::default()).await.expect("a list").remove(0);
    assert_eq!(listed, store.find("talk").await.expect("it is there"));
    assert_eq!(listed.id, talk.id);
    assert!(
        listed.title.starts_with("How is it it") && listed.title.ends_with("…"),
        "{}",
        listed.title
    );
    assert!(listed.title.chars().count() <= 81);
    assert_eq!((listed.runs, listed.messages), (2, 8));
    assert_eq!(listed.created_at, Timestamp(1_001));
    assert_eq!(Some(listed.updated_at), last);
    assert_eq!(listed.state, ConversationStatus::Idle);
    assert_eq!(listed.last_answer.as_deref(), Some("Now, too."));
    // A run without an answer leaves the last one standing.
    let mut failed = talk.begin("Never mind?");
    failed.reports.push(failed.run.cancelled(Timestamp(5)).expect("it had not ended"));
    keep_in(&store, &talk, &failed.reports).await;
    let listed = store.find("talk").await.expect("it is there");
    assert_eq!(listed.last_answer.as_deref(), Some("Now, too."));
    assert_eq!((listed.runs, Some(listed.updated_at)), (3, last.max(Some(listed.updated_at))));
}

async fn the_newest_come_first_page_by_page(place: Place) {
    let store = place.open().await;
    // Two share each moment.
    for number in 0..10 {
        let mut talk = Talk::new(&format!("talk_{number}")).at(1_000 + number / 2 * 100);
        let reports = talk.chat("Well?", "Well.");
        keep_in(&store, &talk, &reports).await;
    }
    let mut seen = Vec::new();
    let mut page = ConversationPage { before: None, limit: 3 };
    loop {
        let found = store.list(&page).await.expect("a list");
        let Some(last) = found.last() else { break };
        page.before = Some(last.cursor());
        seen.extend(found.iter().map(|it| it.id.to_string()));
        // What is added or deleted meanwhile disturbs nobody.
        if seen.len() == 3 {
            let mut talk = Talk::new("newest").at(9_000);
            let reports = talk.chat("Well?", "Well.");
            keep_in(&store, &talk, &reports).await;
            store.delete(&"talk_9".into()).await.expect("nobody has it");
        }
    }
    let expected: Vec<_> = (0..10).rev().map(|number| format!("talk_{number}")).collect();
    assert_eq!(seen, expected);
    let cursor = Cursor { updated_at: Timestamp(u64::MAX), id: "x".into() };
    let all = ConversationPage { before: Some(cursor), limit: usize::MAX };
    assert_eq!(store.list(&all).await.expect("a list").len(), 10);
}

async fn an_id_is_found_by_its_beginning(place: Place) {
    let store = place.open().await;
    for id in ["conv_abc", "conv_abd", "conv_b", "conv_bc", "Conv_b", "conv%"] {
        let mut talk = Talk::new(id);
        let reports = talk.chat("Well?", "Well.");
        keep_in(&store, &talk, &reports).await;
    }
    let found = async |id: &str| store.find(id).await.map(|it| it.id.to_string());
    assert_eq!(found("conv_abc").await.as_deref(), Ok("conv_abc"));
    assert_eq!(found("conv_b").await.as_deref(), Ok("conv_b"), "its own name beats a beginning");
    assert_eq!(found("conv%").await.as_deref(), Ok("conv%"));
    assert_eq!(found("Conv").await.as_deref(), Ok("Conv_b"));
    assert_eq!(found("conv_c").await, Err(StoreError::NotFound("conv_c".into())));
    assert_eq!(found("").await, Err(StoreError::NotFound(String::new())));
    let candidates = vec!["conv_abc".into(), "conv_abd".into()];
    let ambiguous = StoreError::Ambiguous { prefix: "conv_ab".into(), candidates };
    assert_eq!(found("conv_ab").await, Err(ambiguous.clone()));
    assert!(ambiguous.to_string().contains("conv_abc, conv_abd"), "{ambiguous}");
}

async fn some_talks(store: &Store) {
    let texts = [
        ("fox", "What does the Quick Brown fox do?", "It jumps.", "Over the lazy dog."),
        (
            "größe",
            "Welche GRÖSSE hat der Nifty-50?",
            r#"{"close": 24583.05, "symbol": "NIFTY"}"#,
            "24583.05 Punkte.",
        ),
        ("tokyo", "東京タワーの高さは?", "333m", "高さは333メートルです。"),
        ("code", "Read src/main.rs", "fn main() { println!(\"hello_world\"); }", "A program."),
    ];
    for (number, (id, question, result, answer)) in (0..).zip(texts) {
        let mut talk = Talk::new(id).at(1_000 * number);
        let reports = talk.ask(question, &[result], answer);
        keep_in(store, &talk, &reports).await;
    }
}

async fn all_words_must_be_there(place: Place) {
    let store = place.open().await;
    some_talks(&store).await;
    let found = async |words: &str| {
        let hits = store.search(words, 10).await.expect("a search");
        hits.into_iter().map(|hit| (hit.summary.id.to_string(), hit.role)).collect::<Vec<_>>()
    };
    let only = |id: &str, role| vec![(id.to_owned(), role)];
    assert_eq!(found("quick fox").await, only("fox", Role::User));
    assert_eq!(found("FOX qui").await, only("fox", Role::User), "any case, any order, beginnings");
    assert_eq!(found("lazy").await, only("fox", Role::Assistant));
    assert_eq!(found("jump").await, only("fox", Role::Tool));
    assert_eq!(found("quick lazy").await, [], "they are not in one message");
    assert_eq!(found("nifty").await, only("größe", Role::Tool), "the newest message that fits");
    assert_eq!(found("nifty 50").await, only("größe", Role::User));
    assert_eq!(found("größe").await, []);
    assert_eq!(found("grösse").await, only("größe", Role::User));
    assert_eq!(found("24583.05").await, only("größe", Role::Assistant));
    assert_eq!(found("東京").await, only("tokyo", Role::User));
    assert_eq!(found("333").await, only("tokyo", Role::Assistant));
    assert_eq!(found("hello").await, only("code", Role::Tool));
    assert_eq!(found("brief").await, [], "instructions are not searched");
    assert_eq!(found("").await, []);
    assert_eq!(found(" .,-'\" ").await, []);
    assert_eq!(found("a").await, only("code", Role::Assistant));
    let two = store.search("what", 10).await.expect("a search").len();
    assert_eq!((two, store.search("a", 0).await.expect("a search").len()), (1, 0));
}

async fn a_match_is_shown_where_it_stands(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk").at(5_000);
    let long = format!("{} the needle\n\n is here {}", "hay ".repeat(400), "straw ".repeat(400));
    let reports = talk.ask("Where?", &[&long], "There.");
    keep_in(&store, &talk, &reports).await;
    let hits = store.search("NEED", 5).await.expect("a search");
    let [hit] = &hits[..] else { panic!("{hits:?}") };
    assert_eq!(&hit.snippet[hit.matched.clone()], "needle");
    assert!(hit.snippet.contains("hay the needle is here straw"), "{}", hit.snippet);
    assert!(hit.snippet.starts_with('…') && hit.snippet.ends_with('…'), "{}", hit.snippet);
    assert_eq!(hit.summary, store.find("talk").await.expect("it is there"));
    assert!(hit.at > hit.summary.created_at && hit.at < hit.summary.updated_at);
}

async fn what_nobody_said_is_not_found(place: Place) {
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.interrupted("A needle?", "write");
    let held = store.acquire(&talk.id).await.expect("free");
    held.append(&reports[1]).await.expect_err("it does not begin there");
    assert_eq!(store.search("needle", 5).await, Ok(Vec::new()));
    keep(&held, &reports).await;
    let hits = store.search("needle", 5).await.expect("a search");
    assert_eq!(hits.len(), 1);
    assert_eq!(hits[0].summary.state, ConversationStatus::Running);
}

/// Whatever people type, it is words to look for and nothing else.
async fn any_words_can_be_looked_for(place: Place) {
    let store = place.open().await;
    some_talks(&store).await;
    for words in [
        "\"",
        "'",
        "fox'",
        "\"fox\"*",
        "fox OR dog",
        "NOT fox",
        "fox & dog | !x",
        "fox:*",
        "NEAR(a b)",
        "a\0b",
        "\u{10ffff}",
        "-fox",
        "^fox",
        "words:fox",
        "(",
        "%_",
        "İstanbul ǅ ﬁ",
    ] {
        store.search(words, 5).await.expect(words);
    }
    store.search(&"word ".repeat(100_000), 5).await.expect("many words");
    store.search(&"w".repeat(100_000), 5).await.expect("a long word");
}
