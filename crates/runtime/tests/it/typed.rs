//! Answers with a type, through the real loop and a real server.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright_core::{
    Call, EventKind, FailureKind, FinishReason, Model, ModelOptions, ModelRequest, ModelResponse,
    ModelStream, OutputSchema, OutputStrategy, ReviewMode, ToolChoice,
};
use toolwright_models::{Endpoint, EndpointConfig, Scripted};
use toolwright_review::AnswerReviewer;
use toolwright_runtime::Agent;
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::{
    nifty::Desk,
    support::{agent, bodies, play, serve},
};

#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct City {
    name: String,
    bridges: u32,
}

const HAMBURG: &str = r#"{"name": "Hamburg", "bridges": 2500}"#;

fn hamburg() -> City {
    City { name: "Hamburg".into(), bridges: 2500 }
}

/// The kinds of events that matter here.
fn story(events: &[toolwright_core::Event]) -> Vec<&'static str> {
    let names = events.iter().map(|event| event.kind.name());
    let told = ["reply", "call_started", "output_requested", "answer_rejected", "done", "error"];
    names.filter(|name| told.contains(name)).collect()
}

#[tokio::test]
async fn a_schema_is_sent_in_the_last_turn_alone() {
    let script = Script::new()
        .reply(Reply::calls([("1", "search_instruments", r#"{"query":"NIFTY"}"#)]))
        .reply(Reply::text("NIFTY has the id 13."))
        .reply(Reply::text(r#"{"security_id": 13}"#));
    let server = serve(script).await;
    let schema = json!({
        "type": "object", "properties": {"security_id": {"type": "integer"}},
        "required": ["security_id"], "additionalProperties": false,
    });
    let output = OutputSchema::new("instrument", schema.clone()).unwrap();
    let agent = agent(&server).toolset(Desk::default()).output_schema(output).build().unwrap();
    let played = play(agent.run("Which id has NIFTY?")).await;
    assert_eq!(played.answer().response, r#"{"security_id": 13}"#);
    let told = ["reply", "call_started", "reply", "output_requested", "reply", "done"];
    assert_eq!(story(&played.events), told);
    let bodies = bodies(&server);
    let formats: Vec<_> = bodies.iter().map(|it| it.get("response_format")).collect();
    let format = json!({
        "type": "json_schema",
        "json_schema": {"name": "instrument", "schema": schema, "strict": true},
    });
    assert_eq!(formats, [None, None, Some(&format)]);
    // The tools stay where they are, for whoever keeps a prompt's beginning.
    assert_eq!(bodies[2]["tools"], bodies[0]["tools"]);
    assert_eq!(bodies[2]["tool_choice"], "none");
    // The draft is not shown to whoever cannot forget it.
    let shown: String = played
        .events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Content { data } => Some(data.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, r#"{"security_id": 13}"#);
}

#[tokio::test]
async fn without_tools_the_first_turn_is_the_last() {
    let server = serve(Script::new().reply(Reply::text(HAMBURG))).await;
    let typed = agent(&server).build().unwrap().ask::<City>("Which city?").await.unwrap();
    assert_eq!((typed.value, typed.answer.response.as_str()), (hamburg(), HAMBURG));
    assert_eq!(bodies(&server)[0]["response_format"]["json_schema"]["name"], "City");
}

#[tokio::test]
async fn what_does_not_fit_goes_back_once_with_all_that_is_wrong() {
    let wrong = r#"{"name": 7, "bridges": -1, "river": "Elbe"}"#;
    let server = serve(Script::new().reply(Reply::text(wrong)).reply(Reply::text(HAMBURG))).await;
    let agent = agent(&server).build().unwrap();
    assert_eq!(agent.ask::<City>("Which city?").await.unwrap().value, hamburg());
    let told = bodies(&server)[1]["messages"].as_array().unwrap().last().unwrap().clone();
    let told = told["content"].as_str().unwrap();
    for fault in ["`/name`", "`/bridges`", "river"] {
        assert!(told.contains(fault), "{told}");
    }

    let script = Script::new().reply(Reply::text(wrong)).reply(Reply::text("Hamburg."));
    let server = serve(script).await;
    let agent = crate::support::agent(&server).output::<City>().build().unwrap();
    let played = play(agent.run("Which city?")).await;
    assert_eq!(played.failure().kind, FailureKind::Output);
    assert_eq!(
        story(&played.events),
        ["output_requested", "reply", "answer_rejected", "reply", "error"]
    );
}

#[tokio::test]
async fn a_refusal_a_cut_and_a_failure_are_three_things() {
    let refusal = Reply::json(json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message":
            {"role": "assistant", "content": null, "refusal": "I cannot say that."}}],
    }));
    let cut = Reply::text(r#"{"name": "Ham"#).finish_reason("length");
    let filtered = Reply::text("").finish_reason("content_filter");
    let failed = Reply::status(400).body(r#"{"error": {"message": "no such thing"}}"#);
    for (reply, expected) in [
        (refusal, "Refused"),
        (cut, "Truncated"),
        (filtered, "ContentFilter"),
        (failed, "Model(Request)"),
    ] {
        let server = serve(Script::new().reply(reply)).await;
        let agent = agent(&server).build().unwrap();
        let failure = agent.ask::<City>("Which city?").await.err().unwrap();
        assert_eq!(format!("{:?}", failure.kind), expected, "{failure}");
        assert_eq!(bodies(&server).len(), 1, "nothing of that is asked again");
    }
}

#[tokio::test]
async fn an_answer_grows_before_it_is_whole() {
    for chunking in [Chunking::OneByte, Chunking::PerEvent, Chunking::Whole] {
        let server =
            ModelServer::start(Script::new().reply(Reply::text(HAMBURG)).chunking(chunking)).await;
        let mut run = agent(&server).build().unwrap().ask::<City>("Which city?");
        let mut seen = Vec::new();
        while let Some(city) = run.next().await {
            assert!("Hamburg".starts_with(&city.name), "{city:?}");
            seen.push(city);
        }
        assert_eq!(seen.last(), Some(&hamburg()));
        assert_eq!(run.finish().await.unwrap().value, hamburg());
    }
}

#[tokio::test]
async fn what_is_no_object_is_wrapped_for_the_provider_alone() {
    let wrapped = r#"{"answer": ["Elbe", "Alster"]}"#;
    let server = serve(Script::new().reply(Reply::text(wrapped)).reply(Reply::text(wrapped))).await;
    let agent = agent(&server).build().unwrap();
    let mut run = agent.ask::<Vec<String>>("Which rivers?");
    let mut last = Vec::new();
    while let Some(rivers) = run.next().await {
        last = rivers;
    }
    assert_eq!(last, ["Elbe", "Alster"]);
    let typed = run.finish().await.unwrap();
    assert_eq!(typed.answer.response, r#"["Elbe","Alster"]"#);
    assert_eq!(agent.ask::<Vec<String>>("Again.").await.unwrap().value, ["Elbe", "Alster"]);
}

/// What a schema refers to is where it was, however it is sent.
#[tokio::test]
async fn forms_of_lists_and_of_references() {
    let city =
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    let list = json!({"type": "array", "items": {"$ref": "#/$defs/City"}, "$defs": {"City": city}});
    let root = json!({"$ref": "#/$defs/City", "$defs": {"City": city}});
    let nested = json!({"type": "array", "items": {"$ref": "#"}});
    // A field whose name is a word of schemas.
    let field = json!({"type": "object", "properties": {"default": {"$ref": "#"}}});
    let named = json!({"type": "array", "items": field});
    let whole = r#"[{"name": "Hamburg"}]"#;
    for (schema, reply, answer) in [
        (&list, r#"{"answer": [{"name": "Hamburg"}]}"#, Some(r#"[{"name":"Hamburg"}]"#)),
        (&list, whole, Some(whole)),
        (&list, r#"{"answer": [{"title": "Hamburg"}]}"#, None),
        (&root, r#"{"answer": {"name": "Hamburg"}}"#, Some(r#"{"name":"Hamburg"}"#)),
        (&nested, r#"{"answer": [[], [[]]]}"#, Some("[[],[[]]]")),
        (&nested, r#"{"answer": [{"answer": []}]}"#, None),
        (&named, r#"{"answer": [[{"default": []}]]}"#, None),
        (&named, r#"{"answer": [{"default": [[]]}]}"#, None),
        (&named, r#"{"answer": [{"default": []}]}"#, Some(r#"[{"default":[]}]"#)),
        (&city, r#"{"name": "a", "name": "b"}"#, None),
    ] {
        let server = serve(Script::new().reply(Reply::text(reply)).reply(Reply::text(reply))).await;
        let output = OutputSchema::new("x", schema.clone()).unwrap();
        let agent = agent(&server).output_schema(output).build().unwrap();
        let played = play(agent.run("Which?")).await;
        let response = played.end.as_ref().ok().map(|it| it.response.as_str());
        assert_eq!(response, answer, "{schema} {reply} {:?}", played.end);
        // What is sent is a schema that means the same.
        let sent = &bodies(&server)[0]["response_format"]["json_schema"]["schema"];
        let validator = jsonschema::validator_for(sent).unwrap();
        let value: Value = serde_json::from_str(reply).unwrap();
        let is_bare = !value.is_object();
        assert_eq!(
            validator.is_valid(&value),
            answer.is_some() && !is_bare || reply.contains("\"b\""),
            "{sent} {reply}"
        );
    }
}

/// A schema of a few lines does not stop a program for ever.
#[tokio::test]
async fn what_cannot_be_checked_in_a_lifetime_is_not_checked() {
    let mut defs = serde_json::Map::new();
    defs.insert("d0".into(), json!({"type": "integer"}));
    for level in 1..=40 {
        let inner = json!({"$ref": format!("#/$defs/d{}", level - 1)});
        defs.insert(format!("d{level}"), json!({"anyOf": [inner, inner]}));
    }
    let doubling = json!({
        "type": "object", "properties": {"a": {"$ref": "#/$defs/d40"}}, "$defs": defs,
    });
    for trap in [doubling, json!({"type": "object", "allOf": [{"$ref": "#"}]})] {
        let output = OutputSchema::new("x", trap).unwrap();
        let error = Agent::builder(Scripted::new([])).output_schema(output).build().err().unwrap();
        assert!(error.to_string().contains("choices"), "{error}");
    }
    let remote = json!({"type": "object", "$ref": "https://example.org/x.json"});
    let output = OutputSchema::new("x", remote).unwrap();
    let error = Agent::builder(Scripted::new([])).output_schema(output).build().err().unwrap();
    assert!(error.to_string().contains("nothing is fetched"), "{error}");

    let variant = |name: &str| {
        json!({"type": "object", "required": ["kind"], "properties": {
            "children": {"type": "array", "items": {"$ref": "#"}}, "kind": {"const": name},
        }})
    };
    let variants = ["a", "b", "c", "d", "e", "f", "g", "h"].map(variant);
    let union = OutputSchema::new("x", json!({"type": "object", "anyOf": variants})).unwrap();
    for levels in [2, 5, 12, 60] {
        let deep = (0..levels)
            .fold(json!({"kind": "?"}), |inner, _| json!({"kind": "a", "children": [inner]}));
        let reply = ModelResponse::text(deep.to_string());
        let model = Scripted::new([reply.clone(), reply]);
        let agent = Agent::builder(model).output_schema(union.clone()).build().unwrap();
        let played = play(agent.run("Which?")).await;
        assert_eq!(played.failure().kind, FailureKind::Output, "{levels}");
    }
}

/// A model that can be made to call a tool, and to nothing else.
struct Caller(Scripted);

impl Model for Caller {
    fn name(&self) -> &str {
        "test:caller"
    }

    fn output_strategy(&self) -> OutputStrategy {
        OutputStrategy::Tool
    }

    fn call(&self, request: ModelRequest<'_>) -> ModelStream {
        assert!(request.output.is_none(), "only who holds itself to a schema is sent one");
        self.0.call(request)
    }
}

#[tokio::test]
async fn a_model_is_held_to_a_form_in_the_way_it_can() {
    let calling = ModelResponse::calls([Call::new("1", "final_answer", HAMBURG)]);
    let script = Scripted::new([ModelResponse::text("Hamburg."), calling]);
    let agent = Agent::builder(Caller(script.clone())).toolset(Desk::default()).build().unwrap();
    let typed = agent.ask::<City>("Which city?").await.unwrap();
    assert_eq!((typed.value, typed.answer.finish_reason), (hamburg(), FinishReason::Stop));
    let asked = script.asked();
    assert_eq!(asked[1].tools, ["final_answer"]);
    assert_eq!(asked[1].choice, ToolChoice::Tool("final_answer".into()));

    // One that can only be asked is told, and may put it in a fence.
    let fenced = ModelResponse::text(format!("```json\n{HAMBURG}\n```"));
    let script = Scripted::new([fenced]);
    let agent = Agent::builder(script.clone()).build().unwrap();
    assert_eq!(agent.ask::<City>("Which city?").await.unwrap().value, hamburg());
    let told = script.asked()[0].conversation.messages().last().unwrap().content().to_owned();
    assert!(told.contains("\"bridges\""), "{told}");
}

#[tokio::test]
async fn an_endpoint_that_takes_no_schema_is_asked_without() {
    let refused = r#"{"error": {"message": "response_format json_schema is not supported"}}"#;
    let script = Script::new()
        .reply(Reply::status(400).body(refused))
        .reply(Reply::text(HAMBURG))
        .reply(Reply::text(HAMBURG));
    let server = serve(script).await;
    let agent = agent(&server).build().unwrap();
    for _ in 0..2 {
        assert_eq!(agent.ask::<City>("Which city?").await.unwrap().value, hamburg());
    }
    let formats: Vec<_> =
        bodies(&server).iter().map(|it| it.get("response_format").is_some()).collect();
    assert_eq!(formats, [true, false, false], "it is found out once");
}

#[tokio::test]
async fn a_call_in_the_last_turn_does_not_run() {
    let call = [("1", "search_instruments", r#"{"query":"NIFTY"}"#)];
    let script = Script::new()
        .reply(Reply::text("I know."))
        .reply(Reply::calls(call))
        .reply(Reply::text(HAMBURG));
    let server = serve(script).await;
    let desk = Arc::new(Desk::default());
    let agent = agent(&server).toolset::<Desk>(desk.clone()).output::<City>().build().unwrap();
    let played = play(agent.run("Which city?")).await;
    assert_eq!(played.answer().response, HAMBURG);
    assert_eq!(desk.searched.load(std::sync::atomic::Ordering::SeqCst), 0);
}

#[tokio::test]
async fn the_limit_of_rounds_leaves_one_to_answer_in() {
    let call = [("", "search_instruments", r#"{"query":"NIFTY"}"#)];
    let script = Script::new().reply(Reply::calls(call)).reply(Reply::text(HAMBURG));
    let server = serve(script).await;
    let agent = agent(&server).toolset(Desk::default()).rounds(1).build().unwrap();
    assert_eq!(agent.ask::<City>("Which city?").await.unwrap().value, hamburg());
    assert!(bodies(&server)[1].get("response_format").is_some());
}

#[tokio::test]
async fn figures_in_fields_are_held_against_the_results() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Quote {
        price: f64,
    }
    let search = [("1", "search_instruments", r#"{"query":"NIFTY"}"#)];
    let quote = [("2", "get_market_quote", r#"{"securities":{"IDX_I":[13]}}"#)];
    for (mode, answers, expected) in [
        (ReviewMode::Enforce, [r#"{"price": 31999.25}"#, r#"{"price": 25000.5}"#], Ok(25_000.5)),
        (
            ReviewMode::Replace,
            [r#"{"price": 31999.25}"#, r#"{"price": 31999.25}"#],
            Err(FailureKind::Output),
        ),
    ] {
        let script = Script::new()
            .reply(Reply::calls(search))
            .reply(Reply::calls(quote))
            .reply(Reply::text("It is there."))
            .reply(Reply::text(answers[0]))
            .reply(Reply::text(answers[1]));
        let server = serve(script).await;
        let agent = agent(&server).toolset(Desk::default()).review(mode);
        let agent = agent.reviewer(Arc::new(AnswerReviewer::new())).build().unwrap();
        let typed = agent.ask::<Quote>("What is the price of NIFTY?").await;
        let price = typed.map(|it| it.value.price).map_err(|failure| failure.kind);
        assert_eq!(price, expected, "{mode:?}");
    }
}

#[tokio::test]
async fn options_go_from_the_agent_and_the_run_to_the_provider() {
    let reply = || Reply::text("Hi");
    let server = serve(Script::new().reply(reply()).reply(reply())).await;
    let mut options = ModelOptions::default();
    options.temperature = Some(0.2);
    options.max_output_tokens = Some(500);
    options.headers = BTreeMap::from([("X-Tenant".into(), "blue".into())]);
    let agent = agent(&server).options(options).build().unwrap();
    agent.run("Hello").await.unwrap();
    let mut more = ModelOptions::default();
    more.set("temperature", "0.9").unwrap();
    more.set("extra.top_k", "40").unwrap();
    agent.with_options(&more).unwrap().run("Hello").await.unwrap();
    let bodies = bodies(&server);
    let of = |body: &Value| {
        (body["temperature"].clone(), body["max_tokens"].clone(), body["top_k"].clone())
    };
    assert_eq!(of(&bodies[0]), (json!(0.2), json!(500), Value::Null));
    assert_eq!(of(&bodies[1]), (json!(0.9), json!(500), json!(40)));
    for request in server.requests() {
        let header =
            |name: &str| request.headers.iter().find(|(it, _)| it.eq_ignore_ascii_case(name));
        assert_eq!(header("x-tenant").unwrap().1, "blue");
        assert!(header("authorization").is_some());
    }
}

/// What a header holds is for the provider alone, whatever the provider says back.
#[tokio::test]
async fn what_headers_hold_is_never_shown() {
    let refused = r#"{"error": {"message": "the team team-4711-blue is not known"}}"#;
    let server = serve(Script::new().reply(Reply::status(400).body(refused))).await;
    let mut options = ModelOptions::default();
    options.set("headers.X-Team", "team-4711-blue").unwrap();
    let failure = agent(&server).options(options).build().unwrap().run("Hi").await.unwrap_err();
    assert!(!failure.message.contains("4711"), "{failure}");
    assert!(failure.message.contains("is not known"), "{failure}");
}

#[test]
fn options_that_cannot_be_are_named() {
    let set = |name: &str, value: &str| ModelOptions::default().set(name, value);
    for (name, value) in [
        ("temperature", "3"),
        ("temperature", "warm"),
        ("temperature", "NaN"),
        ("top_p", "-1"),
        ("max_output_tokens", "0"),
        ("max_output_tokens", "-5"),
        ("seed", "x"),
        ("stop", "[\"\"]"),
        ("headers.X Y", "z"),
        ("headers.X", "a\nb"),
        ("parallel_tool_calls", "perhaps"),
        ("heat", "1"),
        ("extra.", "1"),
        ("extra.model", "x"),
        ("headers.Content-Length", "5"),
        ("", "1"),
    ] {
        let error = set(name, value).err().unwrap_or_else(|| panic!("{name}={value} is taken"));
        let known = error.to_string().contains(name);
        assert!(known, "{name}={value}: {error}");
    }
    for (name, value) in [
        ("reasoning_effort", "7"),
        ("stop", "END"),
        ("stop", "[\"a\",\"b\"]"),
        ("seed", "-1"),
        ("extra.a.b", "{}"),
        ("headers.X", "1"),
        ("parallel_tool_calls", "false"),
    ] {
        assert_eq!(set(name, value), Ok(()), "{name}={value}");
    }
    let mut options = ModelOptions::default();
    options.set("headers.Authorization", "Bearer hidden-thing").unwrap();
    assert!(!format!("{options:?}").contains("hidden-thing"));
    let agent = |options| Agent::builder(Scripted::new([])).options(options).build();
    assert!(agent(options).is_ok());
    let mut wrong = ModelOptions::default();
    wrong.top_p = Some(f64::NAN);
    assert!(agent(wrong).err().unwrap().to_string().contains("top_p"));
}

#[test]
fn a_form_that_is_no_schema_is_refused() {
    let agent = || Agent::builder(Scripted::new([]));
    let wrong = OutputSchema::new("x", json!({"type": "object", "properties": 7})).unwrap();
    assert!(agent().output_schema(wrong).build().is_err());
    assert!(OutputSchema::new("x", json!([])).is_err());
    let long = json!({"type": "object", "description": "x".repeat(1 << 20)});
    assert!(OutputSchema::new("x", long).is_err());
}

/// What a provider signed goes back to it alone.
#[tokio::test]
async fn another_model_is_not_sent_what_a_provider_signed() {
    let signed = json!([{"type": "reasoning.encrypted", "data": "c2ln"}]);
    let reply = Reply::json(json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message":
            {"role": "assistant", "content": "Hi.", "reasoning_details": signed}}],
    }));
    let server =
        serve(Script::new().reply(reply).reply(Reply::text("a")).reply(Reply::text("b"))).await;
    let of = |name: &str| Endpoint::new(EndpointConfig::new(server.base_url(), name)).unwrap();
    let first = Agent::builder(of("one")).build().unwrap();
    let played = play(first.run("Hello")).await;
    for name in ["one", "two"] {
        let agent = Agent::builder(of(name)).build().unwrap();
        let stored = serde_json::to_string(&played.conversation).unwrap();
        let conversation = serde_json::from_str(&stored).unwrap();
        agent.prepare("And?").conversation(conversation).start().await.unwrap();
    }
    let details: Vec<_> = bodies(&server)
        .iter()
        .skip(1)
        .map(|it| it["messages"][1].get("reasoning_details").cloned())
        .collect();
    assert_eq!(details, [Some(signed), None]);
}
