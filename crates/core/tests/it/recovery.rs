//! Going on from a log that was cut short, one situation at a time.

use std::time::Duration;

use serde_json::json;
use toolwright_core::{
    Call, CallId, CallPreview, Conversation, Decision, Event, EventKind, FailureKind, Fingerprint,
    Limit, Message, ModelDelta, ModelResponse, Outcome, Run, RunError, Status, Step, Timestamp,
    ToolEffect,
};

use crate::desk::{Desk, setup, spec};

fn desk() -> Desk {
    let tools = vec![
        spec("look", ToolEffect::ReadOnly),
        spec("put", ToolEffect::Idempotent),
        spec("write", ToolEffect::Write),
        spec("drop", ToolEffect::Destructive),
    ];
    Desk::new("Do it.", tools)
}

/// The desk as another process finds it, and what that one does first.
fn recovered(desk: &Desk, upto: usize) -> (Desk, Vec<EventKind>) {
    let log = desk.log[..upto].to_vec();
    let stored = serde_json::to_string(&log).unwrap();
    let log: Vec<Event> = serde_json::from_str(&stored).unwrap();
    let mut run = Run::replay(Conversation::new(), &log).unwrap();
    let events = run.recover(Timestamp(9)).unwrap();
    let kinds = events.iter().map(|event| event.kind.clone()).collect();
    let mut copy = self::desk();
    copy.log = log.into_iter().chain(events).collect();
    copy.run = run;
    (copy, kinds)
}

fn ready(desk: &Desk) -> Vec<CallId> {
    match desk.run.step() {
        Step::RunTools(calls) => calls.into_iter().map(|call| call.id).collect(),
        other => panic!("{other:?}"),
    }
}

fn place(desk: &Desk, of: impl Fn(&EventKind) -> bool) -> usize {
    desk.log.iter().position(|event| of(&event.kind)).unwrap()
}

fn finished(id: &str, tool: &str, outcome: Outcome) -> EventKind {
    EventKind::CallFinished {
        id: id.into(),
        tool: tool.into(),
        status: outcome.status,
        message: Message::tool(id, tool, outcome).into(),
        elapsed_ms: 0.0,
        guard: None,
    }
}

#[test]
fn what_may_have_had_an_effect_is_not_started_again() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([
        Call::new("a", "write", "{}"),
        Call::new("b", "write", r#"{"x":1}"#),
    ]));
    desk.start(&"a".into());
    let (mut desk, events) = recovered(&desk, desk.log.len());
    assert_eq!(events, [finished("a", "write", Outcome::interrupted())]);
    assert_eq!(ready(&desk), [CallId::from("b")]);
    desk.run_all(&Outcome::ok("written"));
    let statuses: Vec<_> = desk.run.conversation().results().map(|it| it.outcome.status).collect();
    assert_eq!(statuses, [Status::Interrupted, Status::Ok]);
}

