//! Models that only write text: `tools prompt`, `--tool-mode`, `--dialect`.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

const CALL: &str =
    "```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"San Francisco, CA\"}}\n```";

fn system(server: &ModelServer, number: usize) -> String {
    server.requests()[number].body["messages"][0]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn s4_1_the_prompt_has_every_tool_and_the_documented_form() {
    let told = Cli::new().run(&["tools", "prompt"]).await;
    assert_eq!(told.code, Some(0));
    assert!(told.out.starts_with("# Available Tools\n\n## "), "{}", told.out);
    let tip = "## calculate_tip
Calculate the tip on an amount of money.
Parameters:
- amount (number, required): The amount of the bill.
- percentage (number, default 18.0): The tip in percent of the amount.

";
    assert!(told.out.contains(tip), "{}", told.out);
    let form = "To use a tool, respond with a JSON object in the following format:
```json
{
  \"tool\": \"tool_name\",
  \"params\": {
    \"param1\": \"value1\"
  }
}
```
";
    assert!(told.out.contains(form), "{}", told.out);
    let list = Cli::new().run(&["tools", "list", "--json"]).await;
    let list: Value = serde_json::from_str(&list.out).unwrap();
    for tool in list.as_array().unwrap() {
        let head = format!("\n## {}\n", tool["function"]["name"].as_str().unwrap());
        assert!(told.out.contains(&head), "{head} is missing in {}", told.out);
    }
}

#[tokio::test]
async fn the_prompt_is_in_the_dialect_that_is_asked_for_or_the_models_own() {
    let asked = Cli::new().run(&["tools", "prompt", "--dialect", "hermes"]).await;
    assert!(asked.out.contains("<tool_call>\n{\"name\": \"tool_name\""), "{}", asked.out);
    let own = Cli::new().env("TOOLWRIGHT_MODEL", "qwen2.5:7b").run(&["tools", "prompt"]).await;
    assert_eq!(own.out, asked.out);
    let json = Cli::new().run(&["tools", "prompt", "--dialect", "react", "--json"]).await;
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["dialect"], "react");
    assert!(json["prompt"].as_str().unwrap().contains("Action Input:"), "{json}");
}

#[tokio::test]
async fn s4_6_a_model_that_only_writes_text_calls_tools() {
    let script = Script::new()
        .reply(Reply::text(format!("One moment.\n\n{CALL}")))
        .reply(Reply::text("72°F and sunny."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "--tool-mode", "text", "--json", "How is the weather?"]).await;
    server.assert_clean();
    assert_eq!(ended.code, Some(0));
    let events = ended.events();
    let done = events.last().unwrap();
    assert_eq!(done["response"], "72°F and sunny.");
    assert_eq!(
        done["tool_calls"],
        json!([{"tool": "get_weather", "status": "success", "args": {"location": "San Francisco, CA"}}])
    );
    let called = events.iter().find(|event| event["type"] == "tool_calls").unwrap();
    assert_eq!(called["tool_calls"][0]["source"], "extracted");

    let requests = server.requests();
    assert!(requests.iter().all(|it| it.body.get("tools").is_none()));
    let told = cli.run(&["tools", "prompt"]).await.out;
    assert!(system(&server, 0).ends_with(told.trim_end()), "{}", system(&server, 0));
    let sent = &requests[1].body["messages"];
    assert_eq!(sent[2]["content"], format!("One moment.\n{CALL}"));
    assert_eq!(sent[3]["role"], "user");
    let result = sent[3]["content"].as_str().unwrap();
    assert!(result.starts_with("Result of `get_weather`:\nWeather in San Francisco"), "{result}");
}

#[tokio::test]
async fn a_server_without_tools_is_asked_in_text_by_itself_and_the_person_is_told() {
    let refusal = r#"{"error":{"message":"gemma:2b does not support tools"}}"#;
    let script = Script::new()
        .reply(Reply::status(400).body(refusal))
        .reply(Reply::text(CALL))
        .reply(Reply::text("Sunny."));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run(&["ask", "How is the weather?"]).await;
    server.assert_clean();
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "Sunny.\n"));
    assert!(ended.err.contains("does not support tools"), "{}", ended.err);
    assert!(ended.err.contains("✓ get_weather"), "{}", ended.err);
}

#[tokio::test]
async fn what_is_not_a_mode_or_a_dialect_is_told_with_what_is() {
    let mode = Cli::new().run(&["ask", "--tool-mode", "telepathy", "hi"]).await;
    assert_eq!(mode.code, Some(2));
    assert!(mode.err.contains("`telepathy` (flag --tool-mode)"), "{}", mode.err);
    assert!(mode.err.contains("use native, text or auto"), "{}", mode.err);
    let dialect = Cli::new().env("TOOLWRIGHT_DIALECT", "klingon").run(&["tools", "prompt"]).await;
    assert_eq!(dialect.code, Some(2));
    assert!(dialect.err.contains("`klingon` (environment TOOLWRIGHT_DIALECT)"), "{}", dialect.err);
    assert!(dialect.err.contains("use auto, or one of generic, hermes,"), "{}", dialect.err);
}

#[tokio::test]
async fn doctor_shows_how_tools_are_offered() {
    let file = "[model]\ntool_mode = \"text\"\ndialect = \"auto\"\n";
    let cli = Cli::new().env("TOOLWRIGHT_MODEL", "qwen3-coder").configured(file);
    let from = format!("file {}", cli.settings().display());
    let rows = async |args: &[&str]| -> Vec<Value> {
        let report: Value = serde_json::from_str(&cli.run(args).await.out).unwrap();
        let settings = report["settings"].as_array().unwrap().clone();
        settings
            .into_iter()
            .filter(|it| it["name"] == "tool mode" || it["name"] == "dialect")
            .collect()
    };
    assert_eq!(
        rows(&["doctor", "--json"]).await,
        [
            json!({"name": "tool mode", "value": "text", "from": from}),
            json!({"name": "dialect", "value": "auto: qwen3_coder, by the model's name", "from": from}),
        ]
    );
    assert_eq!(
        rows(&["doctor", "--json", "--tool-mode", "native", "--dialect", "react"]).await,
        [
            json!({"name": "tool mode", "value": "native", "from": "flag --tool-mode"}),
            json!({"name": "dialect", "value": "react", "from": "flag --dialect"}),
        ]
    );
}
