//! Another model goes on where one gives no reply: which, when, at whose price, and what is seen of it.

use std::{
    future,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolwright_core::{
    Attachment, Conversation, DisplayText, Event, EventKind, FailureKind, FinishReason, Limits,
    Message, Model, ModelDelta, ModelError, ModelErrorKind, ModelOptions, ModelRequest,
    ModelResponse as Said, ModelStream, OutputStrategy, Price, Run, RunContext, ToolEffect, Usage,
    UserMessage,
};
use toolwright_models::{FunctionModel, Scripted};
use toolwright_runtime::{Agent, ContextWindow, FallbackModel, GenerationEvent};
use toolwright_testkit::{Fault, Reply, Script};

use crate::support::{
    Count, Played, agent, bodies, calls, counting, echo, model, play, serve, spec, watch,
};

fn error(kind: ModelErrorKind) -> ModelError {
    ModelError::new(kind, "in trouble").with_advice("wait")
}

/// A model that never replies.
fn failing(name: &str, kind: ModelErrorKind) -> FunctionModel {
    FunctionModel::new(name, move |_| Err(error(kind)))
}

/// A model that says this to everything.
fn saying(name: &str, text: &'static str) -> FunctionModel {
    FunctionModel::new(name, move |_| Ok(Said::text(text)))
}

/// Of whom, to whom, and why.
fn turns(events: &[Event]) -> Vec<(&str, &str, &str)> {
    let turn = |event: &'_ Event| matches!(event.kind, EventKind::ModelFallback { .. });
    let turned = events.iter().filter(|event| turn(event));
    turned
        .map(|event| match &event.kind {
            EventKind::ModelFallback { from, to, reason, .. } => {
                (from.as_str(), to.as_str(), reason.as_str())
            }
            _ => unreachable!(),
        })
        .collect()
}

/// What people with nothing but text see.
fn seen(events: &[Event]) -> String {
    let mut shown = DisplayText::new();
    events.iter().filter_map(|event| shown.add(event).map(std::borrow::Cow::into_owned)).collect()
}

#[tokio::test]
async fn what_another_could_do_without_is_asked_of_another_and_nothing_else_is() {
    use ModelErrorKind::{
        Attachment, Auth, BrokenReply, Connection, NotConfigured, NotFound, Quota, RateLimited,
        Request, Server, Timeout, TooLong,
    };
    let others = [
        NotConfigured,
        Connection,
        Timeout,
        Auth,
        RateLimited,
        Quota,
        NotFound,
        Server,
        BrokenReply,
    ];
    for kind in others {
        let second = FallbackModel::new(saying("b:two", "Here I am."));
        let agent = Agent::builder(failing("a:one", kind)).fallback_model(second).build().unwrap();
        let played = play(agent.run("Well?")).await;
        assert_eq!(played.answer().response, "Here I am.", "{kind:?}");
        assert_eq!(turns(&played.events), [("a:one", "b:two", "in trouble")], "{kind:?}");
    }
    // The same is wrong with it there: no picture, and a window that is no larger.
    for kind in [Request, TooLong, Attachment] {
        let second = FallbackModel::new(saying("b:two", "Here I am."));
        let agent = Agent::builder(failing("a:one", kind)).fallback_model(second).build().unwrap();
        let played = play(agent.run("Well?")).await;
        assert_eq!(played.failure().kind, FailureKind::Model(kind));
        assert_eq!(played.failure().message, "in trouble", "{kind:?}");
        assert!(turns(&played.events).is_empty());
    }
}

#[tokio::test]
async fn a_real_endpoint_is_asked_as_often_as_it_says_and_then_the_next() {
    let trouble = || Reply::status(503);
    let first = serve(Script::new().reply(trouble()).reply(trouble()).reply(trouble())).await;
    let second = serve(Script::new().reply(Reply::text("Here I am."))).await;
    let agent =
        agent(&first).fallback_model(FallbackModel::new(model(second.base_url()))).build().unwrap();
    let played = play(agent.run("Well?")).await;
    assert_eq!(played.answer().response, "Here I am.");
    assert_eq!((first.requests().len(), second.requests().len()), (3, 1));
    let kinds = played.kinds();
    let told: Vec<_> = kinds.iter().filter(|it| it.starts_with("model_")).collect();
    assert_eq!(told, ["model_retry", "model_retry", "model_fallback"]);
    second.assert_clean();
}

#[tokio::test]
async fn what_tools_did_is_not_done_again() {
    let done = Count::default();
    let first =
        serve(Script::new().reply(Reply::calls([("w", "write", "{}")])).reply(Reply::status(401)))
            .await;
    let second = serve(Script::new().reply(Reply::text("It is written."))).await;
    let agent = agent(&first)
        .tool(counting(spec("write", ToolEffect::Write), &done))
        .fallback_model(FallbackModel::new(model(second.base_url())))
        .build()
        .unwrap();
    let played = play(agent.run("Write.")).await;
    assert_eq!(played.answer().response, "It is written.");
    assert_eq!((done.get(), second.requests().len()), (1, 1));
    let sent = bodies(&second)[0]["messages"].clone();
    let roles: Vec<_> = sent.as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"]);
    assert_eq!(sent[2]["content"], "counted");
    second.assert_clean();
}

#[tokio::test]
async fn what_was_shown_is_taken_back() {
    let said =
        |text: &str| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": text}}]}));
    let half = Reply::raw_sse(said("It was ") + &said("a dark ")).fault(Fault::CutAt(usize::MAX));
    let first = serve(Script::new().reply(half)).await;
    let second = serve(Script::new().reply(Reply::text("The sun shone."))).await;
    let agent =
        agent(&first).fallback_model(FallbackModel::new(model(second.base_url()))).build().unwrap();
    let played = play(agent.run("Tell me.")).await;
    assert_eq!(played.answer().response, "The sun shone.");
    let name = model(second.base_url()).name().to_owned();
    let told = format!("It was a dark \n\n[broken off; {name} begins anew]\n\nThe sun shone.");
    assert_eq!(seen(&played.events), told);
    // Nothing of the first is in what is kept.
    let texts: Vec<_> = played.conversation.messages().iter().map(|it| it.content()).collect();
    assert_eq!(texts, ["Tell me.", "The sun shone."]);
    assert_eq!(bodies(&second)[0]["messages"].as_array().unwrap().len(), 1);
}

/// Says this much, then breaks off.
struct Breaks(&'static str);

impl Model for Breaks {
    fn name(&self) -> &str {
        "a:breaks"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        let said = Ok(ModelDelta::Text(self.0.to_owned()));
        Box::pin(stream::iter([said, Err(error(ModelErrorKind::BrokenReply))]))
    }

    fn output_strategy(&self) -> OutputStrategy {
        OutputStrategy::Native
    }
}

#[tokio::test]
async fn whoever_only_reads_pieces_is_told_that_they_do_not_count() {
    let agent = Agent::builder(Breaks("It was "))
        .fallback_model(FallbackModel::new(saying("b:two", "Sunny.")))
        .build()
        .unwrap();
    let mut generation = agent.generate([Message::user("Tell me.")], []).unwrap();
    let mut heard = Vec::new();
    while let Some(event) = generation.next().await {
        heard.push(event);
    }
    let content = |text: &str| GenerationEvent::Content { data: text.to_owned() };
    assert_eq!(heard, [content("It was "), GenerationEvent::ContentDiscarded, content("Sunny.")]);
}

#[tokio::test]
async fn where_all_fail_nothing_half_said_is_given() {
    let agent = Agent::builder(Breaks("It was "))
        .fallback_model(FallbackModel::new(failing("b:two", ModelErrorKind::Auth)))
        .fallback_model(FallbackModel::new(failing("c:three", ModelErrorKind::Server)))
        .build()
        .unwrap();
    let played = play(agent.run("Tell me.")).await;
    let failure = played.failure();
    assert_eq!(failure.kind, FailureKind::Model(ModelErrorKind::Server));
    assert_eq!(
        failure.message,
        "no model gave a reply: a:breaks (in trouble); b:two (in trouble); c:three (in trouble)"
    );
    assert_eq!((failure.advice.as_deref(), failure.response.as_str()), (Some("wait"), ""));
}

#[tokio::test]
async fn a_reply_with_nothing_in_it_is_none_and_is_paid_for() {
    let usage = Usage { prompt_tokens: 100, completion_tokens: 10, ..Usage::default() };
    let empty = Scripted::new([Said { usage, ..Said::default() }]);
    let full = Said { usage, ..Said::text("Here I am.") };
    let agent = Agent::builder(empty.clone())
        .price(Price::new(1.0, 1.0))
        .fallback_model(
            FallbackModel::new(FunctionModel::new("b:two", move |_| Ok(full.clone())))
                .price(Price::new(10.0, 100.0)),
        )
        .build()
        .unwrap();
    let mut running = agent.run("Well?");
    let answer = running.finish().await.unwrap();
    assert_eq!(answer.usage.total(), 220);
    let run = running.into_run().unwrap();
    assert_eq!(run.cost(), Some(110 + 2_000), "each at its own price");
    empty.assert_complete();
}

#[tokio::test]
async fn what_a_provider_withheld_is_not_asked_elsewhere() {
    let withheld = Said { finish: FinishReason::ContentFilter, ..Said::default() };
    let agent = Agent::builder(Scripted::new([withheld]))
        .fallback_model(FallbackModel::new(saying("b:two", "Here I am.")))
        .build()
        .unwrap();
    let played = play(agent.run("Well?")).await;
    assert_eq!(played.failure().kind, FailureKind::ContentFilter);
    assert!(turns(&played.events).is_empty());
}

#[tokio::test]
async fn where_the_last_says_nothing_either_the_error_names_them_all() {
    let agent = Agent::builder(failing("a:one", ModelErrorKind::Server))
        .fallback_model(FallbackModel::new(saying("b:two", " ")))
        .build()
        .unwrap();
    let played = play(agent.run("Well?")).await;
    // It is asked once more, as a model alone would be, and then the first is.
    assert_eq!(
        played.failure().message,
        "no model gave a reply: b:two (it replied with nothing); a:one (in trouble)"
    );
    let silent = || saying("b:two", " ");
    let agent = Agent::builder(silent()).fallback_model(FallbackModel::new(silent()));
    let played = play(agent.build().unwrap().run("Well?")).await;
    assert_eq!(played.failure().kind, FailureKind::EmptyReplies);
}

#[tokio::test]
async fn a_limit_of_cost_counts_each_model_at_its_price() {
    let usage = Usage { prompt_tokens: 100, ..Usage::default() };
    let looks = move |id| Said { usage, ..calls([(id, "look", "{}")]) };
    for (most, is_over) in [(1_100, false), (1_099, true)] {
        let limits = Limits { cost: Some(most), ..Limits::default() };
        let first = Scripted::new([looks("a")]).then_fail(error(ModelErrorKind::Quota));
        let second = Scripted::new([looks("b"), Said::text("Done.")]);
        let agent = Agent::builder(first)
            .tool(echo("look"))
            .price(Price::new(1.0, 0.0))
            .limits(limits)
            .fallback_model(FallbackModel::new(second).price(Price::new(10.0, 0.0)))
            .build()
            .unwrap();
        let played = play(agent.run("Look.")).await;
        let reached = played.events.iter().find_map(|event| match &event.kind {
            EventKind::LimitReached { limit, .. } => Some(limit.to_string()),
            _ => None,
        });
        assert_eq!(reached.as_deref() == Some("cost"), is_over, "{most}: {reached:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_failed_is_passed_over_and_tried_again_by_one() {
    let (asked, works) = (Count::default(), Arc::new(AtomicBool::new(false)));
    let (counted, working) = (asked.clone(), works.clone());
    let first = FunctionModel::new("a:one", move |_| {
        counted.add();
        if working.load(SeqCst) {
            Ok(Said::text("One."))
        } else {
            Err(error(ModelErrorKind::Server))
        }
    });
    let second = FallbackModel::new(saying("b:two", "Two."));
    let agent = Agent::builder(first).fallback_model(second).build().unwrap();
    let answer = async || agent.run("Well?").finish().await.unwrap().response;
    assert_eq!((answer().await.as_str(), asked.get()), ("Two.", 1));
    // Later runs do not wait for it, and say why.
    let played = play(agent.run("Well?")).await;
    assert_eq!((played.answer().response.as_str(), asked.get()), ("Two.", 1));
    let told = "it gave no reply before (server); tried again in 30 s";
    assert_eq!(turns(&played.events), [("a:one", "b:two", told)]);
    tokio::time::advance(Duration::from_secs(30)).await;
    works.store(true, SeqCst);
    assert_eq!((answer().await.as_str(), asked.get()), ("One.", 2));
    assert_eq!((answer().await.as_str(), asked.get()), ("One.", 3));
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_asks_to_be_left_alone_is_left_alone_as_long() {
    let asked = Count::default();
    let counted = asked.clone();
    let first = FunctionModel::new("a:one", move |_| {
        counted.add();
        let mut error = error(ModelErrorKind::RateLimited);
        error.retry_after = Some(Duration::from_secs(7));
        Err(error)
    });
    let second = FallbackModel::new(saying("b:two", "Two."));
    let agent = Agent::builder(first).fallback_model(second).build().unwrap();
    for (after, times) in [(0, 1), (6, 1), (1, 2)] {
        tokio::time::advance(Duration::from_secs(after)).await;
        agent.run("Well?").finish().await.unwrap();
        assert_eq!(asked.get(), times);
    }
}

#[tokio::test]
async fn a_run_stays_with_the_model_it_turned_to() {
    let asked = Count::default();
    let counted = asked.clone();
    let first = FunctionModel::new("a:one", move |_| {
        counted.add();
        Err(error(ModelErrorKind::Server))
    });
    let second = Scripted::new([
        calls([("a", "look", r#"{"n":1}"#)]),
        calls([("b", "look", r#"{"n":2}"#)]),
        Said::text("Done."),
    ]);
    let agent = Agent::builder(first)
        .tool(echo("look"))
        .fallback_model(FallbackModel::new(second.clone()))
        .build()
        .unwrap();
    let played = play(agent.run("Look.")).await;
    assert_eq!(played.answer().response, "Done.");
    assert_eq!((asked.get(), turns(&played.events).len()), (1, 1));
    second.assert_complete();
}

#[tokio::test]
async fn where_nothing_else_is_left_one_that_failed_is_asked_again() {
    let first = Scripted::default()
        .then_fail(error(ModelErrorKind::Server))
        .then(Said::text("Back again."));
    let second =
        Scripted::new([calls([("a", "look", "{}")])]).then_fail(error(ModelErrorKind::Quota));
    let agent = Agent::builder(first.clone())
        .tool(echo("look"))
        .fallback_model(FallbackModel::new(second.clone()))
        .build()
        .unwrap();
    let played = play(agent.run("Look.")).await;
    assert_eq!(played.answer().response, "Back again.");
    first.assert_complete();
    second.assert_complete();
}

#[tokio::test]
async fn what_is_meant_for_one_provider_goes_to_no_other() {
    let first = serve(Script::new().reply(Reply::status(401))).await;
    let second = serve(Script::new().reply(Reply::text("Here I am."))).await;
    let mut options = ModelOptions::default();
    options.set("temperature", "0.5").unwrap();
    options.set("headers.X-Account", "one").unwrap();
    options.set("extra.service_tier", "flex").unwrap();
    let mut own = ModelOptions::default();
    own.set("extra.top_k", "40").unwrap();
    let base = agent(&first).options(options);
    let agent = base
        .fallback_model(FallbackModel::new(model(second.base_url())).options(own))
        .build()
        .unwrap();
    play(agent.run("Well?")).await.answer();
    let (asked, fallen) = (&first.requests()[0], &second.requests()[0]);
    assert_eq!(asked.header("x-account"), Some("one"));
    assert_eq!(asked.body["service_tier"], "flex");
    assert_eq!(fallen.header("x-account"), None);
    assert_eq!(fallen.body.get("service_tier"), None);
    assert_eq!((&fallen.body["temperature"], &fallen.body["top_k"]), (&json!(0.5), &json!(40)));
}

#[tokio::test]
async fn options_of_a_fallback_are_checked() {
    let mut options = ModelOptions::default();
    options.temperature = Some(9.0);
    let second = FallbackModel::new(saying("b:two", "")).options(options);
    assert!(Agent::builder(saying("a:one", "")).fallback_model(second).build().is_err());
}

/// Sees pictures.
struct Sees;

impl Model for Sees {
    fn name(&self) -> &str {
        "b:sees"
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let count = request.conversation.messages().iter().map(|it| it.attachments().len());
        let text = format!("I see {}.", count.sum::<usize>());
        Box::pin(stream::iter([Ok(ModelDelta::Response(Said::text(text)))]))
    }

    fn accepts(&self, _: &Attachment) -> bool {
        true
    }
}

#[tokio::test]
async fn a_picture_goes_to_the_one_that_sees() {
    let bytes = &b"\x89PNG\r\n\x1a\n..."[..];
    let question = || {
        let picture = Attachment::new(bytes, None, Some("picture.png")).unwrap();
        UserMessage { attachments: vec![picture], ..UserMessage::new("What is it?") }
    };
    let blind = || saying("a:blind", "I am blind.");
    let agent = Agent::builder(blind())
        .fallback_model(FallbackModel::new(saying("c:blind", "So am I.")))
        .fallback_model(FallbackModel::new(Sees))
        .build()
        .unwrap();
    let played = play(agent.prepare(question()).start()).await;
    assert_eq!(played.answer().response, "I see 1.");
    assert_eq!(turns(&played.events).len(), 1);
    // A model is not in trouble because it is blind.
    assert_eq!(agent.run("Hello").finish().await.unwrap().response, "I am blind.");
    // Where it is the other way round, one that is blind is told that there is something.
    let agent = Agent::builder(failing("a:one", ModelErrorKind::Server))
        .fallback_model(FallbackModel::new(blind()))
        .build()
        .unwrap();
    let played = play(agent.prepare(question()).start()).await;
    assert_eq!(played.failure().kind, FailureKind::Model(ModelErrorKind::Attachment));
}

#[tokio::test]
async fn what_is_too_long_goes_to_one_that_reads_more() {
    for (tokens, is_asked) in [(1_000_000, true), (128_000, false)] {
        let window = ContextWindow { tokens, ..ContextWindow::default() };
        let agent = Agent::builder(failing("a:one", ModelErrorKind::TooLong))
            .fallback_model(FallbackModel::new(saying("b:two", "Read.")).window(window))
            .build()
            .unwrap();
        assert_eq!(agent.run("Read it.").finish().await.is_ok(), is_asked, "{tokens}");
    }
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct City {
    name: String,
}

/// Whether there was a schema in a request, and the tools in it.
type Sent = (bool, Vec<String>);

/// Keeps what it was asked with.
#[derive(Clone)]
struct Held(OutputStrategy, Arc<Mutex<Vec<Sent>>>);

impl Model for Held {
    fn name(&self) -> &str {
        "b:held"
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        let tools = request.tools.specs().iter().map(|it| it.name.clone()).collect();
        self.1.lock().unwrap().push((request.output.is_some(), tools));
        let json = r#"{"name": "Hamburg"}"#;
        let reply = match self.0 {
            OutputStrategy::Tool => calls([("1", "final_answer", json)]),
            _ => Said::text(json),
        };
        Box::pin(stream::iter([
            Ok(ModelDelta::Text(String::new())),
            Ok(ModelDelta::Response(reply)),
        ]))
    }

    fn output_strategy(&self) -> OutputStrategy {
        self.0
    }
}

#[tokio::test]
async fn an_answer_in_a_form_is_asked_of_each_as_it_can_be_held_to_it() {
    for (strategy, sent) in [
        (OutputStrategy::Native, (true, vec![])),
        (OutputStrategy::Tool, (false, vec!["final_answer".to_owned()])),
        (OutputStrategy::Prompt, (false, vec![])),
    ] {
        let held = Held(strategy, Arc::default());
        let agent = Agent::builder(Breaks(r#"{"name": "Ha"#))
            .fallback_model(FallbackModel::new(held.clone()))
            .build()
            .unwrap();
        let typed = agent.ask::<City>("Which city?").await.unwrap();
        assert_eq!(typed.value, City { name: "Hamburg".into() });
        assert_eq!(*held.1.lock().unwrap(), [sent]);
    }
}

#[tokio::test]
async fn a_value_that_grew_begins_anew() {
    let second = saying("b:two", r#"{"name": "Bremen"}"#);
    let agent = Agent::builder(Breaks(r#"{"name": "Ha"#))
        .fallback_model(FallbackModel::new(second))
        .build()
        .unwrap();
    let mut run = agent.ask::<City>("Which city?");
    let mut seen = Vec::new();
    while let Some(city) = run.next().await {
        seen.push(city.name);
    }
    assert_eq!(seen.first().map(String::as_str), Some("Ha"));
    assert_eq!(seen.last().map(String::as_str), Some("Bremen"));
    assert!(!seen.iter().any(|name| name.contains("HaBre")), "{seen:?}");
    assert_eq!(run.finish().await.unwrap().value.name, "Bremen");
}

/// Never replies, and says when it is asked.
struct Hangs(Count);

impl Model for Hangs {
    fn name(&self) -> &str {
        "b:hangs"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        self.0.add();
        Box::pin(stream::once(future::pending()).boxed())
    }
}

#[tokio::test]
async fn cancelled_while_the_second_is_asked() {
    let asked = Count::default();
    let agent = Agent::builder(failing("a:one", ModelErrorKind::Server))
        .fallback_model(FallbackModel::new(Hangs(asked.clone())))
        .fallback_model(FallbackModel::new(saying("c:three", "Never.")))
        .build()
        .unwrap();
    let running = agent.run("Well?");
    let cancel = running.cancel();
    let played = watch(running, |event| {
        if let EventKind::ModelFallback { .. } = event.kind {
            cancel.cancel();
        }
    })
    .await;
    assert_eq!(played.failure().kind, FailureKind::Cancelled);
    assert_eq!(turns(&played.events).len(), 1, "nobody else is asked");
}

fn expensive() -> (FunctionModel, FallbackModel) {
    let usage = Usage { prompt_tokens: 10, completion_tokens: 1, ..Usage::default() };
    let first =
        FunctionModel::new("a:one", move |request| match request.conversation.results().count() {
            0 => Ok(Said { usage, ..calls([("a", "look", r#"{"n":1}"#)]) }),
            _ => Err(error(ModelErrorKind::Server)),
        });
    let second =
        FunctionModel::new("b:two", move |request| match request.conversation.results().count() {
            0 | 1 => Ok(Said { usage, ..calls([("b", "look", r#"{"n":2}"#)]) }),
            _ => Ok(Said { usage, ..Said::text("Done.") }),
        });
    (first, FallbackModel::new(second).price(Price::new(100.0, 1000.0)))
}

#[tokio::test]
async fn whenever_a_process_dies_the_run_goes_on_and_costs_what_it_costs() {
    let build = || {
        let (first, second) = expensive();
        let price = Price::new(1.0, 1.0);
        Agent::builder(first)
            .tool(echo("look"))
            .price(price)
            .fallback_model(second)
            .build()
            .unwrap()
    };
    let mut running = build().run("Look.");
    let mut log: Vec<Event> = Vec::new();
    while let Some(event) = running.next().await {
        log.push(event);
    }
    let run = running.into_run().unwrap();
    assert_eq!(run.cost(), Some(11 + 2 * 2_000));
    log.retain(|event| !event.kind.is_provisional());
    // Before the question is kept there is nothing to answer.
    for cut in 2..log.len() {
        let stored = serde_json::to_string(&log[..cut]).unwrap();
        let stored: Vec<Event> = serde_json::from_str(&stored).unwrap();
        let run = Run::replay(Conversation::new(), &stored).unwrap();
        let has_turned = run.is_on_fallback();
        let mut resumed = build().resume(run, RunContext::new());
        let mut events = Vec::new();
        while let Some(event) = resumed.next().await {
            events.push(event);
        }
        let end = resumed.finish().await.unwrap();
        assert_eq!(end.response, "Done.", "{cut}");
        // It stays with the model that it turned to.
        assert_eq!(turns(&events).len(), usize::from(!has_turned && !events.is_empty()), "{cut}");
        let whole: Vec<_> = stored.iter().chain(&events).cloned().collect();
        let replayed = Run::replay(Conversation::new(), &whole).unwrap();
        let run = resumed.into_run().unwrap();
        assert_eq!(run.cost(), replayed.cost(), "{cut}");
        assert_eq!(run.cost(), Some(11 + 2 * 2_000), "{cut}");
    }
}

#[tokio::test]
async fn where_the_model_it_turned_to_is_gone_the_first_goes_on_at_its_price() {
    let (first, second) = expensive();
    let agent = Agent::builder(first).tool(echo("look")).fallback_model(second).build().unwrap();
    let played = play(agent.run("Look.")).await;
    let at = played.events.iter().position(|it| it.kind.name() == "model_fallback").unwrap();
    let run = Run::replay(Conversation::new(), &played.events[..=at]).unwrap();
    let usage = Usage { prompt_tokens: 10, ..Usage::default() };
    let other = FunctionModel::new("z:other", move |_| Ok(Said { usage, ..Said::text("Done.") }));
    let agent = Agent::builder(other).price(Price::new(5.0, 5.0)).build().unwrap();
    let mut resumed = agent.resume(run, RunContext::new());
    let mut events = Vec::new();
    while let Some(event) = resumed.next().await {
        events.push(event);
    }
    assert_eq!(turns(&events), [("b:two", "z:other", "it is not configured any more")]);
    assert_eq!(resumed.into_run().unwrap().cost(), Some(50));
}

#[test]
fn the_order_is_that_of_the_list_and_those_that_failed_lately_come_last() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    proptest!(ProptestConfig::with_cases(64), |(fails in prop::collection::vec(any::<bool>(), 1..7), runs in 1..4_usize)| {
        let asked: Arc<Mutex<Vec<usize>>> = Arc::default();
        let one = |at: usize| {
            let (asked, fails) = (asked.clone(), fails[at]);
            FunctionModel::new(format!("m:{at}"), move |_| {
                asked.lock().unwrap().push(at);
                if fails { Err(error(ModelErrorKind::Server)) } else { Ok(Said::text("Yes.")) }
            })
        };
        let mut builder = Agent::builder(one(0));
        for at in 1..fails.len() {
            builder = builder.fallback_model(FallbackModel::new(one(at)));
        }
        let agent = builder.build().unwrap();
        let first_well = fails.iter().position(|it| !it);
        for run in 0..runs {
            asked.lock().unwrap().clear();
            let played: Played = runtime.block_on(play(agent.run("Well?")));
            let expected: Vec<usize> = match first_well {
                // Once it is known who fails, nobody waits for them.
                Some(well) if run > 0 => vec![well],
                Some(well) => (0..=well).collect(),
                None => (0..fails.len()).collect(),
            };
            prop_assert_eq!(&*asked.lock().unwrap(), &expected);
            prop_assert_eq!(played.end.is_ok(), first_well.is_some());
            if let Err(failure) = &played.end {
                let is_named = |at: usize| failure.message.contains(&format!("m:{at} (in trouble)"));
                prop_assert!(fails.len() == 1 || (0..fails.len()).all(is_named), "{}", failure.message);
            }
        }
    });
}
