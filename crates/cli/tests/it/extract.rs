//! `toolwright extract`.

use serde_json::{Value, json};

use crate::harness::{Cli, Ended};

const TOOLS: &str = r#"[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{"location":{"type":"string"}}}}}]"#;

/// A folder with the demo's tools in `tools.json`.
fn cli() -> Cli {
    let cli = Cli::new();
    std::fs::write(cli.folder.path().join("tools.json"), TOOLS).unwrap();
    cli
}

async fn extract(args: &[&str], text: &str) -> Ended {
    let args = [&["extract", "--tools", "tools.json"], args].concat();
    cli().run_with_input(&args, Some(text)).await
}

async fn found(args: &[&str], text: &str) -> Value {
    let ended = extract(&[args, &["--json"]].concat(), text).await;
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    serde_json::from_str(&ended.out).unwrap()
}

const FENCED: &str = "Let me look.\n```json\n{\"tool\": \"get_weather\", \"params\": {\"location\": \"Rome\"}}\n```\n";

#[tokio::test]
async fn a_call_in_a_fence_is_found_however_the_text_is_cut() {
    let wanted = json!({
        "content": "Let me look.",
        "reasoning": null,
        "tool_calls": [{"name": "get_weather", "arguments": {"location": "Rome"}}],
        "incomplete": false,
        "repaired": false,
    });
    let cuts: [&[&str]; 5] = [
        &[],
        &["--chunks", "1"],
        &["--chunks", "7"],
        &["--chunks", "random:7"],
        &["--dialect", "generic"],
    ];
    for args in cuts {
        let mut found = found(args, FENCED).await;
        let dialect = found.as_object_mut().unwrap().remove("dialect");
        assert_eq!(dialect, Some(json!("generic")), "{args:?}");
        let content = found["content"].as_str().unwrap().trim().to_owned();
        found["content"] = content.into();
        assert_eq!(found, wanted, "{args:?}");
    }
}

#[tokio::test]
async fn for_people_each_part_stands_by_itself() {
    let text = "<think>Rome, then.</think>I will look. {\"tool\": \"get_weather\", \"params\": \
                {\"location\": \"Rome\", \"days\": [1, 2],}}\nOne moment.";
    let ended = extract(&[], text).await;
    assert_eq!(
        ended.out,
        "reasoning\n  Rome, then.\ncontent\n  I will look.\n  One moment.\n● get_weather repaired\n  {\n    \
         \"location\": \"Rome\",\n    \"days\": [\n      1,\n      2\n    ]\n  }\n\
         1 call · dialect generic\n"
    );
    let cut = extract(&[], "<tool_call>{\"name\": \"get_weather\", \"arg").await;
    assert!(cut.out.contains("✂ the text ends inside a call, which would not run"), "{}", cut.out);
    let none = extract(&[], "Good morning.").await;
    assert!(none.out.starts_with("content\n  Good morning.\nno calls"), "{}", none.out);
}

#[tokio::test]
async fn what_is_nested_very_deep_survives() {
    let deep = format!("{}{}", "[".repeat(250), "]".repeat(250));
    let text = format!(
        "<tool_call>{{\"name\": \"get_weather\", \"arguments\": {{\"x\": {deep}}}}}</tool_call>"
    );
    let ended = extract(&["--json", "--dialect", "hermes"], &text).await;
    assert!(ended.out.contains(&format!("\"arguments\":{{\"x\":{deep}}}")), "{}", ended.out);
}

#[tokio::test]
async fn what_cannot_be_used_is_told_with_what_to_do() {
    let cli = cli();
    let write =
        |name: &str, text: &str| std::fs::write(cli.folder.path().join(name), text).unwrap();
    write("broken.json", "[{");
    write("object.json", "{}");
    write("cases.jsonl", "\n{\"id\": \"a\", \"dialect\": \"generic\"}\n");
    write("martian.jsonl", "{\"id\": \"a\", \"dialect\": \"martian\", \"text\": \"\"}\n");
    for (args, says) in [
        (vec!["--tools", "missing.json"], "cannot read missing.json: No such file"),
        (vec!["--tools", "broken.json"], "broken.json is not JSON: EOF while parsing"),
        (vec!["--tools", "object.json"], "object.json is not a list"),
        (vec!["--cases", "missing.jsonl"], "cannot read missing.jsonl"),
        (
            vec!["--cases", "cases.jsonl"],
            "line 2 of cases.jsonl is not a case: missing field `text`",
        ),
        (
            vec!["--cases", "martian.jsonl"],
            "line 1 of martian.jsonl is not a case: unknown variant",
        ),
    ] {
        let args = [&["extract"], args.as_slice()].concat();
        let ended = cli.run(&args).await;
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(says), "{}", ended.err);
        assert!(ended.err.contains("\nwhat to do: "), "{}", ended.err);
    }
    for (args, says) in [
        (vec!["--tools", "tools.json", "--dialect", "martian"], "there is no dialect `martian`"),
        (vec!["--tools", "tools.json", "--chunks", "0"], "give a number of characters"),
        (vec!["--tools", "tools.json", "--chunks", "random"], "random:SEED"),
        (vec![], "--tools"),
    ] {
        let args = [&["extract"], args.as_slice()].concat();
        let ended = cli.run(&args).await;
        assert_eq!(ended.code, Some(2), "{ended:?}");
        assert!(ended.err.contains(says), "{}", ended.err);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "reads as json!({…}) at the call")]
