//! What is sent: the bytes of requests.

use base64::{Engine, prelude::BASE64_STANDARD};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use toolwright_core::{
    AssistantMessage, Attachment, Call, Conversation, Message, Outcome, RequestCache, ToolChoice,
    ToolDefinitions, ToolSpec, UserMessage,
};
use toolwright_testkit::{ModelServer, Script, SpokenApi};

use super::{Asking, MODEL, answering, assistant, at, own, paper, picture, tools};
use crate::support::{ask, in_runtime, model, say};

fn source(attachment: &Attachment) -> Value {
    let data = BASE64_STANDARD.encode(attachment.bytes().unwrap());
    json!({"type": "base64", "media_type": attachment.media_type.as_str(), "data": data})
}

#[tokio::test]
async fn a_whole_request() {
    let (a, b) = (picture("a.png"), paper("b.pdf"));
    let asked = UserMessage::new("Look: ").with_attachment(a.clone());
    let asked = UserMessage { content: format!("{}and tell.", asked.content), ..asked };
    let calls = [Call::new("toolu_1", "f", "{ \"x\" :\"é\"}"), Call::new("call.2", "no tool!", "")];
    let extra = json!({"thinking_blocks": [
        {"type": "thinking", "thinking": "Hm.", "signature": "sig+/="},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
    ]});
    let said = AssistantMessage {
        reasoning: "Hm.".into(),
        model: own(MODEL),
        extra: extra.as_object().cloned(),
        ..assistant("Let me see.", calls)
    };
    let read = Outcome::ok(" is it.").with_attachments(vec![b.clone()]).with_detail("for people");
    let conversation = Conversation::from_iter([
        Message::system("Be \"brief\"."),
        Message::system(""),
        Message::system("And kind."),
        Message::User(asked),
        Message::Assistant(said),
        Message::tool("toolu_1", "f", read),
        Message::tool("call.2", "no tool!", Outcome::failed("there is none")),
        Message::system("Be quick."),
        Message::correction("Go on."),
        Message::assistant(" \n"),
        Message::user(""),
    ]);
    let mark = json!({"type": "ephemeral"});
    let schema = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let tool =
        |name: &str| json!({"name": name, "description": "Does \"it\": é", "input_schema": schema});
    let mut last = tool("g");
    last["cache_control"] = mark.clone();
    let text = |text: &str| json!({"type": "text", "text": text});
    let body = Asking { conversation, ..Asking::default() }.sent().await;
    let odd = body["messages"][1]["content"][4]["id"].as_str().unwrap();
    let wanted = json!({
        "model": "m", "max_tokens": 8192, "stream": true, "cache_control": mark,
        "tools": [tool("f"), last],
        "system": [
            text("Be \"brief\"."),
            {"type": "text", "text": "And kind.", "cache_control": mark},
        ],
        "messages": [
            {"role": "user", "content": [
                text("Look: "), {"type": "image", "source": source(&a)}, text("and tell."),
            ]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "sig+/="},
                {"type": "redacted_thinking", "data": "ZGF0YQ=="},
                text("Let me see."),
                {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"x": "é"}},
                {"type": "tool_use", "id": odd, "name": "no_tool_", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [
                    {"type": "document", "source": source(&b), "title": "b.pdf"}, text(" is it."),
                ]},
                {"type": "tool_result", "tool_use_id": odd, "content": "there is none",
                    "is_error": true},
            ]},
            {"role": "user", "content": [text("Be quick.")]},
            {"role": "user", "content": [text("Go on.")]},
            {"role": "user", "content": [text("(nothing)")]},
        ],
    });
    assert_eq!(body, wanted);
    assert!(odd.bytes().all(|it| it.is_ascii_alphanumeric() || b"_-".contains(&it)), "{odd}");
}

#[tokio::test]
async fn without_a_stream_and_without_tools() {
    for choice in [ToolChoice::Auto, ToolChoice::None, ToolChoice::Required] {
        let tools = ToolDefinitions::default();
        let asking = Asking { tools, choice, stream: false, ..Asking::default() };
        let wanted = json!({
            "model": "m", "max_tokens": 8192, "cache_control": {"type": "ephemeral"},
            "messages": [{"role": "user", "content": [{"type": "text", "text": "Well?"}]}],
        });
        assert_eq!(asking.sent().await, wanted);
    }
}

#[tokio::test]
async fn ids_that_are_changed_stay_apart() {
    let ids = ["a.b", "a:b", "a b", "", "é", "a_b"];
    let calls = ids.map(|id| Call::new(id, "f", "{}"));
    let results = ids.map(|id| Message::tool(id, "f", Outcome::ok("")));
    let talk = [Message::user("Well?"), Message::Assistant(assistant("", calls))];
    let conversation = talk.into_iter().chain(results).collect();
    let body = Asking { conversation, ..Asking::default() }.sent().await;
    let of = |message: usize, key: &str| -> Vec<Value> {
        let blocks = body["messages"][message]["content"].as_array().unwrap();
        blocks.iter().map(|it| it[key].clone()).collect()
    };
    let called = of(1, "id");
    assert_eq!(called, of(2, "tool_use_id"), "alike in call and result");
    assert_eq!(called[5], "a_b");
    assert!(called.iter().enumerate().all(|(at, it)| !called[..at].contains(it)), "{called:?}");
    assert_eq!(body["messages"][2]["content"][0].get("content"), None, "an empty result");
}

