//! What a tool asks the user, put by the editor.

use serde_json::{Value, json};
use toolwright_testkit::{Reply, Script};

use super::editor::Editor;
use crate::{harness::Cli, workspace::Desk};

fn booking(ask: &str) -> Script {
    let arguments = json!({"ask": ask}).to_string();
    Script::new()
        .reply(Reply::calls([("c1", "book", arguments.as_str())]))
        .reply(Reply::text("Done."))
}

/// What the tool was told, as the model read it.
fn told(desk: &Desk) -> Value {
    let text = desk.told(1);
    serde_json::from_str(&text).unwrap_or_else(|_| text.into())
}

#[tokio::test]
async fn a_form_is_filled_in_where_the_editor_has_forms() {
    let table = json!({
        "place": "out", "guests": 3, "budget": 40.5, "email": "ann@example.com",
        "extras": ["cake"], "quiet": false,
    });
    let accepted = json!({"action": "accept", "content": table});
    for (ask, answer, wanted) in [
        ("table", accepted.clone(), accepted.clone()),
        ("table", json!({"action": "decline"}), json!({"action": "decline"})),
        ("table", json!({"action": "cancel"}), json!({"action": "cancel"})),
        // What is no answer is none.
        (
            "table",
            json!({"action": "accept", "content": {"guests": "many"}}),
            json!({"action": "cancel"}),
        ),
        ("table", json!({"outcome": "selected"}), json!({"action": "cancel"})),
        ("table", json!({"code": -32603, "message": "no"}), json!({"action": "cancel"})),
        (
            "yes",
            json!({"action": "accept", "content": null}),
            json!({"action": "accept", "content": {}}),
        ),
    ] {
        let desk = Desk::new(booking(ask)).await;
        let cli = Cli::asking(&desk.server).booking();
        let can = json!({"elicitation": {"form": {}}});
        let mut editor = Editor::start_with(&cli, &["--task", "general"], can).await;
        let session = editor.open(&desk.folder).await;
        editor.answers = vec![answer.clone()];
        let end = editor.prompt(&session, "Book").await;
        assert_eq!(end["result"]["stopReason"], "end_turn", "{end}");
        assert_eq!(told(&desk), wanted, "{ask} {answer}");
        let [asked] = &editor.questions[..] else { panic!("{:?}", editor.questions) };
        assert_eq!((&asked["mode"], &asked["toolCallId"]), (&json!("form"), &json!("c1")));
        assert_eq!(asked["sessionId"], session);
        let message = asked["message"].as_str().unwrap();
        assert!(message.starts_with("Tables & Co (tool book) asks: "), "{message}");
        assert_eq!(asked["requestedSchema"]["type"], "object");
        editor.end().await;
    }
}

/// An editor without forms is not asked; neither is one sent to an address that only has forms.
#[tokio::test]
async fn what_an_editor_cannot_ask_is_declined() {
    for (can, ask, is_asked) in [
        (json!({}), "table", false),
        (json!({"elicitation": {}}), "table", false),
        (json!({"elicitation": {"form": {}}}), "url", false),
        (json!({"elicitation": {"url": {}}}), "url", true),
    ] {
        let desk = Desk::new(booking(ask)).await;
        let cli = Cli::asking(&desk.server).booking();
        let mut editor = Editor::start_with(&cli, &["--task", "general"], can.clone()).await;
        let session = editor.open(&desk.folder).await;
        editor.answers = vec![json!({"action": "accept"})];
        editor.prompt(&session, "Book").await;
        assert_eq!(editor.questions.len(), usize::from(is_asked), "{can} {ask}");
        let action = if is_asked { "accept" } else { "decline" };
        assert_eq!(told(&desk)["action"], action, "{can} {ask}");
        if let Some(asked) = editor.questions.first() {
            assert_eq!(asked["mode"], "url");
            assert_eq!(asked["url"], "https://tables.example/sign-in?id=7");
            assert!(asked["elicitationId"].is_string(), "{asked}");
        }
        editor.end().await;
    }
}
