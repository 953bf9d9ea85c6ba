//! What somebody at a terminal can do about a call besides allowing or denying it, and what they see of an answer.

use std::process::Stdio;

use serde_json::json;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    harness::Cli,
    questions::Person,
    workspace::{Desk, call, script},
};

const ASKED: &str = "[e]dit / [N]o, or why not: ";

#[tokio::test]
async fn arguments_are_edited_checked_and_asked_about_again() {
    // What hides in them is seen when they are edited.
    let write = json!({"file_path": "a.txt", "content": "one\u{202e}"});
    let script = Script::new().reply(call("write", write)).reply(Reply::text("Written."));
    let desk = Desk::new(script).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["ask", "--workspace", folder, "Write it."]);
    person.types(ASKED, "e\r").await;
    person.types("\\u202e", "\u{15}no JSON\r").await;
    person.types("That is no JSON", "").await;
    person.types("Arguments: ", "\u{15}{\"file_path\": \"a.txt\", \"content\": \"two\"}\r").await;
    person.types("+two", "").await;
    person.types(ASKED, "y\r").await;
    let shown = person.leaves().await;
    assert_eq!(desk.read("a.txt"), "two", "{shown}");
    assert!(!shown.contains('\u{202e}'), "{shown:?}");
}

#[tokio::test]
async fn nothing_leaves_the_arguments_as_they_are() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let script = Script::new().reply(call("write", write)).reply(Reply::text("Written."));
    let desk = Desk::new(script).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["ask", "--workspace", folder, "Write it."]);
    person.types(ASKED, "e\r").await;
    person.types("Arguments: ", "\u{15}\r").await;
    person.types(ASKED, "y\r").await;
    person.leaves().await;
    assert_eq!(desk.read("a.txt"), "one");
}

/// A file that is there or is not, a text that is not in it, a folder that is none: the model is told, and the
/// person is asked about the one call that can do what it says.
#[tokio::test]
async fn a_call_that_cannot_work_is_not_asked_about() {
    let main = "src/main.rs";
    let calls = [
        ("write", json!({"file_path": main, "content": "x"})),
        ("edit", json!({"file_path": "gone.rs", "old_string": "a", "new_string": "b"})),
        ("edit", json!({"file_path": main, "old_string": "three", "new_string": "b"})),
        ("bash", json!({"command": "touch made", "cwd": "nowhere"})),
        // A guard's: the same call that failed before.
        ("edit", json!({"file_path": main, "old_string": "three", "new_string": "b"})),
        ("edit", json!({"file_path": main, "old_string": "one", "new_string": "two"})),
    ];
    let desk = Desk::new(script(calls)).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person =
        Person::at(&desk.cli, &["ask", "--workspace", folder, "Change one, or three."]);
    person.types(ASKED, "y\r").await;
    let shown = person.leaves().await;
    assert_eq!(shown.matches(ASKED).count(), 1, "{shown}");
    assert!(desk.read(main).contains("two"), "{shown}");
    let told = (1..=6).map(|request| desk.told(request)).collect::<Vec<_>>();
    let told = told.iter().map(String::as_str);
    let says = [
        "already exists",
        "gone.rs",
        "old_string is not in",
        "cwd: ",
        "",
        "File edited successfully",
    ];
    for (told, says) in told.zip(says) {
        assert!(told.contains(says), "{told}: {says}");
    }
}

/// Whoever does not see what is asked about, or that somebody asks, is not asked.
#[tokio::test]
async fn nobody_is_asked_blindly() {
    for elsewhere in ["2> shown", "> shown"] {
        let write = json!({"file_path": "a.txt", "content": "one"});
        let script = Script::new().reply(call("write", write)).reply(Reply::text("It was denied."));
        let desk = Desk::new(script).await;
        let args = ["ask", "--workspace", desk.folder.to_str().unwrap(), "Write it."];
        let mut command = desk.cli.redirected(&args, elsewhere);
        command.env("NO_COLOR", "1").env("TERM", "xterm-256color");
        let ended = command.stdin(Stdio::null()).output().await.unwrap();
        let file = std::fs::read_to_string(desk.cli.folder.path().join("shown")).unwrap();
        let seen = String::from_utf8(ended.stdout).unwrap() + &file;
        let told = "write asks first, and this is no terminal: --approve approves it beforehand";
        assert!(seen.contains(told) && !seen.contains("Run it?"), "{elsewhere}: {seen}");
        assert!(seen.contains("It was denied."), "{elsewhere}: {seen}");
        assert!(!desk.folder.join("a.txt").exists());
    }
}

/// It is the run that is stopped, not one call of it: the model is not asked again.
#[tokio::test]
async fn ctrl_c_at_an_approval_ends_the_run() {
    let write = json!({"file_path": "a.txt", "content": "one"});
    let script = Script::new().reply(call("write", write)).reply(Reply::text("Hello again."));
    let desk = Desk::new(script).await;
    let folder = desk.folder.to_str().unwrap();
    let mut person = Person::at(&desk.cli, &["chat", "--workspace", folder]);
    person.types("› ", "Write it.\r").await;
    person.types(ASKED, "\u{3}").await;
    person.types("› ", "Hello?\r").await;
    person.types("Hello again.", "").await;
    person.types("› ", "/quit\r").await;
    let shown = person.leaves().await;
    assert!(shown.contains("Go on with: toolwright chat --conversation conv_"), "{shown}");
    assert!(!desk.folder.join("a.txt").exists());
    let requests = desk.server.requests();
    assert_eq!(requests.len(), 2, "one for each question: {shown}");
    let asked = requests[1].body["messages"].to_string();
    assert!(asked.contains("Hello?"), "{asked}");
}

#[tokio::test]
async fn the_newest_conversation_is_gone_on_with() {
    let replies = ["One.", "Two.", "Three."].map(Reply::text);
    let server = ModelServer::start(replies.into_iter().fold(Script::new(), Script::reply)).await;
    let cli = Cli::asking(&server);
    let none = cli.run(&["ask", "-c", "And?"]).await;
    assert_eq!(none.code, Some(2), "{}", none.err);
    assert!(none.err.contains("There is no conversation to go on with yet"), "{}", none.err);
    cli.run(&["ask", "First"]).await;
    cli.run(&["ask", "Second"]).await;
    let third = cli.run(&["ask", "-c", "Third"]).await;
    assert_eq!(third.out, "Three.\n", "{}", third.err);
    let asked = server.requests()[2].body["messages"].to_string();
    assert!(asked.contains("Second") && !asked.contains("First"), "{asked}");
}

/// At a terminal an answer is laid out; elsewhere it is what the model wrote.
#[tokio::test]
async fn an_answer_is_laid_out_for_a_person_only() {
    let answer = "## Tips\n\n| Bill | Tip |\n|---|--:|\n| 45.60 | **9.12** |\n\n- once\n";
    let script = || Script::new().reply(Reply::text(answer));
    let server = ModelServer::start(script()).await;
    let plain = Cli::asking(&server).run(&["ask", "--review", "off", "Tip?"]).await;
    assert_eq!(plain.out, answer, "{}", plain.err);
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let shown = Person::at(&cli, &["ask", "--review", "off", "Tip?"]).leaves().await;
    let shown = shown.replace("\r\n", "\n");
    assert!(shown.contains("Bill    Tip\n─────  ────\n45.60  9.12\n"), "{shown:?}");
    assert!(shown.contains("\n• once\n") && shown.contains("Tips\n"), "{shown:?}");
    assert!(!shown.contains("##") && !shown.contains("**"), "{shown:?}");
}
