//! One conversation array, and runs that go on with it.

use serde_json::{Value, json};
use toolwright_core::{FinishReason, QueryError, ToolEffect};
use toolwright_runtime::ToolboxError;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, bodies, echo, play, said, serve, spec, text, tool};

#[tokio::test]
async fn s1_1_one_array_of_system_user_assistant_and_tool() {
    let script = Script::new()
        .reply(Reply::calls([("call_1", "look", r#"{"at":"sky"}"#)]))
        .reply(Reply::text("Blue."));
    let server = serve(script).await;
    let agent = agent(&server).system("You look.").tool(echo("look")).build().unwrap();
    let played = play(agent.run("How is the sky?")).await;
    server.assert_clean();
    let call = json!({
        "id": "call_1",
        "type": "function",
        "function": {"name": "look", "arguments": "{\"at\":\"sky\"}"},
    });
    let array = json!([
        {"role": "system", "content": "You look."},
        {"role": "user", "content": "How is the sky?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "name": "look", "content": "{\"at\":\"sky\"}"},
    ]);
    assert_eq!(bodies(&server)[1]["messages"], array);
    // What is kept says besides how each call ended.
    let mut kept = array;
    kept[3]["status"] = json!("success");
    kept.as_array_mut().unwrap().push(json!({"role": "assistant", "content": "Blue."}));
    assert_eq!(json!(played.conversation), kept);
}

#[tokio::test]
async fn s1_1_the_next_question_goes_on_with_the_same_array() {
    let round = |answer: &str| {
        // A model that numbers its calls anew in every run.
        (Reply::calls([("call_1", "look", "{}")]), Reply::text(answer))
    };
    let ((one, two), (three, four)) = (round("Blue."), round("Still blue."));
    let server = serve(Script::new().reply(one).reply(two).reply(three).reply(four)).await;
    let agent = agent(&server).system("You look.").tool(echo("look")).build().unwrap();
    let first = play(agent.run("How is the sky?")).await;
    let id = first.answer().conversation_id.clone();
    let before = first.conversation.clone();
    let prepared = agent.prepare("And now?").conversation(before).conversation_id(id.clone());
    let second = play(prepared.start()).await;
    server.assert_clean();
    assert_eq!(second.answer().conversation_id, id);
    assert!(second.conversation.messages().starts_with(first.conversation.messages()));
    let systems = second.conversation.messages().iter().filter(|it| it.role() == "system");
    assert_eq!(systems.count(), 1);
    assert_eq!(second.answer().tool_calls.len(), 1, "the calls of this run only");
    let ids: Vec<_> = second.conversation.results().map(|it| it.call.as_str()).collect();
    assert_eq!(ids[0], "call_1");
    assert_ne!(ids[1], "call_1", "no id twice in one conversation");
}

#[tokio::test]
async fn s1_3_a_result_that_is_not_json_is_a_typed_error() {
    let script =
        Script::new().reply(Reply::calls([("call_1", "say", "{}")])).reply(Reply::text("Said."));
    let server = serve(script).await;
    let say = tool(spec("say", toolwright_core::ToolEffect::ReadOnly), |_, _| async {
        text("security id: 13")
    });
    let mut running = agent(&server).tool(say).build().unwrap().run("Go.");
    running.finish().await.unwrap();
    let asked = running.conversation().unwrap().value::<u32>("say", "/security_id");
    let Err(QueryError::NotJson { tool, text, .. }) = asked else { panic!("{asked:?}") };
    assert_eq!((tool.as_str(), text.as_str()), ("say", "security id: 13"));
}

#[tokio::test]
async fn s2_4_generate_returns_content_finish_reason_and_how_many_tools_ran() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", "{}"), ("b", "look", r#"{"n":2}"#)]).with_text("Wait."))
        .reply(Reply::text("Both are blue."));
    let server = serve(script).await;
    let agent = agent(&server).tool(echo("look")).whole_replies().build().unwrap();
    let messages = said(json!([
        {"role": "system", "content": "You look."},
        {"role": "user", "content": "How are sky and sea?"},
    ]));
    let answer = agent.generate(messages, []).unwrap().finish().await.unwrap();
    server.assert_clean();
    assert_eq!(answer.response, "Both are blue.");
    assert_eq!(answer.finish_reason, FinishReason::Stop);
    assert_eq!(answer.tools_executed, 2);
    assert_eq!((answer.usage.prompt_tokens, answer.usage.completion_tokens), (20, 10));
    assert!(server.requests().iter().all(|request| !request.streamed()));
}

/// S2.4: tools are for one call, in the place of the agent's own of the same name; the stream yields
/// content, that tools ran, and goes on.
#[tokio::test]
async fn s2_4_generate_takes_tools_and_tells_that_they_ran() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", "{}"), ("b", "time", "{}")]).with_text("Wait."))
        .reply(Reply::calls([("c", "nothing", "{}")]))
        .reply(Reply::text("It is noon."))
        .reply(Reply::text("No tools."));
    let server = serve(script).await;
    let tool = |name: &str, says: &'static str| {
        tool(spec(name, ToolEffect::ReadOnly), move |_, _| async move { text(says) })
    };
    let agent = agent(&server).tool(tool("look", "own")).build().unwrap();
    let question = || said(json!([{"role": "user", "content": "What time is it?"}]));
    let tools = [tool("look", "given"), tool("time", "12:00 PM")];
    let mut generation = agent.generate(question(), tools).unwrap();
    let mut told: Vec<Value> = Vec::new();
    while let Some(it) = generation.next().await {
        let it = json!(it);
        match (told.last_mut(), it["type"].as_str()) {
            // How the text is cut means nothing.
            (Some(last), Some("content")) if last["type"] == "content" => {
                let text = [&*last, &it].map(|it: &Value| it["data"].as_str().unwrap().to_owned());
                last["data"] = json!(text.concat());
            }
            _ => told.push(it),
        }
    }
    let ran = |count: u32| json!({"type": "tool_execution_complete", "data": {"tool_calls_executed": count}});
    let piece = |text: &str| json!({"type": "content", "data": text});
    assert_eq!(told, [piece("Wait."), ran(2), ran(0), piece("It is noon.")]);
    let answer = generation.finish().await.unwrap();
    assert_eq!((answer.response.as_str(), answer.tools_executed), ("It is noon.", 2));
    let sent = server.requests().pop().unwrap().body["messages"].to_string();
    assert!(sent.contains("given") && sent.contains("12:00 PM") && !sent.contains("own"), "{sent}");

    // The agent itself has what it had.
    agent.generate(question(), []).unwrap().finish().await.unwrap();
    let offered = server.requests().pop().unwrap().body["tools"].clone();
    assert_eq!(offered.as_array().unwrap().len(), 1);
    let twice = [tool("x", ""), tool("x", "")];
    assert!(
        matches!(agent.generate(question(), twice), Err(ToolboxError::Twice(name)) if name == "x")
    );
}

#[tokio::test]
async fn s2_4_the_finish_reason_is_the_models() {
    let script = Script::new().reply(Reply::text("And then").finish_reason("length"));
    let server = serve(script).await;
    let agent = agent(&server).build().unwrap();
    let messages = said(json!([{"role": "user", "content": "Tell me everything."}]));
    let answer = agent.generate(messages, []).unwrap().finish().await.unwrap();
    assert_eq!(
        (answer.response.as_str(), answer.finish_reason),
        ("And then", FinishReason::Length)
    );
}

#[tokio::test]
async fn s2_4_a_stream_yields_content_then_the_tools_then_goes_on() {
    let script = Script::new()
        .reply(Reply::calls([("a", "look", "{}")]).with_text("Let me look at that."))
        .reply(Reply::text("It is as blue as ever."));
    let server = serve(script.chunking(toolwright_testkit::Chunking::PerEvent)).await;
    let agent = agent(&server).tool(echo("look")).build().unwrap();
    let messages = said(json!([{"role": "user", "content": "How is the sky?"}]));
    let played = play(agent.generate(messages, []).unwrap().into_running()).await;
    server.assert_clean();
    assert!(server.requests().iter().all(toolwright_testkit::Recorded::streamed));

    let (mut pieces, mut order) = (vec![String::new()], Vec::new());
    for event in &played.events {
        let value = json!(event);
        let kind = value["type"].as_str().unwrap().to_owned();
        if kind == "content" {
            pieces.last_mut().unwrap().push_str(value["data"].as_str().unwrap());
        }
        if kind == "reply" {
            pieces.push(String::new());
        }
        if matches!(kind.as_str(), "content" | "tool_calls" | "call_finished" | "done")
            && order.last() != Some(&kind)
        {
            order.push(kind);
        }
    }
    assert_eq!(order, ["content", "tool_calls", "call_finished", "content", "done"]);
    assert_eq!(pieces, ["Let me look at that.", "It is as blue as ever.", ""]);
    let contents = played.kinds().len();
    assert!(played.events.len() > contents + 4, "the text came in several pieces");
}

#[tokio::test]
async fn a_history_from_elsewhere_is_repaired_before_it_is_sent() {
    let server = serve(Script::new().reply(Reply::text("Go on."))).await;
    let agent = agent(&server).system("You look.").tool(echo("look")).build().unwrap();
    let call =
        json!({"id": "x", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let messages = said(json!([
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "nobody", "content": "lost"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "Well?"},
    ]));
    let played = play(agent.generate(messages, []).unwrap().into_running()).await;
    server.assert_clean();
    let roles: Vec<_> = played.conversation.messages().iter().map(|it| it.role()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user", "assistant"]);
    assert!(played.text_of("x").contains("interrupted"));
}
