//! Models: what can answer, testing one, connecting it, and that a key is told to nobody.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use toolwright_server::ManageMode;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Answer, Desk, Request, Setup, ask, everything_in};

const KEY: &str = "sk-a-key-of-a-test-0123456789";
const WRONG: &str = "sk-a-wrong-key-9876543210";

/// A model that answers the test's two questions, and then one of a person's.
async fn provider() -> ModelServer {
    let script = Script::new()
        .key(KEY)
        .reply(Reply::text("ready"))
        .reply(Reply::calls([("call_1", "repeat_word", r#"{"word":"ready"}"#)]))
        .reply(Reply::text("From the connected model."));
    ModelServer::start(script).await
}

fn steps(answer: &Answer) -> Vec<(String, String)> {
    let json = answer.json();
    let steps = json["steps"].as_array().unwrap_or_else(|| panic!("{json}")).iter();
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    steps.map(|it| (text(&it["step"]), text(&it["outcome"]))).collect()
}

fn outcomes(outcomes: [&str; 5]) -> Vec<(String, String)> {
    let names = ["address", "key", "model", "answer", "tools"];
    names.iter().zip(outcomes).map(|(step, it)| ((*step).to_owned(), it.to_owned())).collect()
}

async fn put(desk: &Desk, path: &str, body: &Value) -> Answer {
    ask(desk.address, &Request::new("PUT", path).json(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_is_tested_connected_and_answers() {
    let (desk, model) = (Desk::demo().await, provider().await);
    let base = model.base_url();
    let wrong =
        json!({"provider": "work", "base_url": base, "api_key": WRONG, "model": "scripted"});
    let answer = desk.post("/api/models/test", &wrong).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let expected = outcomes(["passed", "failed", "skipped", "skipped", "skipped"]);
    assert_eq!(steps(&answer), expected, "{}", answer.text());
    assert_eq!(answer.json()["answers"], false);
    assert!(!answer.text().contains(WRONG), "{}", answer.text());

    let right = json!({"provider": "work", "base_url": base, "api_key": KEY, "model": "scripted"});
    let listed = desk.post("/api/models/list", &right).await.json();
    assert_eq!(listed["models"][0]["name"], "scripted", "{listed}");
    let answer = desk.post("/api/models/test", &right).await;
    assert_eq!(steps(&answer), outcomes(["passed"; 5]), "{}", answer.text());
    assert_eq!(answer.json()["name"], "work:scripted");

    // Nothing was kept by any of that.
    assert_eq!(desk.get("/api/info").await.json()["model"]["name"], "demo");
    assert!(!everything_in(desk.folder.path()).contains(KEY));

    let saved = json!({"base_url": base, "api_key": KEY, "model": "scripted"});
    let answer = put(&desk, "/api/models/providers/work", &saved).await;
    assert_eq!((answer.status, answer.json()), (200, json!({"model": "work:scripted"})));
    let events = desk.chat("Who are you?").await;
    assert!(format!("{events:?}").contains("From the connected model."), "{events:?}");

    let offer = desk.get("/api/models").await;
    let told = offer.json();
    assert_eq!(told["answers"][0]["name"], "work:scripted");
    assert_eq!(told["set_by"], "file");
    let work = told["providers"].as_array().unwrap().iter().find(|it| it["name"] == "work");
    let work = work.unwrap_or_else(|| panic!("{told}"));
    assert_eq!((&work["key"], &work["offered"]), (&json!("file"), &json!(true)));
    for path in ["/api/models", "/api/info", "/api/openapi.json", "/metrics"] {
        assert!(!desk.get(path).await.text().contains(KEY), "{path}");
    }
    model.assert_clean();
}

/// The file has a key in it now: it is its owner's alone.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_saved_key_is_its_owners_alone_and_is_forgotten_on_request() {
    use std::os::unix::fs::PermissionsExt;
    let (desk, model) = (Desk::demo().await, provider().await);
    let saved = json!({"base_url": model.base_url(), "api_key": KEY, "model": "scripted"});
    assert_eq!(put(&desk, "/api/models/providers/work", &saved).await.status, 200);
    let file = desk.folder.path().join("toolwright.toml");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    // What is not given stays.
    let address = json!({"base_url": model.base_url()});
    assert_eq!(put(&desk, "/api/models/providers/work", &address).await.status, 200);
    assert!(std::fs::read_to_string(&file).unwrap().contains(KEY));
    let chosen = put(&desk, "/api/models/default", &json!({"models": ["demo"]})).await;
    assert_eq!(chosen.json(), json!({"model": "demo"}));
    let forget = Request::new("DELETE", "/api/models/providers/work");
    assert_eq!(ask(desk.address, &forget).await.status, 200);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(KEY));
    assert_eq!(ask(desk.address, &forget).await.status, 404);
}

/// Whoever names another address for a provider gets the key that is kept for it not sent there.
#[tokio::test(flavor = "multi_thread")]
async fn a_kept_key_goes_nowhere_else() {
    let (desk, model) = (Desk::demo().await, provider().await);
    let saved = json!({"base_url": model.base_url(), "api_key": KEY});
    assert_eq!(put(&desk, "/api/models/providers/work", &saved).await.status, 200);
    let other = ModelServer::start(Script::new().reply(Reply::text("ready"))).await;
    let body = json!({"provider": "work", "base_url": other.base_url(), "model": "scripted"});
    desk.post("/api/models/list", &body).await;
    desk.post("/api/models/test", &body).await;
    let sent = other.requests();
    assert!(!sent.is_empty());
    assert!(!format!("{sent:?}").contains(KEY));
    // Nor is it saved for it, unless somebody gives the key for that address.
    let moved = json!({"base_url": other.base_url()});
    let answer = put(&desk, "/api/models/providers/work", &moved).await;
    assert_eq!((answer.status, answer.code().as_str()), (422, "invalid"), "{}", answer.text());
    let moved = json!({"base_url": other.base_url(), "api_key": WRONG});
    assert_eq!(put(&desk, "/api/models/providers/work", &moved).await.status, 200);
}

fn append(desk: &Desk, section: &str) {
    let file = desk.folder.path().join("toolwright.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{before}\n{section}\n")).unwrap();
}

/// What counts is what the file says that is changed, and not what the server read last.
#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_wrote_by_hand_goes_nowhere_else_either() {
    let desk = Desk::demo().await;
    let file = desk.folder.path().join("toolwright.toml");
    let here = "base_url = \"http://127.0.0.1:1/v1\"";
    for (name, section) in [
        ("hand", format!("{here}\napi_key = \"{KEY}\"")),
        ("team", format!("{here}\nheaders = {{ \"X-Team\" = \"{KEY}\" }}")),
    ] {
        append(&desk, &format!("[providers.{name}]\n{section}"));
        let written = std::fs::read_to_string(&file).unwrap();
        let path = format!("/api/models/providers/{name}");
        let moved = json!({"base_url": "http://127.0.0.1:2/v1", "model": "x"});
        let answer = put(&desk, &path, &moved).await;
        assert_eq!((answer.status, answer.code().as_str()), (422, "invalid"), "{}", answer.text());
        assert!(answer.text().contains("another address"), "{}", answer.text());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
        let same = json!({"base_url": "http://127.0.0.1:1/v1/", "model": "x"});
        assert_eq!(put(&desk, &path, &same).await.status, 200, "{name}");
    }
    // A key is no word about headers; nor is one of a provider's about the one that is for all.
    let moved = json!({"base_url": "http://127.0.0.1:2/v1", "api_key": WRONG});
    assert_eq!(put(&desk, "/api/models/providers/team", &moved).await.status, 422);
    assert_eq!(put(&desk, "/api/models/providers/hand", &moved).await.status, 200);
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("[model]", &format!("[model]\napi_key = \"{KEY}\""));
    std::fs::write(&file, text).unwrap();
    assert_eq!(put(&desk, "/api/models/providers/openai", &moved).await.status, 422);
}

/// Forgetting one leaves what somebody else chose meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_forgotten_takes_along_no_model_that_was_chosen_by_hand() {
    let desk = Desk::demo().await;
    let saved = json!({"base_url": "http://127.0.0.1:1/v1", "model": "x"});
    assert_eq!(put(&desk, "/api/models/providers/work", &saved).await.status, 200);
    let file = desk.folder.path().join("toolwright.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("name = \"work:x\"", "name = [\"work:x\", \"demo\"] # mine");
    std::fs::write(&file, text).unwrap();
    let forget = Request::new("DELETE", "/api/models/providers/work");
    let answer = ask(desk.address, &forget).await;
    assert_eq!((answer.status, answer.json()), (200, json!({"model": "demo"})));
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("name = \"demo\" # mine"), "{text}");
}

/// A provider that is saved need not be told again where it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_saved_provider_is_tested_where_it_is() {
    let (desk, model) = (Desk::demo().await, provider().await);
    let saved = json!({"base_url": model.base_url(), "api_key": KEY});
    assert_eq!(put(&desk, "/api/models/providers/work", &saved).await.status, 200);
    let body = json!({"provider": "work", "model": "scripted"});
    let listed = desk.post("/api/models/list", &body).await.json();
    assert_eq!(listed["models"][0]["name"], "scripted", "{listed}");
    let answer = desk.post("/api/models/test", &body).await;
    assert_eq!(steps(&answer), outcomes(["passed"; 5]), "{}", answer.text());
    let nobody = json!({"provider": "nobody", "model": "scripted"});
    assert_eq!(desk.post("/api/models/test", &nobody).await.status, 422);
}

