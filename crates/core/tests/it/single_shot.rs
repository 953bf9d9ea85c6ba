//! Single shot: the model is asked once, and the results of its calls are the answer.

use serde_json::{Value, json};
use toolwright_core::{
    Answer, Call, EventKind, Failure, FailureKind, FinishReason, Message, ModelResponse, Outcome,
    ResultFormat, ResultMode, ReviewMode, Run, RunConfig, Status, Step, Timestamp, ToolEffect,
    ToolSpec,
};

use crate::desk::{Desk, setup, spec};

fn desk() -> Desk {
    let parameters = json!({"type": "object", "properties": {"path": {}}, "required": ["path"]});
    let tools = vec![
        spec("look", ToolEffect::ReadOnly),
        spec("wipe", ToolEffect::Destructive),
        ToolSpec::new("show", "Shows a file.", parameters).effect(ToolEffect::ReadOnly),
    ];
    Desk::with(RunConfig { mode: ResultMode::SingleShot, ..setup("Look.") }, tools)
}

fn answer(desk: &Desk) -> Answer {
    match desk.run.step() {
        Step::Done(Ok(answer)) => *answer,
        other => panic!("no answer: {other:?}"),
    }
}

fn failure(desk: &Desk) -> Failure {
    match desk.run.step() {
        Step::Done(Err(failure)) => *failure,
        other => panic!("no failure: {other:?}"),
    }
}

/// What the answer says when a call of `look` ends like this.
fn told(outcome: Outcome) -> String {
    let mut desk = desk();
    desk.call("look", json!({"at": "sky"}), outcome);
    answer(&desk).response
}

#[test]
fn a_text_is_the_message_and_no_data() {
    assert_eq!(
        told(Outcome::ok("Blue.")),
        "Tool 'look' executed successfully:\nBlue.\n\nData: None"
    );
    // A number, or a word in quotes, is as good as a text.
    assert_eq!(told(Outcome::ok("42")), "Tool 'look' executed successfully:\n42\n\nData: None");
}

