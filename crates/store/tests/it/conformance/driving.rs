//! What those need who drive a run elsewhere: how it was asked for, what was left for it, and which runs
//! nobody drives.

use std::time::Duration;

use serde_json::json;
use toolwright_core::{
    Decision, Fingerprint, Journal, ModelResponse, QuestionAnswer, RunId, Timestamp,
};
use toolwright_store::{
    Instructed, InstructedVerdict, Instruction, LogKey, Store, StoreError, StoreLocation,
};

use super::on_both;
use crate::common::{
    place::{PATIENCE, Place},
    talk::{Going, Talk, keep, keep_in},
};

on_both!(
    a_spec_goes_with_the_run,
    a_spec_is_there_before_the_conversation,
    a_spec_is_of_one_conversation,
    what_was_kept_for_a_run_goes_with_the_conversation,
    what_was_not_kept_takes_nothing_with_it,
    what_is_kept_for_a_run_is_sealed,
    instructions_come_in_their_order_and_once,
    an_instruction_that_changed_nothing_makes_room,
    no_instruction_is_left_where_nothing_goes_on,
    an_instruction_at_the_end_is_there_or_refused,
    a_run_that_goes_on_is_seen_from_outside,
    stranded_runs_are_handed_out_once,
    whoever_is_at_work_is_not_stranded,
    a_run_that_rests_is_stranded_once_something_is_left_for_it,
);

fn decide(call: &str, about: &str, decision: Decision) -> Instruction {
    let about: Fingerprint = serde_json::from_value(json!(about)).expect("a fingerprint");
    Instruction::Decide { call: call.into(), about, verdict: InstructedVerdict::Once(decision) }
}

fn answer(question: &str, text: &str) -> Instruction {
    let content = json!({"password": text}).as_object().expect("an object").clone();
    let answer = QuestionAnswer::Accept { content };
    Instruction::Answer { call: "call_1".into(), question: question.into(), answer }
}

/// A run that goes on, and whoever was asked for it.
async fn going(store: &Store, name: &str) -> (Talk, Going) {
    let mut talk = Talk::new(name);
    let going = talk.begin("Well?");
    store.put_spec(&talk.id, going.run.id(), b"how it was asked for").await.expect("it is kept");
    keep_in(store, &talk, &going.reports).await;
    (talk, going)
}

/// What a run reports that ends.
fn last(talk: &mut Talk, mut going: Going) -> Vec<toolwright_core::Event> {
    let before = going.reports.len();
    going.reply(talk, ModelResponse::text("Well."));
    going.end(talk).split_off(before).concat()
}

/// What a table has in it, as bytes.
async fn bytes(place: &Place, table: &str) -> Vec<Vec<u8>> {
    match &place.location {
        StoreLocation::Sqlite(path) => {
            let db = rusqlite::Connection::open(path).expect("it opens");
            let mut all = db.prepare(&format!("SELECT body FROM {table}")).expect("a table");
            let rows = all.query_map([], |row| row.get(0)).expect("rows");
            rows.map(|row| row.expect("bytes")).collect()
        }
        StoreLocation::Postgres(address) => {
            let (client, connection) =
                tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it is there");
            tokio::spawn(connection);
            let sql = format!("SELECT body FROM toolwright.{table}");
            let rows = client.query(&sql, &[]).await.expect("rows");
            rows.iter().map(|row| row.get(0)).collect()
        }
    }
}

async fn a_spec_goes_with_the_run(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let (mut talk, going) = going(&store, "talk").await;
    let run = going.run.id().clone();
    let spec = other.spec(&talk.id, &run).await.expect("it can be read");
    assert_eq!(spec.as_deref(), Some(&b"how it was asked for"[..]));
    assert_eq!(
        store.instruct(&talk.id, &run, &Instruction::Stop).await.expect("it is kept"),
        Instructed::Taken
    );
    let report = last(&mut talk, going);
    keep_in(&other, &talk, &vec![report]).await;
    assert_eq!(store.spec(&talk.id, &run).await.expect("it can be read"), None);
    assert_eq!(store.instructions(&talk.id, &run).await.expect("it can be read"), []);
    assert!(bytes(&place, "spec").await.is_empty());
    assert!(bytes(&place, "instruction").await.is_empty());
}

async fn a_spec_is_there_before_the_conversation(place: Place) {
    let store = place.open().await;
    let (id, run) = ("talk".into(), RunId::from("run"));
    for spec in [&b"first"[..], b"second"] {
        store.put_spec(&id, &run, spec).await.expect("it is kept");
        assert_eq!(store.spec(&id, &run).await.expect("it can be read").as_deref(), Some(spec));
    }
    assert!(matches!(store.find("talk").await, Err(StoreError::NotFound(_))));
    // What nobody began is not stranded.
    assert_eq!(store.stranded(Duration::ZERO, 9).await.expect("it can be asked"), []);
    assert_eq!(store.spec(&id, &"other".into()).await.expect("it can be read"), None);
}

