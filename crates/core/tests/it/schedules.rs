//! What a run promises, under random schedules of replies, failures, cancels and crashes.
//!
//! Seeds are fixed, so that a failure shows itself again; `PROPTEST_RNG_SEED` and `PROPTEST_CASES`
//! look elsewhere and longer. A failure prints the start and the tape that lead to it.

use std::collections::BTreeSet;

use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngSeed, TestRunner},
};
use toolwright_core::{
    Call, DisplayText, Event, EventKind, Failure, FailureKind, FinishReason, Limit, Message,
    ModelDelta, ModelResponse, QueueMode, QueuedMessage, ResultMode, ReviewMode, Run, Step,
};

use crate::{
    audit::Seen,
    world::{Start, Tape, World, starts, tapes},
};

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
    #![proptest_config(config(24_000))]

    /// Promises 1, 3 and 4, and that the log and the run never disagree; checked after every report.
    #[test]
    fn whatever_happens_every_promise_is_kept(start in starts(), tape in tapes()) {
        let mut world = World::new(&start);
        world.play(&mut Tape::new(tape));
        world.check_end();
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Promise 2: wherever a log is cut, the run goes on from there and ends.
    #[test]
    fn every_prefix_of_a_log_is_a_run_that_goes_on(start in starts(), tape in tapes()) {
        let mut world = World::new(&start);
        world.play(&mut Tape::new(tape.clone()));
        for at in 1..world.log.len() {
            let mut polite = world.cut(at);
            polite.recover();
            let mut hungry = polite.clone();
            polite.play_politely();
            polite.check_end();
            hungry.play_hungrily(&mut Tape::new(tape.clone()), "");
            hungry.check_end();
        }
    }
}

