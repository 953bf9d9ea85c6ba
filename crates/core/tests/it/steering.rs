//! What the user says to a run that goes on: where it is taken up, what it counts for, and what it does
//! not change.

use serde_json::json;
use toolwright_core::{
    Call, CallValidator, EventKind, Limits, Message, ModelResponse, Outcome, OutputSchema,
    QueueMode, QueuedMessage, ResultMode, ReviewMode, Run, RunConfig, RunError, Status, Step,
    Timestamp, ToolEffect, Usage, UserMessage, Verdict,
};
use toolwright_review::AnswerReviewer;

use crate::desk::{Desk, setup, spec};

fn queued(id: &str, text: &str) -> QueuedMessage {
    let (mode, at) = (QueueMode::Steer, Timestamp(9));
    QueuedMessage { id: id.into(), mode, at, message: UserMessage::new(text) }
}

fn steer(desk: &mut Desk, messages: &[(&str, &str)]) -> Result<usize, RunError> {
    let messages = messages.iter().map(|(id, text)| queued(id, text)).collect();
    let events = desk.run.steered(messages, Timestamp(9))?;
    desk.log.extend(events.clone());
    Ok(events.len())
}

/// The model replies, and this was said meanwhile.
fn reply_while(desk: &mut Desk, reply: ModelResponse, said: &[(&str, &str)]) -> Vec<EventKind> {
    let reviewer = AnswerReviewer::new();
    let gate = CallValidator::new(&desk.tools, &desk.guards).reviewer(&reviewer);
    desk.log.extend(desk.run.model_called(Timestamp(1)).expect("it waits for the model"));
    let waiting = said.iter().map(|(id, text)| queued(id, text)).collect();
    let events = desk.run.model_replied_while(reply, waiting, &gate, Timestamp(2));
    let events = events.expect("it was asked");
    desk.log.extend(events.clone());
    events.into_iter().map(|event| event.kind).collect()
}

fn said(run: &Run) -> Vec<(&'static str, &str)> {
    run.conversation().messages().iter().map(|it| (it.role(), it.content())).collect()
}

