//! `toolwright ask`.

use serde_json::{Value, json};
use toolwright_testkit::{Fault, ModelServer, Reply, Script};

use crate::harness::Cli;

const QUESTION: &str = "What's the weather in San Francisco and calculate a 20% tip on $45.60?";

fn story() -> Script {
    Script::new()
        .reply(Reply::calls([
            ("call_1", "get_weather", r#"{"location":"San Francisco, CA"}"#),
            ("call_2", "calculate_tip", r#"{"amount":45.6,"percentage":20}"#),
        ]))
        .reply(Reply::text("72°F and sunny; the tip is $9.12."))
}

#[tokio::test]
async fn the_answer_goes_to_stdout_and_the_steps_to_stderr() {
    let server = ModelServer::start(story()).await;
    let ended = Cli::asking(&server).run(&["ask", "--task", "demo", QUESTION]).await;
    assert_eq!(ended.out, "72°F and sunny; the tip is $9.12.\n");
    assert_eq!(ended.code, Some(0));
    for step in [
        r#"✓ get_weather {"location":"San Francisco, CA"}"#,
        "Weather in San Francisco, CA: 72°F, sunny",
        "✓ calculate_tip",
        r#"{"tip":9.12,"total":54.72}"#,
    ] {
        assert!(ended.err.contains(step), "{step} is missing in {}", ended.err);
    }
    server.assert_clean();
    let request = &server.requests()[0];
    assert_eq!(request.body["model"], "scripted");
    assert_eq!(request.body["tools"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn json_is_one_event_a_line_and_done_is_the_last() {
    let server = ModelServer::start(story()).await;
    let ended = Cli::asking(&server).run(&["ask", "--json", QUESTION]).await;
    let events = ended.events();
    assert_eq!(ended.err, "");
    let mut next = 0;
    for event in &events {
        assert_eq!(event["seq"], next);
        let shown = ["content", "reasoning", "call_delta"].iter().any(|it| event["type"] == *it);
        next += u64::from(!shown);
    }
    let calls = events.iter().find(|event| event["type"] == "tool_calls").unwrap();
    assert_eq!(
        calls["tool_calls"][0],
        json!({"id": "call_1", "tool": "get_weather", "args": {"location": "San Francisco, CA"}, "status": "pending", "source": "native"})
    );
    let text: String = events
        .iter()
        .filter(|event| event["type"] == "content")
        .map(|event| event["data"].as_str().unwrap())
        .collect();
    assert_eq!(text, "72°F and sunny; the tip is $9.12.");
    let done = events.last().unwrap();
    assert_eq!(done["type"], "done");
    assert_eq!(done["response"], text);
    assert_eq!(done["tools_executed"], 2);
    assert_eq!(
        done["tool_calls"],
        json!([
            {"tool": "get_weather", "status": "success", "args": {"location": "San Francisco, CA"}},
            {"tool": "calculate_tip", "status": "success", "args": {"amount": 45.6, "percentage": 20}},
        ])
    );
    assert!(done["conversation_id"].as_str().unwrap().starts_with("conv_"));
    assert!(done["usage"]["prompt_tokens"].is_u64());
}

#[tokio::test]
async fn a_script_answers_and_says_so() {
    let ended = Cli::new().run(&["ask", QUESTION]).await;
    assert_eq!(
        ended.out,
        "Weather in San Francisco: 72°F, sunny. The tip is $9.12, which makes $54.72 in all.\n"
    );
    assert!(
        ended.err.starts_with("a small script answers (weather, tips, notes and prices only)"),
        "{}",
        ended.err
    );
    assert_eq!(ended.code, Some(0));
}

#[tokio::test]
async fn the_question_may_be_piped_in_alone_or_behind_what_was_typed() {
    for (args, input, wanted) in [
        (vec!["ask"], "Weather in Rome?", "Weather in Rome?"),
        (vec!["ask", "-"], "Weather in Rome?", "Weather in Rome?"),
        (
            vec!["ask", "Summarise this"],
            "a long text\n",
            "Summarise this\n[stdin.txt (text/plain, 12 bytes)]\na long text\n\n[end of the file]\n",
        ),
    ] {
        let server = ModelServer::start(Script::new().reply(Reply::text("done"))).await;
        let ended = Cli::asking(&server).run_with_input(&args, Some(input)).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(0), "done\n"));
        assert_eq!(server.requests()[0].body["messages"][1]["content"], wanted);
    }
    let nothing = Cli::new().run_with_input(&["ask"], Some("  \n")).await;
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("there is no question"), "{}", nothing.err);
    assert_eq!(Cli::new().run(&["ask", ""]).await.code, Some(2));
}

/// A program that reads events reads one also where no run could begin.
#[tokio::test]
async fn what_cannot_begin_is_an_event_too() {
    let cli = Cli::new();
    for (args, says) in [
        (&["--json", "ask", "--task", "nosuch", "x"][..], "no task `nosuch`"),
        (&["ask", "--json", ""], "there is no question"),
        (&["ask", "--json", "--conversation", "conv_nope", "x"], "no conversation `conv_nope`"),
        (&["conversations", "resume", "--json", "conv_nope"], "no conversation `conv_nope`"),
        (&["ask", "--json", "--bogus"], "unexpected argument '--bogus'"),
        (&["--json", "ask", "--max-rounds", "-1", "x"], "-1"),
    ] {
        let ended = cli.run(args).await;
        assert_eq!(ended.code, Some(2), "{args:?}: {}", ended.err);
        let [event] = &ended.events()[..] else { panic!("{args:?}: {}", ended.out) };
        assert_eq!((&event["type"], &event["kind"]), (&json!("error"), &json!("usage")));
        assert!(event["message"].as_str().unwrap().contains(says), "{event}");
    }
    // What is no stream of events stays what it was.
    let ended = cli.run(&["tools", "list", "--json", "--task", "nosuch"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(2), ""));
}

/// An answer that was cut off says so to whoever reads it; the answer itself is what it was.
#[tokio::test]
async fn an_answer_that_is_cut_off_says_so() {
    for (reason, says) in [("length", "is cut off: the model"), ("content_filter", "withheld")] {
        let reply = || Reply::text("The answer is that").finish_reason(reason);
        let server = ModelServer::start(Script::new().reply(reply()).reply(reply())).await;
        let cli = Cli::asking(&server);
        let ended = cli.run(&["ask", "Well?"]).await;
        assert_eq!((ended.code, ended.out.as_str()), (Some(0), "The answer is that\n"));
        assert!(ended.err.contains(says), "{}", ended.err);
        let ended = cli.run(&["ask", "--json", "Well?"]).await;
        assert_eq!(
            (ended.err.as_str(), &ended.events().pop().unwrap()["finish_reason"]),
            ("", &json!(reason))
        );
    }
}

/// Every way an endpoint can fail: one clear line, something to do, exit code 1.
#[tokio::test]
async fn a_run_that_fails_says_why_and_what_to_do() {
    let unauthorised = r#"{"error":{"message":"Incorrect API key provided: sk-canary-0123456789abcdef","type":"invalid_request_error","code":"invalid_api_key"}}"#;
    let busy = || {
        Reply::status(429)
            .header("retry-after-ms", "1")
            .body(r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#)
    };
    let down = || Reply::status(500).header("retry-after-ms", "1").body("<html>oops</html>");
    let cases = [
        (Script::new().reply(Reply::status(401).body(unauthorised)), "401", "OPENAI_API_KEY"),
        (
            Script::new()
                .reply(Reply::status(404).body(r#"{"error":{"message":"no model scripted"}}"#)),
            "no model scripted",
            "TOOLWRIGHT_MODEL",
        ),
        (Script::new().reply(busy()).reply(busy()).reply(busy()), "slow down", "wait"),
        (Script::new().reply(down()).reply(down()).reply(down()), "500", "ask again later"),
        (
            Script::new().reply(Reply::text("half of the answ").fault(Fault::CutAt(600))),
            "broke off",
            "ask again",
        ),
    ];
    for (script, reason, advice) in cases {
        let server = ModelServer::start(script).await;
        let cli = Cli::asking(&server);
        let ended = cli.run(&["ask", "hi"]).await;
        assert_eq!(ended.code, Some(1), "{ended:?}");
        let said = ended.err.lines().find(|line| line.starts_with("error: ")).unwrap();
        assert!(said.contains(reason), "{said}");
        let todo = ended.err.lines().find(|line| line.starts_with("what to do: ")).unwrap();
        assert!(todo.contains(advice), "{todo}");
        server.assert_clean();
    }
}

#[tokio::test]
async fn a_refused_connection_is_told_as_such_also_in_json() {
    let cli = Cli::at("http://127.0.0.1:1/v1");
    let ended = cli.run(&["ask", "hi"]).await;
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.err.contains("error: cannot connect to http://127.0.0.1:1/: Connection refused"),
        "{}",
        ended.err
    );
    let events = cli.run(&["ask", "--json", "hi"]).await.events();
    let last = events.last().unwrap();
    assert_eq!(
        (&last["type"], &last["kind"], &last["of"]),
        (&json!("error"), &json!("model"), &json!("connection"))
    );
    assert_eq!(events.iter().filter(|event| event["type"] == "model_retry").count(), 2);
}

#[tokio::test]
async fn what_is_not_configured_or_wrongly_typed_has_its_own_exit_code() {
    let no_model =
        Cli::new().env("OPENAI_API_BASE", "http://127.0.0.1:1/v1").env("TOOLWRIGHT_MODEL", "");
    let ended = no_model.run(&["ask", "hi"]).await;
    assert_eq!(ended.code, Some(3));
    assert_eq!(
        ended.err,
        "error: an endpoint is configured but no model on it is named\nwhat to do: name one with --model or TOOLWRIGHT_MODEL\n"
    );
    let no_endpoint = Cli::new().run(&["ask", "--model", "gpt-x", "hi"]).await;
    assert_eq!(no_endpoint.code, Some(3), "{no_endpoint:?}");
    for args in [
        vec!["ask", "--nonsense"],
        vec!["ask", "--task", "nope", "hi"],
        vec!["ask", "--config", "missing.toml", "hi"],
    ] {
        assert_eq!(Cli::new().run(&args).await.code, Some(2), "{args:?}");
    }
    let bad_url = Cli::at("ftp://somewhere").run(&["ask", "hi"]).await;
    assert_eq!(bad_url.code, Some(3), "{bad_url:?}");
    assert!(bad_url.err.contains("only http and https are understood"), "{}", bad_url.err);
}

#[tokio::test]
async fn unknown_tools_and_broken_arguments_go_back_to_the_model() {
    let script = Script::new()
        .reply(Reply::calls([
            ("a", "get_wether", r#"{"location":"Rome"}"#),
            ("b", "get_weather", "{not json"),
            ("c", "calculate_tip", r#"{"amount":"many","percentage":200}"#),
            ("d", "get_weather", r#"{"location":"<city>"}"#),
        ]))
        .reply(Reply::text("I could not find out."));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run(&["ask", "--task", "demo", "--json", "?"]).await;
    assert_eq!(ended.code, Some(0));
    server.assert_clean();
    let messages = server.requests()[1].body["messages"].clone();
    let content = |at: usize| messages[at]["content"].as_str().unwrap().to_owned();
    assert_eq!(
        content(3),
        "Error: there is no tool named `get_wether`. Did you mean `get_weather`? Tools that exist: get_weather, calculate_tip, take_note, list_notes, delete_notes."
    );
    assert!(
        content(4).starts_with("Error executing get_weather: the arguments are not valid JSON"),
        "{}",
        content(4)
    );
    assert!(
        content(5).contains("`/amount`") && content(5).contains("`/percentage`"),
        "{}",
        content(5)
    );
    assert!(content(6).contains("placeholder `<city>`"), "{}", content(6));
    let statuses: Vec<Value> = ended.events().last().unwrap()["tool_calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["status"].clone())
        .collect();
    assert_eq!(statuses, ["error", "error", "error", "refused"]);
}

#[tokio::test]
async fn the_round_limit_can_be_set_and_ends_in_an_answer() {
    let call = |id| Reply::calls([(id, "get_weather", r#"{"location":"Rome"}"#)]);
    let script = Script::new().reply(call("a")).reply(call("b")).reply(Reply::text("sunny"));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run(&["ask", "--max-rounds", "2", "?"]).await;
    assert_eq!((ended.code, ended.out.as_str()), (Some(0), "sunny\n"));
    assert!(ended.err.contains("2 rounds of tool calls reached"), "{}", ended.err);
    assert_eq!(server.requests()[2].body["tool_choice"], "none");
}

/// Ctrl-C ends the run in good order: the terminal event is written, the connection is closed.
#[cfg(unix)]
#[tokio::test]
async fn ctrl_c_cancels_the_run() {
    let script = Script::new().reply(Reply::text("never complete").fault(Fault::StallAt(300)));
    let server = ModelServer::start(script).await;
    // Kept to the end: without its folder the command would end before it asks.
    let cli = Cli::asking(&server);
    let child = cli.command(&["ask", "--json", "hi"]).spawn().unwrap();
    server.received(1).await;
    // The request is out; whether the first piece is in makes no difference.
    let pid = child.id().unwrap().to_string();
    tokio::process::Command::new("kill").args(["-INT", &pid]).status().await.unwrap();
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(130));
    let out = String::from_utf8(output.stdout).unwrap();
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!((&last["type"], &last["kind"]), (&json!("error"), &json!("cancelled")));
    server.quiet().await;
}

#[tokio::test]
async fn log_lines_tell_the_round_the_tool_and_its_arguments() {
    let server = ModelServer::start(story()).await;
    let ended = Cli::asking(&server).run(&["ask", "--log", "info", QUESTION]).await;
    for line in [
        "[agentic_loop] Iteration 1/5",
        "[execute_tool] Executing: get_weather",
        r#"{"location":"San Francisco, CA"}"#,
        "[agentic_loop] Iteration 2/5",
    ] {
        assert!(ended.err.contains(line), "{line} is missing in {}", ended.err);
    }
}

/// Whatever becomes of a call, it has its line: with its arguments, its status, how long it took and
/// how its result begins.
#[tokio::test]
async fn every_call_has_a_log_line_whether_it_ran_or_not() {
    let calls = [
        ("ran", "get_weather", r#"{"location":"Rome"}"#, "success"),
        ("unknown", "get_wether_map", r#"{"of":"Rome"}"#, "error"),
        ("invalid", "get_weather", r#"{"place":"Rome"}"#, "error"),
        ("broken", "get_weather", r#"{"location":"#, "error"),
        ("placeholder", "get_weather", r#"{"location":"<city>"}"#, "refused"),
        ("denied", "delete_notes", "{}", "denied"),
        ("failed", "get_weather", r#"{"location":" "}"#, "error"),
    ];
    let script = Script::new()
        .reply(Reply::calls(calls.map(|(id, tool, arguments, _)| (id, tool, arguments))))
        .reply(Reply::text("Sunny."));
    let server = ModelServer::start(script).await;
    let args = ["ask", "--json", "--log", "info", "Weather in Rome?"];
    let cli = Cli::asking(&server);
    let ended = cli.command(&args).env("TOOLWRIGHT_LOG_FORMAT", "json").output().await.unwrap();
    let err = String::from_utf8(ended.stderr).unwrap();
    let lines: Vec<Value> = err.lines().filter_map(|it| serde_json::from_str(it).ok()).collect();
    let finished = |it: &&Value| it["message"] == "[execute_tool] finished";
    assert_eq!(lines.iter().filter(finished).count(), calls.len(), "{err}");
    for (id, tool, arguments, status) in calls {
        let of_call = |it: &&Value| it["fields"]["call"] == id;
        let line = lines.iter().filter(finished).find(of_call).expect(id);
        let fields = &line["fields"];
        assert_eq!((&fields["tool"], &fields["status"]), (&json!(tool), &json!(status)), "{line}");
        let told = fields["arguments"].as_str().expect(id);
        assert!(told.contains(arguments.trim_matches(['{', '}', '"'])) || id == "broken", "{line}");
        assert!(!told.is_empty() && fields["latency_ms"].is_f64(), "{line}");
        assert!(!fields["result"].as_str().expect(id).is_empty(), "{line}");
        assert!(line["conversation"].is_string(), "{line}");
    }
}

/// Standard output holds the answer alone: not what was sent back, nor what is said beside calls.
#[tokio::test]
async fn standard_output_is_the_answer_alone() {
    let script = Script::new()
        .reply(Reply::text("The price is [Current Price]."))
        .reply(Reply::text("I do not know the price."));
    let server = ModelServer::start(script).await;
    let ended = Cli::asking(&server).run(&["ask", "--task", "demo", "The price?"]).await;
    assert_eq!(ended.out, "I do not know the price.\n", "{}", ended.err);
    assert!(ended.err.contains("[Current Price]"), "{}", ended.err);
    assert_eq!(server.requests().len(), 2);
}

/// What stands in a file that was attached, and the mark behind it, are quoted and no blanks.
#[tokio::test]
async fn a_quotation_is_not_sent_back() {
    let quoted = "It says: Dear [your name]. [end of the file]";
    let server = ModelServer::start(Script::new().reply(Reply::text(quoted))).await;
    let cli = Cli::asking(&server);
    let args = ["ask", "--task", "demo", "What does it say?"];
    let ended = cli.run_with_input(&args, Some("Dear [your name].\n")).await;
    assert_eq!(ended.out, format!("{quoted}\n"), "{}", ended.err);
    assert_eq!(server.requests().len(), 1, "{}", ended.err);
}

/// A command that there is not is no question; a path and what begins with two slashes are.
#[tokio::test]
async fn an_unknown_command_goes_to_no_model() {
    let script = Script::new().reply(Reply::text("A file.")).reply(Reply::text("A comment."));
    let server = ModelServer::start(script).await;
    let cli = Cli::asking(&server);
    let ended = cli.run(&["ask", "/nope x"]).await;
    assert_eq!(ended.code, Some(2), "{}", ended.err);
    assert!(ended.err.contains("there is no command /nope; there are: none"), "{}", ended.err);
    let lines = "/nope x\n/etc/hostname what is it?\n// what is this?\n/help me\n";
    let ended = cli.run_with_input(&["chat"], Some(lines)).await;
    assert_eq!(ended.out, "A file.\nA comment.\n", "{}", ended.err);
    assert!(ended.err.contains("There is no /nope."), "{}", ended.err);
    assert!(ended.err.contains("/help stands alone"), "{}", ended.err);
    assert_eq!(server.requests().len(), 2);
}
