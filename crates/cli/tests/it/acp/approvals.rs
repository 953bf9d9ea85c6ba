//! The user decides in the editor.

use serde_json::{Value, json};
use toolwright_testkit::Reply;

use super::{
    Desk, Editor, Shown,
    editor::{Came, chosen},
    edits,
};
use crate::workspace::call;

/// Two changes of one file, and one of another.
const THREE: [(&str, &str, &str); 3] =
    [("a.txt", "1", "2"), ("a.txt", "x", "y"), ("b.txt", "1", "2")];

async fn desk() -> Desk {
    let desk = Desk::new(edits(&THREE)).await;
    desk.put("a.txt", "1\nx\n");
    desk.put("b.txt", "1\n");
    desk
}

/// Makes three changes, with these answers; what became of the files, and how many questions there were.
async fn answered(answers: impl IntoIterator<Item = Value>) -> (String, String, Vec<Value>, Desk) {
    let desk = desk().await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    editor.answers = answers.into_iter().collect();
    let answer = editor.prompt(&session, "Change 1 and x.").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert!(editor.answers.is_empty(), "{} questions too few", editor.answers.len());
    let questions = editor.questions.clone();
    editor.end().await;
    (desk.read("a.txt"), desk.read("b.txt"), questions, desk)
}

#[tokio::test]
async fn what_is_allowed_once_is_asked_about_again() {
    let (a, b, questions, desk) = answered(vec![chosen("allow_once"); 3]).await;
    assert_eq!((a.as_str(), b.as_str()), ("2\ny\n", "2\n"));
    let call = &questions[0]["toolCall"];
    assert_eq!(call["kind"], "edit");
    assert_eq!(call["title"], "edit a.txt");
    let diff = json!([{
        "type": "diff", "path": desk.folder.join("a.txt"), "oldText": "1\nx\n", "newText": "2\nx\n",
    }]);
    assert_eq!(call["content"], diff);
    assert_eq!(call["locations"], json!([{"path": desk.folder.join("a.txt"), "line": 1}]));
    let kinds: Vec<_> = questions[0]["options"].as_array().unwrap().iter().collect();
    let kinds: Vec<_> = kinds.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["allow_once", "allow_always", "reject_once", "reject_always"]);
}

#[tokio::test]
async fn what_is_always_allowed_is_asked_about_once_and_kept() {
    let (a, b, questions, desk) = answered([chosen("allow_always")]).await;
    assert_eq!((a.as_str(), b.as_str()), ("2\ny\n", "2\n"));
    assert_eq!(questions.len(), 1);
    let kept = desk.cli.run(&["approvals", "--json"]).await;
    assert!(kept.out.contains("edit") && kept.out.contains("allow"), "{}", kept.out);
}

#[tokio::test]
async fn what_is_rejected_does_not_run() {
    let (a, b, _, desk) = answered(vec![chosen("reject_once"); 3]).await;
    assert_eq!((a.as_str(), b.as_str()), ("1\nx\n", "1\n"));
    assert!(desk.told(1).contains("denied"), "{}", desk.told(1));
}

#[tokio::test]
async fn what_is_always_rejected_is_not_asked_about_again_in_the_session() {
    let (a, b, questions, desk) = answered([chosen("reject_always"), chosen("allow_once")]).await;
    // The second change of the same file was not asked about; the other file was.
    assert_eq!((a.as_str(), b.as_str()), ("1\nx\n", "2\n"));
    assert_eq!(questions[1]["toolCall"]["title"], "edit b.txt");
    // It ends with the session.
    let kept = desk.cli.run(&["approvals", "--json"]).await;
    assert!(!kept.out.contains("a.txt"), "{}", kept.out);
}

