//! Long results and long conversations: what the model is sent, and what people keep.

use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Conversation, EventKind, Message, Outcome, Output, Status, ToolEffect,
};
use toolwright_runtime::ContextWindow;
use toolwright_testkit::{Reply, Script};

use crate::support::{agent, bodies, calls, play, result_sent, serve, spec, text, tool};

fn small(result: usize) -> ContextWindow {
    ContextWindow { result, ..ContextWindow::default() }
}

#[tokio::test]
async fn an_oversized_result_is_bounded_for_the_model_and_whole_for_the_person() {
    let whole: String = (0..10_000).map(|line| format!("line {line}\n")).collect();
    let script = Script::new().reply(Reply::calls([("a", "read", "{}")])).reply(Reply::text("Ok."));
    let server = serve(script).await;
    let given = whole.clone();
    let read = tool(spec("read", ToolEffect::ReadOnly), move |_, _| {
        let given = given.clone();
        async move { text(given) }
    });
    let agent = agent(&server).tool(read).window(small(2_000)).build().unwrap();
    let played = play(agent.run("Read.")).await;
    let sent = result_sent(&server);
    assert!(sent.len() < 2_200, "{}", sent.len());
    assert!(sent.starts_with("line 0\nline 1\n") && sent.ends_with("line 9999\n"), "{sent}");
    assert!(sent.contains("bytes are left out here"), "{sent}");
    let kept = played.events.iter().find_map(|event| match &event.kind {
        EventKind::FullResult { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(kept, Some(whole));
    server.assert_clean();
}

#[tokio::test]
async fn letters_are_never_cut_in_half_and_short_results_are_left_alone() {
    for (given, is_cut) in
        [("é".repeat(5_000), true), ("漢字".repeat(3_000), true), ("ok".into(), false)]
    {
        let script =
            Script::new().reply(Reply::calls([("a", "read", "{}")])).reply(Reply::text("Ok."));
        let server = serve(script).await;
        let output = given.clone();
        let read = tool(spec("read", ToolEffect::ReadOnly), move |_, _| {
            let output = output.clone();
            async move { text(output) }
        });
        let agent = agent(&server).tool(read).window(small(1_000)).build().unwrap();
        play(agent.run("Read.")).await;
        assert_eq!(result_sent(&server) != given, is_cut);
    }
}

#[tokio::test]
async fn short_lines_are_bounded_by_their_number() {
    let given: String = (0..5_000).map(|line| format!("{line}\n")).collect();
    let script = Script::new().reply(Reply::calls([("a", "read", "{}")])).reply(Reply::text("Ok."));
    let server = serve(script).await;
    let read = tool(spec("read", ToolEffect::ReadOnly), move |_, _| {
        let given = given.clone();
        async move { text(given) }
    });
    play(agent(&server).tool(read).build().unwrap().run("Read.")).await;
    let sent = result_sent(&server);
    assert!(sent.starts_with("0\n1\n") && sent.ends_with("4998\n4999\n"), "{sent}");
    assert!((1_900..=2_010).contains(&sent.lines().count()), "{}", sent.lines().count());
}

/// Thirty turns about instruments, each with an id of its own.
fn long() -> Conversation {
    let mut conversation = Conversation::new();
    conversation.push(Message::system("Help."));
    for turn in 0..30 {
        let id = format!("call_{turn}");
        conversation.push(Message::user(format!("Find instrument {turn}, please.")));
        let calls = calls([(id.as_str(), "find", "{}")]).calls;
        conversation.push(Message::Assistant(AssistantMessage { calls, ..Default::default() }));
        let found = json!({"security_id": 7_000 + turn, "about": "x".repeat(400)}).to_string();
        conversation.push(Message::tool(id.as_str(), "find", Outcome::ok(found)));
        conversation.push(Message::assistant(format!("It is {}.", 7_000 + turn)));
    }
    conversation
}

fn quote() -> std::sync::Arc<dyn toolwright_core::Tool> {
    let spec = spec("quote", ToolEffect::ReadOnly).grounded("security_id").after("find");
    tool(spec, async |arguments, _| {
        Ok(Output::Json(json!({"price": 9, "of": *arguments}).to_string()))
    })
}

fn find() -> std::sync::Arc<dyn toolwright_core::Tool> {
    tool(spec("find", ToolEffect::ReadOnly), async |_, _| text("found"))
}

fn messages(body: &Value) -> Vec<(String, String)> {
    let field = |it: &Value, name: &str| it[name].as_str().unwrap_or_default().to_owned();
    let all = body["messages"].as_array().unwrap().iter();
    all.map(|it| (field(it, "role"), field(it, "content"))).collect()
}

#[tokio::test]
async fn a_long_conversation_is_compacted_and_identifiers_are_still_known() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "quote", r#"{"security_id": 7001}"#),
            ("b", "quote", r#"{"security_id": 9999}"#),
        ]))
        .reply(Reply::text("It is 9."));
    let server = serve(script).await;
    let window = ContextWindow { tokens: 3_000, ..ContextWindow::default() };
    let agent = agent(&server).tool(find()).tool(quote()).window(window).build().unwrap();
    let running = agent.prepare("And the price of the second one?").conversation(long()).start();
    let played = play_after(running).await;
    let sent = &bodies(&server)[0];
    let sent = messages(sent);
    assert_eq!(sent[0], ("system".into(), "Help.".into()));
    assert!(sent[1].1.starts_with("What happened so far"), "{:?}", sent[1]);
    assert!(sent[1].1.contains("Find instrument 1, please."));
    assert_eq!(sent.last().unwrap().1, "And the price of the second one?");
    assert!(sent.len() < 50, "{} messages", sent.len());
    // 7001 was returned long ago; 9999 never was, and the refusal lists what exists.
    let results: Vec<_> = played.conversation.results().collect();
    let last: Vec<_> = results.iter().rev().take(2).collect();
    assert_eq!(last[1].outcome.status, Status::Ok, "{}", last[1].outcome.text);
    assert_eq!(last[0].outcome.status, Status::Refused);
    assert!(last[0].outcome.text.contains("7029"), "{}", last[0].outcome.text);
    server.assert_clean();
}

