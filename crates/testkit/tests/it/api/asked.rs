//! What was asked: the same of every API, and what a vendor's server would refuse.

use serde_json::{Value, json};
use toolwright_testkit::{Asked, AskedChoice, ModelServer, Reply, SpokenApi};

use super::{ask, question};

const PICTURE: &str = "iVBORw0KGgo=";

fn schema() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": false})
}

/// The same conversation in each API: a picture, a call of a tool, its result, and another question.
fn conversation(api: SpokenApi) -> Value {
    match api {
        SpokenApi::Chat => chat(),
        SpokenApi::Responses => responses(),
        SpokenApi::Messages => messages(),
        SpokenApi::Gemini => gemini(),
        SpokenApi::Ollama => ollama(),
    }
}

fn chat() -> Value {
    let url = format!("data:image/png;base64,{PICTURE}");
    let function = json!({"name": "look", "arguments": r#"{"at":"x"}"#});
    json!({
        "model": "m", "max_tokens": 9, "tool_choice": "required",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [
                {"type": "text", "text": "What?"}, {"type": "image_url", "image_url": {"url": url}},
            ]},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_1", "type": "function", "function": function},
            ]},
            {"role": "tool", "tool_call_id": "call_1", "content": "A cat."},
            {"role": "user", "content": "Sure?"},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "parameters": schema()}}],
        "response_format":
            {"type": "json_schema", "json_schema": {"name": "x", "schema": schema()}},
    })
}

fn responses() -> Value {
    json!({
        "model": "m", "instructions": "Be brief.", "max_output_tokens": 9,
        "tool_choice": "required",
        "input": [
            {"role": "user", "content": [
                {"type": "input_text", "text": "What?"},
                {"type": "input_image", "image_url": format!("data:image/png;base64,{PICTURE}")},
            ]},
            {"type": "function_call", "call_id": "call_1", "name": "look",
                "arguments": r#"{"at":"x"}"#},
            {"type": "function_call_output", "call_id": "call_1", "output": "A cat."},
            {"role": "user", "content": "Sure?"},
        ],
        "tools": [{"type": "function", "name": "look", "parameters": schema()}],
        "text": {"format": {"type": "json_schema", "name": "x", "schema": schema()}},
    })
}

fn messages() -> Value {
    let source = json!({"type": "base64", "media_type": "image/png", "data": PICTURE});
    json!({
        "model": "m", "system": "Be brief.", "max_tokens": 9, "tool_choice": {"type": "any"},
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "What?"}, {"type": "image", "source": source},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": "x"}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "call_1",
                    "content": [{"type": "text", "text": "A cat."}]},
                {"type": "text", "text": "Sure?"},
            ]},
        ],
        "tools": [{"name": "look", "input_schema": schema()}],
        "output_config": {"format": {"type": "json_schema", "schema": schema()}},
    })
}

fn gemini() -> Value {
    let call = json!({"id": "call_1", "name": "look", "args": {"at": "x"}});
    let result = json!({"id": "call_1", "name": "look", "response": {"output": "A cat."}});
    json!({
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [
                {"text": "What?"}, {"inline_data": {"mime_type": "image/png", "data": PICTURE}},
            ]},
            {"role": "model", "parts": [{"functionCall": call}]},
            {"role": "user", "parts": [{"functionResponse": result}, {"text": "Sure?"}]},
        ],
        "tools": [{"functionDeclarations": [{"name": "look", "parametersJsonSchema": schema()}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
        "generationConfig": {"maxOutputTokens": 9, "responseJsonSchema": schema()},
    })
}

fn ollama() -> Value {
    json!({
        "model": "m", "stream": false, "format": schema(), "options": {"num_predict": 9},
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What?", "images": [PICTURE]},
            {"role": "assistant", "content": "", "tool_calls": [
                {"id": "call_1", "function": {"name": "look", "arguments": {"at": "x"}}},
            ]},
            {"role": "tool", "tool_name": "look", "tool_call_id": "call_1", "content": "A cat."},
            {"role": "user", "content": "Sure?"},
        ],
        "tools": [{"type": "function", "function": {"name": "look", "parameters": schema()}}],
    })
}

/// What the server makes of a request: how it reads it, and what is wrong with it.
async fn read(api: SpokenApi, body: &Value) -> (Asked, Vec<String>) {
    let server = ModelServer::start_with(|_| Reply::text("x")).await;
    ask(&server, api, false, body).await;
    let request = server.requests().pop().unwrap();
    (api.request(&request).unwrap(), request.violations)
}

