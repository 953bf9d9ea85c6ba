//! Models that only write text: calls are found in what they write, and what is none is shown.

use serde_json::{Value, json};
use toolwright_testkit::{Chunking, ModelServer, Reply, Script};

use crate::{
    harness::{Cli, Ended},
    questions::Person,
};

const FENCED: &str = "Let me look.\n\n```json\n{\n  \"tool\": \"get_weather\",\n  \"params\": {\n    \
                      \"location\": \"Rome\"\n  }\n}\n```";
const BARE: &str =
    "Sure, I use {\"tool\": \"get_weather\", \"params\": {\"location\": \"Rome\"}} for that.";

async fn ask(script: Script, args: &[&str]) -> (Ended, ModelServer) {
    let server = ModelServer::start(script).await;
    let args = [&["ask", "--tool-mode", "text"], args, &["Weather in Rome?"]].concat();
    (Cli::asking(&server).run(&args).await, server)
}

fn sent(server: &ModelServer, request: usize) -> Vec<Value> {
    server.requests()[request].body["messages"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_call_in_a_block_or_bare_in_prose_is_run_and_not_shown() {
    for text in [FENCED, BARE] {
        for chunking in [Chunking::Whole, Chunking::OneByte] {
            let script = Script::new()
                .reply(Reply::text(text).chunking(chunking))
                .reply(Reply::text("72°F and sunny."));
            let (ended, server) = ask(script, &[]).await;
            assert_eq!(ended.code, Some(0), "{}", ended.err);
            // What is said beside a call is no answer.
            assert_eq!(ended.out, "72°F and sunny.\n");
            assert!(ended.err.contains("✓ get_weather"), "{}", ended.err);
            assert!(!ended.err.contains("repaired"), "{}", ended.err);
            // Nothing in the requests needs a server that knows tools.
            assert_eq!(server.requests().len(), 2);
            assert!(server.requests().iter().all(|it| it.body.get("tools").is_none()));
            let told = sent(&server, 1).pop().unwrap();
            let content = told["content"].as_str().unwrap().to_owned();
            assert!(content.contains("Weather in Rome: 72°F, sunny"), "{told}");
            server.assert_clean();
        }
    }
}

#[tokio::test]
async fn what_is_no_json_or_no_call_is_left_alone_and_shown() {
    for text in [
        "Like so:\n```json\n{\"tool\" \"get_weather\" !!! oops}\n```\nThat was it.",
        "Like {\"tool\": \"hammer\", \"params\": {\"size\": 3",
        "{\"tool\": \"take_note\", \"params\": {\"text\": \"buy mi",
        "```json\n{\"tool\": \"take_note\", \"params\": {\"text\": ",
        "{\"name\": \"hammer\", \"weight\": 3}",
        "Sets look like {a, b} and JSON like {\"a\": 1}.",
        "```python\ncall = {\"tool\": \"get_weather\", \"params\": {}}\n```",
    ] {
        for chunking in [Chunking::Whole, Chunking::OneByte] {
            let script = Script::new().reply(Reply::text(text).chunking(chunking));
            let (ended, server) = ask(script, &[]).await;
            assert_eq!((ended.code, ended.out), (Some(0), format!("{text}\n")));
            assert_eq!(server.requests().len(), 1);
        }
    }
}

/// Whoever can only write is told like any other which tools there are.
#[tokio::test]
async fn a_call_of_a_tool_that_does_not_exist_is_told_with_those_that_do() {
    let calls = [
        (&[][..], "```json\n{\"tool\": \"hammer\", \"params\": {\"size\": 3}}\n```"),
        (&[], "I use {\"tool\": \"hammer\", \"params\": {}} now."),
        (&[], "[{\"name\": \"hammer\", \"arguments\": {\"size\": 3}}]"),
        (&["--dialect", "react"], "Thought: hm.\nAction: hammer\nAction Input: {\"size\": 3}"),
        (&["--dialect", "pythonic"], "[hammer(size=3)]"),
    ];
    for (args, text) in calls {
        for chunking in [Chunking::Whole, Chunking::OneByte] {
            let script = Script::new()
                .reply(Reply::text(text).chunking(chunking))
                .reply(Reply::text("I cannot do that."));
            let (ended, server) = ask(script, args).await;
            assert!(ended.out.ends_with("I cannot do that.\n"), "{} {}", ended.out, ended.err);
            assert!(!ended.out.contains("hammer"), "{}", ended.out);
            let told = sent(&server, 1).pop().unwrap().to_string();
            assert!(told.contains("hammer") && told.contains("get_weather"), "{told}");
        }
    }
    let text = "```json\n{\"tool\": \"hammer\", \"params\": {\"size\": 3}}\n```";
    let (ended, _server) = ask(Script::new().reply(Reply::text(text)), &["--single-shot"]).await;
    assert!(ended.out.starts_with("Tool execution failed:"), "{}", ended.out);
    assert!(ended.out.contains("get_weather"), "{}", ended.out);
}

/// What a result says, or the user, is theirs: a model that tells of it calls nothing.
#[tokio::test]
async fn a_call_of_a_tool_that_does_not_exist_is_text_where_it_is_quoted() {
    let block = "```json\n{\"tool\": \"hammer\", \"params\": {\"size\": 3}}\n```";
    let server = ModelServer::start(Script::new().reply(Reply::text(block))).await;
    let question = format!("What does this mean?\n{block}");
    let ended = Cli::asking(&server).run(&["ask", "--tool-mode", "text", &question]).await;
    assert_eq!((ended.code, ended.out), (Some(0), format!("{block}\n")), "{}", ended.err);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_call_in_which_the_reply_was_cut_off_is_not_run() {
    let cut = "I note it. {\"tool\": \"take_note\", \"params\": {\"text\": \"buy mi";
    let script = Script::new()
        .reply(Reply::text(cut).finish_reason("length"))
        .reply(Reply::text("I could not."));
    let (ended, server) = ask(script, &["--json"]).await;
    let events = ended.events();
    assert!(events.iter().all(|event| event["type"] != "call_started"), "{}", ended.out);
    let done = events.last().unwrap();
    assert_eq!(done["response"], "I could not.");
    assert_eq!(done["tool_calls"][0]["status"], "error");
    let told = sent(&server, 1).pop().unwrap().to_string();
    assert!(told.contains("cut off"), "{told}");
}

#[tokio::test]
async fn in_single_shot_the_result_replaces_the_reply() {
    for text in [FENCED, BARE] {
        let (ended, server) = ask(Script::new().reply(Reply::text(text)), &["--single-shot"]).await;
        assert_eq!(
            ended.out,
            "Tool 'get_weather' executed successfully:\nWeather in Rome: 72°F, sunny\n\nData: None\n"
        );
        assert_eq!((ended.code, server.requests().len()), (Some(0), 1));
    }
    // Without a call the reply is the answer, as it is.
    let text = "```json\n{\"tool\" \"get_weather\" !!! oops}\n```";
    let (ended, server) = ask(Script::new().reply(Reply::text(text)), &["--single-shot"]).await;
    assert_eq!((ended.out, server.requests().len()), (format!("{text}\n"), 1));
}

#[tokio::test]
async fn in_single_shot_a_failure_shows_the_input() {
    let text = "{\"tool\": \"get_weather\", \"params\": {\"location\": \" \"}}";
    let (ended, _server) = ask(Script::new().reply(Reply::text(text)), &["--single-shot"]).await;
    assert_eq!(
        ended.out,
        "Tool execution failed: the location is empty: name a city\n\n\
         Input: Object {\n    \"location\": String(\" \"),\n}\n"
    );
}

/// `--approve` is given before anybody knows what a model will write, and how it will be mended.
#[tokio::test]
async fn approval_does_not_cover_a_destructive_call_that_had_to_be_repaired() {
    let script = || {
        Script::new()
            .reply(Reply::text("{\"tool\": \"delete_notes\", \"params\": {},}"))
            .reply(Reply::text("{\"tool\": \"delete_notes\", \"params\": {}}"))
            .reply(Reply::text("They are gone."))
    };
    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    std::fs::create_dir_all(cli.folder.path().join("data")).unwrap();
    let args = ["ask", "--tool-mode", "text", "--approve", "--json", "Delete my notes."];
    let ended = cli.run(&args).await;
    let events = ended.events();
    let done = events.last().unwrap();
    let ends: Vec<_> =
        done["tool_calls"].as_array().unwrap().iter().map(|it| it["status"].clone()).collect();
    assert_eq!(ends, ["denied", "success"]);
    let obtained: Vec<_> = events
        .iter()
        .filter(|event| event["type"] == "tool_calls")
        .map(|event| event["tool_calls"][0]["source"].clone())
        .collect();
    assert_eq!(obtained, [json!("repaired"), json!("extracted")]);
    let told = sent(&server, 1).pop().unwrap().to_string();
    assert!(told.contains("Send the same call again, as valid JSON"), "{told}");

    let server = ModelServer::start(script()).await;
    let cli = Cli::asking(&server);
    std::fs::create_dir_all(cli.folder.path().join("data")).unwrap();
    let args = ["ask", "--tool-mode", "text", "--approve", "Delete my notes."];
    let ended = cli.run(&args).await;
    assert!(ended.err.contains("✋ delete_notes {} repaired denied"), "{}", ended.err);
    assert!(ended.err.contains("✓ delete_notes {} "), "{}", ended.err);
}

#[tokio::test]
async fn at_the_terminal_the_person_is_asked_about_it_and_told_why() {
    let script = Script::new()
        .reply(Reply::text("{\"tool\": \"delete_notes\", \"params\": {},}"))
        .reply(Reply::text("They are gone."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    std::fs::create_dir_all(cli.folder.path().join("data")).unwrap();
    let args = ["chat", "--tool-mode", "text"];
    let seen = Person::talks(&cli, &args, &["Delete my notes.", "y", "/quit"]).await;
    assert!(seen.contains("They are gone.\n"), "{seen}");
    assert!(seen.contains("was not valid and was repaired"), "{seen}");
    assert!(seen.contains("✓ delete_notes {} repaired "), "{seen}");
}

/// Which tool a name means that is not exactly one's is a guess: the call is marked repaired, and what
/// cannot be taken back does not run on it, however the call came.
#[tokio::test]
async fn a_name_that_is_not_exact_is_a_repaired_call() {
    for (mode, reply) in [
        ("text", Reply::text(r#"{"tool": "Delete_Notes", "params": {}}"#)),
        (
            "text",
            Reply::text(r#"<tool_call>{"name": "DELETE_NOTES", "arguments": {}}</tool_call>"#),
        ),
        ("native", Reply::calls([("a", "Delete_Notes", "{}")])),
    ] {
        let script = Script::new().reply(reply).reply(Reply::text("Well."));
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server);
        let args = ["ask", "--json", "--approve", "--tool-mode", mode, "--task", "demo", "Go."];
        let events = cli.run(&args).await.events();
        let calls = events.iter().find(|it| it["type"] == "tool_calls").unwrap();
        assert_eq!(calls["tool_calls"][0]["source"], "repaired", "{mode}: {calls}");
        assert_eq!(calls["tool_calls"][0]["tool"], "delete_notes");
        let status = &events.last().unwrap()["tool_calls"][0]["status"];
        assert_eq!(status, "denied", "{mode}");
    }
}

/// What could be read as two calls is none.
#[tokio::test]
async fn a_call_that_names_two_tools_is_not_made() {
    for text in [
        r#"{"tool":"take_note","tool":"delete_notes","params":{"text":"x"}}"#,
        r#"{"tool":"take_note","params":{"text":"x"},"params":{}}"#,
    ] {
        let server = ModelServer::start(Script::new().reply(Reply::text(text))).await;
        let cli = Cli::asking(&server);
        let args = ["ask", "--json", "--tool-mode", "text", "--task", "demo", "Go."];
        let events = cli.run(&args).await.events();
        assert!(events.iter().all(|it| it["type"] != "tool_calls"), "{text}: {events:?}");
    }
}

/// The fence around a call is not shown, whatever it is made of.
#[tokio::test]
async fn a_fence_of_tildes_leaves_nothing_behind() {
    let call = r#"{"tool":"get_weather","params":{"location":"Rome"}}"#;
    let script = Script::new()
        .reply(Reply::text(format!("~~~json\n{call}\n~~~")))
        .reply(Reply::text("Sunny."));
    let server = ModelServer::start(script).await;
    let args = ["ask", "--tool-mode", "text", "--task", "demo", "Weather in Rome?"];
    let ended = Cli::asking(&server).run(&args).await;
    assert_eq!(ended.out, "Sunny.\n");
}