#[tokio::test]
async fn a_conversation_is_compacted_by_hand_once() {
    let script = Script::new()
        .reply(Reply::calls([("a", "quote", r#"{"security_id": 7001}"#)]))
        .reply(Reply::text("It is 9."));
    let server = serve(script).await;
    // The window is far from full: nothing would be replaced by itself.
    let agent = agent(&server).tool(find()).tool(quote()).build().unwrap();
    let wished = agent.compacting();
    let running = wished.prepare("And the price of the second one?").conversation(long()).start();
    let played = play_after(running).await;
    let sent: Vec<_> = bodies(&server).iter().map(messages).collect();
    assert!(sent[0][1].1.starts_with("What happened so far"), "{:?}", sent[0][1]);
    assert_eq!(sent[0].last().unwrap().1, "And the price of the second one?");
    assert!(sent[0].len() < 50, "{} messages", sent[0].len());
    // The second request goes on from there.
    assert_eq!(sent[1][..sent[0].len()], sent[0][..]);
    let compacted = |it: &&toolwright_core::Event| matches!(it.kind, EventKind::Compacted(_));
    assert_eq!(played.events.iter().filter(compacted).count(), 1);
    // 7001 was returned long ago, and is still known.
    assert_eq!(played.conversation.results().next_back().unwrap().outcome.status, Status::Ok);
    server.assert_clean();
}

#[tokio::test]
async fn a_short_conversation_is_not_compacted_and_that_is_told() {
    let server = serve(Script::new().reply(Reply::text("Hello."))).await;
    let played = play(agent(&server).build().unwrap().compacting().run("Hi.")).await;
    assert_eq!(played.answer().response, "Hello.");
    let told = played.events.iter().any(
        |it| matches!(&it.kind, EventKind::Notice { message, .. } if message.contains("too short")),
    );
    assert!(told, "{:?}", played.events);
    server.assert_clean();
}

#[tokio::test]
async fn a_provider_that_says_too_long_is_asked_once_more_with_less() {
    let too_long = r#"{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}"#;
    let script =
        Script::new().reply(Reply::status(400).body(too_long)).reply(Reply::text("Short."));
    let server = serve(script).await;
    let agent = agent(&server).tool(find()).build().unwrap();
    let running = agent.prepare("And now?").conversation(long()).start();
    let played = play_after(running).await;
    assert_eq!(played.answer().response, "Short.");
    let sizes: Vec<_> = bodies(&server).iter().map(|body| messages(body).len()).collect();
    assert!(sizes[1] < sizes[0] / 2, "{sizes:?}");
    server.assert_clean();

    // With nothing left to shorten it is an error that says what to do.
    let server = serve(Script::new().reply(Reply::status(400).body(too_long))).await;
    let played = play(super::support::agent(&server).build().unwrap().run("Hi.")).await;
    assert!(played.failure().advice.as_deref().unwrap().contains("too long"));
}

/// As [`play`], for runs that go on from a history: replaying them needs it.
async fn play_after(mut running: toolwright_runtime::RunStream) -> crate::support::Played {
    let mut events = Vec::new();
    while let Some(event) = running.next().await {
        events.push(event);
    }
    let end = running.finish().await;
    let run = running.into_run().unwrap();
    let replayed = toolwright_core::Run::replay(long(), &events).unwrap();
    assert_eq!(replayed.conversation(), run.conversation());
    crate::support::Played { events, end, conversation: run.into_conversation() }
}

#[tokio::test]
async fn a_long_run_is_compacted_between_rounds_and_keeps_its_question() {
    let mut script = Script::new();
    for round in 0..12 {
        let id = format!("r{round}");
        let arguments = format!(r#"{{"page": {round}}}"#);
        let reply = Reply::calls([(id.as_str(), "page", arguments.as_str())]);
        // A server that does not count: lengths are estimated.
        script = script.reply(reply.without_usage());
    }
    let server = serve(script.reply(Reply::text("Read."))).await;
    let page = tool(spec("page", ToolEffect::ReadOnly), async |arguments, _| {
        text(format!("{arguments} {}", "words ".repeat(300)))
    });
    let window = ContextWindow { tokens: 2_000, ..ContextWindow::default() };
    let agent = agent(&server).tool(page).window(window).rounds(20).build().unwrap();
    let played = play(agent.run("Read all twelve pages of the book.")).await;
    assert_eq!(played.answer().response, "Read.");
    let compacted = played.kinds().iter().filter(|kind| *kind == "compacted").count();
    assert!(compacted >= 2, "{compacted}");
    for body in bodies(&server) {
        let sent = messages(&body);
        assert!(sent.iter().any(|(_, text)| text.contains("Read all twelve pages")), "{sent:?}");
        let size: usize = sent.iter().map(|(_, text)| text.len()).sum();
        assert!(size < 12_000, "{size}");
    }
    server.assert_clean();
}