#[tokio::test]
async fn the_same_conversation_reads_the_same_in_every_api() {
    let picture = json!({"media_type": "image/png", "base64": PICTURE.len(), "link": null});
    for api in SpokenApi::ALL {
        let (asked, violations) = read(api, &conversation(api)).await;
        assert_eq!(violations, Vec::<String>::new(), "{api:?}");
        let error = matches!(api, SpokenApi::Messages | SpokenApi::Gemini).then_some(false);
        let result = json!({
            "id": "call_1", "name": "look", "text": "A cat.", "files": [], "error": error,
        });
        let call = json!({"id": "call_1", "name": "look", "arguments": {"at": "x"}});
        let expected = json!([
            {"role": "user", "parts": [{"text": "What?"}, {"file": picture}]},
            {"role": "assistant", "parts": [{"call": call}]},
            {"role": "user", "parts": [{"result": result}, {"text": "Sure?"}]},
        ]);
        assert_eq!(serde_json::to_value(&asked.turns).unwrap(), expected, "{api:?}");
        assert_eq!((asked.model.as_str(), asked.system.as_str()), ("m", "Be brief."));
        assert_eq!((asked.tools, asked.stream), (vec!["look".to_owned()], false));
        assert_eq!((asked.max_tokens, asked.schema), (Some(9), Some(schema())), "{api:?}");
        let choice = (api != SpokenApi::Ollama).then_some(AskedChoice::Required);
        assert_eq!(asked.choice, choice, "{api:?}");
    }
}

#[tokio::test]
async fn a_call_without_its_result_is_refused_everywhere() {
    for (api, place) in [
        (SpokenApi::Chat, "/messages"),
        (SpokenApi::Responses, "/input"),
        (SpokenApi::Messages, "/messages"),
        (SpokenApi::Gemini, "/contents"),
        (SpokenApi::Ollama, "/messages"),
    ] {
        let is_result = |it: &Value| {
            let text = it.to_string();
            ["\"tool\"", "function_call_output", "tool_result", "functionResponse"]
                .iter()
                .any(|mark| text.contains(mark))
        };
        let mut lost = conversation(api);
        lost.pointer_mut(place).unwrap().as_array_mut().unwrap().retain(|it| !is_result(it));
        assert_ne!(read(api, &lost).await.1, Vec::<String>::new(), "{api:?}");
        let mut twice = conversation(api);
        let turns = twice.pointer_mut(place).unwrap().as_array_mut().unwrap();
        let at = turns.iter().position(is_result).unwrap();
        turns.insert(at, turns[at].clone());
        assert_ne!(read(api, &twice).await.1, Vec::<String>::new(), "{api:?}");
    }
}

#[tokio::test]
async fn what_a_vendor_refuses_is_named() {
    let with = |api, field: &str, value: Value| {
        let mut body = question(api, false);
        body[field] = value;
        body
    };
    let look = json!([{"type": "function", "function": {"name": "look"}}]);
    let thought = json!([
        {"role": "user", "content": "x"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"role": "user", "content": "y"},
    ]);
    let late = json!([{"role": "user", "content": [
        {"type": "text", "text": ""}, {"type": "tool_result", "tool_use_id": "x"},
    ]}]);
    let bare = json!([{"role": "tool", "parts": [{"functionResponse": {"response": "x"}}]}]);
    let pictured = json!([{"role": "user", "content": [], "images": ["data:x"]}]);
    for (api, field, value, lines) in [
        (SpokenApi::Responses, "stop", json!(["x"]), vec!["stop: there is no such field"]),
        (SpokenApi::Responses, "tools", look, vec!["tools[0]: a function stands flat"]),
        (SpokenApi::Responses, "input", thought, vec!["input[1]: item of type 'reasoning'"]),
        (SpokenApi::Messages, "max_tokens", Value::Null, vec!["max_tokens: Field required"]),
        (
            SpokenApi::Messages,
            "messages",
            late,
            vec!["must be non-empty", "must come first", "a result of no call"],
        ),
        (SpokenApi::Gemini, "model", json!("m"), vec!["model: there is no such field"]),
        (
            SpokenApi::Gemini,
            "contents",
            bare,
            vec!["must be user or model", "holds an object", "a result of no call"],
        ),
        (SpokenApi::Ollama, "tool_choice", json!("auto"), vec!["tool_choice: there is no such"]),
        (
            SpokenApi::Ollama,
            "messages",
            pictured,
            vec!["content: must be a string", "images: must be plain Base64"],
        ),
    ] {
        let found = read(api, &with(api, field, value)).await.1;
        for line in lines {
            assert!(found.iter().any(|it| it.contains(line)), "{api:?} {field}: {found:?}");
        }
    }
}

#[tokio::test]
async fn thoughts_and_marks_are_seen() {
    let mut body = messages();
    body["system"] = json!([{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]);
    let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "s"});
    body["messages"][1]["content"].as_array_mut().unwrap().insert(0, thinking);
    let (asked, violations) = read(SpokenApi::Messages, &body).await;
    assert_eq!((asked.marks, violations), (1, Vec::new()));
    let first = serde_json::to_value(&asked.turns[1].parts[0]).unwrap();
    assert_eq!(first, json!({"reasoning": {"text": "Hm.", "seal": "s"}}));

    let mut body = gemini();
    body["contents"][1]["parts"][0]["thoughtSignature"] = json!("c2VhbA==");
    let (asked, _) = read(SpokenApi::Gemini, &body).await;
    let seal = serde_json::to_value(&asked.turns[1].parts[1]).unwrap();
    assert_eq!(seal, json!({"seal": "c2VhbA=="}));
}
