//! `toolwright ask --single-shot`: one request, and the results are the answer.

use serde_json::json;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

#[tokio::test]
async fn the_answer_is_the_results_in_the_documented_words() {
    let calls = [
        ("a", "get_weather", r#"{"location":"Rome"}"#),
        ("b", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#),
        ("c", "get_weather", r#"{"location":" "}"#),
    ];
    let script = Script::new().reply(Reply::calls(calls).with_text("Let me see."));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run(&["ask", "--single-shot", "Weather and a tip?"]).await;
    assert_eq!(
        ended.out,
        "Tool 'get_weather' executed successfully:\nWeather in Rome: 72°F, sunny\n\nData: None\n\n\
         Tool 'calculate_tip' executed successfully:\nThe result is data.\n\n\
         Data: {\"tip\":9.12,\"total\":54.72}\n\n\
         Tool execution failed: the location is empty: name a city\n\n\
         Input: Object {\n    \"location\": String(\" \"),\n}\n"
    );
    // One of them failed.
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("✓ get_weather"), "the steps are shown as ever: {}", ended.err);
    assert_eq!(server.requests().len(), 1);
    server.assert_clean();
}

#[tokio::test]
async fn a_reply_without_calls_is_the_answer_itself() {
    let server = ModelServer::start(Script::new().reply(Reply::text("Good morning."))).await;
    let ended = Cli::asking(&server).run(&["ask", "--single-shot", "Hello"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "Good morning.\n"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn as_events_it_is_a_run_like_any_other() {
    let calls = [("a", "get_weather", r#"{"location":"Rome"}"#)];
    let server = ModelServer::start(Script::new().reply(Reply::calls(calls))).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--single-shot", "--json", "Weather?"]).await;
    let events = ended.events();
    assert_eq!(events[0]["mode"], "single_shot");
    let done = events.last().unwrap();
    let told =
        "Tool 'get_weather' executed successfully:\nWeather in Rome: 72°F, sunny\n\nData: None";
    assert_eq!((&done["type"], &done["response"]), (&json!("done"), &json!(told)));
    assert_eq!(done["finish_reason"], "tool_calls");
    assert_eq!(
        done["tool_calls"],
        json!([{"tool": "get_weather", "status": "success", "args": {"location": "Rome"}}])
    );
    // What is kept shows the same.
    let id = done["conversation_id"].as_str().unwrap();
    let shown = cli.run(&["conversations", "show", id]).await;
    assert!(shown.out.ends_with(&format!("{told}\n")), "{}", shown.out);
}

#[tokio::test]
async fn the_conversation_can_be_gone_on_with() {
    let script = Script::new()
        .reply(Reply::calls([("a", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("You are welcome."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let first = cli.run(&["ask", "--single-shot", "--json", "Weather?"]).await.events();
    let id = first.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let next = cli.run(&["ask", "--conversation", &id, "Thanks!"]).await;
    assert_eq!((next.code, next.out.as_str()), (Some(0), "You are welcome.\n"));
    let messages = server.requests()[1].body["messages"].clone();
    let roles: Vec<_> = messages.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    server.assert_clean();
}

#[tokio::test]
async fn it_can_be_set_in_the_config_file_and_doctor_says_so() {
    let cli = Cli::new().configured("single_shot = true\n");
    let ended = cli.run(&["ask", "Weather in Oslo?"]).await;
    assert!(ended.out.starts_with("Tool 'get_weather' executed successfully:\n"), "{}", ended.out);
    let doctor = cli.run(&["doctor"]).await;
    let row = doctor.out.lines().find(|line| line.contains("single shot")).unwrap_or_default();
    assert!(row.contains("true") && row.contains("toolwright.toml"), "{}", doctor.out);
}

/// A program that asks learns from the exit code, and from the last event, that it got no result.
#[tokio::test]
async fn a_call_that_failed_fails_the_command() {
    for (tool, arguments, code) in [
        ("get_weather", r#"{"location":"Rome"}"#, 0),
        ("get_weather", r#"{"location":" "}"#, 1),
        ("get_weather", "{}", 1),
        ("get_wether_forecast", "{}", 1),
    ] {
        let script = || Script::new().reply(Reply::calls([("a", tool, arguments)]));
        let server = ModelServer::start(script()).await;
        let ended = Cli::asking(&server).run(&["ask", "--single-shot", "Weather?"]).await;
        assert_eq!(ended.code, Some(code), "{tool} {arguments}: {}", ended.out);
        let server = ModelServer::start(script()).await;
        let cli = Cli::asking(&server);
        let ended = cli.run(&["ask", "--single-shot", "--json", "Weather?"]).await;
        assert_eq!(ended.code, Some(code), "{tool} {arguments}: {}", ended.out);
        let failed = ended.events().last().unwrap()["failed"].as_bool().unwrap_or_default();
        assert_eq!(failed, code == 1);
    }
}

#[tokio::test]
async fn a_destructive_tool_still_needs_approval() {
    let call = || Script::new().reply(Reply::calls([("a", "delete_notes", "{}")]));
    let server = ModelServer::start(call()).await;
    let denied = Cli::asking(&server).run(&["ask", "--single-shot", "Delete my notes."]).await;
    assert_eq!(
        denied.out,
        "Tool execution failed: The call of delete_notes was denied: nobody is there to approve \
         it.\n\nInput: Object {}\n"
    );
    assert_eq!(denied.code, Some(1));
    let server = ModelServer::start(call()).await;
    let cli = Cli::asking(&server);
    std::fs::create_dir_all(cli.folder.path().join("data")).unwrap();
    let ran = cli.run(&["ask", "--single-shot", "--approve", "Delete my notes."]).await;
    assert_eq!(
        ran.out,
        "Tool 'delete_notes' executed successfully:\nAll notes are deleted.\n\nData: None\n"
    );
    assert_eq!(ran.code, Some(0));
}
