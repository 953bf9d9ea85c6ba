//! [`TextToolModel`] over models that hand their replies on in unusual ways.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use serde_json::json;
use toolwright_core::{
    AssistantMessage, Call, CallSource, Conversation, FinishReason, Message, Model, ModelDelta,
    ModelError, ModelErrorKind, ModelRequest, ModelResponse, ModelStream, Outcome, RequestCache,
    ToolChoice, ToolDefinitions, ToolSpec, Usage,
};
use toolwright_dialects::Dialect;
use toolwright_models::{TextToolModel, ToolMode};

const CALL: &str = "{\"tool\": \"add\", \"params\": {\"a\": 1}}";

/// A model that hands on exactly these parts.
struct Exactly(Vec<Result<ModelDelta, ModelError>>);

impl Model for Exactly {
    fn name(&self) -> &str {
        "exactly"
    }

    fn call(&self, _: ModelRequest<'_>) -> ModelStream {
        Box::pin(stream::iter(self.0.clone()))
    }
}

fn offered() -> ToolDefinitions {
    let parameters = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    ToolDefinitions::new([Arc::new(ToolSpec::new("add", "Adds.", parameters))])
}

async fn heard(
    parts: Vec<Result<ModelDelta, ModelError>>,
    mode: ToolMode,
    tools: &ToolDefinitions,
) -> Vec<Result<ModelDelta, ModelError>> {
    let model = TextToolModel::new(Exactly(parts), mode, Dialect::Generic);
    let conversation = Conversation::from_iter([Message::user("One and one?")]);
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(&conversation, tools, &mut memo).streamed();
    model.call(request).collect().await
}

/// The reply that stands at the end, alone.
#[track_caller]
fn reply(mut parts: Vec<Result<ModelDelta, ModelError>>) -> ModelResponse {
    let Some(Ok(ModelDelta::Response(reply))) = parts.pop() else { panic!("no reply: {parts:?}") };
    assert!(!parts.iter().any(|it| matches!(it, Ok(ModelDelta::Response(_)))), "{parts:?}");
    reply
}

fn found() -> Call {
    Call { source: CallSource::Extracted, ..Call::new("", "add", "{\"a\":1}") }
}

#[tokio::test]
async fn text_that_only_stands_in_the_reply_is_searched_too() {
    let whole = ModelResponse::text(format!("I add. {CALL}"));
    for before in
        [vec![], vec![ModelDelta::Text("I a".into())], vec![ModelDelta::Text(whole.text.clone())]]
    {
        let mut parts: Vec<_> = before.into_iter().map(Ok).collect();
        parts.push(Ok(ModelDelta::Response(whole.clone())));
        let reply = reply(heard(parts, ToolMode::Text, &offered()).await);
        assert_eq!(reply.text, "I add.");
        assert_eq!(reply.calls, [found()]);
        assert_eq!(reply.finish, FinishReason::ToolCalls);
    }
}

#[tokio::test]
async fn what_else_the_reply_says_is_kept() {
    let usage = Usage { prompt_tokens: 3, completion_tokens: 4, ..Usage::default() };
    let extra = Some(json!({"signature": "x"}).as_object().unwrap().clone());
    let said = ModelResponse {
        text: CALL.into(),
        reasoning: "Hm.".into(),
        finish: FinishReason::Length,
        usage,
        extra: extra.clone(),
        ..ModelResponse::default()
    };
    let reply =
        reply(heard(vec![Ok(ModelDelta::Response(said))], ToolMode::Text, &offered()).await);
    assert_eq!((reply.usage, reply.extra, reply.reasoning.as_str()), (usage, extra, "Hm."));
    // The call is whole; what came behind it is not known.
    assert_eq!((reply.calls, reply.finish), (vec![found()], FinishReason::Length));
}

