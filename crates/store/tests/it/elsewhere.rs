//! What several processes tell each other over a server, and what they take from each other.

use std::{collections::HashMap, time::Duration};

use tokio_postgres::{Client, NoTls};
use toolwright_core::{ConversationId, Event, Journal, JournalErrorKind};
use toolwright_store::{ConversationStatus, News, Position, Store, StoreError, StoreNews};

use crate::common::{
    child::{Child, role, say},
    place::{Place, location, opened},
    talk::{Talk, event, first_events, keep, nth_run, stored},
};

/// Longer than anything here takes: a test that waits for something that never comes ends, too.
const LONGEST: Duration = Duration::from_secs(60);

async fn connect(place: &Place) -> Client {
    let (client, connection) =
        tokio_postgres::connect(&place.address(), NoTls).await.expect("it is there");
    tokio::spawn(connection);
    client
}

/// Somebody who listens, and does so by now.
async fn listening(store: &Store) -> StoreNews {
    let mut news = store.news();
    assert_eq!(next(&mut news).await, News::Missed, "listening begins");
    news
}

async fn next(news: &mut StoreNews) -> News {
    let next = tokio::time::timeout(LONGEST, news.next()).await;
    next.expect("there is some").expect("the store is there")
}

fn kept(report: &[Event]) -> u64 {
    report.iter().filter(|event| !event.kind.is_provisional()).count() as u64
}

/// Every append is heard elsewhere, in order, with where the conversation ends then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_store_keeps_another_hears() {
    let place = Place::postgres().await;
    let (store, other) = (place.open().await, place.open().await);
    let mut news = listening(&other).await;
    let writers: Vec<_> = (0..5)
        .map(|number| {
            let store = store.clone();
            tokio::spawn(async move {
                let mut talk = Talk::new(&format!("talk{number}"));
                let held = store.acquire(&talk.id).await.expect("free");
                let (mut counts, mut events) = (Vec::new(), 0);
                for number in 0..6 {
                    for report in nth_run(&mut talk, number) {
                        held.append(&report).await.expect("it is kept");
                        if kept(&report) > 0 {
                            events += kept(&report);
                            counts.push(events);
                        }
                    }
                }
                (talk.id.clone(), counts)
            })
        })
        .collect();
    let mut expected = HashMap::new();
    for writer in writers {
        let (id, counts) = writer.await.expect("it ends well");
        expected.insert(id, counts);
    }
    let mut heard: HashMap<ConversationId, Vec<u64>> = HashMap::new();
    for _ in 0..expected.values().map(Vec::len).sum() {
        let News::Kept { id, events } = next(&mut news).await else { panic!("nothing else") };
        heard.entry(id).or_default().push(events);
    }
    assert_eq!(heard, expected);
    for (id, counts) in expected {
        assert_eq!(stored(&other, &id).await.len() as u64, counts[counts.len() - 1]);
    }
}

