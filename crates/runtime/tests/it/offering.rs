//! Very many tools: which of them the model is offered, through the real loop.

use std::sync::Arc;

use futures_core::future::BoxFuture;
use serde_json::{Value, json};
use toolwright_core::{
    Conversation, Event, EventKind, Run, RunContext, Status, ToolEffect, ToolRouter,
    ToolSimilarity, ToolSpec,
};
use toolwright_runtime::{AgentBuilder, FIND_TOOLS, SelectionConfig};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::support::{agent, bodies, play, serve, text, tool};

const THINGS: [&str; 12] = [
    "invoice", "flight", "recipe", "ticket", "playlist", "contact", "sensor", "article", "parcel",
    "backup", "survey", "loan",
];
const VERBS: [&str; 5] = ["list", "create", "delete", "archive", "rename"];

/// Sixty tools, each for one thing.
fn many(server: &ModelServer) -> AgentBuilder {
    let mut builder = agent(server).selection(SelectionConfig { above: 40, offer: 10 });
    for thing in THINGS {
        for verb in VERBS {
            let name = format!("{verb}_{thing}");
            let about = format!("{verb} one {thing} or several of them.");
            let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
            let spec = ToolSpec::new(name.clone(), about, schema).effect(ToolEffect::ReadOnly);
            builder = builder.tool(tool(spec, move |_, _| {
                let said = format!("{name} done");
                async move { text(said) }
            }));
        }
    }
    builder
}

