//! Search engines, as servers that imitate each.

use std::path::Path;

use serde_json::{Value, json};
use toolwright_http::HttpSettings;
use toolwright_pack::{
    Check, CheckState, Pack, PackSetup, Section, Services, Setting, SettingSource,
};
use toolwright_web::{Engine, EngineKind, WebPack, search_web};

use crate::server::{Server, answer, told};

const KEY: &str = "canary-5522";

fn engine(kind: EngineKind, server: &Server) -> Engine {
    let key = (kind != EngineKind::Searxng).then_some(KEY);
    Engine::new(kind, &server.url(""), key, &HttpSettings::from_vars(&|_| None)).unwrap()
}

/// What each says of one page, in its own form.
fn says(kind: EngineKind) -> Value {
    let url = "https://a.example/x";
    match kind {
        EngineKind::Searxng => json!({"query": "q", "results": [
            {"title": "T", "url": url, "content": "S", "engine": "duckduckgo", "publishedDate": "2026-01-02"},
            {"title": "no page", "url": "mailto:x"}]}),
        EngineKind::Brave => json!({"type": "search", "web": {"results": [
            {"title": "T", "url": url, "description": "S", "age": "2026-01-02"}]}}),
        EngineKind::Tavily => json!({"query": "q", "results": [
            {"title": "T", "url": url, "content": "S", "score": 0.9, "published_date": "2026-01-02"}]}),
        EngineKind::Exa => json!({"results": [
            {"title": "T", "url": url, "highlights": ["S"], "publishedDate": "2026-01-02"}]}),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_engine_is_asked_in_its_own_form_and_told_in_one() {
    for (kind, line, key, body) in [
        (EngineKind::Searxng, "GET /search?q=a+%26+b&format=json HTTP/1.1", None, json!(null)),
        (
            EngineKind::Brave,
            "GET /res/v1/web/search?q=a+%26+b&count=3 HTTP/1.1",
            Some("x-subscription-token: canary-5522"),
            json!(null),
        ),
        (
            EngineKind::Tavily,
            "POST /search HTTP/1.1",
            Some("authorization: bearer canary-5522"),
            json!({"query": "a & b", "max_results": 3}),
        ),
        (
            EngineKind::Exa,
            "POST /search HTTP/1.1",
            Some("x-api-key: canary-5522"),
            json!({"query": "a & b", "numResults": 3, "contents": {"highlights": true}}),
        ),
    ] {
        let server = Server::page("application/json", says(kind).to_string()).await;
        let tool = search_web(engine(kind, &server));
        let said = told(&tool, json!({"query": "a & b", "count": 3})).await;
        let said: Value = serde_json::from_str(&said).unwrap();
        let [hit] = said["results"].as_array().unwrap().as_slice() else { panic!("{said}") };
        assert_eq!((&hit["title"], &hit["snippet"]), (&json!("T"), &json!("S")), "{said}");
        assert_eq!(
            (&hit["url"], &hit["date"]),
            (&json!("https://a.example/x"), &json!("2026-01-02"))
        );
        assert!(hit["source"].as_str().unwrap().starts_with(kind.title()), "{said}");
        let asked = &server.asked()[0];
        assert_eq!(asked.line, line);
        assert_eq!(asked.head.contains("canary"), key.is_some());
        assert!(key.is_none_or(|key| asked.head.contains(key)), "{}", asked.head);
        assert_eq!(serde_json::from_str::<Value>(&asked.body).unwrap_or_default(), body);
    }
}

#[tokio::test]
async fn what_goes_wrong_says_what_to_do_and_no_key() {
    for (kind, status, says) in [
        (
            EngineKind::Searxng,
            "403 Forbidden",
            "add `json` to `search.formats` in its settings.yml",
        ),
        (EngineKind::Searxng, "404 Not Found", "that of a SearXNG?"),
        (EngineKind::Brave, "422 Unprocessable Entity", "check BRAVE_API_KEY, or `brave_key`"),
        (EngineKind::Brave, "429 Too Many Requests", "asked too often"),
        (EngineKind::Tavily, "401 Unauthorized", "check TAVILY_API_KEY, or `tavily_key`"),
        (EngineKind::Tavily, "432 Plan", "used up"),
        (EngineKind::Exa, "403 Forbidden", "check EXA_API_KEY, or `exa_key`"),
        (EngineKind::Exa, "500 Oops", "Exa failed"),
        (EngineKind::Searxng, "200 OK", "is not JSON"),
        (EngineKind::Searxng, "302 Found", "answered 302"),
    ] {
        let server =
            Server::start(move |_| answer(status, "text/html", b"<html>canary-5522")).await;
        let said = told(&search_web(engine(kind, &server)), json!({"query": "x"})).await;
        assert!(said.starts_with("error:") && said.contains(says), "{kind:?} {status}: {said}");
        assert!(!said.contains("canary"), "{said}");
    }
    let gone = Engine::new(
        EngineKind::Searxng,
        "http://127.0.0.1:1",
        None,
        &HttpSettings::from_vars(&|_| None),
    );
    let said = told(&search_web(gone.unwrap()), json!({"query": "x"})).await;
    assert!(
        said.contains("SearXNG at 127.0.0.1:1 gave no answer") && said.contains("Is it running"),
        "{said}"
    );
    let engine = Engine::new(
        EngineKind::Brave,
        "https://a.example",
        Some("a\nb-canary"),
        &HttpSettings::from_vars(&|_| None),
    );
    let told = format!("{engine:?}");
    assert!(engine.is_err() && !told.contains("canary"), "{told}");
}

/// The pack with these settings: its tools, or why there are none, and what `doctor` says.
async fn opened(settings: &[(&str, toml::Value)]) -> Result<(Vec<String>, Vec<Check>), String> {
    let mut section = Section::new(WebPack::default().info());
    for (name, value) in settings {
        let key = WebPack::default().info().settings.iter().find(|it| it.name == *name).copied();
        let place = SettingSource::Default;
        section.set(key.unwrap(), Setting { value: value.clone(), place });
    }
    let services = Services::new();
    let setup = PackSetup::new(&section, Path::new("/nowhere"), &services);
    let open = WebPack::default().open(&setup).map_err(|it| it.to_string())?.unwrap();
    let tools = open.tools().iter().map(|it| it.spec().name.clone()).collect();
    Ok((tools, open.checks().await))
}

#[tokio::test]
async fn the_pack_searches_with_what_is_set_up() {
    let text = |it: &str| toml::Value::String(it.to_owned());
    let (tools, checks) = opened(&[]).await.unwrap();
    assert_eq!(tools, ["fetch_url"]);
    assert!(checks[0].says.contains("no search engine is set up"), "{checks:?}");
    let (tools, checks) =
        opened(&[("exa_key", text(KEY)), ("brave_key", text(KEY))]).await.unwrap();
    assert_eq!(tools, ["fetch_url", "search_web"]);
    assert_eq!(checks[0].says, "Brave at api.search.brave.com");
    let (_, checks) =
        opened(&[("exa_key", text(KEY)), ("brave_key", text(KEY)), ("engine", text("exa"))])
            .await
            .unwrap();
    assert_eq!(checks[0].says, "Exa at api.exa.ai");
    for (settings, says) in [
        (vec![("engine", text("exa"))], "web.engine is exa, which is not set up"),
        (vec![("engine", text("altavista"))], "engines are searxng"),
        (vec![("searxng", text("http://me:pw@127.0.0.1"))], "SearXNG cannot be used"),
        (vec![("allow_hosts", toml::Value::Array(vec![text("http://x")]))], "no host"),
    ] {
        let told = opened(&settings).await.unwrap_err();
        assert!(told.contains(says) && !told.contains("pw"), "{told}");
    }
}

#[tokio::test]
async fn doctor_finds_a_searxng_that_does_not_answer_programs() {
    let closed = Server::start(|_| answer("403 Forbidden", "text/html", b"")).await;
    let fine = Server::page("application/json", says(EngineKind::Searxng).to_string()).await;
    for (server, state, says) in
        [(&closed, CheckState::Bad, "search.formats"), (&fine, CheckState::Good, "SearXNG at")]
    {
        let searxng = toml::Value::String(server.url("/"));
        let (_, checks) = opened(&[("searxng", searxng)]).await.unwrap();
        assert_eq!(checks[0].state, state);
        assert!(checks[0].says.contains(says), "{checks:?}");
    }
}
