//! Rounds: what is sent in each, and how many there may be.

use serde_json::{Value, json};
use toolwright_core::{EventKind, FailureKind, Limit, Limits, Status, ToolChoice, ToolEffect};
use toolwright_models::Scripted;
use toolwright_runtime::Agent;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{Count, agent, bodies, calls, counting, echo, play, result_sent, serve, spec};

/// A model that calls `look` for ever, each time for something else.
async fn tireless() -> ModelServer {
    ModelServer::start_with(|request| {
        let (id, arguments) =
            (format!("call_{}", request.number), format!("{{\"n\":{}}}", request.number));
        Reply::calls([(id.as_str(), "look", arguments.as_str())])
    })
    .await
}

fn choices(server: &ModelServer) -> Vec<Value> {
    bodies(server).iter().map(|body| body["tool_choice"].clone()).collect()
}

#[tokio::test]
async fn s0_3_endpoint_key_and_model_are_sent() {
    let server = serve(Script::new().key("sk-test").reply(Reply::text("Hello."))).await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    let played = play(agent.run("Hello?")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Hello.");
    let request = server.requests().remove(0);
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("authorization"), Some("Bearer sk-test"));
    assert_eq!(request.body["model"], "scripted");
    assert_eq!(request.body["messages"], json!([{"role": "user", "content": "Hello?"}]));
    assert_eq!(request.body["tools"][0]["function"]["name"], "look");
    assert!(matches!(
        &played.events[0].kind,
        EventKind::RunStarted { model, .. } if model == "openai:scripted"
    ));
}

#[tokio::test]
async fn s0_2_a_tool_is_required_in_the_first_round_only() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", "{}")]))
        .reply(Reply::calls([("call_2", "look", r#"{"again":true}"#)]))
        .reply(Reply::text("Seen."));
    let server = serve(script.clone()).await;
    let builder = || agent(&server).tool(echo("look"));
    let always = builder().first_choice(ToolChoice::Required).build().unwrap();
    assert_eq!(play(always.run("Look.")).await.answer().response, "Seen.");
    assert_eq!(choices(&server), [json!("required"), Value::Null, Value::Null]);
    server.assert_clean();

    let server = serve(script).await;
    let sometimes = agent(&server).tool(echo("look")).build().unwrap();
    let prepared = sometimes.prepare("Look.").first_choice(ToolChoice::Tool("look".into()));
    play(prepared.start()).await.answer();
    let named = json!({"type": "function", "function": {"name": "look"}});
    assert_eq!(choices(&server), [named, Value::Null, Value::Null]);
    server.assert_clean();
}

#[tokio::test]
async fn s0_2_a_call_that_failed_is_a_call_all_the_same() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "lok", "{}")]))
        .reply(Reply::text("I could not look."));
    let server = serve(script).await;
    let agent =
        agent(&server).tool(echo("look")).first_choice(ToolChoice::Required).build().unwrap();
    play(agent.run("Look.")).await.answer();
    assert_eq!(choices(&server), [json!("required"), Value::Null]);
}

#[tokio::test]
async fn s0_2_others_get_auto() {
    let server = serve(Script::new().reply(Reply::text("Well."))).await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    play(agent.run("Well?")).await.answer();
    assert_eq!(choices(&server), [Value::Null], "auto is what no word means");
}

#[tokio::test]
async fn s0_5_arguments_are_parsed_and_a_parse_failure_goes_back() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at": nothing}"#)]))
        .reply(Reply::text("Sorry."));
    let server = serve(script).await;
    let count = Count::default();
    let agent =
        agent(&server).tool(counting(spec("look", ToolEffect::ReadOnly), &count)).build().unwrap();
    let played = play(agent.run("Look.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Sorry.");
    assert_eq!((count.get(), played.answer().tools_executed), (0, 0));
    assert_eq!(played.calls(), [("look", Status::Failed)]);
    let told = result_sent(&server);
    assert!(
        told.starts_with("Error executing look: the arguments are not valid JSON: expected"),
        "{told}"
    );
}

