//! The same conversations in both databases look the same in every way one can ask.

use toolwright_store::{ConversationPage, Store};

use crate::common::{
    place::Place,
    talk::{Talk, keep_in, nth_run},
};

const WORDS: [&str; 40] = [
    "alpha",
    "Beta",
    "GAMMA",
    "délta",
    "épsilon",
    "zeta-eta",
    "theta_iota",
    "kappa.lambda",
    "mu/nu",
    "xi",
    "o'micron",
    "3.14",
    "42",
    "0x2a",
    "東京",
    "タワー",
    "москва",
    "Ωmega",
    "straße",
    "naïve",
    "İzmir",
    "ﬁne",
    "a",
    "I",
    "--",
    "\n",
    "\t",
    "\u{1f600}",
    "the",
    "of",
    "and",
    "to",
    "in",
    "ab",
    "abc",
    "abcd",
    "ABCDE",
    "x1",
    "1x",
    "e\u{301}t",
];

/// Random talk, the same for both.
async fn fill(store: &Store, seed: u64) {
    let mut random = fastrand::Rng::with_seed(seed);
    for number in 0..30 {
        // Some share a moment.
        let mut talk = Talk::new(&format!("conv_{:x}_{number}", number % 7)).at(number / 3 * 1_000);
        for _ in 0..random.usize(1..3) {
            let mut text = || {
                let words = (0..random.usize(1..9)).map(|_| WORDS[random.usize(..WORDS.len())]);
                words.collect::<Vec<_>>().join(" ")
            };
            let (question, result, answer) = (text(), text(), text());
            let answer = if answer.trim().is_empty() { "Well.".to_owned() } else { answer };
            let reports = talk.ask(&question, &[&result, "same"], &answer);
            keep_in(store, &talk, &reports).await;
        }
        if number % 10 == 3 {
            keep_in(store, &talk.clone(), &talk.interrupted("Again?", "write")).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases_answer_alike() {
    let (file, server) = (Place::sqlite(), Place::postgres().await);
    let (file, server) = (file.open().await, server.open().await);
    tokio::join!(fill(&file, 7), fill(&server, 7));

    for limit in [1, 4, 100] {
        let mut page = ConversationPage { before: None, limit };
        loop {
            let (one, other) = (file.list(&page).await, server.list(&page).await);
            assert_eq!(one, other);
            let one = one.expect("a list");
            let Some(last) = one.last() else { break };
            page.before = Some(last.cursor());
        }
    }
    for prefix in ["conv_0", "conv_0_7", "conv_0_7_", "conv_3_1", "c", "x", "Conv", "conv_6_27"] {
        assert_eq!(file.find(prefix).await, server.find(prefix).await, "{prefix}");
    }
    let mut found = 0;
    for (at, word) in WORDS.iter().enumerate() {
        for other in WORDS.iter().skip(at) {
            let words = format!("{word} {other}");
            let one = file.search(&words, 7).await;
            assert_eq!(one, server.search(&words, 7).await, "{words:?}");
            found += one.expect("a search").len();
        }
        let beginning: String = word.chars().take(2).collect();
        assert_eq!(file.search(&beginning, 50).await, server.search(&beginning, 50).await);
    }
    assert!(found > 500, "only {found} were found: there was little to compare");
    for summary in file.list(&ConversationPage { before: None, limit: 100 }).await.expect("a list")
    {
        let (one, other) = (file.acquire(&summary.id).await, server.acquire(&summary.id).await);
        let (one, other) = (one.expect("free").load().await, other.expect("free").load().await);
        let (one, other) = (one.expect("it loads"), other.expect("it loads"));
        assert_eq!((one.history, one.unfinished), (other.history, other.unfinished));
        let events = file.events(&summary.id, None, 1_000).await;
        assert_eq!(events, server.events(&summary.id, None, 1_000).await);
    }
}

/// What one database gives out, the other takes in.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_moves_from_one_to_the_other() {
    let (file, server, back) = (Place::sqlite(), Place::postgres().await, Place::sqlite());
    let (file, server, back) = (file.open().await, server.open().await, back.open().await);
    let mut talk = Talk::new("talk");
    for number in 0..3 {
        let reports = nth_run(&mut talk, number);
        keep_in(&file, &talk, &reports).await;
    }
    for (from, to) in [(&file, &server), (&server, &back), (&back, &file)] {
        let events = from.events(&talk.id, None, usize::MAX).await.expect("it can be read");
        to.import(events.into_iter().map(|(_, event)| event).collect()).await.expect("a log");
        assert_eq!(from.find("talk").await, to.find("talk").await);
        assert_eq!(from.events(&talk.id, None, 999).await, to.events(&talk.id, None, 999).await);
    }
}
