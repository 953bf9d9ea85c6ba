//! `toolwright chat`, with lines piped in.

use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

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
