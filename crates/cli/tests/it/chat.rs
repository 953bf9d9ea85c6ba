//! `toolwright chat`, with lines piped in.

use serde_json::json;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::{
    harness::Cli,
    workspace::{Desk, call},
};

#[tokio::test]
async fn a_conversation_goes_on_until_a_new_one_is_asked_for() {
    let script = Script::new()
        .reply(Reply::calls([("a", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("Sunny in Rome."))
        .reply(Reply::text("As I said, sunny."))
        .reply(Reply::text("Hello."));
    let server = ModelServer::start(script).await;
    let lines = "Weather in Rome?\nAre you \\\nsure?\n/new\nHi\n/tools\n/nonsense\n/quit\n";
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.out, "Sunny in Rome.\nAs I said, sunny.\nHello.\n");
    assert!(ended.err.contains("openai:scripted"), "{}", ended.err);
    assert!(ended.err.contains("There is no /nonsense."), "{}", ended.err);
    server.assert_clean();

    let roles = |request: usize| -> Vec<String> {
        let messages = server.requests()[request].body["messages"].clone();
        messages
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["role"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(roles(2), ["system", "user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(server.requests()[2].body["messages"][5]["content"], "Are you \nsure?\n");
    assert_eq!(roles(3), ["system", "user"]);
}

#[tokio::test]
async fn a_failed_answer_does_not_end_the_conversation() {
    let script = Script::new()
        .reply(Reply::status(400).body(r#"{"error":{"message":"no such luck"}}"#))
        .reply(Reply::text("Better now."));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run_with_input(&["chat"], Some("one\ntwo\n")).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "Better now.\n"));
    assert!(ended.err.contains("no such luck"), "{}", ended.err);
    server.assert_clean();
}

/// The next line of a pipe is the next question, whatever it says, and no permission.
#[tokio::test]
async fn a_line_of_a_pipe_approves_nothing() {
    for said in ["y", "a", "no"] {
        let write = json!({"file_path": "a.txt", "content": "one"});
        let replies = [call("write", write), Reply::text("One."), Reply::text("Two.")];
        let desk = Desk::new(replies.into_iter().fold(Script::new(), Script::reply)).await;
        let args = ["chat", "--workspace", desk.folder.to_str().unwrap()];
        let lines = format!("Write it.\n{said}\n");
        let ended = desk.cli.run_with_input(&args, Some(&lines)).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(0), "One.\nTwo.\n"), "{}", ended.err);
        let told = "write asks first, and this is no terminal: --approve approves it beforehand";
        assert!(ended.err.contains(told), "{}", ended.err);
        assert!(!desk.folder.join("a.txt").exists());
        let asked = desk.server.requests()[2].body["messages"].clone();
        let last = asked.as_array().unwrap().last().unwrap();
        assert_eq!(last["content"], format!("{said}\n"), "it is asked");
    }
}

#[tokio::test]
async fn a_line_that_is_no_text_is_left_out() {
    let script = Script::new().reply(Reply::text("One.")).reply(Reply::text("Two."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let input = cli.folder.path().join("lines");
    std::fs::write(&input, b"First?\nCaf\xe9?\nSecond?\n").unwrap();
    let mut command = cli.command(&["chat"]);
    command.stdin(std::fs::File::open(input).unwrap());
    let ended = command.output().await.unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "One.\nTwo.\n", "{err}");
    assert_eq!(err.matches("no text in UTF-8").count(), 1, "{err}");
}

/// Files go with the next question: named, quoted, or dropped as a path of their own. A new conversation begins
/// without them.
#[tokio::test]
async fn files_go_with_the_next_question() {
    let script = Script::new().reply(Reply::text("Two.")).reply(Reply::text("None."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let folder = cli.folder.path();
    std::fs::write(folder.join("a b.txt"), "first").unwrap();
    std::fs::write(folder.join("c.txt"), "second").unwrap();
    let dropped = folder.join("c.txt");
    let lines = format!(
        "/attach 'a b.txt'\n{}\n/attach nosuch.txt\nHow many?\n/attach a\\ b.txt\n/new\nAnd now?\n",
        dropped.display()
    );
    let ended = cli.run_with_input(&["chat"], Some(&lines)).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "Two.\nNone.\n"), "{}", ended.err);
    assert!(ended.err.contains("nosuch.txt cannot be attached"), "{}", ended.err);
    let requests = server.requests();
    let first = requests[0].body["messages"][1]["content"].as_str().unwrap();
    assert!(first.contains("first") && first.contains("second"), "{first}");
    assert_eq!(requests[1].body["messages"][1]["content"], "And now?\n");
}