/// A server that says the same to everything.
async fn saying(response: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut asked = [0; 65536];
                if stream.read(&mut asked).await.is_ok() {
                    let _ = stream.write_all(response.as_bytes()).await;
                }
            });
        }
    });
    format!("http://{address}/v1")
}

/// What is no API of models is an address that is wrong: neither the key nor the model is to blame.
#[tokio::test(flavor = "multi_thread")]
async fn a_test_blames_what_is_wrong() {
    let desk = Desk::demo().await;
    let redirect = "HTTP/1.1 302 Found\r\nLocation: https://other.example/v1\r\n\
                    Content-Length: 0\r\nConnection: close\r\n\r\n";
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\
                Connection: close\r\n\r\n<html></html>";
    for (response, says) in [(redirect, "points elsewhere"), (page, "no API of models")] {
        let base = saying(response).await;
        let body = json!({"provider": "work", "base_url": base, "api_key": KEY, "model": "x"});
        let answer = desk.post("/api/models/test", &body).await;
        let expected = outcomes(["failed", "skipped", "skipped", "skipped", "skipped"]);
        assert_eq!(steps(&answer), expected, "{}", answer.text());
        let told = answer.json()["steps"][0]["says"].clone();
        assert!(told.as_str().unwrap().contains(says), "{told}");
    }
    let base = saying(page).await;
    let body = json!({"provider": "work", "base_url": base, "api_key": "a\nb", "model": "x"});
    let answer = desk.post("/api/models/test", &body).await;
    let expected = outcomes(["skipped", "failed", "skipped", "skipped", "skipped"]);
    assert_eq!(steps(&answer), expected, "{}", answer.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_used_is_told_and_changes_nothing() {
    let desk = Desk::demo().await;
    let before = std::fs::read_to_string(desk.folder.path().join("toolwright.toml")).unwrap();
    for (path, body) in [
        ("/api/models/providers/work", json!({"api_key": KEY, "model": "x"})),
        ("/api/models/providers/offline", json!({"base_url": "http://127.0.0.1:1/v1"})),
        ("/api/models/providers/work", json!({"base_url": "file:///etc/passwd", "model": "x"})),
        ("/api/models/providers/work", json!({"base_url": "http://u:p@127.0.0.1/v1"})),
        (
            "/api/models/providers/work",
            json!({"base_url": "http://127.0.0.1/v1", "api": "telepathy"}),
        ),
        ("/api/models/providers/anthropic", json!({"model": "claude-sonnet-5"})),
        ("/api/models/default", json!({"models": ["anthropic:claude-sonnet-5"]})),
    ] {
        let answer = put(&desk, path, &body).await;
        assert_eq!(answer.status, 422, "{path} {body} {}", answer.text());
        assert!(!answer.text().contains(KEY), "{}", answer.text());
    }
    for name in ["offline:/etc/passwd", "http://127.0.0.1/v1", "a b", ""] {
        let answer = put(&desk, "/api/models/default", &json!({"models": [name]})).await;
        assert_eq!(answer.code(), "no_such_model", "{name}");
    }
    let nowhere = json!({"provider": "work", "base_url": "http://127.0.0.1:1/v1", "model": "x"});
    let answer = desk.post("/api/models/test", &nowhere).await;
    assert_eq!(steps(&answer).first().unwrap().1, "failed", "{}", answer.text());
    let after = std::fs::read_to_string(desk.folder.path().join("toolwright.toml")).unwrap();
    assert_eq!(before, after);
}

#[tokio::test]
async fn getting_ready_asks_no_model_anything() {
    let (desk, model) = Desk::saying(Script::new().reply(Reply::text("nobody asked"))).await;
    for (path, status) in [("", 202), ("?task=demo", 202), ("?task=nothing", 422)] {
        let answer = desk.post(&format!("/api/models/warm{path}"), &json!({})).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
    }
    assert_eq!(model.requests().len(), 0);
}

#[tokio::test]
async fn where_settings_are_not_changed_models_are_only_listed() {
    let setup = Setup { manage: ManageMode::No, ..Setup::default() };
    let desk = Desk::start(setup, None).await;
    assert_eq!(desk.get("/api/models").await.status, 200);
    let body = json!({"provider": "work", "base_url": "http://127.0.0.1:1/v1", "model": "x"});
    for path in ["/api/models/test", "/api/models/list"] {
        let answer = desk.post(path, &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "unmanaged"), "{path}");
    }
    for path in ["/api/models/default", "/api/models/providers/work"] {
        assert_eq!(put(&desk, path, &json!({})).await.code(), "unmanaged", "{path}");
    }
}