fn case(id: &str, dialect: &str, text: &str, expect: Value) -> Value {
    let tools: Value = serde_json::from_str(TOOLS).unwrap();
    json!({"id": id, "dialect": dialect, "tools": tools, "text": text, "expect": expect})
}

fn cases() -> Vec<Value> {
    let call = json!([{"name": "get_weather", "arguments": {"days": 2.0, "location": "Rome"}}]);
    let bare =
        "Look:  {\"tool\": \"get_weather\", \"params\": {\"location\": \"Rome\", \"days\": 2}}";
    let tagged = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Rome\", \
                  \"days\": 2}}\n</tool_call>";
    let mut thought = case(
        "thought",
        "hermes",
        "Hm.</think>Yes.",
        json!({"content": "Yes.", "reasoning": "Hm.", "tool_calls": []}),
    );
    thought["start_in_reasoning"] = true.into();
    let mut cut = case(
        "cut",
        "hermes",
        tagged,
        json!({"content": null, "reasoning": null, "tool_calls": call}),
    );
    let (one, two) = tagged.split_at(20);
    cut["chunks"] = json!([one, two]);
    vec![
        case(
            "bare",
            "generic",
            bare,
            json!({"content": "Look:", "reasoning": null, "tool_calls": call}),
        ),
        thought,
        cut,
        case(
            "cut-off",
            "hermes",
            "<tool_call>\n{\"name\": \"get_weather\"",
            json!({"content": null, "reasoning": null, "tool_calls": [], "incomplete": true}),
        ),
    ]
}

fn with_cases(cases: &[Value]) -> Cli {
    let cli = Cli::new();
    let lines: Vec<_> = cases.iter().map(Value::to_string).collect();
    std::fs::write(cli.folder.path().join("cases.jsonl"), lines.join("\n")).unwrap();
    cli
}

#[tokio::test]
async fn cases_are_held_against_what_they_expect() {
    for args in [vec![], vec!["--chunks", "1"], vec!["--chunks", "random:3"]] {
        let args = [&["extract", "--cases", "cases.jsonl"], args.as_slice()].concat();
        let ended = with_cases(&cases()).run(&args).await;
        assert_eq!(
            ended.out,
            "✓ generic          1 of 1\n✓ hermes           3 of 3\n✓ all              4 of 4\n"
        );
        assert_eq!(ended.code, Some(0));
    }
}

#[tokio::test]
async fn a_case_that_differs_is_shown_and_the_exit_code_says_so() {
    let mut cases = cases();
    cases[0]["expect"]["tool_calls"][0]["arguments"]["location"] = "Oslo".into();
    let ended = with_cases(&cases).run(&["extract", "--cases", "cases.jsonl"]).await;
    assert_eq!(ended.code, Some(1));
    let lines: Vec<_> = ended.out.lines().collect();
    assert_eq!(lines[0], "✗ bare generic");
    assert!(lines[1].starts_with("  expected {") && lines[1].contains("Oslo"), "{}", lines[1]);
    assert!(lines[2].starts_with("  got      {") && lines[2].contains("Rome"), "{}", lines[2]);
    assert_eq!(lines[3], "✗ generic          0 of 1");
    assert_eq!(lines[5], "✗ all              3 of 4");
}

#[tokio::test]
async fn for_programs_each_case_is_a_line() {
    let ended = with_cases(&cases()).run(&["extract", "--json", "--cases", "cases.jsonl"]).await;
    let results = ended.events();
    let ids: Vec<_> = results.iter().map(|it| it["id"].clone()).collect();
    assert_eq!(ids, ["bare", "thought", "cut", "cut-off"]);
    assert_eq!(results[0]["tool_calls"][0]["arguments"], json!({"location": "Rome", "days": 2}));
    assert_eq!(results[1]["reasoning"], "Hm.");
    assert_eq!(results[3]["incomplete"], true);
    // What is given beats what the case says.
    let args = ["extract", "--json", "--dialect", "react", "--cases", "cases.jsonl"];
    let results = with_cases(&cases()).run(&args).await.events();
    assert_eq!((&results[2]["dialect"], &results[2]["tool_calls"]), (&json!("react"), &json!([])));
}