fn offered(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().unwrap().iter();
    tools.map(|it| it["function"]["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn of_very_many_tools_those_the_question_calls_for_are_offered() {
    let script = Script::new()
        .reply(Reply::calls([("a", "create_invoice", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let played = play(many(&server).build().unwrap().run("Write a new invoice, please.")).await;
    let sent: Vec<_> = bodies(&server).iter().map(offered).collect();
    assert!(sent[0].len() <= 13, "{:?}", sent[0]);
    assert!(sent[0].contains(&"create_invoice".to_owned()), "{:?}", sent[0]);
    assert!(!sent[0].contains(&"list_sensor".to_owned()), "{:?}", sent[0]);
    assert_eq!(sent[0].last().map(String::as_str), Some(FIND_TOOLS));
    // What was offered stays on offer: prompts that begin alike are cheap.
    assert!(sent[0].iter().all(|name| sent[1].contains(name)), "{sent:?}");
    let told = played.events.iter().find_map(|event| match &event.kind {
        EventKind::ToolsOffered { tools, of, .. } => Some((tools.clone(), *of)),
        _ => None,
    });
    assert_eq!(told, Some((sent[0].clone(), 61)));
    server.assert_clean();
}

#[tokio::test]
async fn a_model_finds_what_was_not_offered_and_may_call_it() {
    let script = Script::new()
        .reply(Reply::calls([("a", FIND_TOOLS, r#"{"query": "archive a parcel"}"#)]))
        .reply(Reply::calls([("b", "archive_parcel", "{}"), ("c", "rename_loan", "{}")]))
        .reply(Reply::text("Done."));
    let server = serve(script).await;
    let played = play(many(&server).build().unwrap().run("Write a new invoice, please.")).await;
    assert!(played.text_of("a").contains("archive_parcel"), "{}", played.text_of("a"));
    // Found, or only guessed: a tool that exists is served.
    let ended =
        [(FIND_TOOLS, Status::Ok), ("archive_parcel", Status::Ok), ("rename_loan", Status::Ok)];
    assert_eq!(played.calls(), ended);
    let sent: Vec<_> = bodies(&server).iter().map(offered).collect();
    assert!(!sent[0].contains(&"archive_parcel".to_owned()));
    assert!(sent[1].contains(&"archive_parcel".to_owned()), "{:?}", sent[1]);
    server.assert_clean();
}

#[tokio::test]
async fn few_tools_are_all_offered_and_nothing_is_said_about_it() {
    let server = serve(Script::new().reply(Reply::text("Hi."))).await;
    let agent = many(&server).selection(SelectionConfig { above: 60, offer: 10 }).build().unwrap();
    let played = play(agent.run("Hello")).await;
    assert_eq!(offered(&bodies(&server)[0]).len(), 60);
    assert!(!played.kinds().contains(&"tools_offered".to_owned()));
}

/// Offers the last tool, and cannot tell when somebody hums.
struct Last;

impl ToolRouter for Last {
    fn route<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<usize>>> {
        let hums = conversation.messages().iter().any(|it| it.content().contains("hm"));
        Box::pin(async move { (!hums).then(|| vec![tools.len() - 1]) })
    }
}

#[tokio::test]
async fn a_router_has_the_choice_and_words_have_it_where_it_cannot_tell() {
    let script = Script::new().reply(Reply::text("Hi.")).reply(Reply::text("Hi."));
    let server = serve(script).await;
    let agent = many(&server).router(Last).build().unwrap();
    let played = play(agent.run("Write a new invoice, please.")).await;
    assert!(played.kinds().contains(&"tools_offered".to_owned()));
    play(agent.run("hm, a new invoice")).await;
    let sent: Vec<_> = bodies(&server).iter().map(offered).collect();
    assert_eq!(sent[0], ["rename_loan"]);
    assert!(sent[1].contains(&"create_invoice".to_owned()), "{:?}", sent[1]);
    assert_eq!(sent[1].last().map(String::as_str), Some(FIND_TOOLS));
}

/// Knows that a fee is a loan's, and cannot tell when somebody hums.
struct Fees;

impl ToolSimilarity for Fees {
    fn similarities<'a>(
        &'a self,
        conversation: &'a Conversation,
        tools: &'a [Arc<ToolSpec>],
    ) -> BoxFuture<'a, Option<Vec<f32>>> {
        let says =
            |word: &str| conversation.messages().iter().any(|it| it.content().contains(word));
        let (hums, fee) = (says("hm"), says("fee"));
        let similar = move |spec: &Arc<ToolSpec>| match fee && spec.name.ends_with("_loan") {
            true => 0.5,
            false => 0.01,
        };
        Box::pin(async move { (!hums).then(|| tools.iter().map(similar).collect()) })
    }
}

#[tokio::test]
async fn meaning_and_words_have_the_choice_together_and_words_where_there_is_no_meaning() {
    let script = (0..3).fold(Script::new(), |script, _| script.reply(Reply::text("Hi.")));
    let server = serve(script).await;
    let agent = many(&server).similarity(Arc::new(Fees)).build().unwrap();
    for asked in ["a fee, and a new invoice", "hm, a fee, and a new invoice", "xyzzy"] {
        play(agent.run(asked)).await;
    }
    let sent: Vec<_> = bodies(&server).iter().map(offered).collect();
    let has = |at: usize, name: &str| sent[at].iter().any(|it| it == name);
    assert!(has(0, "create_invoice") && has(0, "rename_loan"), "{:?}", sent[0]);
    assert!(has(1, "create_invoice") && !has(1, "rename_loan"), "{:?}", sent[1]);
    assert_eq!(sent[2], [FIND_TOOLS], "what is hardly similar is nothing");
}

#[tokio::test]
async fn what_the_user_switched_off_is_not_offered_not_found_and_not_run() {
    let query = r#"{"query": "write a new invoice"}"#;
    let calls = [("a", "functions.create_invoice", "{}"), ("b", FIND_TOOLS, query)];
    let script = Script::new().reply(Reply::calls(calls)).reply(Reply::text("Not today."));
    let server = serve(script).await;
    let agent = many(&server).build().unwrap().without_tools(["create_invoice"]);
    let played = play(agent.run("Write a new invoice, please.")).await;
    let sent: Vec<_> = bodies(&server).iter().map(offered).collect();
    assert!(!sent[0].contains(&"create_invoice".to_owned()), "{:?}", sent[0]);
    let told = played.text_of("a");
    assert!(told.contains("the user switched the tool `create_invoice` off"), "{told}");
    assert!(!played.text_of("b").contains("create_invoice"), "{}", played.text_of("b"));
    let started = played.events.iter().find_map(|event| match &event.kind {
        EventKind::RunStarted { tools_off, .. } => Some(tools_off.clone()),
        _ => None,
    });
    assert_eq!(started.unwrap(), ["create_invoice"]);
    let of = played.events.iter().find_map(|event| match &event.kind {
        EventKind::ToolsOffered { of, .. } => Some(*of),
        _ => None,
    });
    assert_eq!(of, Some(60), "59 tools, and the one that finds them");
}

#[tokio::test]
async fn a_run_that_is_resumed_has_what_was_off_off() {
    let script = Script::new().reply(Reply::text("Hi.")).reply(Reply::text("Hi again."));
    let server = serve(script).await;
    let agent = many(&server).selection(SelectionConfig { above: 90, offer: 90 }).build().unwrap();
    let off = ["create_invoice", "list_sensor"];
    let played = play(agent.without_tools(off).run("Hello")).await;
    let is_before = |event: &&Event| event.kind.name() != "round_started";
    let begun: Vec<_> = played.events.iter().take_while(is_before).collect();
    // By an agent that knows nothing of it: the log does.
    let run = Run::replay(Conversation::new(), begun).unwrap();
    agent.resume(run, RunContext::new()).finish().await.unwrap();
    let sent: Vec<_> = bodies(&server).iter().map(|it| offered(it).len()).collect();
    assert_eq!(sent, [58, 58]);
}

#[tokio::test]
async fn what_is_off_is_off_in_agents_among_the_tools() {
    let clerk = Script::new()
        .reply(Reply::calls([("b", "create_invoice", "{}")]))
        .reply(Reply::text("I may not."));
    let clerk = serve(clerk).await;
    let asking = r#"{"input": "Write a new invoice."}"#;
    let script = Script::new()
        .reply(Reply::calls([("a", "clerk", asking)]))
        .reply(Reply::text("The clerk may not."));
    let server = serve(script).await;
    let within = many(&clerk).build().unwrap().as_tool("clerk", "Ask the clerk.");
    let outer = agent(&server).tool(within).build().unwrap();
    play(outer.without_tools(["create_invoice"]).run("An invoice, please.")).await;
    let sent = bodies(&clerk);
    assert!(!offered(&sent[0]).contains(&"create_invoice".to_owned()), "{}", sent[0]);
    assert!(sent[1].to_string().contains("switched the tool"), "{}", sent[1]);
}