#[tokio::test]
async fn a_conversation_that_begins_with_the_model() {
    let conversation = Conversation::from_iter([Message::assistant("Hello!"), Message::user("Hi")]);
    let body = Asking { conversation, ..Asking::default() }.sent().await;
    let roles: Vec<_> =
        body["messages"].as_array().unwrap().iter().map(|it| it["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
}

#[tokio::test]
async fn schemas_of_tools_are_of_an_object() {
    let any = json!({"anyOf": [{"required": ["x"]}], "properties": {"x": {"type": "string"}}});
    for (given, wanted) in [
        (json!({}), json!({"type": "object"})),
        (any, json!({"type": "object", "properties": {"x": {"type": "string"}}})),
    ] {
        let tools = ToolDefinitions::new([ToolSpec::new("f", "", given).into()]);
        let body = Asking { tools, ..Asking::default() }.sent().await;
        assert_eq!(body["tools"][0]["input_schema"], wanted);
        assert_eq!(body["tools"][0].get("description"), None);
    }
}

#[tokio::test]
async fn the_key_and_the_version_are_headers() {
    let script = Script::new().reply(toolwright_testkit::Reply::text("Hi")).key("secret");
    let server = ModelServer::start(script).await;
    let error = ask(&model(at(&server)), true).await.error();
    assert_eq!(error.status, Some(401));
    assert!(error.advice.unwrap().contains("ANTHROPIC_API_KEY"));
    let mut config = at(&server).with_key("secret");
    // As somebody writes it who has read of the route.
    config.base_url.push_str("/messages/");
    ask(&model(config), true).await.reply();
    let request = &server.requests()[1];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some("secret"));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(SpokenApi::Messages.request(request).unwrap().max_tokens, Some(8192));
}

#[tokio::test]
async fn the_models_on_offer() {
    let server = ModelServer::start(Script::new().key("secret")).await;
    let mut config = at(&server).with_key("secret");
    config.base_url = server.url(SpokenApi::Messages);
    assert_eq!(model(config).models().await.unwrap(), ["scripted"]);
    assert!(server.requests()[0].path.ends_with("/v1/models?limit=1000"));
}

#[tokio::test]
async fn what_it_takes() {
    let server = answering().await;
    let model = model(at(&server));
    let takes = |it: &Attachment| toolwright_core::Model::accepts(&model, it);
    assert!(takes(&picture("a.png")) && takes(&paper("a.pdf")));
    let sound = Attachment::new(b"RIFF\x10\0\0\0WAVEfmt ".to_vec(), None, Some("a.wav")).unwrap();
    let tiff = Attachment::new(b"II*\0 and so on".to_vec(), Some("image/tiff"), None);
    assert!(!takes(&sound) && !tiff.is_ok_and(|it| takes(&it)));
}

/// A few messages that may follow each other: a user's, or calls with their results.
fn turns() -> impl Strategy<Value = Vec<Vec<Message>>> {
    let words = select(vec!["", " ", "Well?", "\"é\" 🎉\n"]);
    let arguments = select(vec!["{}", "{\"x\": [1, \"\\u00e9\"]}", "{\"cut\":", ""]);
    let round = (words.clone(), vec(arguments, 1..3), any::<bool>());
    let turn = prop_oneof![
        words.clone().prop_map(|it| vec![Message::user(it)]),
        words.prop_map(|it| vec![Message::assistant(it), Message::correction("Go on.")]),
        round.prop_map(|(words, calls, is_own)| {
            let calls: Vec<_> = calls
                .into_iter()
                .zip(["a", "b.c", "d"])
                .map(|(arguments, id)| Call::new(id, "f", arguments))
                .collect();
            let results: Vec<_> = calls
                .iter()
                .map(|it| Message::tool(it.id.clone(), "f", Outcome::ok("done")))
                .collect();
            let kept = json!({"thinking_blocks": [
                {"type": "thinking", "thinking": "", "signature": "s"},
            ]});
            let said = AssistantMessage {
                model: if is_own { own(MODEL) } else { None },
                extra: kept.as_object().cloned(),
                ..assistant(words, calls)
            };
            [Message::Assistant(said)].into_iter().chain(results).collect()
        }),
    ];
    vec(turn, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// A body that grows in place has the same bytes as one that is written anew.
    #[test]
    fn what_is_kept_from_round_to_round_changes_nothing(turns in turns(), stream: bool) {
        in_runtime(async {
            let server = answering().await;
            let (model, tools) = (model(at(&server)), tools());
            let mut memo = RequestCache::default();
            let mut talk = Conversation::from_iter([Message::system("S"), Message::user("é 🎉")]);
            for (number, turn) in turns.into_iter().enumerate() {
                turn.into_iter().for_each(|it| talk.push(it));
                let choice = [ToolChoice::Auto, ToolChoice::Required][number % 2].clone();
                for memo in [&mut memo, &mut RequestCache::default()] {
                    say(&model, &talk, &tools, choice.clone(), stream, memo).await.reply();
                }
                let requests = server.requests();
                let [.., kept, fresh] = requests.as_slice() else { panic!("two requests") };
                prop_assert_eq!(
                    String::from_utf8_lossy(&kept.raw),
                    String::from_utf8_lossy(&fresh.raw)
                );
            }
            server.assert_clean();
            Ok(())
        })?;
    }
}
