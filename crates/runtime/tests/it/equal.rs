//! Stream and whole reply, whole chunks and single bytes, give the same run.

use serde_json::{Value, json};
use toolwright_core::{Status, ToolEffect, guard};
use toolwright_runtime::{Agent, AgentBuilder};
use toolwright_testkit::{Reply, Script, matrix};

use crate::{
    nifty,
    support::{echo, model, play, spec, summary, text, tool},
};

/// What is compared: the events, the conversation, the answer.
#[derive(Debug, PartialEq)]
struct Seen {
    events: Value,
    conversation: Value,
    response: Result<String, String>,
    statuses: Vec<(String, Status)>,
}

/// The one run that comes of `script`, however it is delivered.
async fn same(script: Script, build: impl Fn(AgentBuilder) -> AgentBuilder) -> Seen {
    matrix::play(script, async |base_url: String, stream: bool| {
        let agent = build(Agent::builder(model(&base_url)).tool(echo("look")));
        let agent = if stream { agent } else { agent.whole_replies() };
        let played = play(agent.build().unwrap().run("How is NIFTY, 世界?")).await;
        let end = played.end.as_ref();
        Seen {
            events: summary(&played.events),
            conversation: json!(played.conversation),
            response: end.map(|it| it.response.clone()).map_err(ToString::to_string),
            statuses: played
                .calls()
                .iter()
                .map(|(it, status)| ((*it).to_owned(), *status))
                .collect(),
        }
    })
    .await
}

#[tokio::test]
async fn invariant_6_text() {
    let seen = same(Script::new().reply(Reply::text("Well, and you?")), |it| it).await;
    assert_eq!(seen.response.unwrap(), "Well, and you?");
}

#[tokio::test]
async fn invariant_6_a_call_then_text() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at":"the sky"}"#)]).with_text("Let me look."))
        .reply(Reply::text("Blue."));
    assert_eq!(same(script, |it| it).await.statuses.len(), 1);
}

#[tokio::test]
async fn invariant_6_several_calls_at_once() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "look", r#"{"n":1}"#),
            ("b", "look", r#"{"n":2}"#),
            ("c", "write", r#"{"n":3}"#),
            ("d", "look", r#"{"n":4}"#),
        ]))
        .reply(Reply::text("All done."));
    let seen = same(script, |agent| {
        agent.tool(tool(spec("write", ToolEffect::Write), |_, _| async { text("written") }))
    })
    .await;
    assert_eq!(seen.statuses.len(), 4);
}

#[tokio::test]
async fn invariant_6_an_unknown_tool() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "lok", "{}"), ("call_2", "functions.look", "{}")]))
        .reply(Reply::text("There is no such thing."));
    let seen = same(script, |it| it).await;
    assert_eq!(seen.statuses[0], ("lok".to_owned(), Status::Failed));
    assert_eq!(seen.statuses[1], ("look".to_owned(), Status::Ok));
}

#[tokio::test]
async fn invariant_6_arguments_that_are_not_json() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "look", r#"{"at": "#),
            ("b", "look", "at: sky"),
            ("c", "look", ""),
        ]))
        .reply(Reply::text("I cannot write JSON."));
    let seen = same(script, |it| it).await;
    let statuses: Vec<_> = seen.statuses.iter().map(|(_, status)| *status).collect();
    assert_eq!(statuses, [Status::Failed, Status::Failed, Status::Ok]);
}

#[tokio::test]
async fn invariant_6_reasoning_and_every_kind_of_letter() {
    let letters = "Grüße, 世界 👩‍👩‍👧 e\u{301} \u{feff}\u{2028}\r\n\t\"\\u0041\\\" data: [DONE]\n\n";
    let arguments = json!({"at": letters}).to_string();
    let script = Script::new()
        .reply(
            Reply::calls([("call_1", "look", arguments.as_str())])
                .with_reasoning(letters)
                .with_text(letters),
        )
        .reply(Reply::text(letters).with_reasoning("Hm."));
    let seen = same(script, |it| it).await;
    assert_eq!(seen.response.unwrap(), letters);
    assert_eq!(seen.conversation[1]["reasoning"], letters);
    // A result is shown with nothing hidden in it.
    let shown = arguments.replace("\u{feff}\u{2028}", "⟦2 invisible characters⟧");
    assert_eq!(seen.conversation[2]["content"], shown);
}

#[tokio::test]
async fn invariant_6_refused_by_a_guard() {
    let seen = same(nifty::story(), |agent| agent.toolset(nifty::Desk::default())).await;
    let statuses: Vec<_> = seen.statuses.iter().map(|(_, status)| *status).collect();
    assert_eq!(statuses, [Status::Ok, Status::Refused, Status::Ok]);
    let script = Script::new()
        .reply(Reply::calls([("a", "look", r#"{"n":1}"#), ("b", "look", r#"{"n":2}"#)]))
        .reply(Reply::text("One."));
    let seen = same(script, |agent| agent.without_default_guards().guard(guard::OneAtATime)).await;
    assert_eq!(seen.statuses[1].1, Status::Refused);
}

#[tokio::test]
async fn invariant_6_an_empty_reply() {
    let script = Script::new().reply(Reply::text("")).reply(Reply::text("Here I am."));
    assert_eq!(same(script, |it| it).await.response.unwrap(), "Here I am.");
}

#[tokio::test]
async fn invariant_6_a_storm_before_the_reply() {
    let script = Script::new()
        .reply(Reply::status(503))
        .reply(Reply::calls([("", "look", "{}"), ("", "look", r#"{"n":2}"#)]))
        .reply(Reply::status(429).header("retry-after-ms", "1"))
        .reply(Reply::text("Seen."));
    assert_eq!(same(script, |it| it).await.statuses.len(), 2);
}

#[tokio::test]
async fn invariant_6_a_reply_that_was_cut_off() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", r#"{"at": "the sk"#)]).finish_reason("length"))
        .reply(Reply::text("And so").finish_reason("length"));
    let seen = same(script, |it| it).await;
    assert_eq!(seen.statuses, [("look".to_owned(), Status::Failed)]);
    assert_eq!(seen.response.unwrap(), "And so");
}

#[tokio::test]
async fn invariant_6_the_limit_of_rounds() {
    let call = |id: &str| Reply::calls([(id, "look", format!("{{\"id\":\"{id}\"}}").as_str())]);
    let script = Script::new().reply(call("a")).reply(call("b")).reply(call("c"));
    let seen = same(script, |agent| agent.rounds(2)).await;
    assert!(seen.response.unwrap_err().contains("2 rounds"));
}

#[tokio::test]
async fn invariant_6_a_request_that_is_refused() {
    let script = Script::new().reply(Reply::status(400).body(r#"{"error":{"message":"no"}}"#));
    assert!(same(script, |it| it).await.response.unwrap_err().contains("no"));
}
