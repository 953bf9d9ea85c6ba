//! Runs within runs: whatever happens in one, and wherever it is broken off, both logs hold.

use proptest::{
    prelude::*,
    test_runner::{Config, RngSeed},
};
use toolwright_core::{
    Authenticity, Call, CallId, Conversation, Event, EventKind, FailureKind, JournalError,
    JournalErrorKind, Limit, Limits, ModelResponse, Outcome, Run, RunError, Status, Step,
    Timestamp, ToolEffect,
};

use crate::{
    audit::Audit,
    desk::{Desk, setup, spec},
    world::{Start, Tape, World, starts, tapes},
};

const AT: Timestamp = Timestamp(9);

fn id() -> CallId {
    "1".into()
}

/// A run whose call is a run, and has begun.
fn desk() -> Desk {
    let mut desk = Desk::new("Do it.", vec![spec("ask", ToolEffect::Idempotent).agent()]);
    desk.reply(ModelResponse::calls([Call::new("1", "ask", "{}")]));
    desk.start(&id());
    desk
}

/// What happened in the run within, as the outer log has it.
fn within(log: &[Event]) -> Vec<Event> {
    let inner = log.iter().filter_map(|event| match &event.kind {
        EventKind::Nested { event, .. } => Some((**event).clone()),
        _ => None,
    });
    inner.collect()
}

fn played(start: &Start, tape: Vec<u8>) -> Vec<Event> {
    let mut world = World::new(&Start { has_history: false, ..start.clone() });
    world.play(&mut Tape::new(tape));
    world.log
}

/// Holds both logs against what is promised of any.
fn check(desk: &Desk) {
    let stored = serde_json::to_string(&desk.log).unwrap();
    let log: Vec<Event> = serde_json::from_str(&stored).unwrap();
    assert_eq!(log, desk.log);
    let replayed = Run::replay(Conversation::new(), &log).unwrap();
    assert_eq!(replayed, desk.run);
    let inner = within(&log);
    // The audit of a log stops at whatever no log may have.
    let audit = Audit::of(&inner);
    let settled = log.iter().any(|it| matches!(it.kind, EventKind::CallFinished { .. }));
    assert_eq!(settled, audit.is_ended(), "the run within ends before its call, and not without");
}

fn used(run: &Run) -> u64 {
    match run.step() {
        Step::Done(Ok(answer)) => answer.usage.total(),
        Step::Done(Err(failure)) => failure.usage.total(),
        other => panic!("{other:?}"),
    }
}

fn config(cases: u32) -> Config {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(0x5eed);
    }
    config
}

