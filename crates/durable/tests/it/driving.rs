//! What a conversation does after a slice is what the slice said.

use std::{
    sync::atomic::Ordering,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde_json::json;
use toolwright_core::{RunId, Timestamp};
use toolwright_durable::{Registration, WorkerSettings};
use toolwright_session::{Next, RunEngine, SliceError};

use crate::stage::{Running, Stage, Toy, until};

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp(u64::try_from(since.as_millis()).unwrap())
}

#[test]
fn slices_follow_each_other_and_so_does_what_waited() {
    let toy = Toy::new(|slice, before| async move {
        Ok(match (slice.run.as_str(), before) {
            ("one", 0) => Next::Again { spent: Duration::from_secs(5) },
            ("one", 1) => Next::Again { spent: Duration::from_secs(9) },
            ("one", _) => Next::Follow { run: RunId::from("two") },
            _ => Next::Ended,
        })
    });
    let stage = Stage::new(toy);
    let worker = stage.worker();
    // A name that means something else in an address.
    stage.wake("conv/ä b?c=%2F", "one");
    until("the second run was driven", || (stage.toy.ended("two") == 1).then_some(()));
    stage.until_quiet();
    let slices = stage.toy.slices();
    let driven: Vec<_> = slices.iter().map(|it| (it.run.as_str(), it.spent.as_secs())).collect();
    assert_eq!(driven, [("one", 0), ("one", 5), ("one", 9), ("two", 0)]);
    assert!(slices.iter().all(|it| it.conversation.as_str() == "conv/ä b?c=%2F"));
    assert_eq!(worker.counts.started(), 4);
    assert_eq!(worker.counts.running(), 0);
}

#[test]
fn who_waits_is_left_alone_until_woken_or_until_it_is_time() {
    let toy = Toy::new(|slice, before| async move {
        Ok(match (slice.run.as_str(), before) {
            ("timed", 0) => Next::Waiting { until: Some(Timestamp(now().0 + 1500)) },
            ("late", 0) => Next::Waiting { until: Some(Timestamp(1)) },
            ("asleep", 0) => Next::Waiting { until: None },
            _ => Next::Ended,
        })
    });
    let stage = Stage::new(toy);
    let _worker = stage.worker();
    let began = now();
    stage.wake("a", "timed");
    stage.wake("b", "late");
    stage.wake("c", "asleep");
    stage.wake_after("d", "delayed", Duration::from_millis(1500));
    until("what is due was driven", || (stage.toy.ended("late") == 2).then_some(()));
    until("the time is up", || (stage.toy.ended("timed") == 2).then_some(()));
    assert!(now().since(began) >= 1500, "not before it is time");
    until("the delayed one was driven", || (stage.toy.ended("delayed") == 1).then_some(()));
    assert!(now().since(began) >= 1500, "not before it is time");
    stage.until_quiet();
    assert_eq!(stage.toy.begun("asleep"), 1, "nothing waits for it, in Restate or in a worker");
    stage.wake("c", "asleep");
    until("it was woken", || (stage.toy.ended("asleep") == 2).then_some(()));
}

#[test]
fn many_wakes_are_one_slice_at_a_time() {
    let toy = Toy::new(|_, before| async move {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(if before == 0 { Next::Again { spent: Duration::ZERO } } else { Next::Ended })
    });
    let stage = Stage::new(toy);
    let _worker = stage.worker();
    for _ in 0..8 {
        stage.wake("a", "one");
    }
    until("each was driven", || (stage.toy.ended("one") == 9).then_some(()));
    stage.until_quiet();
    assert_eq!((stage.toy.begun("one"), stage.toy.overlaps()), (9, 0));
}

#[test]
fn what_fails_is_driven_again_and_what_nobody_can_read_is_in_nobodys_way() {
    let toy = Toy::new(|_, before| async move {
        assert_ne!(before, 0, "a defect");
        match before {
            1 => Err(SliceError::new("the database is away").with_advice("start it")),
            _ => Ok(Next::Ended),
        }
    });
    let stage = Stage::new(toy);
    let worker = stage.worker();
    let (ingress, path) = (stage.server.ingress.clone(), "conversation/a/drive/send");
    stage.post(&ingress, path, &json!({ "colour": "blue" }));
    stage.wake("a", "one");
    until("it was driven in the end", || (stage.toy.begun("one") == 3).then_some(()));
    stage.until_quiet();
    assert_eq!(worker.counts.failed(), 2);
    // One of a newer worker's: kept for such a one, and the reason is told.
    stage.post(&ingress, path, &json!({ "v": 2, "runs": ["one"] }));
    let said = until("it was tried", || {
        let all = stage.invocations();
        all.first()?["last_failure"].as_str().map(str::to_owned)
    });
    assert!(said.contains("this worker is too old for the message: it is of form 2"), "{said}");
}

