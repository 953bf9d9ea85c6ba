//! Requests: the same conversation reads the same wherever it is sent.

use std::sync::Arc;

use toolwright_core::{
    Conversation, Message, Model, ModelOptions, ModelRequest, ModelResponse, Outcome, OutputSchema,
    RequestCache, ToolChoice, UserMessage,
};
use toolwright_models::Endpoint;
use toolwright_testkit::{Asked, AskedChoice, AskedPart, AskedRole, Reply, Spoken, SpokenApi};

use crate::support::{apis, call, config, hear, message, picture, say, serve, tools};

/// What every API's server was asked.
async fn asked(
    conversation: &Conversation,
    choice: ToolChoice,
    replied: &Spoken,
) -> Vec<(SpokenApi, Asked, Result<ModelResponse, toolwright_core::ModelError>)> {
    let mut all = Vec::new();
    for (api, spoken) in apis() {
        let server = serve([Reply::spoken(replied.clone())]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let (tools, mut memo) = (tools(), RequestCache::default());
        let request = ModelRequest::new(conversation, &tools, &mut memo).choice(choice.clone());
        let (_, end) = hear(&model, request).await;
        server.assert_clean();
        let requests = server.requests();
        let read = spoken.request(&requests[0]).expect("a request of this API");
        all.push((spoken, read, end));
    }
    all
}

/// Instructions, a question, two calls, their results, an answer, another question.
fn talk() -> Conversation {
    let calls = ModelResponse {
        text: "One moment.".to_owned(),
        ..ModelResponse::calls([
            call("call_1", "get_weather", r#"{"city":"Pune"}"#),
            call("call_2", "get_time", "{}"),
        ])
    };
    Conversation::from_iter([
        Message::system("Be brief."),
        Message::user("Weather and time in Pune?"),
        message(calls),
        Message::tool("call_1", "get_weather", Outcome::ok("31 °C")),
        Message::tool("call_2", "get_time", Outcome::failed("the clock stands still")),
        Message::assistant("31 °C; nobody knows the time."),
        Message::user("Thanks."),
    ])
}

#[tokio::test]
async fn a_conversation_with_calls_and_results() {
    for (api, asked, reply) in asked(&talk(), ToolChoice::Auto, &Spoken::text("So.")).await {
        assert_eq!(reply.unwrap().text, "So.", "{api:?}");
        assert_eq!(asked.model, "scripted", "{api:?}");
        assert_eq!(asked.system, "Be brief.", "{api:?}");
        assert_eq!(asked.tools, ["get_weather", "get_time"], "{api:?}");
        assert!(!asked.stream, "{api:?}");
        let roles: Vec<_> = asked.turns.iter().map(|it| it.role).collect();
        use AskedRole::{Assistant, User};
        assert_eq!(roles, [User, Assistant, User, Assistant, User], "{api:?}");
        let parts: Vec<_> = asked.parts().collect();
        let says = |wanted: &str| {
            parts.iter().any(|it| matches!(it, AskedPart::Text(text) if text == wanted))
        };
        for text in
            ["Weather and time in Pune?", "One moment.", "31 °C; nobody knows the time.", "Thanks."]
        {
            assert!(says(text), "{api:?}: {text}: {parts:?}");
        }
        let calls: Vec<_> = parts
            .iter()
            .filter_map(|it| match it {
                AskedPart::Call { name, arguments, .. } => {
                    Some((name.as_str(), arguments.to_string()))
                }
                _ => None,
            })
            .collect();
        let wanted =
            [("get_weather", r#"{"city":"Pune"}"#.to_owned()), ("get_time", "{}".to_owned())];
        assert_eq!(calls, wanted, "{api:?}");
        let results: Vec<_> = parts
            .iter()
            .filter_map(|it| match it {
                AskedPart::Result { name, text, .. } => Some((name.as_str(), text.as_str())),
                _ => None,
            })
            .collect();
        assert_eq!(results.len(), 2, "{api:?}: {results:?}");
        assert!(results[0].1.contains("31 °C") && results[0].0 == "get_weather", "{results:?}");
        assert!(results[1].1.contains("the clock stands still"), "{api:?}: {results:?}");
    }
}

#[tokio::test]
async fn a_choice_of_tools() {
    let question = Conversation::from_iter([Message::user("Well?")]);
    let named = ToolChoice::Tool("get_time".to_owned());
    for (api, asked, _) in asked(&question, named, &Spoken::text("So.")).await {
        // Where nothing can be forced, no other is offered.
        let is_forced = asked.choice == Some(AskedChoice::Tool("get_time".to_owned()));
        assert!(is_forced || asked.tools == ["get_time"], "{api:?}: {asked:?}");
    }
    for (api, asked, _) in asked(&question, ToolChoice::None, &Spoken::text("So.")).await {
        let is_none = asked.choice == Some(AskedChoice::None) || asked.tools.is_empty();
        assert!(is_none, "{api:?}: {asked:?}");
    }
    for (api, asked, _) in asked(&question, ToolChoice::Required, &Spoken::text("So.")).await {
        let is_required = asked.choice == Some(AskedChoice::Required);
        assert!(is_required || api == SpokenApi::Ollama, "{api:?}: {asked:?}");
    }
}

#[tokio::test]
async fn pictures_in_a_question_and_in_a_result() {
    let pictured = Outcome::ok("Here it is.").with_attachments(vec![picture()]);
    let conversation = Conversation::from_iter([
        Message::User(UserMessage::new("What is this?").with_attachment(picture())),
        message(ModelResponse::calls([call("call_1", "get_time", "{}")])),
        Message::tool("call_1", "get_time", pictured),
    ]);
    for (api, asked, _) in asked(&conversation, ToolChoice::Auto, &Spoken::text("So.")).await {
        let files = asked.parts().map(|part| match part {
            AskedPart::File(file) => vec![file.clone()],
            AskedPart::Result { files, .. } => files.clone(),
            _ => Vec::new(),
        });
        let files: Vec<_> = files.flatten().map(|it| (it.media_type, it.base64)).collect();
        let one = ("image/png".to_owned(), 24);
        assert_eq!(files, [one.clone(), one], "{api:?}: {asked:?}");
    }
}

#[tokio::test]
async fn a_form_for_the_answer() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"degrees": {"type": "integer"}},
        "required": ["degrees"],
        "additionalProperties": false,
    });
    let schema = OutputSchema::new("weather", schema).unwrap();
    let question = Conversation::from_iter([Message::user("Well?")]);
    for (api, spoken) in apis() {
        let server = serve([Reply::text(r#"{"degrees":31}"#)]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let (tools, mut memo) =
            (toolwright_core::ToolDefinitions::default(), RequestCache::default());
        let request = ModelRequest::new(&question, &tools, &mut memo).output(Some(&schema));
        let (_, end) = hear(&model, request).await;
        server.assert_clean();
        assert_eq!(end.unwrap().text, r#"{"degrees":31}"#, "{api}");
        let asked = spoken.request(&server.requests()[0]).unwrap();
        let sent = asked.schema.unwrap_or_else(|| panic!("{api} sends no schema"));
        let degrees = sent.pointer("/properties/degrees/type").and_then(|it| it.as_str());
        assert!(degrees.is_some_and(|it| it.eq_ignore_ascii_case("integer")), "{api}: {sent}");
    }
}

#[tokio::test]
async fn how_long_a_reply_may_be() {
    let mut options = ModelOptions::default();
    options.max_output_tokens = Some(77);
    let options = Arc::new(options);
    let question = Conversation::from_iter([Message::user("Well?")]);
    for (api, spoken) in apis() {
        let server = serve([Reply::text("So.")]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let (tools, mut memo) = (tools(), RequestCache::default());
        let request = ModelRequest::new(&question, &tools, &mut memo).options(&options).streamed();
        hear(&model, request).await.1.unwrap();
        server.assert_clean();
        let asked = spoken.request(&server.requests()[0]).unwrap();
        assert_eq!((asked.max_tokens, asked.stream), (Some(77), true), "{api}");
    }
}

#[tokio::test]
async fn reasoning_goes_back_to_whom_it_came_from_and_to_nobody_else() {
    let seal = "c2VhbA==";
    let thinking = || {
        let spoken = Spoken::reasoning("Let me look.", Some(seal));
        Reply::spoken(spoken.call("call_1", "get_weather", r#"{"city":"Pune"}"#))
    };
    for (api, spoken) in apis() {
        let server = serve([thinking(), Reply::text("So."), Reply::text("So.")]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let question = Message::user("Weather?");
        let first = Conversation::from_iter([question.clone()]);
        let reply = say(&model, &first, true).await.unwrap();
        let result = Message::tool("call_1", "get_weather", Outcome::ok("31 °C"));
        let back =
            Conversation::from_iter([question.clone(), message(reply.clone()), result.clone()]);
        say(&model, &back, true).await.unwrap();
        // The same words, but of another model.
        let foreign = ModelResponse { model: Some("other@there:m".into()), ..reply };
        let foreign = Conversation::from_iter([question, message(foreign), result]);
        say(&model, &foreign, true).await.unwrap();
        server.assert_clean();
        let raw: Vec<_> = server.requests().iter().map(|it| it.body.to_string()).collect();
        if !matches!(spoken, SpokenApi::Chat | SpokenApi::Ollama) {
            assert!(raw[1].contains(seal), "{api}: {}", raw[1]);
        }
        assert!(!raw[2].contains(seal), "{api}: {}", raw[2]);
        assert!(!raw[2].contains("Let me look."), "{api}: {}", raw[2]);
    }
}

#[tokio::test]
async fn the_models_there_are() {
    for (api, spoken) in apis() {
        let server = serve([]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let models = model.models().await.unwrap();
        assert!(matches!(&models[..], [one] if one.starts_with("scripted")), "{api}: {models:?}");
        assert_eq!(model.name(), "openai:scripted");
    }
}
