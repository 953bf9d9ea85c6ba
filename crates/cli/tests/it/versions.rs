//! Questions asked anew at the terminal: `/retry`, `/edit`, `/fork`; and what is shown of the versions.

use serde_json::Value;
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

fn script(texts: &[&str]) -> Script {
    texts.iter().fold(Script::new(), |it, text| it.reply(Reply::text(*text)))
}

/// What the model was sent with a request.
fn sent(server: &ModelServer, number: usize) -> String {
    server.requests()[number].body["messages"].to_string()
}

async fn only_id(cli: &Cli) -> String {
    let listed = cli.run(&["conversations", "list", "--json"]).await.events();
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed[0]["id"].as_str().unwrap().to_owned()
}

/// What was said, of all that is shown of a conversation.
fn said(shown: &str) -> Vec<&str> {
    let about = |line: &&str| line.starts_with("review:") || line.starts_with("Questions were");
    shown.lines().filter(|line| !about(line)).collect()
}

#[tokio::test]
async fn a_question_is_asked_again_and_edited_in_a_chat() {
    let server =
        ModelServer::start(script(&["Hello.", "Wrong.", "Right.", "Sunny.", "Rain."])).await;
    let cli = Cli::asking(&server);
    let lines = "/retry\nHi\nWhich one?\n/retry\n/edit In Rome?\n/edit\nIn Oslo?\n/edit\n\n/quit\n";
    let ended = cli.run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert_eq!(ended.out, "Hello.\nWrong.\nRight.\nSunny.\nRain.\n", "{}", ended.err);
    assert!(ended.err.contains("nothing was asked here yet"), "{}", ended.err);
    assert!(ended.err.contains("In Rome?"), "what is edited is shown: {}", ended.err);
    // Each request has what was said before, and no trace of what it replaces.
    let third = sent(&server, 2);
    assert!(third.contains("Hello.") && third.contains("Which one?") && !third.contains("Wrong."));
    let last = sent(&server, 4);
    assert!(last.contains("Hello.") && last.contains("In Oslo?"), "{last}");
    for gone in ["Which one?", "Right.", "In Rome?", "Sunny."] {
        assert!(!last.contains(gone), "{last}");
    }
    server.assert_clean();

    let id = only_id(&cli).await;
    let shown = cli.run(&["conversations", "show", &id]).await;
    assert_eq!(said(&shown.out), ["› Hi", "Hello.", "› In Oslo?", "Rain."]);
    assert!(shown.out.contains("conversations tree"), "{}", shown.out);
    let drawn = cli.run(&["conversations", "tree", &id]).await.out;
    let rows: Vec<_> = drawn.lines().collect();
    let of = |row: usize, mark: &str, question: &str| {
        assert!(rows[row].starts_with(mark) && rows[row].contains(question), "{drawn}");
    };
    of(0, "● run_", "Hi");
    of(1, "├─ ○ run_", "Which one?");
    of(2, "├─ ○ run_", "Which one?");
    of(3, "├─ ○ run_", "In Rome?");
    of(4, "└─ ● run_", "In Oslo? (the newest)");
    let told = cli.run(&["conversations", "tree", &id, "--json"]).await.events();
    let of = |it: &Value| (it["version"].clone(), it["versions"].clone(), it["current"].clone());
    assert_eq!(of(&told[0]), (1.into(), 1.into(), true.into()));
    assert_eq!(of(&told[2]), (2.into(), 4.into(), false.into()));
    assert_eq!(told[2]["after"]["run"], told[0]["run"]);

    let run = told[1]["run"].as_str().unwrap();
    let shown = cli.run(&["conversations", "show", &id, "--branch", &run[..12]]).await;
    assert_eq!(said(&shown.out), ["› Hi", "Hello.", "› Which one?", "Wrong."]);
    let found = cli.run(&["conversations", "search", "wrong", "--json"]).await.events();
    assert_eq!(found[0]["run"], run);
    let found = cli.run(&["conversations", "search", "wrong"]).await.out;
    assert!(found.contains(&format!("answered in {run}: Wrong.")), "{found}");
    for args in [
        &["conversations", "show", &id, "--branch", "run_nobody"][..],
        &["conversations", "show", &id, "--branch", "run_"],
        &["conversations", "export", "--branch", run],
    ] {
        let ended = cli.run(args).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{args:?}: {}", ended.err);
    }
    exported(&cli, &id, run).await;
}

