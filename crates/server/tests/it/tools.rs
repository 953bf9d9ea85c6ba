//! The tools of a task: told, switched off, and called by hand.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use crate::harness::{Desk, Listening, Request, Setup};

fn of<'a>(told: &'a Value, name: &str) -> &'a Value {
    let tools = told["tools"].as_array().unwrap();
    tools.iter().find(|it| it["name"] == name).unwrap_or_else(|| panic!("no {name} in {told}"))
}

fn first<'a>(events: &'a [Value], kind: &str) -> &'a Value {
    events.iter().find(|it| it["type"] == kind).unwrap_or_else(|| panic!("no {kind}: {events:?}"))
}

/// Asked again, a question is asked as it was, unless somebody says otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_off_is_off_when_it_is_asked_again() {
    let script = (0..5).fold(Script::new(), |it, _| it.reply(Reply::text("Well.")));
    let setup = Setup { task: Some("demo"), ..Setup::default() };
    let (desk, _model) = Desk::with(setup, script).await;
    let events = desk.chat_with(json!({"message": "Hi", "tools_off": ["get_weather"]})).await;
    let started = first(&events, "run_started");
    let id = started["conversation_id"].as_str().unwrap().to_owned();
    let run = started["run"].clone();
    desk.chat_with(json!({"message": "And?", "conversation_id": id})).await;
    for (body, off) in [
        (json!({"run": run}), json!(["get_weather"])),
        (json!({"run": run, "tools_off": []}), Value::Null),
        // The last one is by now that which was just asked again, with nothing off.
        (json!({}), Value::Null),
    ] {
        let answer = desk.post(&format!("/api/conversations/{id}/retry"), &body).await;
        let events: Vec<_> = answer.events().into_iter().map(|(_, event)| event).collect();
        assert_eq!(first(&events, "run_started")["tools_off"], off, "{body}: {}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_off_is_not_offered_and_a_call_of_it_is_told_so() {
    let script = Script::new()
        .reply(Reply::calls([("c1", "get_weather", r#"{"city":"Berlin"}"#)]))
        .reply(Reply::text("I cannot see the weather."))
        .reply(Reply::text("Hello."));
    let setup = Setup { task: Some("demo"), ..Setup::default() };
    let (desk, model) = Desk::with(setup, script).await;
    let body = json!({"message": "Weather?", "tools_off": ["get_weather", "delete_notes"]});
    let events = desk.chat_with(body).await;
    assert_eq!(first(&events, "run_started")["tools_off"], json!(["delete_notes", "get_weather"]));
    let ended = first(&events, "call_finished").to_string();
    assert!(ended.contains("the user switched the tool `get_weather` off"), "{ended}");
    let sent = model.requests()[0].body["tools"].to_string();
    assert!(!sent.contains("get_weather") && sent.contains("calculate_tip"), "{sent}");
    // The next question says for itself what is off.
    let id = first(&events, "run_started")["conversation_id"].clone();
    desk.chat_with(json!({"message": "Hello", "conversation_id": id})).await;
    assert!(model.requests()[2].body["tools"].to_string().contains("get_weather"));
    for wrong in [json!(["a b"]), json!([""]), json!(vec!["a"; 1001])] {
        let body = json!({"message": "Hi", "tools_off": wrong});
        assert_eq!(desk.post("/api/chat/stream", &body).await.status, 422);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_is_told_with_where_it_comes_from_and_how_its_calls_are_treated() {
    let config = "[tools.get_weather]\ntimeout = \"7s\"\nretry = { attempts = 2 }\n";
    let setup = Setup { config: config.to_owned(), ..Setup::default() };
    let desk = Desk::start(setup, None).await;
    let told = desk.get("/api/tools").await.json();
    let weather = of(&told, "get_weather");
    assert_eq!(
        (&weather["origin"], &weather["pack"]),
        (&json!("pack"), &json!("demo")),
        "{weather}"
    );
    assert_eq!(weather["policy"]["timeout"], "7s", "{weather}");
    assert_eq!(weather["policy"]["retry"]["attempts"], 2, "{weather}");
    assert_eq!(weather["effect"], "read_only");
    // What says nothing of its time has the time that every call has.
    assert!(of(&told, "calculate_tip")["policy"]["timeout"].is_string(), "{told}");
    assert!(!told.to_string().contains("find_tools"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_by_hand_is_a_run_that_passes_every_check() {
    let desk = Desk::demo().await;
    let called = |name: &'static str, arguments: Value| {
        let (desk, body) = (&desk, json!({"arguments": arguments}));
        async move { desk.post(&format!("/api/tools/{name}/call"), &body).await }
    };
    let answer = called("calculate_tip", json!({"amount": 50, "percentage": 20})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let events: Vec<_> = answer.events().into_iter().map(|(_, event)| event).collect();
    let finished = first(&events, "call_finished");
    assert!(finished["message"].to_string().contains("10"), "{finished}");
    assert_eq!(events.last().unwrap()["type"], "done");
    // It is kept as any other.
    let id = first(&events, "run_started")["conversation_id"].as_str().unwrap();
    let kept = desk.get(&format!("/api/conversations/{id}")).await.json();
    assert!(kept["title"].as_str().unwrap().starts_with("Call calculate_tip with"), "{kept}");
    let wrong = called("calculate_tip", json!({"amount": "much"})).await;
    let events: Vec<_> = wrong.events().into_iter().map(|(_, event)| event).collect();
    let told = first(&events, "call_finished").to_string();
    assert!(told.contains("invalid arguments"), "{told}");
    assert!(!events.iter().any(|it| it["type"] == "call_started"), "{events:?}");
    for unknown in ["calculate_tips", "Calculate_Tip", "find_tools"] {
        let answer = called(unknown, json!({})).await;
        assert_eq!(answer.status, 404, "{unknown}");
        assert!(answer.text().contains(&format!("there is no tool `{unknown}` in this task")));
    }
    let body = json!({"arguments": [1]});
    assert_eq!(desk.post("/api/tools/calculate_tip/call", &body).await.status, 422);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_taken_back_waits_for_a_decision_when_called_by_hand() {
    let desk = Desk::demo().await;
    let body = json!({"arguments": {"text": "buy milk"}});
    desk.post("/api/tools/take_note/call", &body).await;
    let request = Request::new("POST", "/api/tools/delete_notes/call").json(&json!({}));
    let mut stream = Listening::to(desk.address, &request).await;
    let events = stream.until("call_preview").await;
    let id = events[0].1["conversation_id"].as_str().unwrap().to_owned();
    let shown = &events.last().unwrap().1;
    let denial =
        json!({"call_id": shown["id"], "fingerprint": shown["fingerprint"], "verdict": "deny"});
    let decided = desk.post(&format!("/api/conversations/{id}/decisions"), &denial).await;
    assert_eq!(decided.status, 200, "{}", decided.text());
    let events = stream.until("done").await;
    assert_eq!(events.last().unwrap().1["tool_calls"][0]["status"], "denied");
    let notes = desk.post("/api/tools/list_notes/call", &json!({})).await.text();
    assert!(notes.contains("buy milk"), "{notes}");
}