#[test]
fn a_value_is_data_and_its_own_message_where_it_has_one() {
    assert_eq!(
        told(Outcome::ok(r#"{"colour":"blue"}"#)),
        "Tool 'look' executed successfully:\nThe result is data.\n\nData: {\"colour\":\"blue\"}"
    );
    assert_eq!(
        told(Outcome::ok(r#"{"message":"It is blue.","n":1}"#)),
        "Tool 'look' executed successfully:\nIt is blue.\n\nData: {\"message\":\"It is blue.\",\"n\":1}"
    );
    assert_eq!(
        told(Outcome::ok("[1,2]")),
        "Tool 'look' executed successfully:\nThe result is data.\n\nData: [1,2]"
    );
}

#[test]
fn words_beside_the_data_are_the_message_however_they_are_worded() {
    let data = json!({"colour": "blue"});
    let worded = [
        Outcome::ok("It is blue."),
        Outcome::marked(Status::Ok, ResultFormat::SUCCESS, "It is blue."),
    ];
    for outcome in worded {
        assert_eq!(
            told(outcome.with_data(data.clone())),
            "Tool 'look' executed successfully:\nIt is blue.\n\nData: {\"colour\":\"blue\"}"
        );
    }
    let envelope = |data: Value| {
        Outcome::ok(json!({"success": true, "data": data}).to_string()).with_data(data)
    };
    assert_eq!(
        told(envelope(data)),
        "Tool 'look' executed successfully:\nThe result is data.\n\nData: {\"colour\":\"blue\"}"
    );
    for (value, words) in [(json!("Blue."), "Blue."), (json!(7), "7"), (json!(null), "null")] {
        assert_eq!(
            told(envelope(value)),
            format!("Tool 'look' executed successfully:\n{words}\n\nData: None")
        );
    }
}

#[test]
fn a_result_that_says_it_is_none_failed() {
    assert_eq!(
        told(Outcome::ok("exit 1").with_data(json!({"success": false, "code": 1}))),
        "Tool 'look' failed:\nexit 1"
    );
    assert_eq!(
        told(Outcome::ok(r#"{"success":false,"error":"no sky"}"#)),
        "Tool 'look' failed:\nno sky"
    );
}

#[test]
fn an_error_comes_with_the_input() {
    let input = "\n\nInput: Object {\n    \"at\": String(\"sky\"),\n}";
    for render in [ResultFormat::Plain, ResultFormat::Envelope, ResultFormat::Readable] {
        let told = told(render.failure("look", "it is dark"));
        assert_eq!(told, format!("Tool execution failed: it is dark{input}"));
    }
    for (status, text) in [(Status::TimedOut, "too slow"), (Status::Refused, "no")] {
        let told = told(Outcome::new(status, text));
        assert_eq!(told, format!("Tool execution failed: {text}{input}"));
    }
    // As the tool understood it, where it says so.
    let resolved = Outcome::failed("it is dark").with_input(json!({"at": "/the/sky"}));
    assert_eq!(
        told(resolved),
        "Tool execution failed: it is dark\n\nInput: Object {\n    \"at\": String(\"/the/sky\"),\n}"
    );
}

#[test]
fn calls_that_never_run_are_told_the_same_way() {
    for (name, arguments, told) in [
        ("nope", "{}", "Tool execution failed: there is no tool `nope`\n\nInput: Object {}"),
        (
            "show",
            "{}",
            "Tool execution failed: invalid arguments, the tool was not run.\n- `path` is missing\n\n\
             Input: Object {}",
        ),
        (
            "look",
            r#"{"at":"<security_id>"}"#,
            "Input: Object {\n    \"at\": String(\"<security_id>\"),\n}",
        ),
    ] {
        let mut desk = desk();
        desk.reply(ModelResponse::calls([Call::new("a", name, arguments)]));
        let response = answer(&desk).response;
        assert!(response.ends_with(told), "{response}");
        assert_eq!(desk.log.iter().filter(|it| it.kind.is_terminal()).count(), 1);
    }
}

#[test]
fn several_calls_are_told_in_their_order_and_the_reply_is_replaced() {
    let mut desk = desk();
    let calls = [
        Call::new("a", "look", r#"{"at":"sky"}"#),
        Call::new("b", "nope", "{}"),
        Call::new("c", "look", r#"{"at":"sea"}"#),
    ];
    desk.reply(ModelResponse { text: "Let me look.".into(), ..ModelResponse::calls(calls) });
    for id in ["a", "c"] {
        desk.start(&id.into());
    }
    desk.settle(&"c".into(), Outcome::ok("wet"));
    desk.settle(&"a".into(), Outcome::ok("blue"));
    let told = "Tool 'look' executed successfully:\nblue\n\nData: None\n\n\
                Tool execution failed: there is no tool `nope`\n\nInput: Object {}\n\n\
                Tool 'look' executed successfully:\nwet\n\nData: None";
    let answer = answer(&desk);
    assert_eq!((answer.response.as_str(), answer.finish_reason), (told, FinishReason::ToolCalls));
    assert_eq!((answer.tool_calls.len(), answer.tools_executed), (3, 2));
    // The next question stands behind a word of the assistant's.
    let last = desk.run.conversation().messages().last().cloned();
    assert_eq!(last.as_deref(), Some(&Message::assistant(told)));
}

#[test]
fn a_reply_without_calls_is_the_answer_whatever_it_says() {
    let setup = RunConfig {
        mode: ResultMode::SingleShot,
        review: ReviewMode::Enforce,
        ..setup("How much?")
    };
    // Both would go back to the model in the loop.
    for text in ["It costs [Current Price].", "Paris has 2,102,650 inhabitants."] {
        let mut desk = Desk::with(setup.clone(), vec![spec("look", ToolEffect::ReadOnly)]);
        desk.reply(ModelResponse::text(text));
        assert_eq!(
            (answer(&desk).response.as_str(), answer(&desk).finish_reason),
            (text, FinishReason::Stop)
        );
    }
}

#[test]
fn a_reply_that_says_nothing_is_not_asked_for_again() {
    let mut desk = desk();
    desk.reply(ModelResponse::text(" "));
    let failure = failure(&desk);
    assert_eq!(failure.kind, FailureKind::EmptyReplies);
    assert_eq!(failure.message, "the model replied with nothing");
}

#[test]
fn a_log_that_ends_before_the_answer_leads_to_it() {
    let mut desk = desk();
    desk.call("look", json!({}), Outcome::ok("Blue."));
    let whole = desk.log.clone();
    let after = whole.iter().position(|it| matches!(it.kind, EventKind::CallFinished { .. }));
    for upto in after.unwrap() + 1..whole.len() {
        let mut run = Run::replay(Default::default(), &whole[..upto]).unwrap();
        let events = run.recover(Timestamp(9)).unwrap();
        assert_eq!(events.len(), whole.len() - upto);
        assert_eq!(run.step(), desk.run.step());
    }
}

#[test]
fn the_mode_is_part_of_the_log() {
    let stored = serde_json::to_value(&desk().log[0]).unwrap();
    assert_eq!(stored["mode"], "single_shot");
    let stored = serde_json::to_value(&Desk::new("?", Vec::new()).log[0]).unwrap();
    assert_eq!(stored.get("mode"), None);
}