/// An export has every version, or the one that was chosen; to read it is the newest.
async fn exported(cli: &Cli, id: &str, run: &str) {
    let other = Cli::new();
    let export = cli.run(&["conversations", "export"]).await.out;
    let import = ["conversations", "import", "-"];
    assert_eq!(other.run_with_input(&import, Some(&export)).await.code, Some(0));
    assert_eq!(other.run(&["conversations", "export"]).await.out, export);
    let shown = other.run(&["conversations", "show", id]).await.out;
    assert_eq!(said(&shown), ["› Hi", "Hello.", "› In Oslo?", "Rain."]);

    let one = cli.run(&["conversations", "export", id, "--branch", run]).await.out;
    let other = Cli::new();
    assert_eq!(other.run_with_input(&import, Some(&one)).await.code, Some(0));
    let shown = other.run(&["conversations", "show", id]).await.out;
    assert_eq!(said(&shown), ["› Hi", "Hello.", "› Which one?", "Wrong."]);

    let text = cli.run(&["conversations", "export", id, "--markdown"]).await.out;
    let whole =
        "# Hi\n\n## You\n\nHi\n\n## Answer\n\nHello.\n\n## You\n\nIn Oslo?\n\n## Answer\n\nRain.\n";
    assert_eq!(text, whole);
    let text = cli.run(&["conversations", "export", id, "--markdown", "--branch", run]).await.out;
    assert!(text.ends_with("## You\n\nWhich one?\n\n## Answer\n\nWrong.\n"), "{text}");
}

#[tokio::test]
async fn a_chat_goes_on_from_an_earlier_answer_as_a_new_conversation() {
    let server = ModelServer::start(script(&["One.", "Two.", "Three.", "Four."])).await;
    let cli = Cli::asking(&server);
    let lines =
        "/fork\nFirst?\nSecond?\n/fork 1\nThird?\n/fork\nFourth?\n/fork 9\n/fork x\n/quit\n";
    let ended = cli.run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.out, "One.\nTwo.\nThree.\nFour.\n", "{}", ended.err);
    assert!(ended.err.contains("nothing was asked here yet"), "{}", ended.err);
    assert_eq!(ended.err.matches("from 1 to 3").count(), 2, "{}", ended.err);
    let third = sent(&server, 2);
    assert!(third.contains("One.") && !third.contains("Second?"), "{third}");
    let fourth = sent(&server, 3);
    assert!(fourth.contains("Three.") && !fourth.contains("Second?"), "{fourth}");
    let listed = cli.run(&["conversations", "list", "--json"]).await.events();
    assert_eq!(listed.len(), 3);
    for it in &listed {
        assert!(ended.err.contains(it["id"].as_str().unwrap()), "its id was told: {}", ended.err);
    }
    server.assert_clean();
}

#[tokio::test]
async fn what_was_called_can_be_read() {
    let call = [("a", "get_weather", r#"{"location":"Rome"}"#)];
    let script = Script::new().reply(Reply::calls(call)).reply(Reply::text("Sunny in Rome."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    cli.run(&["ask", "Weather in Rome?"]).await;
    let text = cli.run(&["conversations", "export", "--markdown"]).await.out;
    let parts = [
        "# Weather in Rome?\n",
        "**Called** `get_weather`\n\n```json\n",
        "\"location\": \"Rome\"",
        "`get_weather` **returned**\n\n```\n",
        "## Answer\n\nSunny in Rome.\n",
    ];
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
}