proptest! {
    #![proptest_config(config(3_000))]

    /// Promise 5: a model that only ever calls tools is stopped by a limit, which is named.
    #[test]
    fn a_model_that_never_stops_is_stopped(start in starts(), tape in tapes(), talks in any::<bool>()) {
        let mut world = World::new(&start);
        let text = if talks { "One more." } else { "" };
        world.play_hungrily(&mut Tape::new(tape), text);
        world.check_end();
        // One more to answer in, and another where that does not have its form.
        let more = if start.has_form { 2 } else { 1 };
        prop_assert!(world.audit.rounds() <= start.limits.rounds + more);
        if start.mode == ResultMode::SingleShot {
            // It is not stopped: it is not asked again.
            prop_assert_eq!(world.audit.rounds(), 1);
            return Ok(());
        }
        let (limit, advice) = match world.run.step() {
            Step::Done(Ok(answer)) => {
                prop_assert_eq!(answer.response, "One more.");
                prop_assert_eq!(answer.finish_reason, FinishReason::ToolCalls);
                return Ok(());
            }
            Step::Done(Err(failure)) => match *failure {
                Failure { kind: FailureKind::Limit(limit), advice, .. } => (limit, advice),
                Failure { kind: FailureKind::Output, .. } if start.has_form => return Ok(()),
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            },
            other => return Err(TestCaseError::fail(format!("{other:?}"))),
        };
        prop_assert!(!talks || start.has_form);
        prop_assert!(world.audit.reached(limit));
        let advice = advice.unwrap_or_default();
        let named = format!("limits.{limit}");
        prop_assert!(advice.contains(&named), "{} does not name {}", advice, named);
        prop_assert_ne!(limit, Limit::WallClock);
    }

    /// Promise 6: how a reply was cut into pieces makes no difference.
    #[test]
    fn pieces_make_no_difference(start in starts(), tape in tapes(), size in 1_usize..9) {
        let mut world = World::new(&start);
        world.play(&mut Tape::new(tape));
        let (whole, cut) = (again(&world, None), again(&world, Some(size)));
        prop_assert_eq!(whole.run.conversation(), cut.run.conversation());
        prop_assert_eq!(whole.run.step(), cut.run.step());
        let committed = |world: &World| -> Vec<EventKind> {
            let kinds = world.log.iter().map(|event| event.kind.clone());
            kinds.filter(|kind| !is_delta(kind)).collect()
        };
        prop_assert_eq!(committed(&whole), committed(&cut));
        // What comes before an answer that has a form is held back.
        if !start.has_form {
            prop_assert_eq!(cut.log.len() > whole.log.len(), said(&world, &start));
        }
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    /// Where an answer may be rejected, none that was is shown, and the one that was not is shown once:
    /// to whoever listens from the beginning, and to whoever is told what was kept before a crash.
    #[test]
    fn nobody_is_shown_what_was_rejected(start in starts(), tape in tapes(), cut in any::<prop::sample::Index>()) {
        let mut world = World::new(&start);
        world.play(&mut Tape::new(tape.clone()));
        shows_one_answer(&world.log, &start);
        let mut again = world.cut(1 + cut.index(world.log.len() - 1));
        // Pieces are not kept.
        again.log.retain(|event| !is_delta(&event.kind));
        again.recover();
        again.play_politely();
        shows_one_answer(&again.log, &start);
    }
}

fn shows_one_answer(log: &[Event], start: &Start) {
    if !matches!(start.review, ReviewMode::Enforce | ReviewMode::Replace)
        || start.mode != ResultMode::Loop
    {
        return;
    }
    let (mut shown, mut round) = (DisplayText::new(), String::new());
    for event in log {
        if let EventKind::RoundStarted { .. } = event.kind {
            round.clear();
        }
        let before = round.clone();
        round.extend(shown.add(event));
        match &event.kind {
            EventKind::Reviewed { verdict, .. } if !verdict.accepts() => {
                assert_eq!(before, "", "a rejected answer was shown");
            }
            EventKind::AnswerRejected { .. } => {
                assert_eq!(before, "", "it was shown, and returned");
            }
            EventKind::Done(answer) => assert_eq!(round, answer.response, "not what is shown"),
            _ => {}
        }
    }
}

/// A property that is never put to the test is no promise: schedules do lead everywhere.
#[test]
fn schedules_lead_everywhere() {
    let mut runner = TestRunner::new(config(0));
    let mut seen = BTreeSet::new();
    for _ in 0..6_000 {
        let case = (starts(), tapes()).new_tree(&mut runner).unwrap();
        let (start, tape) = case.current();
        let mut world = World::new(&start);
        world.play(&mut Tape::new(tape));
        seen.extend(world.log.iter().map(|event| label(&event.kind)));
        let gone_on = |pair: &[Event]| is_answer(&pair[0].kind) && is_steer(&pair[1].kind);
        let gone_on = world.log.windows(2).any(gone_on);
        seen.extend(gone_on.then(|| "message behind an answer".to_owned()));
        let has = |is_it: fn(&Seen) -> bool| world.audit.calls.iter().any(is_it);
        for (label, is_seen) in [
            ("started again", has(|call| call.starts > 1)),
            ("changed and run", has(|call| call.edited && call.starts > 0)),
            ("changed and denied", has(|call| call.edited && call.starts == 0)),
            ("asked twice", has(|call| call.asked > 1)),
            ("ended with a question open", left_open(&world.log)),
        ] {
            seen.extend(is_seen.then(|| label.to_owned()));
        }
    }
    let expected = [
        "answer_rejected",
        "call_checked",
        "call_delta",
        "call_finished after",
        "call_finished cancelled",
        "call_finished denied",
        "call_finished duplicate",
        "call_finished error",
        "call_finished grounded",
        "call_finished interrupted",
        "call_finished placeholders",
        "call_finished refused",
        "call_finished success",
        "call_finished timeout",
        "call_progress",
        "call_started",
        "compacted",
        "content",
        "decided allow",
        "decided allow_reviewed",
        "decided deny",
        "decided edit",
        "decision_needed",
        "done",
        "error cancelled",
        "error content_filter",
        "error empty_replies",
        "error interrupted",
        "error limit",
        "error model",
        "error output",
        "error refused",
        "error truncated",
        "error storage",
        "policy_applied",
        "question_answered accept",
        "question_answered cancel",
        "question_answered decline",
        "question_asked",
        "limit_reached calls",
        "limit_reached rounds",
        "limit_reached tokens",
        "limit_reached wall_clock",
        "message",
        "message assistant",
        "message behind an answer",
        "message that steers",
        "model_fallback",
        "model_retry",
        "notice",
        "output_requested",
        "notice about a call",
        "call_preview",
        "reasoning",
        "reply",
        "reviewed not_supported",
        "reviewed nothing_to_check",
        "reviewed passed",
        "reviewed replaced",
        "reviewed returned",
        "reviewed withheld",
        "round_started",
        "run_started",
        "tool_calls",
        "full_result",
        "started again",
        "changed and run",
        "changed and denied",
        "asked twice",
        "ended with a question open",
    ];
    assert_eq!(seen, expected.map(str::to_owned).into());
}

/// Whether some call got its result while it waited for the user.
fn left_open(log: &[Event]) -> bool {
    let (mut open, mut left) = (BTreeSet::new(), false);
    for event in log {
        match &event.kind {
            EventKind::QuestionAsked { id, .. } => drop(open.insert(id.clone())),
            EventKind::QuestionAnswered { id, .. } => drop(open.remove(id)),
            EventKind::CallFinished { id, .. } => left |= open.contains(id),
            _ => {}
        }
    }
    left
}

fn is_steer(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Message { queued: Some(_), .. })
}

