//! `toolwright tools` and `toolwright completions`.

use serde_json::{Value, json};
use toolwright_testkit::{ModelServer, Reply, Script};

use crate::harness::Cli;

#[tokio::test]
async fn the_list_is_in_openais_format_for_programs() {
    let ended = Cli::new().run(&["tools", "list", "--json"]).await;
    let list: Value = serde_json::from_str(&ended.out).unwrap();
    assert_eq!(
        list[1],
        json!({
            "type": "function",
            "function": {
                "name": "calculate_tip",
                "description": "Calculate the tip on an amount of money.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "amount": {"type": "number", "description": "The amount of the bill.", "minimum": 0.0},
                        "percentage": {
                            "type": "number",
                            "description": "The tip in percent of the amount.",
                            "default": 18.0, "minimum": 0.0, "maximum": 100.0,
                        },
                    },
                    "required": ["amount"],
                    "additionalProperties": false,
                },
            },
        })
    );
}

#[tokio::test]
async fn a_call_prints_the_result_or_the_envelope() {
    let cli = Cli::new();
    let text = cli.run(&["tools", "call", "calculate_tip", r#"{"amount":45.6}"#]).await;
    assert_eq!((text.code, text.out.as_str()), (Some(0), "{\"tip\":8.21,\"total\":53.81}\n"));

    let json = cli.run(&["tools", "call", "calculate_tip", r#"{"amount":45.6}"#, "--json"]).await;
    let envelope: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(
        envelope,
        json!({"success": true, "data": {"tip": 8.21, "total": 53.81}, "text": "{\"tip\":8.21,\"total\":53.81}"})
    );
}

#[tokio::test]
async fn a_call_that_fails_says_why_and_exits_with_one() {
    let cases = [
        (["get_wether", "{}"], "Did you mean `get_weather`?"),
        (["calculate_tip", "{"], "not valid JSON"),
        (["calculate_tip", r#"{"percentage":200,"x":1}"#], "amount"),
        (["get_weather", r#"{"location":" "}"#], "the location is empty"),
    ];
    for (call, reason) in cases {
        let ended = Cli::new().run(&["tools", "call", call[0], call[1], "--json"]).await;
        let envelope: Value = serde_json::from_str(&ended.out).unwrap();
        assert_eq!((ended.code, &envelope["success"]), (Some(1), &json!(false)));
        assert!(envelope["error"].as_str().unwrap().contains(reason), "{envelope}");
    }
}

#[tokio::test]
async fn completions_are_printed_for_a_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let ended = Cli::new().run(&["completions", shell]).await;
        assert_eq!(ended.code, Some(0));
        assert!(ended.out.contains("toolwright"), "{shell}");
    }
}

/// The judge that decides for a model decides here, too: what only looks needs no approval.
#[tokio::test]
async fn a_command_that_only_looks_needs_no_approval() {
    let cli = Cli::new();
    let folder = cli.folder.path().canonicalize().unwrap().join("work");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("here.txt"), "").unwrap();
    let call = async |command: &str, more: &[&str]| {
        let arguments = json!({"command": command}).to_string();
        let folder = folder.to_str().unwrap();
        let call = ["tools", "call", "bash", &arguments, "--workspace", folder, "--allow-root"];
        cli.run(&[&call[..], more].concat()).await
    };
    let ended = call("ls", &[]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.out.contains("here.txt"), "{}", ended.out);
    for command in ["touch made", "ls > made", "ls | tee made", "ls; touch made"] {
        let ended = call(command, &[]).await;
        assert_eq!(ended.code, Some(1), "{command}: {}", ended.out);
        assert!(ended.err.contains("give --approve"), "{command}: {}", ended.err);
        assert!(!folder.join("made").exists(), "{command}");
    }
    assert_eq!(call("touch made", &["--approve"]).await.code, Some(0));
    assert!(folder.join("made").exists());
}

#[tokio::test]
async fn as_many_tools_are_offered_as_the_settings_say_and_the_conversation_chooses_them() {
    let call = [("c1", "get_weather", "{\"location\":\"Rome\"}")];
    let script = Script::new().reply(Reply::calls(call)).reply(Reply::text("72°F and sunny."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server).configured("[context]\ntools = 2\n");
    let ended = cli.run(&["ask", "--json", "What is the weather in Rome?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let offered = |request: usize| -> Vec<String> {
        let body = &server.requests()[request].body;
        let tools = body["tools"].as_array().unwrap().iter();
        tools.map(|it| it["function"]["name"].as_str().unwrap().to_owned()).collect()
    };
    let first = offered(0);
    assert!(first.contains(&"get_weather".to_owned()), "{first:?}");
    // And the one that finds the others.
    assert!(first.contains(&"find_tools".to_owned()) && first.len() <= 3, "{first:?}");
    // What was called stays.
    assert!(offered(1).contains(&"get_weather".to_owned()), "{:?}", offered(1));
    let events = ended.events();
    let told = events.iter().find(|event| event["type"] == "tools_offered").unwrap();
    assert_eq!(told["tools"], json!(first));
    assert!(told["of"].as_u64().unwrap() > 3, "{told}");
}

/// What is too large to be reckoned with is refused, and not answered with nothing.
#[tokio::test]
async fn a_tip_on_more_than_there_is_is_refused() {
    for amount in ["1e308", "1.7e308", "1e13"] {
        let arguments = format!(r#"{{"amount": {amount}, "percentage": 100}}"#);
        let ended = Cli::new().run(&["tools", "call", "calculate_tip", &arguments]).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(1), ""), "{}", ended.err);
        assert!(ended.err.contains("larger than any bill"), "{}", ended.err);
    }
}

/// An API whose key is not set is off, and hurts nothing else.
#[tokio::test]
async fn an_api_without_its_key_is_only_off() {
    let api =
        "[openapi.pets]\nspec = \"pets.yaml\"\nauth = { bearer = true, env = \"NO_SUCH_KEY\" }\n";
    let cli = Cli::new().configured(api);
    let reason = "the variable NO_SUCH_KEY is not set; set it";
    let ended = cli.run(&["ask", "A tip on 50?"]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(ended.err.contains(&format!("pets__* is withheld: {reason}")), "{}", ended.err);
    let ended = cli.run(&["tools", "list"]).await;
    assert!(ended.out.contains("pets__* (not offered)"), "{}", ended.out);
    assert!(ended.out.contains(reason), "{}", ended.out);
    let ended = cli.run(&["tools", "call", "calculate_tip", r#"{"amount":50}"#]).await;
    assert_eq!(ended.code, Some(0), "{}", ended.err);
}

/// Whoever calls a tool waits for where it comes from, and for nothing else. This one never answers.
#[tokio::test]
async fn nobody_waits_for_a_server_whose_tool_is_not_called() {
    let slow = "[mcp.slow]\ncommand = \"sleep\"\nargs = [\"100000\"]\nsandbox = false\nstartup_timeout = \"10h\"\n";
    let cli = Cli::new().configured(slow);
    let ended = cli.run(&["tools", "call", "calculate_tip", r#"{"amount":50}"#]).await;
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(ended.out, "{\"tip\":9.0,\"total\":59.0}\n");
}

/// Where it takes a while it is said for what is waited.
#[tokio::test]
async fn it_is_said_for_what_is_waited() {
    let slow = "[mcp.slow]\ncommand = \"sleep\"\nargs = [\"100000\"]\nsandbox = false\nstartup_timeout = \"5s\"\n";
    let cli = Cli::new().configured(slow);
    for args in [&["tools", "list"][..], &["ask", "A tip on 50?"]] {
        let ended = cli.run(args).await;
        assert_eq!(ended.code, Some(0), "{}", ended.err);
        assert!(ended.err.contains("waiting for the tools of slow …"), "{args:?}: {}", ended.err);
    }
}
