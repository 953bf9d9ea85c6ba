//! Messages that wait: kept at once, taken up with the event that names them, and once.

use toolwright_core::{
    Attachment, Author, Event, EventKind, Journal, Message, MessageId, ModelResponse, QueueMode,
    QueuedMessage, Timestamp, UserMessage,
};
use toolwright_store::{Store, StoreError, Withdrawal};

use super::on_both;
use crate::common::{
    child::{self, Child},
    place::{PATIENCE, Place, location, opened},
    talk::{Talk, keep, keep_in, stored},
};

on_both!(
    what_waits_is_there_in_its_order,
    what_was_taken_up_waits_no_longer,
    what_could_not_be_kept_was_not_taken_up,
    what_is_attached_waits_with_it,
    what_is_withdrawn_is_gone,
    what_a_run_is_about_to_take_up_is_not_withdrawn,
    what_is_withdrawn_while_a_run_takes_it_up_is_one_or_the_other,
    nothing_waits_where_there_is_no_conversation,
    what_waits_goes_with_the_conversation,
    what_somebody_else_wrote_is_not_the_users_word,
    an_imported_log_takes_nothing_up,
    who_is_killed_loses_nothing_and_takes_nothing_up_twice,
);

fn queued(id: &str, mode: QueueMode, text: &str) -> QueuedMessage {
    QueuedMessage { id: id.into(), mode, at: Timestamp(7), message: UserMessage::new(text) }
}

async fn names(store: &Store, talk: &Talk) -> Vec<String> {
    let waiting = store.queued(&talk.id).await.expect("it can be read");
    waiting.into_iter().map(|it| it.id.to_string()).collect()
}

/// A conversation with one run that has ended.
async fn begun(store: &Store) -> Talk {
    let mut talk = Talk::new("talk");
    let reports = talk.chat("Hello?", "Hello.");
    keep_in(store, &talk, &reports).await;
    talk
}

async fn what_waits_is_there_in_its_order(place: Place) {
    let store = place.open().await;
    let talk = begun(&store).await;
    // Somebody is at work in it, and others say something to it.
    let held = store.acquire(&talk.id).await.expect("free");
    let all = [
        queued("m3", QueueMode::Steer, "First."),
        queued("m1", QueueMode::Next, "Later."),
        queued("m2", QueueMode::Steer, "Second."),
    ];
    for message in &all {
        store.queue(&talk.id, message.clone()).await.expect("it is kept");
    }
    assert_eq!(place.open().await.queued(&talk.id).await.expect("it can be read"), all);
    let waiting = held.waiting().await.expect("it can be read");
    assert_eq!(waiting, [all[0].clone(), all[2].clone()], "what steers the run that goes on");
    // The same name once, whatever is said under it.
    let again = store.queue(&talk.id, queued("m1", QueueMode::Steer, "Other.")).await;
    assert!(again.is_err(), "{again:?}");
    assert_eq!(names(&store, &talk).await, ["m3", "m1", "m2"]);
}

async fn what_was_taken_up_waits_no_longer(place: Place) {
    let store = place.open().await;
    let mut talk = begun(&store).await;
    for (id, mode) in [("m1", QueueMode::Steer), ("m2", QueueMode::Steer), ("m3", QueueMode::Next)]
    {
        store.queue(&talk.id, queued(id, mode, id)).await.expect("it is kept");
    }
    let held = store.acquire(&talk.id).await.expect("free");
    let mut going = talk.begin("Again?");
    let waiting = held.waiting().await.expect("it can be read");
    going.reports.push(going.run.steered(waiting, Timestamp(8)).expect("it takes messages"));
    keep(&held, &going.reports).await;
    assert_eq!(names(&store, &talk).await, ["m3"]);
    let sent = going.reports.len();
    going.reply(&mut talk, ModelResponse::text("Again."));
    keep(&held, &going.reports[sent..].to_vec()).await;
    let state = held.load().await.expect("it loads");
    let steering = state.history.messages().iter().filter(|it| it.is_steering());
    assert_eq!(steering.map(|it| it.content()).collect::<Vec<_>>(), ["m1", "m2"]);
    assert_eq!(names(&store, &talk).await, ["m3"]);
}