/// Whoever looks at everything when something was missed knows everything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listener_that_is_cut_off_misses_nothing_it_is_not_told_of() {
    let place = Place::postgres().await;
    let (store, other) = (place.open().await, place.open().await);
    let mut news = listening(&other).await;
    let cut = connect(&place).await;
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    let mut total = 0;
    let listener = tokio::spawn(async move {
        let (mut seen, mut told, mut missed) = (0, 0, 0);
        loop {
            match next(&mut news).await {
                News::Kept { events, .. } => {
                    assert!(events > told, "news go backwards");
                    told = events;
                    // Whoever looked meanwhile knows more.
                    seen = seen.max(events);
                }
                News::Missed => {
                    missed += 1;
                    seen = seen.max(stored(&other, &"talk".into()).await.len() as u64);
                }
                News::Queue { .. } => return (seen, missed),
                other => panic!("{other:?}"),
            }
        }
    });
    for number in 0..3 {
        for report in nth_run(&mut talk, number) {
            let append = held.append(&report);
            cut.batch_execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            )
            .await
            .expect("they are cut");
            append.await.expect("it is kept all the same");
            total += kept(&report);
        }
    }
    // It may be that nobody listens yet: whoever begins to is told of that.
    let message = toolwright_core::UserMessage::new("The end.");
    for number in 0.. {
        let (id, mode) = (format!("m{number}").into(), toolwright_core::QueueMode::Next);
        let at = toolwright_core::Timestamp(1);
        let last = toolwright_core::QueuedMessage { id, mode, at, message: message.clone() };
        store.queue(&talk.id, last).await.expect("it is kept");
        if listener.is_finished() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (seen, missed) = listener.await.expect("it ends well");
    assert_eq!(seen, total);
    assert!(missed > 0, "nobody was cut off");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_shown_others_see() {
    let place = Place::postgres().await;
    let (store, other) = (place.open().await, place.open().await);
    let (mut own, mut theirs) = (listening(&store).await, listening(&other).await);
    let id = ConversationId::from("talk");
    let piece =
        |text: &str| event("run", 3, serde_json::json!({"type": "notice", "message": text}));
    let (at, before) = (Position(7), 3);
    let shown = |text: &str| News::Shown { id: id.clone(), at, before, event: piece(text) };
    // Twice the same are two.
    for text in ["a", "a", &"too large ".repeat(1_000), "b"] {
        store.show(&id, at, before, &piece(text));
    }
    for text in ["a", "a", "b"] {
        assert_eq!(next(&mut theirs).await, shown(text));
    }
    other.show(&id, at, before, &piece("from the other"));
    assert_eq!(next(&mut own).await, shown("from the other"), "nobody sees what is their own");
    // Whoever has no key shows nothing to anybody, and what is no notice is none.
    let forged = serde_json::json!({"shown": {"proof": "AAAA", "shown": serde_json::json!({
        "by": 1, "number": 1, "id": "talk", "at": 7, "event": piece("forged")}).to_string()}});
    let raw = connect(&place).await;
    for notice in [forged.to_string().as_str(), "", "nonsense", "{\"kept\":7}"] {
        raw.execute("SELECT pg_notify('toolwright', $1)", &[&notice]).await.expect("it is told");
    }
    let key = "99".repeat(32).parse().expect("a key");
    let stranger = Store::open_keyed(&place.location, crate::common::place::PATIENCE, key).await;
    stranger.expect("it opens").show(&id, at, before, &piece("from a stranger"));
    store.show(&id, at, before, &piece("the last"));
    assert_eq!(next(&mut theirs).await, shown("the last"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_seized_is_in_other_hands() {
    let place = Place::postgres().await;
    let (store, other, third) = (place.open().await, place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    let former = store.acquire(&talk.id).await.expect("free");
    former.append(&reports[0]).await.expect("it is kept");
    let is_held = async || {
        let open = third.open_run(&talk.id).await.expect("it can be read");
        open.expect("it goes on").is_held
    };
    assert!(is_held().await);
    let seizer = other.seize(&talk.id).await.expect("it is taken");
    assert!(is_held().await, "by the seizer");
    let error = former.append(&reports[1]).await.expect_err("it is in other hands");
    assert_eq!(error.kind, JournalErrorKind::NotHeld);
    seizer.append(&reports[1]).await.expect("it is ours");
    // Everybody is told that it is in use, the former holder as well.
    for store in [&store, &other, &third] {
        let error = store.acquire(&talk.id).await.map(drop).expect_err("it is held");
        assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    }
    // Its lock does not come back with a new connection, either.
    connect(&place)
        .await
        .batch_execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()",
        )
        .await
        .expect("they are cut");
    seizer.append(&reports[2]).await.expect("it is ours");
    former.append(&reports[3]).await.expect_err("it is in other hands");
    while !is_held().await {}
    drop(seizer);
    while is_held().await {}
    // The former holder has not let go, and is in nobody's way.
    let next = third.acquire(&talk.id).await.expect("it is free");
    keep(&next, &reports[3..].to_vec()).await;
    former.append(&reports[4]).await.expect_err("it is in other hands");
    drop(former);
    let error = other.acquire(&talk.id).await.map(drop).expect_err("it is held");
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

/// In one store, too: an engine that lost touch with its own work.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_seized_from_oneself_is_in_other_hands() {
    let place = Place::postgres().await;
    let store = place.open().await;
    let mut talk = Talk::new("talk");
    let reports = talk.ask("One?", &["a"], "One.");
    let former = store.acquire(&talk.id).await.expect("free");
    former.append(&reports[0]).await.expect("it is kept");
    let first = store.seize(&talk.id).await.expect("it is taken");
    let second = store.seize(&talk.id).await.expect("it is taken again");
    for lost in [&former, &first] {
        let error = lost.append(&reports[1]).await.expect_err("it is in other hands");
        assert_eq!(error.kind, JournalErrorKind::NotHeld);
    }
    drop((former, first));
    assert!(matches!(store.acquire(&talk.id).await.map(drop), Err(StoreError::InUse { .. })));
    keep(&second, &reports[1..].to_vec()).await;
    drop(second);
    let free = store.acquire(&talk.id).await.expect("it is free");
    drop(free);
    // One that is not there is made.
    let made = store.seize(&"new".into()).await.expect("it is ours");
    assert!(made.load().await.expect("it loads").history.is_empty());
    assert_eq!(stored(&store, &talk.id).await, reports.concat());
}

/// Whoever was stopped while it wrote keeps nobody waiting for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_written_to_is_seized_a_moment_later() {
    let place = Place::postgres().await;
    let (store, other) = (place.open().await, place.open().await);
    let mut talk = Talk::new("talk");
    let reports = nth_run(&mut talk, 0);
    let former = store.acquire(&talk.id).await.expect("free");
    former.append(&reports[0]).await.expect("it is kept");
    let writing = connect(&place).await;
    writing
        .batch_execute("BEGIN; SELECT 1 FROM toolwright.conversation FOR UPDATE")
        .await
        .expect("locked");
    let error = other.seize(&talk.id).await.map(drop).expect_err("it is written to");
    assert_eq!(error, StoreError::Busy);
    writing.batch_execute("ROLLBACK").await.expect("it was begun");
    former.append(&reports[1]).await.expect("it is still ours");
    let seizer = other.seize(&talk.id).await.expect("it is taken");
    keep(&seizer, &reports[2..].to_vec()).await;
    // The server itself ends what waits too long for its client.
    let sql = "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'
        AND datname = current_database()";
    let waiting = connect(&place).await.query_one(sql, &[]).await.expect("it answers");
    assert_eq!(waiting.get::<_, i64>(0), 0, "nobody is in the middle of a transaction");
}

/// Writes until it is refused, and says why that was.
#[tokio::test]
async fn child_that_writes() {
    let Some(address) = role() else { return };
    let store = opened(&location(&address)).await.expect("the log opens");
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    for number in 0.. {
        for report in nth_run(&mut talk, number) {
            if let Err(error) = held.append(&report).await {
                say(&format!("{:?}", error.kind));
                return;
            }
            say("kept");
        }
    }
}

/// A frozen process has its locks still, as the kernel answers for it: that it says nothing is seen all the same, and that
/// others hold theirs and are well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_frozen_is_told_from_whoever_is_alive() {
    let place = Place::postgres().await;
    let (store, other) = (place.open().await, place.open().await);
    let mut child = Child::run("conformance::leases::child_that_holds", &place.address());
    assert_eq!(child.next().as_deref(), Some("held"));
    let mut own = Talk::new("own");
    let held = store.acquire(&own.id).await.expect("nobody has it");
    keep(&held, &own.interrupted("Well?", "write")).await;
    let summary = async |id| other.find(id).await.expect("it is there");
    let until_silent = async |is_silent| {
        let waited = tokio::time::timeout(LONGEST, async {
            loop {
                let [frozen, own] = [summary("talk").await, summary("own").await];
                assert_eq!(frozen.state, ConversationStatus::Running);
                assert!(own.state == ConversationStatus::Running && !own.is_silent);
                if frozen.is_silent == is_silent {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
        waited.await.expect("it is seen in time");
    };
    until_silent(false).await;
    child.stop();
    until_silent(true).await;
    child.go_on();
    until_silent(false).await;
}

/// A process that is stopped, and not dead, holds its locks; whoever seizes goes on without it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_was_stopped_and_goes_on_cannot_write() {
    let place = Place::postgres().await;
    let store = place.open().await;
    let mut child = Child::run("elsewhere::child_that_writes", &place.address());
    for _ in 0..5 {
        assert_eq!(child.next().as_deref(), Some("kept"));
    }
    child.stop();
    let error = store.acquire(&"talk".into()).await.map(drop).expect_err("the child has it");
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    let seized = loop {
        match store.seize(&"talk".into()).await {
            Ok(seized) => break seized,
            // It was stopped in the middle of writing: the server ends that.
            Err(error) => assert_eq!(error, StoreError::Busy),
        }
    };
    let mut run = seized.load().await.expect("it loads").unfinished;
    let mut expected = stored(&store, &"talk".into()).await;
    assert_eq!(expected, first_events("talk", expected.len()));
    if let Some(run) = &mut run {
        let events = run.abandoned(toolwright_core::Timestamp(9)).expect("it had not ended");
        seized.append(&events).await.expect("it is ours");
        expected.extend(events);
    }
    child.go_on();
    let said = loop {
        match child.next().expect("it says something") {
            said if said == "kept" => {}
            said => break said,
        }
    };
    assert_eq!(said, "NotHeld");
    assert!(child.ended_well());
    assert_eq!(stored(&store, &"talk".into()).await, expected, "the zombie wrote");
}
