//! `--cassette`, `conversations export --cassette` and `toolwright replay`: what a model said is said again.

use std::{fs, path::PathBuf, time::Duration};

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Cli, Ended, KEY};

const ROME: &str = "What is the weather in Rome?";

fn script() -> Script {
    Script::new()
        .reply(Reply::calls([("a", "get_weather", r#"{"location":"Rome"}"#)]).usage(11, 2))
        .reply(Reply::text("It is sunny in Rome, 72°F.").usage(20, 9))
}

/// Nothing is configured that could answer: whoever answers is a recording.
fn nobody() -> Cli {
    Cli::new().env("TOOLWRIGHT_MODEL", "nobody").env("OPENAI_API_BASE", "http://127.0.0.1:9/v1")
}

fn lines(path: &PathBuf) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The events that are kept, without what is chance.
fn comparable(ended: &Ended) -> Vec<Value> {
    let mut kept = Vec::new();
    for mut event in ended.events() {
        let kind = event["type"].as_str().unwrap().to_owned();
        if ["content", "reasoning", "call_delta"].contains(&kind.as_str()) {
            continue;
        }
        for chance in ["run", "at", "elapsed_ms", "conversation_id"] {
            event.as_object_mut().unwrap().remove(chance);
        }
        kept.push(event);
    }
    kept
}

fn id_of(ended: &Ended) -> String {
    ended.events().last().unwrap()["conversation_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_run_is_recorded_once_and_needs_no_model_again() {
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let path = cli.folder.path().join("rome.jsonl");
    let tape = path.to_str().unwrap();
    let ask = ["ask", "--json", "--task", "demo", "--cassette", tape, ROME];
    let first = cli.run(&ask).await;
    assert_eq!(first.code, Some(0), "{}", first.err);
    server.assert_clean();
    assert_eq!(lines(&path).len(), 3);
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(KEY) && !text.to_lowercase().contains("authorization"), "{text}");

    let other = nobody();
    let again = other.run(&ask).await;
    assert_eq!((again.code, comparable(&again)), (Some(0), comparable(&first)), "{}", again.err);
    assert_eq!(server.requests().len(), 2, "nobody was asked again");
    let told = other.run(&["ask", "--task", "demo", "--cassette", tape, ROME]).await;
    assert_eq!(told.out, "It is sunny in Rome, 72°F.\n");
    assert!(
        told.err.contains("rome.jsonl answers, in the place of openai:scripted"),
        "{}",
        told.err
    );

    let oslo = "What is the weather in Oslo?";
    let differs = other.run(&["ask", "--task", "demo", "--cassette", tape, oslo]).await;
    let expected = "request 1 differs: message 2 (what the user said): recorded `What is the weather \
                    in Rome?`, now `What is the weather in Oslo?`";
    assert!(differs.code == Some(1) && differs.err.contains(expected), "{differs:?}");
    assert!(differs.err.contains("what to do: if the change is meant, record it again"));
    let event = other.run(&["ask", "--json", "--task", "demo", "--cassette", tape, oslo]).await;
    let event = event.events().last().unwrap().clone();
    assert_eq!((&event["type"], &event["of"]), (&json!("error"), &json!("recording")));
    // Another task has other tools and instructions.
    let differs = other.run(&["ask", "--task", "general", "--cassette", tape, ROME]).await;
    assert!(differs.err.contains("request 1 differs: message 1 (the instructions)"), "{differs:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), text, "a replay writes nothing");
}

/// A model is told what day it is, and a recording has to be good for longer than a day.
#[tokio::test]
async fn a_recording_is_replayed_on_the_day_it_was_made() {
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    let path = cli.folder.path().join("rome.jsonl");
    let ask = ["ask", "--cassette", "rome.jsonl", ROME];
    assert_eq!(cli.run(&ask).await.code, Some(0));
    let mut lines = lines(&path);
    (lines[0]["at"], lines[0]["time_zone"]) = (json!(0), json!("Asia/Kolkata"));
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(&path, text).unwrap();
    let ended = cli.run(&ask).await;
    let expected = "Thursday, January 1, 1970 (1970-01-01); the time zone is Asia/Kolkata";
    assert!(ended.code == Some(1) && ended.err.contains(expected), "{}", ended.err);
}

#[tokio::test]
async fn what_a_provider_tells_of_the_key_is_not_recorded() {
    let script = Script::new()
        .reply(Reply::text(format!("Your key is {KEY}.")))
        .reply(Reply::status(401).body(format!(r#"{{"error":{{"message":"{KEY} is wrong"}}}}"#)));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let tape = ["ask", "--cassette", "key.jsonl", "--cassette-mode", "missing"];
    for question in [format!("Is {KEY} good?"), "And now?".to_owned()] {
        cli.run(&[&tape[..], &[&question]].concat()).await;
    }
    let text = fs::read_to_string(cli.folder.path().join("key.jsonl")).unwrap();
    assert!(!text.contains(KEY) && !text.contains("0123456789abcdef"), "{text}");
    assert_eq!(text.matches("[redacted]").count(), 3, "{text}");
    assert_eq!(text.lines().count(), 3);
}

/// Somebody who is killed while the model thinks leaves what was said before, and can go on with it.
#[tokio::test]
async fn a_program_that_is_killed_leaves_what_was_said() {
    let slow = Reply::text("Too late.").delay(Duration::from_secs(600));
    let call = [("a", "get_weather", r#"{"location":"Rome"}"#)];
    let server = ModelServer::start(Script::new().reply(Reply::calls(call)).reply(slow)).await;
    let cli = Cli::asking(&server);
    let path = cli.folder.path().join("killed.jsonl");
    let mut child = cli.command(&["ask", "--cassette", "killed.jsonl", ROME]).spawn().unwrap();
    while server.requests().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Two programs do not write into one file.
    let second = ["ask", "--cassette", "killed.jsonl", "--cassette-mode", "record", "Hello"];
    let refused = Cli { env: cli.env.clone(), ..Cli::new() };
    let refused = refused.command(&second).current_dir(cli.folder.path()).output().await.unwrap();
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("another program is recording to killed.jsonl"), "{told}");
    child.kill().await.unwrap();
    assert_eq!(lines(&path).len(), 2);

    let other = nobody();
    let tape = path.to_str().unwrap();
    let ended = other.run(&["ask", "--cassette", tape, ROME]).await;
    assert!(ended.code == Some(1), "{ended:?}");
    assert!(ended.err.contains("the recording ends after 1 request"), "{}", ended.err);
    let server = ModelServer::start(Script::new().reply(Reply::text("It is sunny."))).await;
    let ask = ["ask", "--cassette", tape, "--cassette-mode", "missing", ROME];
    let ended = Cli::asking(&server).run(&ask).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "It is sunny.\n"), "{}", ended.err);
    server.assert_clean();
    assert_eq!(other.run(&["ask", "--cassette", tape, ROME]).await.out, "It is sunny.\n");
}

#[tokio::test]
async fn a_chat_is_recorded_and_replayed_too() {
    let script = script().reply(Reply::text("Yes.")).reply(Reply::text("Hello."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let path = cli.folder.path().join("chat.jsonl");
    let chat = ["chat", "--cassette", path.to_str().unwrap()];
    let typed = Some("What is the weather in Rome?\nSure?\n/new\nHi\n");
    let first = cli.run_with_input(&chat, typed).await;
    assert_eq!(first.out, "It is sunny in Rome, 72°F.\nYes.\nHello.\n", "{}", first.err);
    let again = nobody().run_with_input(&chat, typed).await;
    assert_eq!((again.code, again.out), (Some(0), first.out), "{}", again.err);
}

#[tokio::test]
async fn what_is_no_cassette_is_told_and_left_alone() {
    let cli = Cli::new();
    fs::write(cli.folder.path().join("notes.md"), "# Notes\n").unwrap();
    for mode in ["replay", "record", "missing"] {
        let args = ["ask", "--cassette", "notes.md", "--cassette-mode", mode, "Hello"];
        let ended = cli.run(&args).await;
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains("notes.md is no cassette"), "{}", ended.err);
        assert!(ended.err.contains("what to do:"), "{}", ended.err);
    }
    assert_eq!(fs::read_to_string(cli.folder.path().join("notes.md")).unwrap(), "# Notes\n");
    let ended = cli.run(&["ask", "--cassette", "x", "--cassette-mode", "play", "Hello"]).await;
    assert!(
        ended.code == Some(2) && ended.err.contains("use replay, record or missing"),
        "{ended:?}"
    );
    let ended = cli.run(&["ask", "--cassette", "x", "--cassette-mode", "replay", "Hello"]).await;
    assert!(ended.code == Some(2) && ended.err.contains("there is no cassette x"), "{ended:?}");
}

/// A conversation with a refusal, a decision, an edit of nothing, and two questions.
async fn talked(cli: &Cli) -> String {
    let first = cli.run(&["ask", "--json", "--approve", "--task", "demo", ROME]).await;
    let id = id_of(&first);
    let delete = "Delete all my notes, then the weather in Oslo";
    let ask = ["ask", "--approve", "--task", "demo", "--conversation", &id, delete];
    assert_eq!(cli.run(&ask).await.code, Some(0));
    id
}

fn longer() -> Script {
    Script::new()
        .reply(Reply::calls([("a", "get_weather", r#"{"location":"[city]"}"#)]))
        .reply(Reply::calls([("b", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("It is sunny in Rome, 72°F."))
        .reply(Reply::calls([
            ("c", "delete_notes", "{}"),
            ("d", "get_weather", r#"{"location":"Oslo"}"#),
        ]))
        .reply(Reply::text("They are gone, and Oslo is sunny."))
}

#[tokio::test]
async fn a_conversation_becomes_a_cassette_and_is_replayed() {
    let server = ModelServer::start(longer()).await;
    let cli = Cli::asking(&server);
    let id = talked(&cli).await;
    server.assert_clean();
    let export = ["conversations", "export", &id, "--cassette", "told.jsonl"];
    let ended = cli.run(&export).await;
    assert!(
        ended.code == Some(0) && ended.err.contains("5 requests are in told.jsonl"),
        "{ended:?}"
    );
    let path = cli.folder.path().join("told.jsonl");
    assert_eq!(lines(&path).len(), 6);
    assert!(!fs::read_to_string(&path).unwrap().contains(KEY));
    // Whoever asks the same gets the same, without a model.
    let other = nobody();
    let tape = path.to_str().unwrap();
    let ended = other.run(&["ask", "--task", "demo", "--cassette", tape, ROME]).await;
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (Some(0), "It is sunny in Rome, 72°F.\n"),
        "{}",
        ended.err
    );

    // The questions again: nothing runs, and nothing is kept.
    let before = cli.run(&["conversations", "export"]).await.out;
    let ended = cli.run(&["replay", &id, "--task", "demo"]).await;
    let expected = "› What is the weather in Rome?\n  ✓ the same: 2 calls (1 refused), the answer\n\
                    › Delete all my notes, then the weather in Oslo\n  ✓ the same: 2 calls, the answer\n";
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), expected), "{}", ended.err);
    assert!(ended.err.contains("2 of 2 questions went the same"), "{}", ended.err);
    assert_eq!(cli.run(&["conversations", "export"]).await.out, before);
    assert_eq!(server.requests().len(), 5);
}

#[tokio::test]
async fn another_model_is_held_against_the_log_and_runs_no_tool() {
    let server = ModelServer::start(longer()).await;
    let cli = Cli::asking(&server);
    let id = talked(&cli).await;
    let note = [("x", "take_note", r#"{"text":"nobody wrote this"}"#)];
    let script = Script::new()
        .reply(Reply::calls([("b", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::text("It is sunny in Rome, 72°F."))
        .reply(Reply::calls(note))
        .reply(Reply::text("I could not."));
    let rival = ModelServer::start(script).await;
    let cli = Cli { env: Vec::new(), ..cli };
    let cli = cli.env("OPENAI_API_BASE", rival.base_url()).env("OPENAI_API_KEY", KEY);
    let ended = cli.run(&["replay", &id, "--task", "demo", "--model", "rival", "--json"]).await;
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    rival.assert_clean();
    let report = &ended.events()[0];
    assert_eq!((&report["same"], &report["stand_ins"]), (&json!(false), &json!(1)));
    assert_eq!(
        (&report["recorded_model"], &report["model"]),
        (&json!("openai:scripted"), &json!("openai:rival"))
    );
    let kinds = |at: usize| -> Vec<String> {
        let all = report["questions"][at]["differences"].as_array().unwrap();
        all.iter().map(|it| it["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(0), ["call", "call"], "{report}");
    assert_eq!(kinds(1), ["call", "call", "answer"], "{report}");
    let told = rival.requests().last().unwrap().body.to_string();
    assert!(told.contains("the log has no result of this call: the tool was not run"), "{told}");
    let notes = cli.run(&["tools", "call", "list_notes", "--task", "demo"]).await;
    assert!(!notes.out.contains("nobody wrote this"), "{}", notes.out);
    let shown = cli.run(&["replay", &id, "--task", "demo"]).await;
    assert_eq!(shown.code, Some(0), "what was recorded is still the same: {}", shown.out);
}

#[tokio::test]
async fn a_replay_of_nothing_says_so() {
    let ended = Cli::new().run(&["replay", "conv_nope"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
    assert!(ended.err.contains("there is no conversation `conv_nope`"), "{}", ended.err);
}

/// An answer that has a form is asked for in that form again, in whatever way the model was made to.
#[tokio::test]
async fn an_answer_with_a_form_is_recorded_too() {
    let schema =
        r#"{"type":"object","properties":{"sunny":{"type":"boolean"}},"required":["sunny"]}"#;
    let script = script().reply(Reply::text("Sunny!")).reply(Reply::text(r#"{"sunny": true}"#));
    for strategy in ["native", "tool", "prompt"] {
        let call = [("x", "final_answer", r#"{"sunny": true}"#)];
        let script = match strategy {
            "tool" => self::script().reply(Reply::calls(call)),
            _ => script.clone(),
        };
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server)
            .configured(&format!("[model]\noutput_strategy = \"{strategy}\"\n"));
        let path = cli.folder.path().join("form.jsonl");
        let ask = ["ask", "--json", "--cassette", path.to_str().unwrap(), "--schema", schema, ROME];
        let first = cli.run(&ask).await;
        assert_eq!(first.code, Some(0), "{strategy}: {}", first.err);
        server.assert_clean();
        let again = nobody().run(&ask).await;
        assert_eq!(comparable(&again), comparable(&first), "{strategy}: {}", again.err);
        let id = id_of(&first);
        let replayed = cli.run(&["replay", &id]).await;
        assert_eq!(replayed.code, Some(0), "{strategy}: {}", replayed.out);
        let told = cli.folder.path().join("told.jsonl");
        let told = told.to_str().unwrap();
        cli.run(&["conversations", "export", &id, "--cassette", told]).await;
        let again = nobody().run(&["ask", "--cassette", told, "--schema", schema, ROME]).await;
        assert_eq!(again.code, Some(0), "{strategy}: {}", again.err);
    }
}

/// A server is recorded by all that ask it, whatever order they come in.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_is_recorded_and_replayed() {
    use tokio::io::{AsyncBufReadExt, BufReader};

    async fn asked(cli: &Cli, tape: &str, questions: &[&str]) -> Vec<String> {
        let serve = ["--json", "serve", "--addr", "127.0.0.1:0", "--cassette", tape];
        let mut server = cli.command(&serve).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let line = lines.next_line().await.unwrap().expect("it says where it listens");
        let told: Value = serde_json::from_str(&line).unwrap();
        let socket = told["socket"].as_str().unwrap();
        let mut answers = Vec::new();
        for question in questions {
            let body = json!({ "message": question }).to_string();
            let done = tokio::process::Command::new("curl")
                .args(["-sN", "--unix-socket", socket, "-H", "Content-Type: application/json"])
                .args(["-d", &body, "http://localhost/api/chat/stream"])
                .output();
            let done = done.await.unwrap();
            let stream = String::from_utf8(done.stdout).unwrap();
            let told = stream.lines().filter_map(|line| line.strip_prefix("data: "));
            let mut told = told.filter_map(|data| serde_json::from_str::<Value>(data).ok());
            let last = told.find(|event| event["type"] == "done");
            let last = last.unwrap_or_else(|| panic!("no answer in {stream}"));
            answers.push(last["response"].as_str().unwrap().to_owned());
        }
        server.kill().await.unwrap();
        answers
    }

    let script = Script::new().reply(Reply::text("Hello, A.")).reply(Reply::text("Hello, B."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let path = cli.folder.path().join("served.jsonl");
    let tape = path.to_str().unwrap();
    let first = asked(&cli, tape, &["I am A.", "I am B."]).await;
    assert_eq!(first, ["Hello, A.", "Hello, B."]);
    let again = asked(&nobody(), tape, &["I am B.", "I am A."]).await;
    assert_eq!(again, ["Hello, B.", "Hello, A."]);
}