#[tokio::test]
async fn nothing_is_mended_in_a_reply_that_was_cut_off() {
    let broken = CALL.replace("1}", "1,}");
    for (finish, arguments) in [(FinishReason::Stop, "{\"a\":1}"), (FinishReason::Length, "{")] {
        let said = ModelResponse { text: broken.clone(), finish, ..ModelResponse::default() };
        let reply =
            reply(heard(vec![Ok(ModelDelta::Response(said))], ToolMode::Text, &offered()).await);
        let arguments_of: Vec<_> = reply.calls.iter().map(|call| &*call.arguments).collect();
        assert_eq!(arguments_of, [arguments], "{finish:?}");
    }
}

#[tokio::test]
async fn native_calls_win_in_every_mode() {
    let native = ModelResponse {
        text: format!("Not {CALL}."),
        ..ModelResponse::calls([Call::new("x", "add", "{}")])
    };
    for mode in [ToolMode::Native, ToolMode::Text, ToolMode::Auto] {
        let parts = vec![
            Ok(ModelDelta::Text(native.text.clone())),
            Ok(ModelDelta::CallName { index: 0, name: "add".into() }),
            Ok(ModelDelta::Response(native.clone())),
        ];
        assert_eq!(reply(heard(parts, mode, &offered()).await), native);
    }
}

#[tokio::test]
async fn without_tools_nothing_is_looked_for() {
    let said = ModelResponse::text(CALL);
    let parts = vec![Ok(ModelDelta::Response(said.clone()))];
    assert_eq!(reply(heard(parts, ToolMode::Auto, &ToolDefinitions::default()).await), said);
}

#[tokio::test]
async fn errors_are_handed_on_and_a_broken_stream_is_one() {
    let error = ModelError::new(ModelErrorKind::Server, "the tools are on fire");
    let mut parts = heard(
        vec![Ok(ModelDelta::Text("I ".into())), Err(error.clone())],
        ToolMode::Auto,
        &offered(),
    )
    .await;
    assert_eq!(parts.pop(), Some(Err(error)));
    let mut parts =
        heard(vec![Ok(ModelDelta::Text("I ".into()))], ToolMode::Text, &offered()).await;
    assert_eq!(parts.pop().unwrap().unwrap_err().kind, ModelErrorKind::BrokenReply);
}

#[tokio::test]
async fn a_refusal_after_the_reply_began_is_an_error() {
    let refusal = ModelError::new(ModelErrorKind::Request, "this model does not support tools");
    let parts = vec![Ok(ModelDelta::Text("I ".into())), Err(refusal.clone())];
    let mut parts = heard(parts, ToolMode::Auto, &offered()).await;
    assert_eq!(parts.pop(), Some(Err(refusal)));
}

/// A conversation in which a result has this text, and the reply that a model makes to it.
async fn after_result(
    result: &str,
    reply_text: &str,
    mode: ToolMode,
    dialect: Dialect,
) -> ModelResponse {
    let parts = vec![
        Ok(ModelDelta::Text(reply_text.into())),
        Ok(ModelDelta::Response(ModelResponse::text(reply_text))),
    ];
    let model = TextToolModel::new(Exactly(parts), mode, dialect);
    let earlier = Call { source: CallSource::Extracted, ..Call::new("c", "look", "{}") };
    let conversation = Conversation::from_iter([
        Message::user("What is it called?"),
        Message::Assistant(AssistantMessage { calls: vec![earlier], ..Default::default() }),
        Message::tool("c", "look", Outcome::ok(result)),
    ]);
    let tools = offered();
    let mut memo = RequestCache::default();
    let request = ModelRequest::new(&conversation, &tools, &mut memo).streamed();
    reply(model.call(request).collect().await)
}