#[test]
fn it_is_taken_up_where_every_call_has_its_result() {
    let mut desk = Desk::new("Look.", vec![spec("look", ToolEffect::ReadOnly)]);
    let calls = [Call::new("a", "look", "{}"), Call::new("b", "look", r#"{"n":2}"#)];
    desk.reply(ModelResponse::calls(calls));
    assert!(!desk.run.takes_messages());
    assert_eq!(steer(&mut desk, &[("m1", "And there.")]), Err(RunError::NotAsking));
    desk.start(&"a".into());
    desk.settle(&"a".into(), Outcome::ok("here"));
    assert!(!desk.run.takes_messages(), "one call has none yet");
    desk.run_all(&Outcome::ok("there"));
    assert_eq!(steer(&mut desk, &[("m1", "And there."), ("m2", "Be brief.")]), Ok(2));
    // Whoever tells it twice does not make it say so twice.
    assert_eq!(steer(&mut desk, &[("m1", "And there.")]), Ok(0));
    let wanted =
        [("tool", "here"), ("tool", "there"), ("user", "And there."), ("user", "Be brief.")];
    assert_eq!(said(&desk.run)[2..], wanted);
    desk.reply(ModelResponse::text("Seen."));
    assert_eq!(steer(&mut desk, &[("m3", "Too late.")]), Err(RunError::Ended));
    let again = Run::replay(setup("").history, &desk.log).expect("a log");
    assert_eq!(again, desk.run);
    assert!(again.has_taken_up(&"m2".into()) && !again.has_taken_up(&"m3".into()));
}

#[test]
fn behind_an_answer_the_run_goes_on_with_it() {
    let mut desk = Desk::new("Greet.", Vec::new());
    let events = reply_while(&mut desk, ModelResponse::text("Hello."), &[("m1", "In French.")]);
    assert!(matches!(
        &events[..],
        [EventKind::Reply { .. }, EventKind::Message { queued: Some(_), .. }]
    ));
    assert!(matches!(desk.run.step(), Step::CallModel { .. }));
    desk.reply(ModelResponse::text("Bonjour."));
    let Step::Done(Ok(answer)) = desk.run.step() else { panic!("{:?}", desk.run.step()) };
    assert_eq!(answer.response, "Bonjour.");
    let wanted = [
        ("user", "Greet."),
        ("assistant", "Hello."),
        ("user", "In French."),
        ("assistant", "Bonjour."),
    ];
    assert_eq!(said(&desk.run), wanted);
    let steering: Vec<_> = desk
        .run
        .conversation()
        .messages()
        .iter()
        .map(|it| (it.is_question(), it.is_steering()))
        .collect();
    assert_eq!(steering, [(true, false), (false, false), (false, true), (false, false)]);
}

#[test]
fn behind_calls_it_waits_for_their_results() {
    let mut desk = Desk::new("Look.", vec![spec("look", ToolEffect::ReadOnly)]);
    let call = ModelResponse::calls([Call::new("a", "look", "{}")]);
    reply_while(&mut desk, call, &[("m1", "And there.")]);
    assert!(!desk.run.has_taken_up(&"m1".into()));
    assert!(matches!(desk.run.step(), Step::RunTools(_)));
}

#[test]
fn limits_hold_whatever_is_said() {
    // The round to answer in is the last one.
    let limits = Limits { rounds: 1, ..Limits::default() };
    let mut desk = Desk::with(RunConfig { limits, ..setup("Go.") }, Vec::new());
    reply_while(&mut desk, ModelResponse::text("One."), &[("m1", "More.")]);
    assert!(!desk.run.is_ended());
    reply_while(&mut desk, ModelResponse::text("Two."), &[("m2", "More.")]);
    let Step::Done(Ok(answer)) = desk.run.step() else { panic!("{:?}", desk.run.step()) };
    assert_eq!(answer.response, "Two.");
    assert!(!desk.run.has_taken_up(&"m2".into()));
    // Nor is more spent than may be.
    let limits = Limits { tokens: Some(10), ..Limits::default() };
    let mut desk = Desk::with(RunConfig { limits, ..setup("Go.") }, Vec::new());
    let usage = Usage { prompt_tokens: 9, completion_tokens: 9, ..Usage::default() };
    let dear = ModelResponse { usage, ..ModelResponse::text("One.") };
    reply_while(&mut desk, dear, &[("m1", "More.")]);
    assert!(matches!(desk.run.step(), Step::Done(Ok(_))), "{:?}", desk.run.step());
    // Where the model is asked once, it is asked once.
    let single = RunConfig { mode: ResultMode::SingleShot, ..setup("Go.") };
    let mut desk = Desk::with(single, Vec::new());
    reply_while(&mut desk, ModelResponse::text("One."), &[("m1", "More.")]);
    assert!(matches!(desk.run.step(), Step::Done(Ok(_))));
}

#[test]
fn it_is_the_users_word() {
    let sell = || spec("sell", ToolEffect::Write).grounded("id");
    let mut desk = Desk::new("Sell it.", vec![sell()]);
    let refused = desk.call("sell", json!({"id": 4711}), Outcome::ok("sold"));
    assert_eq!((refused.status, refused.guard.as_deref()), (Status::Refused, Some("grounded")));
    assert_eq!(steer(&mut desk, &[("m1", "I mean 4711.")]), Ok(1));
    let sold = desk.call("sell", json!({"id": 4711}), Outcome::ok("sold"));
    assert_eq!(sold.status, Status::Ok, "{}", sold.text);
}

#[test]
fn an_answer_on_the_way_that_nothing_supports_is_not_shown() {
    for (mode, verdict) in [
        (ReviewMode::Warn, Verdict::NotSupported),
        (ReviewMode::Enforce, Verdict::Withheld),
        (ReviewMode::Replace, Verdict::Withheld),
    ] {
        let start = RunConfig { review: mode, ..setup("How is the weather?") };
        let mut desk = Desk::with(start, vec![spec("weather", ToolEffect::ReadOnly)]);
        desk.call("weather", json!({}), Outcome::ok(r#"{"degrees": 21}"#));
        let made_up = ModelResponse::text("It is 84213 degrees.");
        let events = reply_while(&mut desk, made_up, &[("m1", "In Paris.")]);
        let EventKind::Reviewed { verdict: found, .. } = &events[0] else { panic!("{events:?}") };
        assert_eq!(*found, verdict);
        let shown = |it: &EventKind| matches!(it, EventKind::Content { .. });
        assert!(!events.iter().any(shown));
        assert!(matches!(desk.run.step(), Step::CallModel { .. }));
    }
}

#[test]
fn once_the_answer_was_asked_for_in_its_form_it_comes_too_late() {
    let form = OutputSchema::new("form", json!({"type": "object"})).expect("a schema");
    let start = RunConfig { output: Some(form.into()), ..setup("Go.") };
    let mut desk = Desk::with(start, Vec::new());
    assert!(desk.run.takes_messages());
    // A draft is no answer yet.
    reply_while(&mut desk, ModelResponse::text("Well."), &[("m1", "More.")]);
    assert!(desk.run.has_taken_up(&"m1".into()));
    desk.reply(ModelResponse::text("Well, well."));
    assert!(matches!(desk.run.step(), Step::CallModel { .. }));
    assert_eq!(steer(&mut desk, &[("m2", "More.")]), Err(RunError::NotAsking));
}

#[test]
fn a_question_that_waited_is_named_by_the_run_that_asks_it() {
    let messages = vec![Message::system("Help."), Message::user("Next.")];
    let start = RunConfig { messages, queued: Some("m7".into()), ..setup("") };
    let desk = Desk::with(start, Vec::new());
    let named = desk.log.iter().map(|event| match &event.kind {
        EventKind::Message { queued, .. } => queued.clone(),
        _ => None,
    });
    assert_eq!(named.collect::<Vec<_>>(), [None, None, Some("m7".into())]);
    assert!(desk.run.has_taken_up(&"m7".into()));
    assert!(desk.run.conversation().messages()[1].is_question());
}

#[test]
fn a_digest_tells_the_question_and_what_was_said_to_it() {
    let mut desk = Desk::new("Look everywhere.", vec![spec("look", ToolEffect::ReadOnly)]);
    desk.call("look", json!({"n": 1}), Outcome::ok("a".repeat(400)));
    steer(&mut desk, &[("m1", "Not in the cellar.")]).expect("it takes messages");
    desk.call("look", json!({"n": 2}), Outcome::ok("b".repeat(400)));
    let digest = desk.run.conversation().digest(100).expect("something to gain");
    let told = digest.messages[0].content();
    let (_, now) = told.split_once("The question to answer now:").expect(told);
    assert!(now.contains("Look everywhere.") && now.contains("Not in the cellar."), "{told}");
}