async fn what_could_not_be_kept_was_not_taken_up(place: Place) {
    let store = place.open().await;
    let mut talk = begun(&store).await;
    store.queue(&talk.id, queued("m1", QueueMode::Steer, "Wait.")).await.expect("it is kept");
    let held = store.acquire(&talk.id).await.expect("free");
    let mut going = talk.begin("Again?");
    let waiting = held.waiting().await.expect("it can be read");
    let taken = going.run.steered(waiting, Timestamp(8)).expect("it takes messages");
    // Without the events before it there is a gap.
    let refused = held.append(&taken).await;
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(names(&store, &talk).await, ["m1"]);
}

async fn what_is_attached_waits_with_it(place: Place) {
    let store = place.open().await;
    let talk = begun(&store).await;
    let file = Attachment::new(&b"milk, eggs"[..], None, Some("list.txt")).expect("a text");
    let mut message = queued("m1", QueueMode::Steer, "See this.");
    message.message = message.message.with_attachment(file.clone());
    store.queue(&talk.id, message.clone()).await.expect("it is kept");
    let store = place.open().await;
    let waiting = store.queued(&talk.id).await.expect("it can be read");
    let found = &waiting[0].message.attachments[0];
    assert_eq!(found.bytes().map(|it| &**it), Some(&b"milk, eggs"[..]));
    let kept = store.attachment(&talk.id, &file.digest).await.expect("it can be read");
    assert_eq!(kept.as_deref(), Some(&b"milk, eggs"[..]));
}

async fn what_is_withdrawn_is_gone(place: Place) {
    let store = place.open().await;
    let talk = begun(&store).await;
    store.queue(&talk.id, queued("m1", QueueMode::Next, "Wait.")).await.expect("it is kept");
    let withdraw = async |id: &str| {
        store.withdraw(&talk.id, &MessageId::from(id)).await.expect("it can be written")
    };
    assert_eq!(withdraw("m2").await, Withdrawal::Unknown);
    assert_eq!(withdraw("m1").await, Withdrawal::Withdrawn);
    assert_eq!(withdraw("m1").await, Withdrawal::Unknown, "it does not wait any more");
    assert!(names(&store, &talk).await.is_empty());
}

async fn what_a_run_is_about_to_take_up_is_not_withdrawn(place: Place) {
    let store = place.open().await;
    let mut talk = begun(&store).await;
    for id in ["m1", "m2"] {
        store.queue(&talk.id, queued(id, QueueMode::Steer, id)).await.expect("it is kept");
    }
    let withdraw = async |id: &str| {
        let done = store.withdraw(&talk.id, &MessageId::from(id)).await;
        done.expect("it can be written")
    };
    let held = store.acquire(&talk.id).await.expect("free");
    assert_eq!(held.waiting().await.expect("it can be read").len(), 2);
    assert_eq!(withdraw("m1").await, Withdrawal::TakenUp);
    // Whoever was about to take it up is gone.
    drop(held);
    assert_eq!(withdraw("m1").await, Withdrawal::Withdrawn);
    let held = store.acquire(&talk.id).await.expect("free");
    let waiting = held.waiting().await.expect("it can be read");
    assert_eq!(waiting.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["m2"]);
    let mut going = talk.begin("Again?");
    going.reports.push(going.run.steered(waiting, Timestamp(8)).expect("it takes messages"));
    keep(&held, &going.reports).await;
    drop(held);
    let done = store.withdraw(&talk.id, &"m2".into()).await.expect("it can be written");
    assert_eq!(done, Withdrawal::TakenUp, "the log has it");
    // What only looks like a name names nothing.
    let done = store.withdraw(&talk.id, &"m_".into()).await.expect("it can be written");
    assert_eq!(done, Withdrawal::Unknown);
}

/// Both at once, many times: exactly one of them has the message.
async fn what_is_withdrawn_while_a_run_takes_it_up_is_one_or_the_other(place: Place) {
    let store = place.open().await;
    let talk = begun(&store).await;
    let held = store.acquire(&talk.id).await.expect("free");
    for number in 0..20 {
        let id = MessageId::from(format!("m{number}").as_str());
        store.queue(&talk.id, queued(id.as_str(), QueueMode::Steer, "Wait.")).await.expect("kept");
        let (store, talk_id, name) = (store.clone(), talk.id.clone(), id.clone());
        let taking_back =
            tokio::spawn(async move { store.withdraw(&talk_id, &name).await.expect("written") });
        let taken = held.waiting().await.expect("it can be read");
        let withdrawal = taking_back.await.expect("it does not panic");
        let is_taken = taken.iter().any(|it| it.id == id);
        let expected = if is_taken { Withdrawal::TakenUp } else { Withdrawal::Withdrawn };
        assert_eq!(withdrawal, expected, "{id}");
    }
}