async fn a_spec_is_of_one_conversation(place: Place) {
    let store = place.open().await;
    let run = RunId::from("run");
    store.put_spec(&"talk".into(), &run, b"ours").await.expect("it is kept");
    let error = store.put_spec(&"other".into(), &run, b"theirs").await.expect_err("it is ours");
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    let spec = store.spec(&"talk".into(), &run).await.expect("it can be read");
    assert_eq!(spec.as_deref(), Some(&b"ours"[..]));
    assert_eq!(store.spec(&"other".into(), &run).await.expect("it can be read"), None);
}

async fn what_was_kept_for_a_run_goes_with_the_conversation(place: Place) {
    let store = place.open().await;
    let (talk, ours) = going(&store, "talk").await;
    let (other, theirs) = going(&store, "other").await;
    for (talk, going) in [(&talk, &ours), (&other, &theirs)] {
        let left = store.instruct(&talk.id, going.run.id(), &Instruction::Stop).await;
        assert_eq!(left.expect("it is kept"), Instructed::Taken);
    }
    store.delete(&talk.id).await.expect("nobody has it");
    assert_eq!(bytes(&place, "spec").await.len(), 1);
    assert_eq!(bytes(&place, "instruction").await.len(), 1);
    let left = store.instructions(&other.id, theirs.run.id()).await.expect("it can be read");
    assert_eq!(left, [Instruction::Stop]);
}

/// The last event and what goes with it are one transaction.
async fn what_was_not_kept_takes_nothing_with_it(place: Place) {
    let store = place.open().await;
    let (mut talk, going) = going(&store, "talk").await;
    let run = going.run.id().clone();
    let mut report = last(&mut talk, going);
    report.last_mut().expect("an end").seq += 1;
    let held = store.acquire(&talk.id).await.expect("free");
    held.append(&report).await.expect_err("it does not fit");
    assert!(store.spec(&talk.id, &run).await.expect("it can be read").is_some());
    report.last_mut().expect("an end").seq -= 1;
    held.append(&report).await.expect("it is kept");
    assert!(store.spec(&talk.id, &run).await.expect("it can be read").is_none());
}

async fn what_is_kept_for_a_run_is_sealed(place: Place) {
    let store = place.open().await;
    let (talk, going) = going(&store, "talk").await;
    let run = going.run.id();
    store.put_spec(&talk.id, run, b"api_key=hunter2").await.expect("it is kept");
    let left = store.instruct(&talk.id, run, &answer("q1", "hunter2")).await.expect("it is kept");
    assert_eq!(left, Instructed::Taken);
    for table in ["spec", "instruction"] {
        let all = bytes(&place, table).await;
        assert_eq!(all.len(), 1);
        assert!(!all[0].windows(7).any(|it| it == b"hunter2"), "it can be read in {table}");
    }
    let key: LogKey = "77".repeat(32).parse().expect("a key");
    let other = Store::open_keyed(&place.location, PATIENCE, key).await.expect("it opens");
    let error = other.spec(&talk.id, run).await.expect_err("it is not theirs");
    assert_eq!(error, StoreError::Sealed(run.clone()));
    assert_eq!(other.instructions(&talk.id, run).await.expect("it can be read"), []);
    // What somebody left who does not have the key allows nothing.
    let left = other.instruct(&talk.id, run, &Instruction::Stop).await.expect("it is kept");
    assert_eq!(left, Instructed::Taken);
    let ours = store.instructions(&talk.id, run).await.expect("it can be read");
    assert_eq!(ours, [answer("q1", "hunter2")]);
}

async fn instructions_come_in_their_order_and_once(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let (talk, going) = going(&store, "talk").await;
    let run = going.run.id();
    let always = Instruction::Decide {
        call: "call_3".into(),
        about: serde_json::from_value(json!("c")).expect("a fingerprint"),
        verdict: InstructedVerdict::Always,
    };
    let all = [
        decide("call_1", "a", Decision::AllowReviewed),
        answer("q1", "one"),
        decide("call_1", "b", Decision::Deny { reason: None }),
        decide("call_2\0", "a", Decision::AllowReviewed),
        Instruction::Stop,
        always,
    ];
    for (number, instruction) in all.iter().enumerate() {
        let store = [&store, &other][number % 2];
        let left = store.instruct(&talk.id, run, instruction).await.expect("it is kept");
        assert_eq!(left, Instructed::Taken);
    }
    for (instruction, left) in [
        (decide("call_1", "a", Decision::Deny { reason: None }), Instructed::Twice),
        (answer("q1", "two"), Instructed::Twice),
        (Instruction::Stop, Instructed::Taken),
    ] {
        assert_eq!(other.instruct(&talk.id, run, &instruction).await.expect("it is kept"), left);
    }
    for store in [&store, &other] {
        assert_eq!(store.instructions(&talk.id, run).await.expect("it can be read"), all);
    }
}

