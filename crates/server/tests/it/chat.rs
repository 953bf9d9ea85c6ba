//! Asking.

use serde_json::json;
use toolwright_market::{Limits, SimSettings, Simulator};
use toolwright_testkit::{Chunking, Reply, Script};

use crate::harness::{Desk, Listening, Request, Setup, kinds};

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_and_everything_is_told() {
    let script = Script::new()
        .reply(Reply::calls([("c1", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#)]))
        .reply(Reply::text("The tip is $9.12."));
    let (desk, model) = Desk::saying(script).await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "A 20% tip on $45.60?"})).await;
    assert_eq!(answer.headers["content-type"], "text/event-stream");
    let events = answer.events();
    let calls = events.iter().find(|(_, event)| event["type"] == "tool_calls").unwrap();
    let call = &calls.1["tool_calls"][0];
    assert_eq!(call["tool"], "calculate_tip");
    assert_eq!(call["args"], json!({"amount": 45.6, "percentage": 20}));
    assert_eq!(call["status"], "pending");
    let pieces = events.iter().filter(|(_, event)| event["type"] == "content");
    let text: String = pieces.filter_map(|(_, event)| event["data"].as_str()).collect();
    assert_eq!(text, "The tip is $9.12.");
    let (_, done) = events.last().unwrap();
    assert_eq!(done["type"], "done");
    assert_eq!(done["response"], "The tip is $9.12.");
    assert_eq!(done["tool_calls"][0]["status"], "success");
    assert_eq!(done["conversation_id"], answer.headers["x-conversation-id"].as_str());
    assert!(events.iter().all(|(_, event)| event["run"] == answer.headers["x-run-id"].as_str()));
    let ends = events.iter().filter(|(_, it)| it["type"] == "done" || it["type"] == "error");
    assert_eq!(ends.count(), 1);
    model.assert_clean();
}

/// Ids rise, a committed event's is its position, and a piece's is that of what it becomes part of.
#[tokio::test(flavor = "multi_thread")]
async fn every_event_has_an_id() {
    let script = Script::new().reply(Reply::text("One two three.")).chunking(Chunking::OneByte);
    let (desk, _model) = Desk::saying(script).await;
    let answer = desk.post("/api/chat/stream", &json!({"message": "Count."})).await;
    let ids: Vec<(u64, u64)> = answer
        .events()
        .iter()
        .map(|(id, event)| {
            let (position, piece) = id.split_once('.').unwrap_or((id, "0"));
            let is_piece = event["type"] == "content";
            assert_eq!(is_piece, id.contains('.'), "{id} {event}");
            assert_eq!(event["seq"], position.parse::<u64>().unwrap());
            let last = if is_piece { piece.parse().unwrap() } else { u64::MAX };
            (position.parse().unwrap(), last)
        })
        .collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    assert!(ids.iter().any(|(_, piece)| *piece == 1), "{ids:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on() {
    let script = Script::new().reply(Reply::text("Hello.")).reply(Reply::text("Still here."));
    let (desk, model) = Desk::saying(script).await;
    let first = desk.chat("Hi").await;
    let id = first.last().unwrap()["conversation_id"].clone();
    let second = desk.chat_with(json!({"message": "And now?", "conversation_id": id})).await;
    assert_eq!(second.last().unwrap()["response"], "Still here.");
    let request = &model.requests()[1].body;
    let said: Vec<_> = request["messages"].as_array().unwrap().iter().skip(1).collect();
    assert_eq!(said.len(), 3);
    assert_eq!(said[1]["content"], "Hello.");
    // Positions go on where the first run ended.
    let log = desk.get(&format!("/api/conversations/{}/events", id.as_str().unwrap())).await.json();
    let log = log["events"].as_array().unwrap();
    assert!(log.iter().enumerate().all(|(at, event)| event["position"] == at));
}

/// S0.2: a token, or the task, brings the trading tools and makes the first round use one.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_means_trading() {
    for body in [
        json!({"message": "NIFTY?", "access_token": "any-token-at-all"}),
        json!({"message": "NIFTY?", "task": "trading"}),
    ] {
        let script = Script::new()
            .reply(Reply::calls([("c1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
            .reply(Reply::text("Found it."));
        let (desk, model) = Desk::saying(script).await;
        let events = desk.chat_with(body).await;
        assert_eq!(events.last().unwrap()["type"], "done", "{:?}", events.last());
        let requests = model.requests();
        assert_eq!(requests[0].body["tool_choice"], "required");
        assert_ne!(requests[1].body["tool_choice"], "required");
        let tools = requests[0].body["tools"].to_string();
        assert!(tools.contains("get_market_quote") && !tools.contains("calculate_tip"));
    }
}

/// S0.2: whatever the task, a token brings the trading tools, their instructions and a first round that
/// uses one; the task keeps its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_brings_trading_to_every_task() {
    for (task, own) in
        [("demo", "calculate_tip"), ("history", "get_recent_videos"), ("general", "")]
    {
        let script = Script::new()
            .reply(Reply::calls([("c1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
            .reply(Reply::text("Found it."));
        let (desk, model) = Desk::saying(script).await;
        let body = json!({"message": "NIFTY?", "access_token": "your_token", "task": task});
        let events = desk.chat_with(body).await;
        let done = events.last().unwrap();
        assert_eq!(done["type"], "done", "{done}");
        assert_eq!(done["tool_calls"][0]["status"], "success", "{done}");
        let requests = model.requests();
        assert_eq!(requests[0].body["tool_choice"], "required", "{task}");
        assert_ne!(requests[1].body["tool_choice"], "required", "{task}");
        let tools = requests[0].body["tools"].to_string();
        assert!(tools.contains("\"get_market_quote\"") && tools.contains(own), "{task}");
        let system = requests[0].body["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("You work at a trading desk"), "{task}: {system}");
    }
}

/// The `curl` line of the document as it is printed: `your_token` stands for a token, and the market is
/// a simulated one. A token that only the broker can read is used as it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_says_nothing_can_be_used() {
    let script = || {
        Script::new()
            .reply(Reply::calls([("c1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
            .reply(Reply::calls([
                ("c2", "get_market_quote", r#"{"securities":{"IDX_I":[13]}}"#),
                ("c3", "get_expiries", r#"{"security_id":13,"exchange_segment":"IDX_I"}"#),
            ]))
            .reply(Reply::text("That is its price."))
    };
    // All who have no token are one client there.
    let settings = SimSettings { limits: Limits::none(), ..SimSettings::default() };
    let simulator = Simulator::start(settings).await.unwrap();
    let at = format!("[market]\nbase_url = \"{}\"\n", simulator.base_url());
    let client = format!("{at}client_id = \"1000000001\"\n");
    // Nobody listens there: what is no token is not sent to a real broker.
    let live = "[market]\nbase_url = \"http://127.0.0.1:1/v2\"\nprices = \"live\"\n".to_owned();
    for (config, token) in [
        (String::new(), "your_token"),
        (String::new(), "  "),
        (at.clone(), "  "),
        (live.clone(), "your_token"),
        (live, "  "),
        (at.clone(), "your_token"),
        (at, "an-opaque-token"),
        (client, "an-opaque-token"),
    ] {
        let setup = Setup { config, ..Setup::default() };
        let (desk, _model) = Desk::with(setup, script()).await;
        let body = json!({"message": "What is the price of NIFTY?", "access_token": token});
        let events = desk.chat_with(body).await;
        let calls = events.last().unwrap()["tool_calls"].as_array().unwrap().clone();
        assert_eq!(calls.len(), 3);
        assert!(calls.iter().all(|it| it["status"] == "success"), "{token}: {events:?}");
        let quoted = events.iter().rfind(|it| it["type"] == "call_finished").unwrap();
        assert_eq!(quoted["message"]["data"]["simulated"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_told() {
    let desk = Desk::demo().await;
    let cases = [
        (json!({"message": "  "}), 422),
        (json!({}), 422),
        (json!({"message": 7}), 422),
        (json!({"message": "x", "surprise": 1}), 422),
        (json!({"message": "x", "task": "cooking"}), 422),
        (json!({"message": "x", "task": "workspace"}), 422),
        (json!({"message": "x", "tool_mode": "loud"}), 422),
        (json!({"message": "x", "conversation_id": "conv_unknown"}), 404),
    ];
    for (body, status) in cases {
        let answer = desk.post("/api/chat/stream", &body).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        assert!(!answer.json()["error"]["message"].as_str().unwrap().is_empty());
    }
}

/// H13: one run at a time in a conversation.
#[tokio::test(flavor = "multi_thread")]
async fn a_second_question_waits_for_its_turn() {
    let script = Script::new()
        .reply(Reply::text("First."))
        .reply(Reply::text("Slow.").delay(std::time::Duration::from_secs(3600)));
    let (desk, _model) = Desk::saying(script).await;
    let first = desk.chat("Hi").await;
    let id = first.last().unwrap()["conversation_id"].as_str().unwrap().to_owned();
    let body = json!({"message": "Slowly", "conversation_id": id});
    let request = Request::new("POST", "/api/chat/stream").json(&body);
    let mut slow = Listening::to(desk.address, &request).await;
    slow.until("round_started").await;
    let second = desk.post("/api/chat/stream", &body).await;
    assert_eq!((second.status, second.code().as_str()), (409, "busy"));
    let gone = Request::new("DELETE", &format!("/api/conversations/{id}"));
    assert_eq!(crate::harness::ask(desk.address, &gone).await.status, 409);
    // Stopped, it ends properly, and the next one may go.
    let stopped = desk.post(&format!("/api/conversations/{id}/stop"), &json!({})).await;
    assert_eq!(stopped.status, 202);
    let end = slow.until("error").await;
    assert_eq!(end.last().unwrap().1["kind"], "cancelled");
    assert!(slow.next().await.is_none());
    let stopped = desk.post(&format!("/api/conversations/{id}/stop"), &json!({})).await;
    assert_eq!(stopped.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_question_is_asked_again() {
    let script = Script::new()
        .reply(Reply::status(400).body(r#"{"error":{"message":"no"}}"#))
        .reply(Reply::text("Now it works."));
    let (desk, model) = Desk::saying(script).await;
    let failed = desk.chat("Does it work?").await;
    let failed = failed.last().unwrap();
    assert_eq!(failed["type"], "error");
    let id = failed["conversation_id"].as_str().unwrap();
    let again = desk.post(&format!("/api/conversations/{id}/retry"), &json!({})).await;
    assert_eq!(again.events().last().unwrap().1["response"], "Now it works.");
    let asked = model.requests()[1].body["messages"].to_string();
    assert!(asked.contains("Does it work?"));
}

#[tokio::test(flavor = "multi_thread")]
async fn there_is_only_so_much_room() {
    let mut setup = Setup::default();
    setup.limits.runs = 1;
    let slow = Reply::text("Slow.").delay(std::time::Duration::from_secs(3600));
    let (desk, _model) = Desk::with(setup, Script::new().reply(slow)).await;
    let request = Request::new("POST", "/api/chat/stream").json(&json!({"message": "Slowly"}));
    let mut slow = Listening::to(desk.address, &request).await;
    slow.until("round_started").await;
    let refused = desk.post("/api/chat/stream", &json!({"message": "Me too"})).await;
    assert_eq!((refused.status, refused.code().as_str()), (429, "overloaded"));
    assert_eq!(refused.headers["retry-after"], "1");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_so_many_runs_begin_in_a_minute() {
    let mut setup = Setup::default();
    setup.limits.runs_per_minute = std::num::NonZeroU32::new(2);
    let desk = Desk::start(setup, None).await;
    for _ in 0..2 {
        assert_eq!(kinds(&desk.chat("Hi").await).last(), Some(&"done"));
    }
    let refused = desk.post("/api/chat/stream", &json!({"message": "Hi"})).await;
    assert_eq!(refused.status, 429);
    assert!(refused.headers["retry-after"].parse::<u64>().unwrap() > 1);
}

/// Whoever asks may choose among the models that are offered, and names neither a file nor an address:
/// not of a secret, nor of a pipe on which the server would wait for ever.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_chosen_by_its_name_only() {
    let (desk, model) = Desk::saying(Script::new().reply(Reply::text("Hello."))).await;
    let id = desk.chat("Hi").await.last().unwrap()["conversation_id"].clone();
    let secret = desk.folder.path().join("secret");
    std::fs::write(&secret, "no weights").unwrap();
    let pipe = desk.folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let named = [&secret, &pipe].map(|it| format!("offline:{}", it.display()));
    let others =
        ["offline:/dev/ptmx", "offline:x.gguf", "offline:", "/etc/passwd", "../x", "a/../b"];
    let addresses = ["http://127.0.0.1:1/v1", "file:/etc/passwd", "a b", "a\u{0}b", "a\nb", "é"];
    let others = others.into_iter().chain(addresses).map(str::to_owned);
    let long = std::iter::once("x".repeat(10_000));
    for name in named.into_iter().chain(others).chain(long) {
        let id = id.as_str().unwrap();
        for (path, body) in [
            ("/api/chat/stream".to_owned(), json!({"message": "Hi", "model": name})),
            (format!("/api/conversations/{id}/retry"), json!({"model": name})),
            (format!("/api/conversations/{id}/resume"), json!({"model": name})),
            (
                "/v1/chat/completions".to_owned(),
                json!({"model": name, "messages": [{"role": "user", "content": "Hi"}]}),
            ),
        ] {
            let answer = desk.post(&path, &body).await;
            assert_eq!(answer.status, 400, "{path} {name:?}: {}", answer.text());
            assert_eq!(answer.code(), "no_such_model");
            assert!(answer.text().contains("`model`"), "{}", answer.text());
            assert!(answer.text().len() < 1000);
        }
    }
    assert_eq!(model.requests().len(), 1);
}

/// Names as endpoints have them reach the endpoint, letter for letter.
#[tokio::test(flavor = "multi_thread")]
async fn names_of_models_reach_the_endpoint() {
    let names = ["gpt-4o-mini", "llama3.2:3b", "org/Model-7B.Q4_K_M", "ft:m:org::id", "@cf/a/b+c"];
    let script = names.iter().fold(Script::new(), |it, _| it.reply(Reply::text("Hello.")));
    let (desk, model) = Desk::saying(script).await;
    for (at, name) in names.iter().enumerate() {
        let events = desk.chat_with(json!({"message": "Hi", "model": name})).await;
        assert_eq!(kinds(&events).last(), Some(&"done"), "{name}");
        assert_eq!(model.requests()[at].body["model"], *name);
    }
    let demo = desk.chat_with(json!({"message": "Hi", "model": "demo"})).await;
    assert_eq!(kinds(&demo).last(), Some(&"done"));
}
