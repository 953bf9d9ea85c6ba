//! `toolwright mcp serve`: the tools for the program that started it.

use std::{process::Stdio, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout},
    time::timeout,
};

use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::{Cli, KEY};

/// Nothing here takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that speaks with the binary.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Client {
    fn new(cli: &Cli, more: &[&str]) -> Self {
        let mut command = cli.command(&[&["mcp", "serve"], more].concat());
        let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, output, next: 0 }
    }

    async fn begun(cli: &Cli, more: &[&str]) -> Self {
        let mut client = Self::new(cli, more);
        let info = json!({"name": "test", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
        let begun = client.ask("initialize", params).await;
        assert_eq!(begun["result"]["serverInfo"]["name"], "toolwright", "{begun}");
        assert_eq!(begun["result"]["protocolVersion"], "2025-06-18");
        client
    }

    async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        loop {
            let line = timeout(PATIENCE, self.output.next_line()).await.expect("a line");
            let line = line.unwrap().expect("it goes on");
            let message: Value = serde_json::from_str(&line).expect("JSON and nothing else");
            if message["id"] == id {
                return message;
            }
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        answer["result"].clone()
    }

    /// Waits for the end, and what was said on standard error until then.
    async fn ended(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let ended = timeout(PATIENCE, self.child.wait_with_output()).await.expect("it ends");
        let ended = ended.unwrap();
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

#[tokio::test]
async fn a_client_calls_tools_without_a_model_and_the_log_has_it() {
    // The model that is configured does not exist: nobody asks it.
    let cli = Cli::at("http://127.0.0.1:9/v1");
    let mut client = Client::begun(&cli, &["--task", "demo"]).await;
    let tools = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names[0], "get_weather", "{names:?}");
    let tip = client.call("calculate_tip", json!({"amount": 50})).await;
    assert_eq!(tip["structuredContent"], json!({"tip": 9.0, "total": 59.0}));
    let wrong = client.call("calculate_tip", json!({"amount": 50, "x": 1})).await;
    assert!(wrong["isError"] == true && text(&wrong).contains("'x' was unexpected"), "{wrong}");
    let (code, said) = client.ended().await;
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains(KEY));
    let list = cli.run(&["conversations", "list"]).await;
    assert!(list.out.contains("test called calculate_tip"), "{}", list.out);
    let export = cli.run(&["conversations", "export"]).await;
    assert_eq!(export.out.matches(r#""type":"call_finished""#).count(), 2);
    assert!(export.out.contains(r#""model":"mcp:client""#));
}

#[tokio::test]
async fn nothing_is_destroyed_unless_somebody_said_so() {
    let cli = Cli::new();
    let mut client = Client::begun(&cli, &["--task", "demo"]).await;
    client.call("take_note", json!({"text": "Bread"})).await;
    let denied = client.call("delete_notes", json!({})).await;
    assert_eq!(denied["isError"], true);
    assert!(text(&denied).contains("--approve") && text(&denied).contains("[[rules]]"), "{denied}");
    assert!(text(&client.call("list_notes", json!({})).await).contains("Bread"));
    drop(client);
    let mut client = Client::begun(&cli, &["--task", "demo", "--approve"]).await;
    assert_eq!(client.call("delete_notes", json!({})).await["isError"], false);
    drop(client);
    // A rule does, too, and one that denies holds whatever was approved.
    let rule = |verdict: &str, tool: &str| {
        format!("[[rules]]\nverdict = \"{verdict}\"\ntool = \"{tool}\"\n")
    };
    let allowed = rule("allow", "delete_notes") + &rule("deny", "take_note");
    let cli = Cli::new().configured(&allowed);
    let mut client = Client::begun(&cli, &["--task", "demo"]).await;
    assert_eq!(client.call("delete_notes", json!({})).await["isError"], false);
    drop(client);
    let mut client = Client::begun(&cli, &["--task", "demo", "--approve"]).await;
    let denied = client.call("take_note", json!({"text": "Bread"})).await;
    assert_eq!(denied["isError"], true, "{denied}");
}

#[tokio::test]
async fn a_made_up_id_is_refused_and_one_that_was_returned_is_not() {
    let cli = Cli::new();
    let mut client = Client::begun(&cli, &["--task", "trading"]).await;
    let quote = json!({"securities": {"IDX_I": [13]}});
    let refused = client.call("get_market_quote", quote.clone()).await;
    assert_eq!(refused["isError"], true);
    assert!(text(&refused).contains("was not returned by any earlier result"), "{refused}");
    // What it sent in another call was not returned to it either.
    client.call("search_instruments", json!({"query": "13"})).await;
    client.call("search_instruments", json!({"query": "NIFTY"})).await;
    let quoted = client.call("get_market_quote", quote).await;
    assert_eq!(quoted["isError"], false, "{quoted}");
}

#[cfg(unix)]
#[tokio::test]
async fn it_ends_when_it_is_told_to_though_nothing_more_comes() {
    let cli = Cli::new();
    let mut client = Client::begun(&cli, &["--task", "demo"]).await;
    let pid = rustix::process::Pid::from_raw(client.child.id().unwrap() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let ended = timeout(PATIENCE, client.child.wait()).await.expect("it ends").unwrap();
    assert_eq!(ended.code(), Some(0));
}

#[tokio::test]
async fn what_is_wrong_with_the_settings_is_told_on_standard_error() {
    let cli = Cli::new();
    let ended = cli.run(&["mcp", "serve", "--task", "no-such-task"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""), "{}", ended.err);
    assert!(ended.err.contains("no-such-task"), "{}", ended.err);
}

/// A call is a run of one call; a run within it has its own limits.
#[tokio::test]
async fn an_agent_among_the_tools_calls_its_own() {
    let script = Script::new()
        .reply(Reply::calls([("1", "get_weather", r#"{"location":"Rome"}"#)]))
        .reply(Reply::calls([("2", "get_weather", r#"{"location":"Oslo"}"#)]))
        .reply(Reply::text("72°F and sunny in both."));
    let model = ModelServer::start(script).await;
    let helper = "[agents.helper]\ntask = \"demo\"\ndescription = \"Knows the weather.\"\n";
    let cli = Cli::asking(&model).configured(helper);
    let mut client = Client::begun(&cli, &[]).await;
    let result = client.call("helper", json!({"input": "The weather in Rome and in Oslo?"})).await;
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(text(&result), "72°F and sunny in both.");
    let results = |it: &Value| it["messages"].as_array().unwrap().clone();
    let told = results(&model.requests()[2].body);
    let told: Vec<_> = told.iter().filter(|it| it["role"] == "tool").collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[1]["content"].as_str().unwrap().contains("sunny"), "{told:?}");
    client.ended().await;
    model.assert_clean();
}