async fn an_instruction_that_changed_nothing_makes_room(place: Place) {
    let store = place.open().await;
    let (talk, going) = going(&store, "talk").await;
    let run = going.run.id();
    let (first, second) = (
        decide("call_1", "a", Decision::Edit { arguments: json!({}) }),
        decide("call_1", "a", Decision::AllowReviewed),
    );
    for instruction in [&first, &answer("q1", "one")] {
        let left = store.instruct(&talk.id, run, instruction).await.expect("it is kept");
        assert_eq!(left, Instructed::Taken);
    }
    store.dismiss(&talk.id, run, &first).await.expect("it is taken away");
    let left = store.instruct(&talk.id, run, &second).await.expect("it is kept");
    assert_eq!(left, Instructed::Taken);
    let all = store.instructions(&talk.id, run).await.expect("it can be read");
    assert_eq!(all, [answer("q1", "one"), second]);
}

async fn no_instruction_is_left_where_nothing_goes_on(place: Place) {
    let store = place.open().await;
    let stop = async |id: &str, run: &str| {
        let left = store.instruct(&id.into(), &run.into(), &Instruction::Stop).await;
        left.expect("it can be asked")
    };
    assert_eq!(stop("nobody", "run").await, Instructed::NotOpen);
    let (mut talk, going) = going(&store, "talk").await;
    let run = going.run.id().to_string();
    assert_eq!(stop("talk", "another").await, Instructed::NotOpen);
    assert_eq!(stop("nobody", &run).await, Instructed::NotOpen);
    let report = last(&mut talk, going);
    keep_in(&store, &talk, &vec![report]).await;
    assert_eq!(stop("talk", &run).await, Instructed::NotOpen);
    assert!(bytes(&place, "instruction").await.is_empty());
}

/// Who is first is decided by the database, and nothing is left behind a run that ended.
async fn an_instruction_at_the_end_is_there_or_refused(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    for number in 0..20 {
        let (mut talk, going) = going(&store, &format!("talk{number}")).await;
        let run = going.run.id().clone();
        let held = store.acquire(&talk.id).await.expect("free");
        let report = last(&mut talk, going);
        let (ended, left) =
            tokio::join!(held.append(&report), other.instruct(&talk.id, &run, &Instruction::Stop));
        ended.expect("it is kept");
        let left = left.expect("it can be asked");
        assert!(matches!(left, Instructed::Taken | Instructed::NotOpen), "{left:?}");
    }
    assert!(bytes(&place, "instruction").await.is_empty());
    assert!(bytes(&place, "spec").await.is_empty());
}

async fn a_run_that_goes_on_is_seen_from_outside(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    assert!(other.open_run(&"talk".into()).await.expect("it can be read").is_none());
    let mut talk = Talk::new("talk");
    let held = store.acquire(&talk.id).await.expect("free");
    keep(&held, &talk.chat("Well?", "Well.")).await;
    assert!(other.open_run(&talk.id).await.expect("it can be read").is_none());
    let mut going = talk.begin("Again?");
    going.reply(&mut talk, ModelResponse::calls([toolwright_core::Call::new("", "write", "{}")]));
    keep(&held, &going.reports).await;
    for store in [&store, &other] {
        let open = store.open_run(&talk.id).await.expect("it can be read").expect("it goes on");
        assert_eq!(open.run.id(), going.run.id());
        assert_eq!(open.run.conversation(), going.run.conversation());
        assert!(open.is_held && !open.has_spec);
    }
    store.put_spec(&talk.id, going.run.id(), b"spec").await.expect("it is kept");
    drop(held);
    loop {
        let open = other.open_run(&talk.id).await.expect("it can be read").expect("it goes on");
        assert!(open.has_spec);
        // Giving it back takes a moment to reach a server.
        if !open.is_held {
            break;
        }
    }
}

