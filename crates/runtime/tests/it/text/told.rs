//! What a model that only writes text is sent.

use serde_json::{Value, json};
use toolwright_core::{Message, Outcome, Status, ToolChoice, ToolEffect};
use toolwright_dialects::Dialect;
use toolwright_models::ToolMode;
use toolwright_testkit::{ModelServer, Reply, Script};

use super::{QUESTION, agent};
use crate::support::{Count, bodies, counting, echo, play, serve, spec};

const CALL: &str = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Oslo\"}}\n</tool_call>";

fn messages(server: &ModelServer, number: usize) -> Vec<(String, String)> {
    let body = bodies(server).remove(number);
    let text = |it: &Value, key: &str| it[key].as_str().unwrap().to_owned();
    let messages = body["messages"].as_array().unwrap();
    messages.iter().map(|it| (text(it, "role"), text(it, "content"))).collect()
}

#[tokio::test]
async fn s4_1_tools_are_in_the_prompt_and_calls_and_results_are_text() {
    let both = format!("I look.\n{CALL}\n{}", CALL.replace("Oslo", "Rome"));
    let script = Script::new()
        .reply(Reply::text(both.as_str()))
        .reply(Reply::text(CALL.replace("Oslo", "Bonn")))
        .reply(Reply::text("Sunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Hermes).build().unwrap();
    play(agent.run(QUESTION)).await.answer();
    server.assert_clean();
    for body in bodies(&server) {
        assert_eq!((&body["tools"], &body["tool_choice"]), (&Value::Null, &Value::Null));
    }
    let sent = messages(&server, 2);
    let (role, system) = &sent[0];
    assert_eq!(role, "system");
    assert!(system.starts_with("You help.\n\n# Tools\n\n"), "{system}");
    assert!(system.contains("\"name\": \"calculate_tip\""), "{system}");
    let rest: Vec<_> =
        sent[1..].iter().map(|(role, content)| (role.as_str(), content.as_str())).collect();
    let rome = CALL.replace("Oslo", "Rome");
    assert_eq!(
        rest,
        [
            ("user", QUESTION),
            ("assistant", format!("I look.\n{CALL}\n{rome}").as_str()),
            (
                "user",
                "<tool_response>\nSunny in Oslo.\n</tool_response>\n<tool_response>\nSunny in Rome.\n</tool_response>"
            ),
            ("assistant", CALL.replace("Oslo", "Bonn").as_str()),
            ("user", "<tool_response>\nSunny in Bonn.\n</tool_response>"),
        ]
    );
}

#[tokio::test]
async fn a_request_is_the_one_before_and_what_is_new() {
    let script = Script::new()
        .reply(Reply::text(CALL))
        .reply(Reply::text(CALL.replace("Oslo", "Rome")))
        .reply(Reply::text("Sunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Hermes).build().unwrap();
    play(agent.run(QUESTION)).await.answer();
    let raw: Vec<_> = server.requests().into_iter().map(|request| request.raw).collect();
    for pair in raw.windows(2) {
        let kept = pair[0].strip_suffix(b"]}").unwrap();
        assert!(pair[1].starts_with(kept), "{}", String::from_utf8_lossy(&pair[1]));
    }
}

#[tokio::test]
async fn s4_6_a_new_tool_is_told_of_and_intercepted_with_no_other_change() {
    let call = "```json\n{\"tool\": \"brand_new\", \"params\": {\"x\": 1}}\n```";
    let server = serve(Script::new().reply(Reply::text(call)).reply(Reply::text("Done."))).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Generic).tool(echo("brand_new"));
    let played = play(agent.build().unwrap().run("Go.")).await;
    assert_eq!(played.calls(), [("brand_new", Status::Ok)]);
    let sent = messages(&server, 1);
    assert!(sent[0].1.contains("## brand_new\nDoes something.\n"), "{}", sent[0].1);
    assert_eq!(sent[3].1, "Result of `brand_new`:\n{\"x\":1}");
}

#[tokio::test]
async fn a_choice_is_a_sentence_in_its_round_only() {
    let script = Script::new().reply(Reply::text(CALL)).reply(Reply::text("Sunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Hermes);
    let agent = agent.first_choice(ToolChoice::Required).rounds(1).build().unwrap();
    play(agent.run(QUESTION)).await.answer();
    server.assert_clean();
    let (first, second) = (messages(&server, 0), messages(&server, 1));
    assert_eq!(
        first[1].1,
        format!("{QUESTION}\n\nYou must use a tool now: respond with a call and nothing else.")
    );
    assert_eq!(second[1].1, QUESTION);
    assert!(second[3].1.ends_with("\n\nDo not use a tool now: answer with what you already know."));
}

#[tokio::test]
async fn a_conversation_from_elsewhere_is_told_in_text_too() {
    let server = serve(Script::new().reply(Reply::text("Sunny."))).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Generic).build().unwrap();
    let earlier = [
        Message::user("Weather?"),
        serde_json::from_value(json!({
            "role": "assistant",
            "tool_calls": [{"id": "x", "function": {"name": "get_weather", "arguments": "{\"location\":\"Oslo\"}"}}],
        }))
        .unwrap(),
        Message::tool("x", "get_weather", Outcome::ok("Rain.")),
    ];
    let prepared = agent.prepare("And now?").conversation(earlier.into_iter().collect());
    play(prepared.start()).await.answer();
    server.assert_clean();
    let sent = messages(&server, 0);
    let contents: Vec<_> = sent[1..].iter().map(|(role, it)| format!("{role}: {it}")).collect();
    assert_eq!(
        contents,
        [
            "user: Weather?",
            "assistant: ```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"Oslo\"}}\n```",
            // One message: many templates want the two sides to take turns.
            "user: Result of `get_weather`:\nRain.\n\nAnd now?",
        ]
    );
}

/// Told as a native call that was cut off is told, whether the provider says so or not.
#[tokio::test]
async fn a_call_that_was_cut_off_is_told_and_not_run() {
    let cut = [
        "Now.\n<tool_call>\n{\"name\": \"note\", \"arguments\": {\"text\": \"on and o",
        "<tool_call>\n{\"name\": \"note\", \"arguments\": {\"text\": \"all of it\"}",
        "<tool_call>\n{\"name\": \"note\", \"arguments\": {",
    ];
    for text in cut {
        for reason in ["length", "stop"] {
            let script = Script::new()
                .reply(Reply::text(text).finish_reason(reason))
                .reply(Reply::text("I stop here."));
            let server = serve(script).await;
            let ran = Count::default();
            let agent = agent(server.base_url(), ToolMode::Text, Dialect::Hermes)
                .tool(counting(spec("note", ToolEffect::Write), &ran));
            let played = play(agent.build().unwrap().run(QUESTION)).await;
            server.assert_clean();
            assert_eq!(ran.get(), 0, "{text} {reason}");
            assert_eq!(played.calls(), [("note", Status::Failed)], "{text} {reason}");
            let told = &messages(&server, 1).pop().unwrap().1;
            assert!(told.contains("your reply was cut off"), "{told}");
            assert_eq!(played.answer().response, "I stop here.");
        }
    }
}

#[tokio::test]
async fn reasoning_in_the_text_is_reasoning() {
    let script = Script::new()
        .reply(Reply::text(format!("<think>Which town?</think>\n\n{CALL}")).with_reasoning("Hm."))
        .reply(Reply::text("<think>So.</think>\n\nSunny."));
    let server = serve(script).await;
    let agent = agent(server.base_url(), ToolMode::Text, Dialect::Hermes).build().unwrap();
    let played = play(agent.run(QUESTION)).await;
    assert_eq!(played.answer().response, "Sunny.");
    let Message::Assistant(first) = &*played.conversation.messages()[2] else { panic!() };
    assert_eq!((first.reasoning.as_str(), first.content.as_str()), ("Hm.\nWhich town?", ""));
}