/// The call of `add` with 1 and with 2, in forms of different dialects.
fn forms(number: u8) -> Vec<String> {
    vec![
        format!("{{\"name\": \"add\", \"arguments\": {{\"a\": {number}}}}}"),
        format!("{{\"tool\":\"add\",\"params\":{{\"a\":\"{number}\"}}}}"),
        format!(
            "<tool_call>\n{{\"name\": \"add\", \"arguments\": {{\"a\": {number}}}}}\n</tool_call>"
        ),
        format!("<function=add><parameter=a>{number}</parameter></function>"),
        format!(
            "<function_calls><invoke name=\"add\"><parameter name=\"a\">{number}</parameter></invoke></function_calls>"
        ),
        format!("[add(a={number})]"),
        format!("```json\n{{\"name\": \"add\", \"arguments\": {{\"a\": {number}}}}}\n```"),
    ]
}

/// A model that tells what stands in a result makes no call, whatever the form of either, however the
/// result wraps it, and in every mode.
#[tokio::test]
async fn a_call_that_is_quoted_from_a_result_is_not_made() {
    for mode in [ToolMode::Auto, ToolMode::Text] {
        for form in forms(1) {
            let inner = json!({"videos": [{"title": format!("Demo {form}")}]});
            let wrapped = [
                format!("The title: {form}"),
                inner.to_string(),
                json!({"content": inner.to_string()}).to_string(),
                format!("Found:\n{inner}"),
                format!("<think>{form}</think> nothing"),
                format!("[{{\"name\": \"add\", \"arguments\": {{\"a\": 0}}, oops\n{form}"),
                format!("{{\"broken\": \"\n{form}"),
            ];
            for result in wrapped {
                for said in forms(1) {
                    let said = format!("It is called {said}");
                    let reply = after_result(&result, &said, mode, Dialect::Auto).await;
                    assert_eq!(reply.calls, [], "{mode:?}\n{result}\n{said}");
                    assert!(reply.text.contains("a result of look"), "{}", reply.text);
                    assert_eq!(reply.finish, FinishReason::Stop);
                }
            }
        }
    }
}

/// Another call is made, and so is one that the user wrote down.
#[tokio::test]
async fn a_call_that_is_no_quotation_is_made() {
    for (result, said) in forms(1).into_iter().zip(forms(2)) {
        let reply = after_result(&result, &said, ToolMode::Text, Dialect::Auto).await;
        assert_eq!(reply.calls.len(), 1, "{said}");
    }
    let parts = vec![Ok(ModelDelta::Response(ModelResponse::text(CALL)))];
    let model = TextToolModel::new(Exactly(parts), ToolMode::Text, Dialect::Auto);
    let conversation = Conversation::from_iter([
        Message::user(format!("Please make this call: {CALL}")),
        Message::tool("c", "look", Outcome::ok(CALL)),
    ]);
    let (tools, memo) = (offered(), &mut RequestCache::default());
    let (conversation, choice) = (&conversation, ToolChoice::Auto);
    let request = ModelRequest::new(conversation, &tools, memo).choice(choice).streamed();
    assert_eq!(reply(model.call(request).collect().await).calls.len(), 1);
}

/// Who calls in the provider's own way writes nothing but text into its text.
#[tokio::test]
async fn the_text_of_a_model_that_calls_natively_is_only_text() {
    for (source, count) in [(CallSource::Native, 0), (CallSource::Extracted, 1)] {
        let parts = vec![
            Ok(ModelDelta::Text(CALL.into())),
            Ok(ModelDelta::Response(ModelResponse::text(CALL))),
        ];
        let model = TextToolModel::new(Exactly(parts), ToolMode::Auto, Dialect::Auto);
        let call = Call { source, ..Call::new("c", "look", "{}") };
        let conversation = Conversation::from_iter([
            Message::user("Well?"),
            Message::Assistant(AssistantMessage { calls: vec![call], ..Default::default() }),
            Message::tool("c", "look", Outcome::ok("seen")),
        ]);
        let (tools, memo) = (offered(), &mut RequestCache::default());
        let (conversation, choice) = (&conversation, ToolChoice::Auto);
        let request = ModelRequest::new(conversation, &tools, memo).choice(choice).streamed();
        let reply = reply(model.call(request).collect().await);
        assert_eq!(reply.calls.len(), count);
        assert_eq!(reply.text == CALL, count == 0);
    }
}