/// By what new work goes to there, whatever it went to before.
#[test]
fn one_restate_is_told_from_another() {
    let toy = || Toy::new(|_, _| async { Ok(Next::Ended) });
    let (one, other) = (Stage::new(toy()), Stage::new(toy()));
    let name = |stage: &Stage| stage.wait(stage.engine().place()).unwrap().map(|it| it.name);
    assert_eq!(name(&one), None, "nobody is registered");
    let (_first, _others) = (one.worker(), other.worker());
    let (before, elsewhere) = (name(&one).unwrap(), name(&other).unwrap());
    let _second = one.worker();
    let now = name(&one).unwrap();
    assert!(now != before && now != elsewhere, "{now}, {before}, {elsewhere}");
    let knows = |name: &str| one.wait(one.engine().knows(name)).unwrap();
    assert!(knows(&now) && knows(&before) && !knows(&elsewhere));
}

/// After a rollback no newer worker comes any more.
#[test]
fn what_no_newer_worker_takes_is_in_nobodys_way() {
    let mut stage = Stage::new(Toy::new(|_, _| async { Ok(Next::Ended) }));
    stage.settings = WorkerSettings { newer: Duration::from_millis(500), ..stage.settings };
    let _worker = stage.worker();
    let ingress = stage.server.ingress.clone();
    stage.post(&ingress, "conversation/a/drive/send", &json!({ "v": 99, "runs": ["one"] }));
    stage.wake("a", "one");
    until("what waits behind it was driven", || (stage.toy.ended("one") == 1).then_some(()));
    stage.until_quiet();
}

#[test]
fn registering_again_changes_nothing_and_a_new_address_takes_over() {
    let toy = Toy::new(|_, before| async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Ok(if before < 40 { Next::Again { spent: Duration::ZERO } } else { Next::Ended })
    });
    let stage = Stage::new(toy);
    let old = Running::start(&stage.toy, 0, stage.settings);
    let engine = stage.engine();
    let admin = engine.admin().unwrap();
    assert_eq!(stage.wait(admin.registered()), Ok(None));
    let first = stage.register(&old, false);
    assert_eq!((first.outcome, &first.instead_of), (Registration::New, &None));
    let again = stage.register(&old, false);
    assert_eq!((again.outcome, &again.instead_of), (Registration::Known, &None));
    assert_eq!((&again.deployment, again.revision), (&first.deployment, first.revision));
    let forced = stage.register(&old, true);
    assert_eq!(forced.outcome, Registration::Renewed);
    assert!(forced.revision > first.revision, "{forced:?}");
    let at = stage.wait(admin.registered()).unwrap().unwrap();
    assert_eq!(at, format!("http://{}", old.addr));

    // An upgrade in the middle of a run: the next slice is driven by the new one, and the old one may go.
    stage.wake("a", "one");
    until("the old one drives", || (stage.toy.begun("one") > 2).then_some(()));
    let new = stage.worker();
    until("the new one drives", || (new.counts.started() > 2).then_some(()));
    until("the old one has nothing more to do", || (old.counts.running() == 0).then_some(()));
    old.kill();
    until("it was driven to its end", || (stage.toy.ended("one") == 41).then_some(()));
    stage.until_quiet();
    assert_eq!(stage.toy.overlaps(), 0);
    assert!(!stage.toy.is_draining.load(Ordering::SeqCst));
}

/// Whoever registers an address wants new work to go there, whatever was registered before.
#[test]
fn an_earlier_address_that_is_registered_again_gets_new_work() {
    let stage = Stage::new(Toy::new(|_, _| async { Ok(Next::Ended) }));
    let (one, two) = (stage.worker(), Running::start(&stage.toy, 0, stage.settings));
    let at = |worker: &Running| format!("http://{}", worker.addr);
    let taken = stage.register(&two, false);
    assert_eq!((taken.outcome, taken.instead_of), (Registration::New, Some(at(&one))));
    stage.wake("a", "first");
    until("the second has it", || (two.counts.started() == 1).then_some(()));

    let back = stage.register(&one, false);
    assert_eq!((back.outcome, back.instead_of), (Registration::Renewed, Some(at(&two))));
    let engine = stage.engine();
    let admin = engine.admin().unwrap();
    assert_eq!(stage.wait(admin.registered()), Ok(Some(at(&one))));
    stage.wake("b", "second");
    until("the first has it", || (one.counts.started() == 1).then_some(()));
    assert_eq!(stage.register(&one, false).outcome, Registration::Known);

    // One that is registered and gone is told from one that answers.
    let uri = at(&one);
    assert_eq!(stage.wait(admin.reaches(&uri)), Ok(()));
    assert_eq!(stage.wait(admin.registered()), Ok(Some(uri.clone())), "asking changes nothing");
    one.kill();
    let error = stage.wait(admin.reaches(&uri)).unwrap_err();
    assert!(error.to_string().starts_with("Restate cannot ask the worker at "), "{error}");
}
