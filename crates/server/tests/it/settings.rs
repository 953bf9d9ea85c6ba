//! Settings that change while the server runs, and who may change them.

use std::fs;

use serde_json::json;
use toolwright_app::AutoApprove;
use toolwright_server::{AuthMode, ManageMode};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    deciding::{self, decide, waiting},
    harness::{Desk, Request, Setup, TOKEN, ask},
};

const RELOAD: &str = "/api/settings/reload";

/// The config file with another model in it.
fn pointed(desk: &Desk, to: &ModelServer) {
    let file = desk.folder.path().join("toolwright.toml");
    let base = to.base_url();
    let text = format!(
        "[model]\nbase_url = \"{base}\"\nname = \"other\"\n[embeddings]\nsource = \"off\"\n"
    );
    fs::write(file, text).unwrap();
}

#[tokio::test]
async fn what_begins_after_a_reload_has_the_new_settings_and_what_is_unusable_changes_nothing() {
    let (desk, first) = Desk::saying(Script::new().reply(Reply::text("One."))).await;
    let second = ModelServer::start(Script::new().reply(Reply::text("Two."))).await;
    assert!(format!("{:?}", desk.chat("Who?").await).contains("One."));
    pointed(&desk, &second);
    // Nobody has said that it is to be taken up.
    assert_eq!(desk.get("/api/info").await.json()["model"]["name"], "openai:scripted");
    let answer = desk.post(RELOAD, &json!({})).await;
    assert_eq!((answer.status, answer.json()), (200, json!({"at_next_start": []})));
    assert_eq!(desk.get("/api/info").await.json()["model"]["name"], "openai:other");
    let events = desk.chat("Who?").await;
    assert!(format!("{events:?}").contains("Two."), "{events:?}");

    let file = desk.folder.path().join("toolwright.toml");
    for (text, status) in [
        ("[model]\nnmae = \"x\"\n", 422),
        ("[model]\nname = \"anthropic:x\"\n", 422),
        ("database = \"sqlite:elsewhere.db\"\n", 409),
    ] {
        fs::write(&file, text).unwrap();
        let answer = desk.post(RELOAD, &json!({})).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, "settings"), "{text}");
        assert!(answer.json()["error"]["advice"].is_string(), "{}", answer.text());
        assert_eq!(desk.get("/api/info").await.json()["model"]["name"], "openai:other");
    }
    first.assert_clean();
    second.assert_clean();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_goes_on_keeps_what_it_began_with() {
    let (desk, _first) = deciding::desk(deciding::editing(), AutoApprove::Nothing).await;
    let second = ModelServer::start(Script::new().reply(Reply::text("Two."))).await;
    let (mut stream, id, shown) = waiting(&desk, json!({"message": "Edit it, old as it is"})).await;
    pointed(&desk, &second);
    assert_eq!(desk.post(RELOAD, &json!({})).await.status, 200);
    let taken = decide(&desk, &id, &shown, json!({"verdict": "allow"})).await;
    assert_eq!(taken.status, 200, "{}", taken.text());
    let events = stream.until("done").await;
    assert!(format!("{events:?}").contains("Done."), "the first model ends what it began");
    let events = desk.chat_with(json!({"message": "And now?", "conversation_id": id})).await;
    assert!(format!("{events:?}").contains("Two."));
}

#[tokio::test]
async fn settings_are_changed_only_where_the_operator_lets_them() {
    for (auth, manage, status) in [
        (AuthMode::Local, ManageMode::Local, 200),
        (AuthMode::Token, ManageMode::Local, 200),
        (AuthMode::Local, ManageMode::No, 403),
        (AuthMode::Token, ManageMode::Yes, 200),
    ] {
        let desk = Desk::start(Setup { auth, manage, ..Setup::default() }, None).await;
        let request = Request::new("POST", RELOAD)
            .header("Authorization", &format!("Bearer {TOKEN}"))
            .json(&json!({}));
        let answer = ask(desk.address, &request).await;
        assert_eq!(answer.status, status, "{auth:?} {manage:?} {}", answer.text());
        if status == 403 {
            assert_eq!(answer.code(), "unmanaged");
            assert!(answer.json()["error"]["advice"].is_string(), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn under_a_further_name_the_server_is_reached_from_elsewhere() {
    for (manage, status) in [(ManageMode::Local, 403), (ManageMode::Yes, 200)] {
        let hosts = vec!["https://desk.example".to_owned()];
        let desk = Desk::start(Setup { manage, hosts, ..Setup::default() }, None).await;
        let answer = desk.post(RELOAD, &json!({})).await;
        assert_eq!(answer.status, status, "{}", answer.text());
        assert_eq!(desk.get("/api/info").await.json()["managed"], status == 200);
    }
}

#[tokio::test]
async fn neither_a_stranger_nor_a_page_of_somebody_elses_changes_settings() {
    let desk = Desk::demo().await;
    let browser = desk.browser().await;
    let own = browser.request("POST", RELOAD);
    assert_eq!(ask(desk.address, &own).await.status, 200);
    for (request, status) in [
        // A cookie without the key that only the page has.
        (own.clone().header("X-Toolwright-Key", "wrong"), 401),
        (own.clone().header("Origin", "https://evil.example"), 403),
        (own.clone().header("Sec-Fetch-Site", "cross-site"), 403),
        (own.clone().header("Host", "evil.example"), 403),
        (Request::new("POST", RELOAD).header("Authorization", "Bearer wrong"), 401),
        // A form, as any page can send.
        (Request::new("POST", RELOAD).header("Sec-Fetch-Site", "same-site"), 403),
    ] {
        assert_eq!(ask(desk.address, &request).await.status, status);
    }
}