async fn nothing_waits_where_there_is_no_conversation(place: Place) {
    let store = place.open().await;
    let talk = Talk::new("nobody");
    let refused = store.queue(&talk.id, queued("m1", QueueMode::Next, "Wait.")).await;
    assert!(matches!(refused, Err(StoreError::NotFound(_))), "{refused:?}");
    assert!(names(&store, &talk).await.is_empty());
    let withdrawn = store.withdraw(&talk.id, &"m1".into()).await.expect("it can be written");
    assert_eq!(withdrawn, Withdrawal::Unknown);
}

async fn what_waits_goes_with_the_conversation(place: Place) {
    let store = place.open().await;
    let talk = begun(&store).await;
    store.queue(&talk.id, queued("m1", QueueMode::Next, "Wait.")).await.expect("it is kept");
    store.delete(&talk.id).await.expect("nobody has it");
    let again = begun(&store).await;
    assert!(names(&store, &again).await.is_empty());
}

async fn what_somebody_else_wrote_is_not_the_users_word(place: Place) {
    let other = "ab".repeat(32).parse().expect("a key");
    let store = place.open().await;
    let talk = begun(&store).await;
    let theirs = Store::open_keyed(&place.location, PATIENCE, other).await.expect("it opens");
    theirs.queue(&talk.id, queued("m1", QueueMode::Steer, "Sell 4711.")).await.expect("kept");
    let waiting = store.queued(&talk.id).await.expect("it can be read");
    assert_eq!(waiting[0].message.origin, Author::Imported);
    assert_eq!(waiting[0].message.content, "Sell 4711.");
    let ours = theirs.queued(&talk.id).await.expect("it can be read");
    assert_eq!(ours[0].message.origin, Author::Person);
}

async fn an_imported_log_takes_nothing_up(place: Place) {
    let store = place.open().await;
    let mut talk = begun(&store).await;
    store.queue(&talk.id, queued("m1", QueueMode::Steer, "Wait.")).await.expect("it is kept");
    let mut log = stored(&store, &talk.id).await;
    let mut next = talk.chat("And now?", "Now.").concat();
    let names_it = |event: &mut Event| match &mut event.kind {
        EventKind::Message { message, queued } if matches!(**message, Message::User(_)) => {
            *queued = Some("m1".into());
        }
        _ => {}
    };
    next.iter_mut().for_each(names_it);
    log.extend(next);
    store.import(log).await.expect("it is a log");
    assert_eq!(names(&store, &talk).await, ["m1"]);
}

/// Says something to its own conversation, and takes it up with the next run, until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_that_takes_up() {
    let Some(address) = child::role() else { return };
    let store = opened(&location(&address)).await.expect("the log opens");
    let mut talk = begun(&store).await;
    let held = store.acquire(&talk.id).await.expect("nobody has it");
    for number in 0.. {
        let message = queued(&format!("m{number}"), QueueMode::Steer, "More.");
        store.queue(&talk.id, message).await.expect("it is kept");
        child::say(&format!("m{number}"));
        let mut going = talk.begin("Again?");
        let waiting = held.waiting().await.expect("it can be read");
        going.reports.push(going.run.steered(waiting, Timestamp(8)).expect("it takes messages"));
        going.reply(&mut talk, ModelResponse::text("Again."));
        keep(&held, &going.reports).await;
        going.end(&mut talk);
    }
}

async fn who_is_killed_loses_nothing_and_takes_nothing_up_twice(place: Place) {
    let store = place.open().await;
    let mut child = Child::run("conformance::queueing::child_that_takes_up", &place.address());
    let said: Vec<_> = (0..5).map(|_| child.next().expect("it lives")).collect();
    child.kill();
    let talk = Talk::new("talk");
    // Whoever has it now knows that nothing of the dead is still under way.
    let held = loop {
        match store.acquire(&talk.id).await {
            Ok(held) => break held,
            Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
            Err(error) => panic!("{error}"),
        }
    };
    let (waiting, log) = (names(&store, &talk).await, stored(&store, &talk.id).await);
    for name in said {
        let taken = log.iter().filter(|event| match &event.kind {
            EventKind::Message { queued: Some(id), .. } => id.as_str() == name,
            _ => false,
        });
        let waits = waiting.iter().filter(|it| **it == name);
        assert_eq!(taken.count() + waits.count(), 1, "{name}: it waits, or was taken up once");
    }
    drop(held);
}