#[tokio::test]
async fn s0_5_arguments_in_every_form_reach_the_tool() {
    for (arguments, wanted) in
        [(r#"{"a":1}"#, r#"{"a":1}"#), ("", "{}"), ("null", "{}"), (r#""{\"a\":1}""#, r#"{"a":1}"#)]
    {
        let script = Script::new()
            .reply(Reply::calls([("call_1", "look", arguments)]))
            .reply(Reply::text("Seen."));
        let server = serve(script).await;
        let agent = agent(&server).tool(echo("look")).build().unwrap();
        play(agent.run("Look.")).await.answer();
        assert_eq!(result_sent(&server), wanted, "{arguments:?}");
        server.assert_clean();
    }
}

#[tokio::test]
async fn s0_5_a_reply_that_was_cut_off_is_told_differently() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at": "the sta"#)]).finish_reason("length"))
        .reply(Reply::text("Sorry."));
    let server = serve(script).await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    play(agent.run("Look.")).await.answer();
    server.assert_clean();
    assert_eq!(
        result_sent(&server),
        "Error executing look: your reply was cut off before the arguments were complete, so the \
         tool was not run. Call it again with shorter arguments."
    );
}

#[tokio::test]
async fn s0_8_one_tools_result_feeds_the_next_call() {
    let server = ModelServer::start_with(|request| {
        let messages = request.body["messages"].as_array().unwrap();
        match messages.iter().rfind(|it| it["role"] == "tool") {
            None => Reply::calls([("call_1", "add", r#"{"n":1}"#)]),
            Some(last) if last["content"] == "5" => Reply::text("Five."),
            Some(last) => {
                let (id, n) =
                    (format!("call_{}", messages.len()), last["content"].as_str().unwrap());
                Reply::calls([(id.as_str(), "add", format!("{{\"n\":{n}}}").as_str())])
            }
        }
    })
    .await;
    let add = crate::support::tool(spec("add", ToolEffect::ReadOnly), |arguments, _| async move {
        crate::support::text((arguments["n"].as_i64().unwrap() + 1).to_string())
    });
    let agent = agent(&server).tool(add).build().unwrap();
    let played = play(agent.run("Count to five.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Five.");
    assert_eq!(played.answer().tools_executed, 4);
}

#[tokio::test]
async fn s0_8_after_five_rounds_the_model_has_to_answer() {
    let server = ModelServer::start_with(|request| {
        if request.body["tool_choice"] == "none" {
            return Reply::text("That is all I found.");
        }
        let (id, arguments) =
            (format!("call_{}", request.number), format!("{{\"n\":{}}}", request.number));
        Reply::calls([(id.as_str(), "look", arguments.as_str())])
    })
    .await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    let played = play(agent.run("Look everywhere.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "That is all I found.");
    assert_eq!(played.answer().tools_executed, 5);
    let mut wanted = vec![Value::Null; 5];
    wanted.push(json!("none"));
    assert_eq!(choices(&server), wanted);
    let reached = played.events.iter().find_map(|event| match &event.kind {
        EventKind::LimitReached { limit, message } => Some((*limit, message.as_str())),
        _ => None,
    });
    let message = "5 rounds of tool calls reached; \
                   raise `limits.rounds` (in toolwright.toml, or `Limits` in code)";
    assert_eq!(reached, Some((Limit::Rounds, message)));
}

#[tokio::test]
async fn s0_8_a_model_that_goes_on_calling_ends_in_an_error_that_names_the_limit() {
    let server = tireless().await;
    let agent = agent(&server).tool(echo("look")).rounds(2).build().unwrap();
    let played = play(agent.run("Look everywhere.")).await;
    server.assert_clean();
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::Limit(Limit::Rounds));
    assert_eq!(
        failure.message,
        "the run reached its limit of 2 rounds of tool calls without an answer"
    );
    let advice = "raise `limits.rounds` (in toolwright.toml, or `Limits` in code)";
    assert_eq!(failure.advice.as_deref(), Some(advice));
    let ok = ("look", Status::Ok);
    assert_eq!(played.calls(), [ok, ok, ("look", Status::Refused)]);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn s0_8_text_beside_a_call_beyond_the_limit_is_the_answer() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", "{}")]))
        .reply(Reply::calls([("call_2", "look", "{}")]).with_text("Here is what I have."));
    let server = serve(script).await;
    let agent = agent(&server).tool(echo("look")).rounds(1).build().unwrap();
    let played = play(agent.run("Look.")).await;
    assert_eq!(played.answer().response, "Here is what I have.");
    assert_eq!(played.calls(), [("look", Status::Ok), ("look", Status::Refused)]);
}

#[tokio::test]
async fn s0_8_no_rounds_at_all_is_a_question_without_tools() {
    let server = serve(Script::new().reply(Reply::text("From memory."))).await;
    let agent = agent(&server).tool(echo("look")).rounds(0).build().unwrap();
    assert_eq!(play(agent.run("Look.")).await.answer().response, "From memory.");
    assert_eq!(choices(&server), [json!("none")]);
}

#[tokio::test]
async fn s0_8_calls_are_limited_and_an_answer_comes() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", "{}"), ("b", "look", "{}"), ("c", "look", "{}")]))
        .reply(Reply::text("I saw two things."));
    let server = serve(script).await;
    let count = Count::default();
    let agent = agent(&server)
        .tool(counting(spec("look", ToolEffect::ReadOnly), &count))
        .limits(Limits { calls: 2, ..Limits::default() })
        .build()
        .unwrap();
    let played = play(agent.run("Look.")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "I saw two things.");
    assert_eq!(count.get(), 2);
    assert_eq!(
        played.text_of("c"),
        "The call was not run: the limit of 2 tool calls is reached. Answer with what you have."
    );
    assert_eq!(choices(&server), [Value::Null, json!("none")]);
}

#[tokio::test]
async fn s0_8_tokens_are_limited_and_the_error_names_the_limit() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", "{}")]).usage(60, 20))
        .reply(Reply::calls([("call_2", "look", r#"{"n":2}"#)]).usage(100, 20));
    let server = serve(script).await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    let limits = Limits { tokens: Some(150), ..Limits::default() };
    let played = play(agent.prepare("Look.").limits(limits).start()).await;
    server.assert_clean();
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::Limit(Limit::Tokens));
    assert_eq!(failure.message, "the run reached its limit of 150 tokens without an answer");
    assert_eq!(failure.usage.total(), 200);
    assert_eq!(played.calls(), [("look", Status::Ok), ("look", Status::Refused)]);
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_again_and_the_third_is_the_last() {
    let script = Script::new().reply(Reply::text("")).reply(Reply::text("Here I am."));
    let server = serve(script).await;
    let played = play(agent(&server).build().unwrap().run("Are you there?")).await;
    server.assert_clean();
    assert_eq!(played.answer().response, "Here I am.");

    let empty = || Reply::text("");
    let server = serve(Script::new().reply(empty()).reply(empty()).reply(empty())).await;
    let played = play(agent(&server).build().unwrap().run("Are you there?")).await;
    server.assert_clean();
    assert_eq!(played.failure().kind, FailureKind::EmptyReplies);
    assert!(played.failure().advice.is_some());
}

#[tokio::test]
async fn an_answer_that_only_describes_a_call_is_sent_back_once() {
    let model = Scripted::new([
        toolwright_core::ModelResponse::text(r#"{"tool": "look", "params": {}}"#),
        calls([("call_1", "look", "{}")]),
        toolwright_core::ModelResponse::text("Seen."),
    ]);
    let agent = Agent::builder(model.clone()).tool(echo("look")).build().unwrap();
    let played = play(agent.run("Look.")).await;
    model.assert_complete();
    assert_eq!(played.answer().response, "Seen.");
    let returned = played.events.iter().find_map(|event| match &event.kind {
        EventKind::AnswerRejected { guard, .. } => Some(guard.as_str()),
        _ => None,
    });
    assert_eq!(returned, Some("unfinished"));
}
