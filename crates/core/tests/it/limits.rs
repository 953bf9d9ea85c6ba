//! What bounds a run, and what the model may, must or must not call.

use toolwright_core::{
    Answer, Call, EventKind, Failure, FailureKind, FinishReason, Limit, Limits, ModelResponse,
    Outcome, Price, RunConfig, Status, Step, ToolChoice, ToolEffect, Usage,
};

use crate::desk::{Desk, Verdict, setup, spec};

fn desk(limits: Limits) -> Desk {
    Desk::with(RunConfig { limits, ..setup("Do it.") }, vec![spec("look", ToolEffect::ReadOnly)])
}

fn limits() -> Limits {
    Limits { rounds: 9, calls: 9, tokens: None, cost: None, wall_clock: None }
}

fn looks(count: usize) -> ModelResponse {
    ModelResponse::calls(
        (0..count).map(|number| Call::new("", "look", format!(r#"{{"n":{number}}}"#))),
    )
}

fn choice(desk: &Desk) -> ToolChoice {
    match desk.run.step() {
        Step::CallModel { choice } => choice,
        other => panic!("{other:?}"),
    }
}

fn failure(desk: &Desk) -> Failure {
    match desk.run.step() {
        Step::Done(Err(failure)) => *failure,
        other => panic!("{other:?}"),
    }
}

fn reached(events: &[EventKind]) -> Vec<(Limit, &str)> {
    let limits = events.iter().filter_map(|kind| match kind {
        EventKind::LimitReached { limit, message } => Some((*limit, &**message)),
        _ => None,
    });
    limits.collect()
}

#[test]
fn rounds_end_in_a_request_for_an_answer() {
    let mut desk = desk(Limits { rounds: 1, ..limits() });
    assert_eq!(choice(&desk), ToolChoice::Auto);
    desk.reply(looks(1));
    desk.run_all(&Outcome::ok("seen"));
    assert_eq!(choice(&desk), ToolChoice::None);
    desk.reply(ModelResponse::text("Seen."));
    let kinds: Vec<_> = desk.log.iter().map(|event| event.kind.clone()).collect();
    let advice = "1 round of tool calls reached; raise `limits.rounds` (in toolwright.toml, or `Limits` in code)";
    assert_eq!(reached(&kinds), [(Limit::Rounds, advice)]);
    match desk.run.step() {
        Step::Done(Ok(answer)) => assert_eq!(answer.response, "Seen."),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_that_calls_when_it_must_answer_gets_no_other_chance() {
    let mut desk = desk(Limits { rounds: 0, ..limits() });
    let before = desk.log.len();
    desk.reply(looks(2));
    let told = "The call was not run: the limit of 0 rounds of tool calls is reached. Answer with what you have.";
    let refused = Verdict { status: Status::Refused, guard: None, text: told.into() };
    assert_eq!(desk.verdicts(before), [refused.clone(), refused]);
    let failure = failure(&desk);
    assert_eq!(failure.kind, FailureKind::Limit(Limit::Rounds));
    assert_eq!(
        failure.message,
        "the run reached its limit of 0 rounds of tool calls without an answer"
    );
    let advice = "raise `limits.rounds` (in toolwright.toml, or `Limits` in code)";
    assert_eq!(failure.advice.as_deref(), Some(advice));
}

#[test]
fn what_it_said_beside_the_calls_is_the_answer() {
    let mut desk = desk(Limits { rounds: 0, ..limits() });
    desk.reply(ModelResponse { text: "It is 5.".into(), ..looks(1) });
    match desk.run.step() {
        Step::Done(Ok(answer)) => {
            let Answer { response, finish_reason, tool_calls, tools_executed, .. } = *answer;
            assert_eq!((&*response, finish_reason), ("It is 5.", FinishReason::ToolCalls));
            assert_eq!((tool_calls.len(), tools_executed), (1, 0));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn calls_beyond_the_limit_are_refused_and_the_others_run() {
    let mut desk = desk(Limits { calls: 3, ..limits() });
    desk.reply(looks(2));
    desk.run_all(&Outcome::ok("seen"));
    let before = desk.log.len();
    let events = desk.reply(looks(3));
    assert_eq!(reached(&events).len(), 1);
    desk.run_all(&Outcome::ok("seen"));
    let told =
        "The call was not run: the limit of 3 tool calls is reached. Answer with what you have.";
    let refused = Verdict { status: Status::Refused, guard: None, text: told.into() };
    assert_eq!(desk.verdicts(before), [refused.clone(), refused, Verdict::ran("seen")]);
    assert_eq!(choice(&desk), ToolChoice::None);
}

#[test]
fn tokens_stop_calls_but_not_an_answer() {
    let usage = Usage { prompt_tokens: 90, completion_tokens: 20, ..Usage::default() };
    let mut answered = desk(Limits { tokens: Some(100), ..limits() });
    answered.reply(ModelResponse { usage, ..ModelResponse::text("Here.") });
    assert!(matches!(answered.run.step(), Step::Done(Ok(answer)) if answer.usage == usage));
    let mut calling = desk(Limits { tokens: Some(100), ..limits() });
    calling.reply(ModelResponse { usage, ..looks(1) });
    let failure = failure(&calling);
    assert_eq!(failure.kind, FailureKind::Limit(Limit::Tokens));
    assert_eq!(failure.message, "the run reached its limit of 100 tokens without an answer");
    let mut within = desk(Limits { tokens: Some(110), ..limits() });
    within.reply(ModelResponse { usage, ..looks(1) });
    assert!(matches!(within.run.step(), Step::RunTools(calls) if calls.len() == 1));
}

#[test]
fn only_the_first_round_is_made_to_call() {
    let setup = RunConfig { first_choice: ToolChoice::Required, ..setup("Do it.") };
    let mut desk = Desk::with(setup, vec![spec("look", ToolEffect::ReadOnly)]);
    assert_eq!(choice(&desk), ToolChoice::Required);
    desk.reply(looks(1));
    desk.run_all(&Outcome::ok("seen"));
    assert_eq!(choice(&desk), ToolChoice::Auto);
}

#[test]
fn calls_without_a_name_are_left_out() {
    let mut desk = desk(limits());
    let events = desk.reply(ModelResponse {
        text: "Hm.".into(),
        ..ModelResponse::calls([Call::new("a", " ", "{}")])
    });
    let message = "the model called a tool without naming one; ignored".to_owned();
    assert_eq!(events[0], EventKind::Notice { message, id: None });
    assert!(matches!(desk.run.step(), Step::Done(Ok(answer)) if answer.response == "Hm."));
}

/// A provider that reports nothing, or only a half, runs into the same limits.
#[test]
fn what_no_provider_reports_is_estimated() {
    let reported = [
        Usage::default(),
        Usage { completion_tokens: 1, ..Usage::default() },
        Usage { prompt_tokens: 1, ..Usage::default() },
    ];
    for usage in reported {
        let price = Some(Price::new(1.0, 1.0));
        for limits in
            [Limits { tokens: Some(500), ..limits() }, Limits { cost: Some(500), ..limits() }]
        {
            let question = "word ".repeat(800);
            let setup = RunConfig { limits, price, ..setup(&question) };
            let mut desk = Desk::with(setup, vec![spec("look", ToolEffect::ReadOnly)]);
            let text = "word ".repeat(800);
            desk.reply(ModelResponse { usage, text, ..looks(1) });
            let kinds: Vec<_> = desk.log.iter().map(|event| event.kind.clone()).collect();
            let limit = if limits.tokens.is_some() { Limit::Tokens } else { Limit::Cost };
            assert_eq!(reached(&kinds).iter().map(|it| it.0).collect::<Vec<_>>(), [limit]);
            // What is told of the use is what was reported. The words before the call are the answer.
            match desk.run.step() {
                Step::Done(Ok(answer)) => assert_eq!(answer.usage, usage),
                other => panic!("{other:?}"),
            }
        }
    }
}