async fn stranded_runs_are_handed_out_once(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let mut names = Vec::new();
    for number in 0..12 {
        let (talk, going) = going(&store, &format!("talk{number:02}")).await;
        names.push((talk.id, going.run.id().clone()));
    }
    // One without a spec: nobody else could drive it.
    let mut alone = Talk::new("alone");
    let reports = alone.begin("Well?").reports;
    keep_in(&store, &alone, &reports).await;
    let idle = Duration::from_secs(60);
    assert_eq!(
        store.stranded(idle, 99).await.expect("it can be asked"),
        [],
        "they were just asked"
    );
    woken_long_ago(&place).await;
    store.woken(&names[3].1).await.expect("it is noted");
    names.remove(3);
    let asked = (0..8).map(|number| {
        let store = [&store, &other][number % 2].clone();
        tokio::spawn(async move { store.stranded(idle, 2).await.expect("it can be asked") })
    });
    let asked: Vec<_> = asked.collect();
    let mut found = Vec::new();
    for asked in asked {
        let some = asked.await.expect("it ends well");
        assert!(some.len() <= 2);
        found.extend(some);
    }
    // Whoever comes at the same moment may leave some to others, who get them the next time.
    found.extend(other.stranded(idle, 99).await.expect("it can be asked"));
    found.sort();
    assert_eq!(found, names);
    assert_eq!(store.stranded(idle, 99).await.expect("it can be asked"), []);
}

async fn whoever_is_at_work_is_not_stranded(place: Place) {
    let (store, other) = (place.open().await, place.open().await);
    let (talk, going) = going(&store, "talk").await;
    let held = store.acquire(&talk.id).await.expect("free");
    woken_long_ago(&place).await;
    let idle = Duration::from_secs(60);
    for store in [&store, &other] {
        assert_eq!(store.stranded(idle, 9).await.expect("it can be asked"), []);
    }
    drop(held);
    let found = loop {
        // Giving it back takes a moment to reach a server.
        let found = other.stranded(idle, 9).await.expect("it can be asked");
        if !found.is_empty() {
            break found;
        }
    };
    assert_eq!(found, [(talk.id.clone(), going.run.id().clone())]);
    // Something happened in it just now.
    woken_long_ago(&place).await;
    let mut going = going;
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("after 1970").as_millis();
    let now = Timestamp(u64::try_from(now).expect("a time"));
    let before = going.reports.len();
    going.reports.push(going.run.model_called(now).expect("it waits for the model"));
    keep_in(&store, &talk, &going.reports.split_off(before)).await;
    while store.open_run(&talk.id).await.expect("it can be read").expect("it goes on").is_held {}
    assert_eq!(store.stranded(idle, 9).await.expect("it can be asked"), []);
}

async fn a_run_that_rests_is_stranded_once_something_is_left_for_it(place: Place) {
    let store = place.open().await;
    let (talk, going) = going(&store, "talk").await;
    let run = going.run.id().clone();
    let idle = Duration::from_secs(60);
    let stranded = async || store.stranded(idle, 9).await.expect("it can be asked");
    store.rest(&run, 0, None).await.expect("it is noted");
    woken_long_ago(&place).await;
    assert_eq!(stranded().await, [], "it waits for people");
    let decided = decide("c1", "f1", Decision::Allow);
    store.instruct(&talk.id, &run, &decided).await.expect("it is left");
    let found = loop {
        // That nobody is at work any more takes a moment to reach a server.
        let found = stranded().await;
        if !found.is_empty() {
            break found;
        }
    };
    assert_eq!(found, [(talk.id.clone(), run.clone())], "nobody has to wait for long");
    assert_eq!(stranded().await, [], "somebody was handed it");
    // Who could not tell anybody leaves it to others.
    store.not_woken(&run).await.expect("it is noted");
    assert_eq!(stranded().await.len(), 1);
    // Whoever lets it rest and has not read all that was left does not.
    store.not_woken(&run).await.expect("it is noted");
    store.rest(&run, 0, None).await.expect("it is noted");
    assert_eq!(stranded().await.len(), 1);
    store.rest(&run, 1, None).await.expect("it is noted");
    assert_eq!(stranded().await, []);
    // Until then.
    store.rest(&run, 1, Some(Timestamp(1))).await.expect("it is noted");
    assert_eq!(stranded().await.len(), 1);
}

/// As if hours had passed.
async fn woken_long_ago(place: &Place) {
    let sql = "UPDATE spec SET woken_at = woken_at - 7200000";
    match &place.location {
        StoreLocation::Sqlite(path) => {
            let db = rusqlite::Connection::open(path).expect("it opens");
            db.busy_timeout(Duration::from_secs(5)).expect("it waits");
            db.execute_batch(sql).expect("a table");
        }
        StoreLocation::Postgres(address) => {
            let (client, connection) =
                tokio_postgres::connect(address, tokio_postgres::NoTls).await.expect("it is there");
            tokio::spawn(connection);
            let sql = format!("SET search_path = toolwright; {sql}");
            client.batch_execute(&sql).await.expect("a table");
        }
    }
}