#[tokio::test]
async fn whatever_is_no_permission_is_none() {
    let answers = [
        json!({"outcome": {"outcome": "cancelled"}}),
        chosen("everything"),
        json!({"code": -32603, "message": "the window was closed"}),
    ];
    let (a, b, _, _) = answered(answers).await;
    assert_eq!((a.as_str(), b.as_str()), ("1\nx\n", "1\n"));
    let answers =
        [json!({}), json!({"outcome": "selected"}), json!({"outcome": {"optionId": "allow_once"}})];
    let (a, b, _, _) = answered(answers).await;
    assert_eq!((a.as_str(), b.as_str()), ("1\nx\n", "1\n"));
}

/// What was shown is what runs: where the file changed meanwhile, the user is asked again.
#[tokio::test]
async fn a_change_that_would_be_another_by_now_is_asked_about_again() {
    let desk = Desk::new(edits(&[("a.txt", "1", "2")])).await;
    desk.put("a.txt", "1\nx\n");
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    let id = editor.ask(&session, "Change the 1.").await;
    let first = editor.question().await;
    desk.put("a.txt", "0\n1\nx\n");
    editor.answer(&first, chosen("allow_once")).await;
    let second = editor.question().await;
    let (first, second) = (&first["params"]["toolCall"], &second["params"]["toolCall"]);
    assert_eq!(first["toolCallId"], second["toolCallId"]);
    assert_ne!(first["content"], second["content"]);
    let asked = json!({"id": editor.questions.len() - 1});
    editor.answer(&asked, chosen("allow_once")).await;
    let answer = editor.until(id).await;
    assert_eq!(answer["result"]["stopReason"], "end_turn");
    assert_eq!(desk.read("a.txt"), "0\n2\nx\n");
    assert_eq!(Shown::of(&editor.updates).calls[0]["status"], "completed");
    editor.end().await;
}

/// What is always allowed in one session is in the others.
#[tokio::test]
async fn sessions_share_what_is_always_allowed() {
    let change = |path| json!({"file_path": path, "old_string": "1", "new_string": "2"});
    let second = call("edit", change("b.txt"));
    let script = edits(&[("a.txt", "1", "2")]).reply(second).reply(Reply::text("Done."));
    let desk = Desk::new(script).await;
    desk.put("a.txt", "1\n");
    desk.put("b.txt", "1\n");
    let mut editor = Editor::start(&desk.cli).await;
    let one = editor.open(&desk.folder).await;
    let other = editor.open(&desk.folder).await;
    let id = editor.ask(&one, "Change the 1.").await;
    let question = editor.question().await;
    assert_eq!(question["params"]["sessionId"], one);
    editor.answer(&question, chosen("allow_always")).await;
    assert_eq!(editor.until(id).await["result"]["stopReason"], "end_turn");
    let answer = editor.prompt(&other, "And the 1 here?").await;
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    assert_eq!(editor.questions.len(), 1);
    assert_eq!(desk.read("b.txt"), "2\n");
    editor.end().await;
}

/// A command is shown as it would run, before it does.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_is_asked_about_with_its_words() {
    let command = "echo hello > made.txt";
    let desk = Desk::new(super::script([("bash", json!({"command": command}))])).await;
    let mut editor = Editor::start(&desk.cli).await;
    let session = editor.open(&desk.folder).await;
    editor.answers = vec![chosen("allow_once")];
    let id = editor.ask(&session, "Make it.").await;
    // Everything that led to a question is told before it.
    let mut last = Value::Null;
    let question = loop {
        match editor.came().await {
            Came::Question(message) => break message,
            Came::Update(update) => last = update,
            Came::Response(message) => panic!("{message}"),
        }
    };
    assert_eq!(last["toolCallId"], question["params"]["toolCall"]["toolCallId"]);
    assert_eq!(last["content"][0]["content"]["text"], format!("```sh\n{command}\n```"));
    let call = &question["params"]["toolCall"];
    assert_eq!(call["kind"], "execute");
    assert!(call["content"].to_string().contains(command), "{call}");
    editor.answer(&question, chosen("allow_once")).await;
    assert_eq!(editor.until(id).await["result"]["stopReason"], "end_turn");
    assert_eq!(desk.read("made.txt"), "hello\n");
    editor.end().await;
}