#[test]
fn what_can_be_repeated_is_started_again() {
    for tool in ["look", "put"] {
        let mut desk = desk();
        desk.reply(ModelResponse::calls([Call::new("a", tool, r#"{"x":1}"#)]));
        desk.start(&"a".into());
        let (mut desk, events) = recovered(&desk, desk.log.len());
        assert!(matches!(&*events, [EventKind::CallChecked { id, .. }] if id.as_str() == "a"));
        desk.run_all(&Outcome::ok("seen"));
        assert_eq!(desk.run.conversation().messages().last().unwrap().content(), "seen");
    }
}

#[test]
fn a_decision_that_was_not_asked_for_yet_is_still_needed() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([Call::new("a", "drop", "{}")]));
    let asked = place(&desk, |kind| matches!(kind, EventKind::DecisionNeeded { .. }));
    for upto in [asked, asked + 1] {
        let (mut desk, events) = recovered(&desk, upto);
        assert_eq!(events, [EventKind::DecisionNeeded { calls: vec!["a".into()] }]);
        assert!(matches!(desk.run.step(), Step::AwaitDecision(calls) if calls.len() == 1));
        let early = desk.run.tool_started(&"a".into(), Timestamp(10));
        assert_eq!(early, Err(RunError::NoSuchCall("a".into())));
        let denied = Decision::Deny { reason: Some("too late".into()) };
        let about = Fingerprint::of("drop", &json!({}), &CallPreview::default());
        desk.decide("a", &about, denied).unwrap();
        let told = desk.run.conversation().messages().last().unwrap().clone();
        let outcome = Outcome::new(Status::Denied, "The call of drop was denied: too late");
        assert_eq!(*told, Message::tool("a", "drop", outcome));
    }
}

#[test]
fn a_decision_that_was_made_is_not_asked_for_again() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([Call::new("a", "drop", "{}")]));
    let about = Fingerprint::of("drop", &json!({}), &CallPreview::default());
    desk.decide("a", &about, Decision::Allow).unwrap();
    let (desk, events) = recovered(&desk, desk.log.len());
    assert_eq!((events, ready(&desk)), (vec![], vec![CallId::from("a")]));
}

#[test]
fn calls_nobody_looked_at_are_interrupted() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([
        Call::new("a", "look", "{}"),
        Call::new("b", "write", "oops"),
    ]));
    let replied = place(&desk, |kind| matches!(kind, EventKind::Reply { .. }));
    for upto in [replied + 1, replied + 2] {
        let (desk, events) = recovered(&desk, upto);
        assert_eq!(
            events[events.len() - 2..],
            [
                finished("a", "look", Outcome::interrupted()),
                finished("b", "write", Outcome::interrupted())
            ]
        );
        assert!(matches!(desk.run.step(), Step::CallModel { .. }));
        assert_eq!(desk.run.conversation().results().count(), 2);
    }
}

#[test]
fn an_answer_whose_end_was_not_written_is_the_answer() {
    let mut desk = desk();
    desk.reply(ModelResponse::text("Done it."));
    let (after, events) = recovered(&desk, desk.log.len() - 1);
    assert_eq!(events.last(), desk.log.last().map(|event| &event.kind));
    assert_eq!(after.run.step(), desk.run.step());
}

#[test]
fn an_answer_that_was_sent_back_is_told_why() {
    let mut desk = desk();
    desk.reply(ModelResponse::text("It costs [Current Price]."));
    let returned = place(&desk, |kind| matches!(kind, EventKind::AnswerRejected { .. }));
    let (after, events) = recovered(&desk, returned + 1);
    assert_eq!(events.last(), desk.log.last().map(|event| &event.kind));
    assert_eq!(after.run.conversation(), desk.run.conversation());
    let (_, nothing) = recovered(&desk, desk.log.len());
    assert_eq!(nothing, []);
}

