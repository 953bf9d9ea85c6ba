//! Every rule of a request, kept and broken.

use serde_json::{Value, json};
use toolwright_testkit::check::violations;

/// A request that uses everything, properly.
fn request() -> Value {
    json!({
        "model": "m",
        "stream": true,
        "stream_options": {"include_usage": true},
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "developer", "content": [{"type": "text", "text": "be kind"}]},
            {"role": "user", "content": [
                {"type": "text", "text": "what is this?"},
                {"type": "image_url", "image_url": {"url": "data:,"}},
            ]},
            {"role": "assistant", "content": null, "tool_calls": [call("a"), call("b")]},
            {"role": "tool", "tool_call_id": "b", "content": "2"},
            {"role": "tool", "tool_call_id": "a", "content": ""},
            {"role": "assistant", "content": "", "tool_calls": [call("c")]},
            {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "3"}]},
            {"role": "assistant", "content": "a flower 🌼"},
            {"role": "user", "content": "thanks"},
        ],
        "tools": [tool("f"), tool("g-2_X")],
        "tool_choice": "auto",
        "parallel_tool_calls": false,
    })
}

fn call(id: &str) -> Value {
    let function = json!({"name": "f", "arguments": r#"{"x":"\n"}"#});
    json!({"id": id, "type": "function", "function": function})
}

fn tool(name: &str) -> Value {
    let function = json!({"name": name, "parameters": {"type": "object", "properties": {}}});
    json!({"type": "function", "function": function})
}

/// The violations of [`request`] after a change.
fn after(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut request = request();
    change(&mut request);
    violations(request.to_string().as_bytes())
}

/// The violations of [`request`] with another value at a place.
fn with(pointer: &str, value: Value) -> Vec<String> {
    after(|request| *request.pointer_mut(pointer).expect("a place in the request") = value)
}

fn without(key: &str) -> Vec<String> {
    after(|request| drop(request.as_object_mut().unwrap().remove(key).expect("a key to remove")))
}

/// The violations of a conversation.
fn talk(messages: &Value) -> Vec<String> {
    violations(json!({"model": "m", "messages": messages}).to_string().as_bytes())
}

const CLEAN: [&str; 0] = [];

#[test]
fn a_proper_request_is_clean() {
    assert_eq!(after(|_| {}), CLEAN);
    assert_eq!(talk(&json!([{"role": "user", "content": ""}])), CLEAN);
}

#[test]
fn the_body_is_a_json_object_in_utf8() {
    assert_eq!(violations(b"[]"), ["body: is not a JSON object"]);
    assert!(violations(b"{\"model\":\"\xff\"}")[0].starts_with("body: is not UTF-8: "));
    assert!(violations(b"{\"model\":")[0].starts_with("body: is not JSON: EOF"));
    let pair = br#"{"model":"\ud83c\udf3c","messages":[{"role":"user","content":"x"}]}"#;
    assert_eq!(violations(pair), CLEAN);
    let lone = br#"{"model":"\ud83c","messages":[{"role":"user","content":"x"}]}"#;
    assert!(violations(lone)[0].starts_with("body: is not JSON: "), "{:?}", violations(lone));
}

#[test]
fn no_key_occurs_twice_in_one_object() {
    let body = br#"{"model":"m","messages":[{"role":"user","content":"x"},{"role":"user","content":"y"}],"model":"n"}"#;
    assert_eq!(violations(body), [r#"body: has the key "model" twice"#]);
    let body = br#"{"model":"m","messages":[{"role":"user","content":"x","content":"y"}]}"#;
    assert_eq!(violations(body), [r#"body.messages[0]: has the key "content" twice"#]);
}

#[test]
fn model_and_messages_are_required() {
    for wrong in [json!(""), json!(null), json!(1)] {
        assert_eq!(with("/model", wrong), ["model: must be a nonempty string"]);
    }
    assert_eq!(without("model"), ["model: must be a nonempty string"]);
    for wrong in [json!([]), json!({}), json!(null)] {
        assert_eq!(with("/messages", wrong), ["messages: must be a nonempty array"]);
    }
    assert_eq!(without("messages"), ["messages: must be a nonempty array"]);
}

#[test]
fn roles_are_known() {
    let expected = ["messages[9].role: must be one of system, developer, user, assistant, tool"];
    assert_eq!(with("/messages/9/role", json!("function")), expected);
    assert_eq!(with("/messages/9/role", json!(null)), expected);
    assert_eq!(with("/messages/9", json!("hi")), ["messages[9]: must be an object"]);
}

#[test]
fn contents_are_text_or_parts_of_the_right_kind() {
    let expected = |index: usize| {
        vec![format!("messages[{index}].content: must be a string or a nonempty array of parts")]
    };
    for index in [0, 1, 2, 4, 9] {
        for wrong in [json!(null), json!(5), json!({}), json!([])] {
            assert_eq!(with(&format!("/messages/{index}/content"), wrong), expected(index));
        }
    }
    assert_eq!(with("/messages/8/content", json!(5)), expected(8));
    assert_eq!(with("/messages/3/content", json!(5)), expected(3));
    assert_eq!(
        with("/messages/2/content/0", json!({"type": "text"})),
        [r#"messages[2].content[0]: has no proper "text""#]
    );
    assert_eq!(
        with("/messages/2/content/1/image_url", json!("data:,")),
        [r#"messages[2].content[1]: has no proper "image_url""#]
    );
    assert_eq!(
        with("/messages/2/content/0", json!("text")),
        ["messages[2].content[0]: must be an object with a type"]
    );
    assert_eq!(
        with("/messages/7/content/0", json!({"type": "image_url", "image_url": {}})),
        [r#"messages[7].content[0]: has the type "image_url", not one of ["text"]"#]
    );
}

#[test]
fn an_assistant_says_something() {
    let user = json!({"role": "user", "content": "x"});
    for silent in [json!({"role": "assistant"}), json!({"role": "assistant", "content": null})] {
        assert_eq!(
            talk(&json!([silent, user])),
            ["messages[0]: has neither content nor tool_calls"]
        );
    }
    assert_eq!(
        with("/messages/8/content", json!("")),
        ["messages[8]: has neither content nor tool_calls"]
    );
    let refusal = json!({"role": "assistant", "content": null, "refusal": "no"});
    assert_eq!(talk(&json!([refusal, user])), CLEAN);
    let calls = json!({"role": "assistant", "tool_calls": [call("a")]});
    let result = json!({"role": "tool", "tool_call_id": "a", "content": "x"});
    assert_eq!(talk(&json!([calls, result])), CLEAN);
}

#[test]
fn the_last_word_is_not_the_assistants() {
    assert_eq!(
        after(|request| drop(request["messages"].as_array_mut().unwrap().pop())),
        ["messages: must not end with an assistant message"]
    );
}

#[test]
fn every_call_has_exactly_one_result_before_anything_else() {
    let edit = |edit: fn(&mut Vec<Value>)| {
        after(|request| edit(request["messages"].as_array_mut().unwrap()))
    };
    assert_eq!(
        edit(|messages| drop(messages.remove(5))),
        [r#"messages[5]: the call "a" has no tool message before this message"#]
    );
    assert_eq!(
        edit(|messages| messages.truncate(5)),
        [r#"messages: the call "a" has no tool message before the end"#]
    );
    assert_eq!(
        edit(|messages| messages.insert(5, messages[4].clone())),
        [r#"messages[5]: answers the call "b" again, or too late"#]
    );
    assert_eq!(
        edit(|messages| messages.insert(5, json!({"role": "user", "content": "well?"}))),
        [
            r#"messages[5]: the call "a" has no tool message before this message"#,
            r#"messages[6]: answers the call "a" again, or too late"#,
        ]
    );
    assert_eq!(
        edit(|messages| messages
            .insert(0, json!({"role": "tool", "tool_call_id": "a", "content": "x"}))),
        [r#"messages[0]: answers the call "a", which nobody made"#]
    );
    assert_eq!(
        edit(|messages| messages.insert(5, json!({"role": "tool", "content": "x"}))),
        ["messages[5]: must have a string as tool_call_id"]
    );
}

#[test]
fn ids_are_there_and_unique_in_the_conversation() {
    let nameless = "messages[6].tool_calls[0]: must have a nonempty string as id";
    for wrong in [json!(""), json!(null), json!(7)] {
        assert_eq!(
            with("/messages/6/tool_calls/0/id", wrong),
            [nameless, r#"messages[7]: answers the call "c", which nobody made"#]
        );
    }
    let twice = after(|request| {
        request["messages"][6]["tool_calls"][0]["id"] = json!("a");
        request["messages"][7]["tool_call_id"] = json!("a");
    });
    assert_eq!(twice, [r#"messages[6].tool_calls[0]: reuses the id "a""#]);
    let side_by_side = after(|request| {
        request["messages"][3]["tool_calls"][1]["id"] = json!("a");
        request["messages"][4]["tool_call_id"] = json!("a");
    });
    assert_eq!(side_by_side, [r#"messages[3].tool_calls[1]: reuses the id "a""#]);
}

#[test]
fn arguments_are_a_string_of_a_json_object() {
    let place = "/messages/6/tool_calls/0/function/arguments";
    let path = "messages[6].tool_calls[0]";
    for wrong in [json!({}), json!(null)] {
        assert_eq!(
            with(place, wrong),
            [format!("{path}: must have a string as function.arguments")]
        );
    }
    for wrong in ["", "[]", "null", "{\"a\":", "\"{}\"", "{} {}", r#"{"a":"\ud800"}"#] {
        assert_eq!(
            with(place, json!(wrong)),
            [format!("{path}: has arguments that are no JSON object: {wrong:?}")]
        );
    }
    assert_eq!(with(place, json!(r#" {"a": [1, {"b": null}]} "#)), CLEAN);
}

#[test]
fn tool_calls_are_well_formed_and_the_assistants() {
    for wrong in [json!([]), json!(null), json!({})] {
        assert_eq!(
            after(|request| request["messages"][8]["tool_calls"] = wrong),
            ["messages[8].tool_calls: must be a nonempty array"]
        );
    }
    assert_eq!(
        after(|request| request["messages"][9]["tool_calls"] = json!([call("z")])),
        ["messages[9]: has tool_calls and is not an assistant message"]
    );
    let path = "messages[6].tool_calls[0]";
    assert_eq!(
        with("/messages/6/tool_calls/0/type", json!("custom")),
        [format!("{path}: must have the type \"function\"")]
    );
    assert_eq!(
        with("/messages/6/tool_calls/0/function/name", json!("")),
        [format!("{path}: the name \"\" is not [a-zA-Z0-9_-]{{1,64}}")]
    );
}

#[test]
fn tools_are_functions_with_names_and_object_schemas() {
    for wrong in [json!([]), json!({})] {
        let found = with("/tools", wrong);
        assert_eq!(found[0], "tools: must be a nonempty array");
    }
    assert_eq!(
        with("/tools/1/type", json!("custom")),
        ["tools[1]: must have the type \"function\""]
    );
    assert_eq!(
        with("/tools/1/function", json!(null)),
        ["tools[1]: must have an object as function"]
    );
    for wrong in ["", "a.b", "a/b", "ä", &"x".repeat(65)] {
        assert_eq!(
            with("/tools/1/function/name", json!(wrong)),
            [format!("tools[1]: the name {wrong:?} is not [a-zA-Z0-9_-]{{1,64}}")]
        );
    }
    assert_eq!(with("/tools/1/function/name", json!("x".repeat(64))), CLEAN);
    assert_eq!(
        with("/tools/1/function/name", json!(null)),
        ["tools[1]: must have a string as function.name"]
    );
    assert_eq!(
        with("/tools/1/function/name", json!("f")),
        [r#"tools[1]: declares the name "f" again"#]
    );
    for wrong in [json!(null), json!({}), json!({"type": "string"}), json!(true)] {
        assert_eq!(
            with("/tools/1/function/parameters", wrong),
            [r#"tools[1]: must have a schema of type "object" as function.parameters"#]
        );
    }
}

#[test]
fn tool_choice_is_one_of_the_known_forms() {
    let named = |name: &str| json!({"type": "function", "function": {"name": name}});
    let allowed = |mode: &str, tools: Value| json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}});
    let good = [json!("none"), json!("required"), named("f"), allowed("auto", json!([named("f")]))];
    for choice in good {
        assert_eq!(with("/tool_choice", choice), CLEAN);
    }
    let bad = [
        (json!("any"), "must be \"none\", \"auto\", \"required\" or an object"),
        (json!(null), "must be \"none\", \"auto\", \"required\" or an object"),
        (json!({"type": "tool"}), "must have the type \"function\" or \"allowed_tools\""),
        (json!({"type": "function", "name": "f"}), "must have a string as function.name"),
        (named("h"), "names \"h\", which is not in tools"),
        (
            allowed("none", json!([named("f")])),
            "must have \"auto\" or \"required\" as allowed_tools.mode",
        ),
        (allowed("auto", json!([])), "must have a nonempty array as allowed_tools.tools"),
        (allowed("auto", json!([named("h")])), "names \"h\", which is not in tools"),
    ];
    for (choice, expected) in bad {
        assert_eq!(with("/tool_choice", choice), [format!("tool_choice: {expected}")]);
    }
}

#[test]
fn what_is_about_tools_needs_tools() {
    let expected = [
        "tool_choice: is only allowed together with tools",
        "parallel_tool_calls: is only allowed together with tools",
    ];
    assert_eq!(without("tools"), expected);
    assert_eq!(
        with("/parallel_tool_calls", json!("no")),
        ["parallel_tool_calls: must be a boolean"]
    );
}

#[test]
fn stream_options_need_a_stream() {
    let expected = ["stream_options: is only allowed with stream true"];
    assert_eq!(with("/stream", json!(false)), expected);
    assert_eq!(without("stream"), expected);
    assert_eq!(without("stream_options"), CLEAN);
    assert_eq!(with("/stream_options", json!(true)), ["stream_options: must be an object"]);
    assert_eq!(
        with("/stream", json!("yes")),
        ["stream: must be a boolean", "stream_options: is only allowed with stream true"]
    );
}