fn is_answer(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Reply { message, .. } if message.calls().is_empty())
}

/// The kind of an event, and what else tells one from another.
fn label(kind: &EventKind) -> String {
    let stored = serde_json::to_value(kind).unwrap();
    if stored["message"]["role"] == "assistant" && stored["type"] == "message" {
        return "message assistant".into();
    }
    if is_steer(kind) {
        return "message that steers".into();
    }
    if let EventKind::Notice { id: Some(_), .. } = kind {
        return "notice about a call".into();
    }
    if let EventKind::DecisionMade { .. } = kind {
        return format!("decided {}", stored["decision"]["verdict"].as_str().unwrap());
    }
    if let EventKind::QuestionAnswered { answer, .. } = kind {
        return format!("question_answered {}", answer.action());
    }
    let detail = match kind {
        EventKind::CallFinished { guard: Some(_), .. } => Some("guard"),
        EventKind::CallFinished { .. } => Some("status"),
        EventKind::LimitReached { .. } => Some("limit"),
        EventKind::Error(_) => Some("kind"),
        EventKind::Reviewed { .. } => Some("verdict"),
        _ => None,
    };
    match detail {
        Some(detail) => format!("{} {}", stored["type"], stored[detail]).replace('"', ""),
        None => stored["type"].to_string().replace('"', ""),
    }
}

/// The replies of a world's log once more, each in pieces of `size` or whole, to a run that has
/// tools that all succeed.
fn again(world: &World, size: Option<usize>) -> World {
    let replies = world.log.iter().enumerate().filter_map(|(at, event)| match &event.kind {
        EventKind::Reply { message, finish, usage } => {
            let reply = ModelResponse {
                text: message.content().to_owned(),
                calls: message.calls().to_vec(),
                finish: *finish,
                usage: *usage,
                ..ModelResponse::default()
            };
            Some((reply, said_behind(&world.log[at + 1..])))
        }
        _ => None,
    });
    let mut copy = world.cut(world.opening);
    for (reply, waiting) in replies {
        while !matches!(copy.run.step(), Step::CallModel { .. } | Step::Done(_)) {
            copy.advance(&mut Tape::new(Vec::new()));
        }
        if copy.run.is_ended() {
            break;
        }
        copy.report(Run::model_called);
        for part in size.into_iter().flat_map(|size| pieces(&reply, size)) {
            copy.report(|run, at| Ok(run.model_part(part, at).into_iter().collect()));
        }
        copy.gated_while(reply, waiting);
    }
    if !copy.run.is_ended() {
        copy.play_politely();
    }
    copy
}

/// What the user had said when the reply came that these events stand behind.
fn said_behind(events: &[Event]) -> Vec<QueuedMessage> {
    let said = events.iter().map_while(|event| match &event.kind {
        EventKind::Message { message, queued: Some(id) } => match &**message {
            Message::User(said) => Some((event.at, id.clone(), said.clone())),
            _ => None,
        },
        _ => None,
    });
    let queued =
        said.map(|(at, id, message)| QueuedMessage { id, mode: QueueMode::Steer, at, message });
    queued.collect()
}

fn pieces(reply: &ModelResponse, size: usize) -> Vec<ModelDelta> {
    let cut = |text: &str| -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        chars.chunks(size).map(|piece| piece.iter().collect()).collect()
    };
    let mut parts: Vec<ModelDelta> = cut(&reply.text).into_iter().map(ModelDelta::Text).collect();
    for (index, Call { name, arguments, .. }) in reply.calls.iter().enumerate() {
        parts.push(ModelDelta::CallName { index, name: name.clone() });
        let json = cut(arguments).into_iter();
        parts.extend(json.map(|json| ModelDelta::CallArguments { index, json }));
    }
    parts
}

fn is_delta(kind: &EventKind) -> bool {
    use EventKind::{CallDelta, Content, Reasoning};
    matches!(kind, Content { .. } | Reasoning { .. } | CallDelta { .. })
}

/// Whether any reply had something in it that could be cut, and is shown before it is whole.
fn said(world: &World, start: &Start) -> bool {
    let held = matches!(start.review, ReviewMode::Enforce | ReviewMode::Replace);
    let held = held && start.mode == ResultMode::Loop;
    world.log.iter().any(|event| match &event.kind {
        EventKind::Reply { message, .. } => {
            (!held && !message.content().is_empty()) || !message.calls().is_empty()
        }
        _ => false,
    })
}