#[test]
fn a_limit_is_reached_once_whoever_dies_in_between() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([Call::new("a", "look", "{}")]));
    desk.log.extend(desk.run.out_of_time(Timestamp(5)).unwrap());
    let limit = |kind: &EventKind| matches!(kind, EventKind::LimitReached { .. });
    let reached = place(&desk, limit);
    let (mut desk, _) = recovered(&desk, reached + 1);
    desk.log.extend(desk.run.out_of_time(Timestamp(10)).unwrap());
    assert_eq!(desk.log.iter().filter(|event| limit(&event.kind)).count(), 1);
    match desk.run.step() {
        Step::Done(Err(failure)) => {
            assert_eq!(failure.kind, FailureKind::Limit(Limit::WallClock));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_call_that_is_stopped_tells_how_long_it_ran() {
    let mut desk = desk();
    desk.reply(ModelResponse::calls([Call::new("a", "look", "{}"), Call::new("b", "look", "{}")]));
    desk.log.extend(desk.run.tool_started(&"a".into(), Timestamp(1_000)).unwrap());
    let ended = desk.run.cancelled(Timestamp(3_500)).unwrap();
    let took = |wanted: &str| {
        ended.iter().find_map(|event| match &event.kind {
            EventKind::CallFinished { id, elapsed_ms, .. } if id.as_str() == wanted => {
                Some(*elapsed_ms)
            }
            _ => None,
        })
    };
    assert_eq!((took("a"), took("b")), (Some(2_500.0), Some(0.0)));
}

#[test]
fn a_piece_that_comes_too_late_is_no_event() {
    let mut desk = desk();
    desk.run.model_called(Timestamp(1)).unwrap();
    let piece = |desk: &mut Desk| desk.run.model_part(ModelDelta::Text("He".into()), Timestamp(2));
    assert!(piece(&mut desk).is_some());
    desk.run.cancelled(Timestamp(3)).unwrap();
    let before = desk.run.clone();
    assert_eq!((piece(&mut desk), &desk.run), (None, &before));
    match desk.run.step() {
        Step::Done(Err(failure)) => {
            assert_eq!((failure.kind, &*failure.response), (FailureKind::Cancelled, "He"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_dead_process_had_heard_is_forgotten() {
    let mut desk = desk();
    let heard = |desk: &mut Desk, text: &str| {
        desk.log.extend(desk.run.model_called(Timestamp(1)).unwrap());
        desk.log.extend(desk.run.model_part(ModelDelta::Text(text.into()), Timestamp(2)));
    };
    heard(&mut desk, "I was");
    let (mut desk, _) = recovered(&desk, desk.log.len());
    heard(&mut desk, "I am");
    desk.run.cancelled(Timestamp(3)).unwrap();
    match desk.run.step() {
        Step::Done(Err(failure)) => assert_eq!(failure.response, "I am"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn white_space_is_nothing() {
    let mut desk = desk();
    desk.reply(ModelResponse::text(" \n"));
    desk.reply(ModelResponse::text("\t"));
    assert_eq!(desk.run.conversation().len(), 1);
    assert!(!desk.run.is_ended());
    let events = desk.reply(ModelResponse::text(""));
    match &events[..] {
        [EventKind::Reply { .. }, EventKind::Error(failure)] => {
            assert_eq!(failure.kind, FailureKind::EmptyReplies);
            assert_eq!(failure.message, "the model replied with nothing, three times");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn numbers_and_nothing_are_stored_as_they_are() {
    let mut desk = desk();
    let arguments =
        r#"{"x":[0.30000000000000004,1e300,2.2250738585072011e-308,18446744073709551615]}"#;
    desk.reply(ModelResponse::calls([Call::new("a", "look", arguments)]));
    desk.start(&"a".into());
    let outcome = Outcome::ok("none").with_data(serde_json::Value::Null);
    let elapsed = Duration::from_nanos(139_999);
    desk.log
        .extend(desk.run.tool_settled(&"a".into(), outcome, None, elapsed, Timestamp(4)).unwrap());
    let stored = serde_json::to_string(&desk.log).unwrap();
    let log: Vec<Event> = serde_json::from_str(&stored).unwrap();
    assert_eq!(log, desk.log);
    assert_eq!(Run::replay(Conversation::new(), &log), Ok(desk.run));
}

#[test]
fn what_is_no_log_is_turned_down() {
    let (_, log) = Run::start(setup("Do it."), Timestamp(0));
    let bad = |log: &[Event]| Run::replay(Conversation::new(), log).unwrap_err().to_string();
    assert_eq!(bad(&[]), "the log is not a run's: it is empty");
    assert_eq!(bad(&log[1..]), "the log is not a run's: it does not begin with run_started");
    let twice = [log[0].clone(), log[1].clone(), log[1].clone()];
    assert_eq!(bad(&twice), "the log is not a run's: event 1 of run stands where 2 of run belongs");
    let foreign = [log[0].clone(), Event { run: "other".into(), ..log[1].clone() }];
    assert_eq!(
        bad(&foreign),
        "the log is not a run's: event 1 of other stands where 1 of run belongs"
    );
}