proptest! {
    #![proptest_config(config(3_000))]

    /// However far the run within came: the outer one is cancelled, out of time, not kept any more, abandoned, or
    /// the call ends by itself.
    #[test]
    fn wherever_it_is_broken_off_both_runs_end(
        start in starts(), tape in tapes(), cut in any::<prop::sample::Index>(), how in 0..5,
    ) {
        let log = played(&start, tape);
        let cut = 1 + cut.index(log.len());
        let mut desk = desk();
        for event in log.iter().take(cut) {
            let events = desk.run.nested(&id(), vec![event.clone()], AT).unwrap();
            desk.log.extend(events);
        }
        let has_ended = desk.run.nested_run(&id()).unwrap().is_ended();
        let events = match how {
            0 => desk.run.cancelled(AT).unwrap(),
            1 => desk.run.out_of_time(AT).unwrap(),
            2 => desk.run.persist_failed(JournalError::new(JournalErrorKind::Full, "full"), AT),
            3 => desk.run.abandoned(AT).unwrap(),
            _ => {
                let outcome = Outcome::new(Status::Failed, "It broke.");
                desk.run.tool_settled(&id(), outcome, None, Default::default(), AT).unwrap()
            }
        };
        desk.log.extend(events);
        check(&desk);
        let inner = Run::replay(Conversation::new(), &within(&desk.log)).unwrap();
        if let (Step::Done(Err(failure)), false) = (inner.step(), has_ended) {
            match how {
                0 => prop_assert_eq!(failure.kind, FailureKind::Cancelled),
                1 => prop_assert_eq!(failure.kind, FailureKind::Limit(Limit::WallClock)),
                _ => {}
            }
        }
        if how < 4 {
            // What the one used, the other used, too.
            prop_assert_eq!(used(&desk.run), used(&inner));
        }
    }

    /// A process that dies leaves the run within as far as it was kept; the next one goes on with it.
    #[test]
    fn wherever_a_process_dies_the_next_goes_on(
        start in starts(), tape in tapes(), cut in any::<prop::sample::Index>(),
    ) {
        let log = played(&start, tape);
        // Pieces are not kept.
        let log: Vec<_> = log.into_iter().filter(|it| !it.kind.is_provisional()).collect();
        let cut = 1 + cut.index(log.len());
        let mut desk = desk();
        let events = desk.run.nested(&id(), log[..cut].to_vec(), AT).unwrap();
        desk.log.extend(events);
        let mut run = Run::replay(Conversation::new(), &desk.log).unwrap();
        desk.log.extend(run.recover(AT).unwrap());
        let Step::RunTools(calls) = run.step() else { panic!("{:?}", run.step()) };
        prop_assert_eq!(&calls[0].id, &id());
        desk.log.extend(run.tool_started(&id(), AT).unwrap());
        // It is the very run that was left, and recovers as any does.
        let mut child = run.nested_run(&id()).unwrap().clone();
        prop_assert_eq!(&child, &Run::replay(Conversation::new(), &log[..cut]).unwrap());
        let events = child.recover(AT).unwrap_or_default();
        if !events.is_empty() {
            desk.log.extend(run.nested(&id(), events, AT).unwrap());
        }
        prop_assert_eq!(run.nested_run(&id()).unwrap(), &child);
        desk.log.extend(run.abandoned(AT).unwrap());
        desk.run = run;
        check(&desk);
    }

    /// What was not written here allows nothing in a run within, either.
    #[test]
    fn a_foreign_log_lets_nothing_run(start in starts(), tape in tapes()) {
        let log = played(&start, tape);
        let mut desk = desk();
        let events = desk.run.nested(&id(), log, AT).unwrap();
        desk.log.extend(events);
        let foreign = desk.log.iter().map(|event| (event, Authenticity::Foreign));
        let mut run = Run::replay_mixed(Conversation::new(), foreign).unwrap();
        run.recover(AT).unwrap();
        // The call was only ever checked elsewhere: it is not taken up again, and nothing in it is.
        prop_assert!(run.open_calls().next().is_none());
    }
}

#[test]
fn events_that_are_not_the_next_are_not_taken() {
    let start = Start {
        limits: Limits::default(),
        first_choice: Default::default(),
        has_history: false,
        review: Default::default(),
        judge: false,
        mode: Default::default(),
        has_form: false,
    };
    let log = played(&start, Vec::new());
    let mut desk = desk();
    let before = desk.run.clone();
    for wrong in [vec![log[1].clone()], vec![log[0].clone(), log[0].clone()]] {
        let refused = desk.run.nested(&id(), wrong, AT);
        assert!(matches!(refused, Err(RunError::BadLog(_))), "{refused:?}");
    }
    let refused = desk.run.nested(&"2".into(), log.clone(), AT);
    assert_eq!(refused, Err(RunError::NoSuchCall("2".into())));
    assert_eq!(desk.run, before);
    desk.run.nested(&id(), log.clone(), AT).unwrap();
    assert_eq!(desk.run.nested(&id(), log, AT), Err(RunError::Ended));
}

#[test]
fn what_is_left_of_the_limits_is_for_the_run_within() {
    let limits = Limits { calls: 5, tokens: Some(100), ..Limits::default() };
    let mut desk = Desk::with(
        toolwright_core::RunConfig { limits, ..setup("Do it.") },
        vec![spec("ask", ToolEffect::Idempotent).agent()],
    );
    let mut reply = ModelResponse::calls([Call::new("1", "ask", "{}")]);
    (reply.usage.prompt_tokens, reply.usage.completion_tokens) = (30, 10);
    desk.reply(reply);
    desk.start(&id());
    let left = desk.run.remaining();
    assert_eq!((left.calls, left.tokens), (4, Some(60)));
    let own = Limits { calls: 2, tokens: None, rounds: 9, ..Limits::default() };
    let bound = own.within(&left);
    assert_eq!((bound.rounds, bound.calls, bound.tokens), (9, 2, Some(60)));
    assert_eq!(desk.run.exhausted(), None);
}
