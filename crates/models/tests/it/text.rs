//! [`Interpreted`] over models that hand their replies on in unusual ways.

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use serde_json::json;
use toolwright_core::{
    Call, Conversation, Definitions, Finish, Memo, Message, Model, ModelError, ModelErrorKind,
    Obtained, Part, Parts, Reply, Request, ToolChoice, ToolSpec, Usage,
};
use toolwright_dialects::Dialect;
use toolwright_models::{Interpreted, ToolMode};

const CALL: &str = "{\"tool\": \"add\", \"params\": {\"a\": 1}}";

/// A model that hands on exactly these parts.
struct Exactly(Vec<Result<Part, ModelError>>);

impl Model for Exactly {
    fn name(&self) -> &str {
        "exactly"
    }

    fn call(&self, _: Request<'_>) -> Parts {
        Box::pin(stream::iter(self.0.clone()))
    }
}

fn offered() -> Definitions {
    let parameters = json!({"type": "object", "properties": {"a": {"type": "integer"}}});
    Definitions::new([Arc::new(ToolSpec::new("add", "Adds.", parameters))])
}

async fn heard(
    parts: Vec<Result<Part, ModelError>>,
    mode: ToolMode,
    tools: &Definitions,
) -> Vec<Result<Part, ModelError>> {
    let model = Interpreted::new(Exactly(parts), mode, Dialect::Generic);
    let conversation = Conversation::from_iter([Message::user("One and one?")]);
    let request = Request {
        conversation: &conversation,
        tools,
        choice: ToolChoice::Auto,
        stream: true,
        memo: &mut Memo::default(),
    };
    model.call(request).collect().await
}

/// The reply that stands at the end, alone.
#[track_caller]
fn reply(mut parts: Vec<Result<Part, ModelError>>) -> Reply {
    let Some(Ok(Part::Reply(reply))) = parts.pop() else { panic!("no reply: {parts:?}") };
    assert!(!parts.iter().any(|it| matches!(it, Ok(Part::Reply(_)))), "{parts:?}");
    reply
}

fn found() -> Call {
    Call { obtained: Obtained::Extracted, ..Call::new("", "add", "{\"a\":1}") }
}

#[tokio::test]
async fn text_that_only_stands_in_the_reply_is_searched_too() {
    let whole = Reply::text(format!("I add. {CALL}"));
    for before in [vec![], vec![Part::Text("I a".into())], vec![Part::Text(whole.text.clone())]] {
        let mut parts: Vec<_> = before.into_iter().map(Ok).collect();
        parts.push(Ok(Part::Reply(whole.clone())));
        let reply = reply(heard(parts, ToolMode::Text, &offered()).await);
        assert_eq!(reply.text, "I add.");
        assert_eq!(reply.calls, [found()]);
        assert_eq!(reply.finish, Finish::ToolCalls);
    }
}

#[tokio::test]
async fn what_else_the_reply_says_is_kept() {
    let usage = Usage { prompt_tokens: 3, completion_tokens: 4, ..Usage::default() };
    let extra = Some(json!({"signature": "x"}).as_object().unwrap().clone());
    let said = Reply {
        text: CALL.into(),
        reasoning: "Hm.".into(),
        finish: Finish::Length,
        usage,
        extra: extra.clone(),
        ..Reply::default()
    };
    let reply = reply(heard(vec![Ok(Part::Reply(said))], ToolMode::Text, &offered()).await);
    assert_eq!((reply.usage, reply.extra, reply.reasoning.as_str()), (usage, extra, "Hm."));
    // The call is whole; what came behind it is not known.
    assert_eq!((reply.calls, reply.finish), (vec![found()], Finish::Length));
}

#[tokio::test]
async fn nothing_is_mended_in_a_reply_that_was_cut_off() {
    let broken = CALL.replace("1}", "1,}");
    for (finish, arguments) in [(Finish::Stop, "{\"a\":1}"), (Finish::Length, "{")] {
        let said = Reply { text: broken.clone(), finish, ..Reply::default() };
        let reply = reply(heard(vec![Ok(Part::Reply(said))], ToolMode::Text, &offered()).await);
        let arguments_of: Vec<_> = reply.calls.iter().map(|call| &*call.arguments).collect();
        assert_eq!(arguments_of, [arguments], "{finish:?}");
    }
}

#[tokio::test]
async fn native_calls_win_in_every_mode() {
    let native =
        Reply { text: format!("Not {CALL}."), ..Reply::calls([Call::new("x", "add", "{}")]) };
    for mode in [ToolMode::Native, ToolMode::Text, ToolMode::Auto] {
        let parts = vec![
            Ok(Part::Text(native.text.clone())),
            Ok(Part::CallName { index: 0, name: "add".into() }),
            Ok(Part::Reply(native.clone())),
        ];
        assert_eq!(reply(heard(parts, mode, &offered()).await), native);
    }
}

#[tokio::test]
async fn without_tools_nothing_is_looked_for() {
    let said = Reply::text(CALL);
    let parts = vec![Ok(Part::Reply(said.clone()))];
    assert_eq!(reply(heard(parts, ToolMode::Auto, &Definitions::default()).await), said);
}

#[tokio::test]
async fn errors_are_handed_on_and_a_broken_stream_is_one() {
    let error = ModelError::new(ModelErrorKind::Server, "the tools are on fire");
    let mut parts =
        heard(vec![Ok(Part::Text("I ".into())), Err(error.clone())], ToolMode::Auto, &offered())
            .await;
    assert_eq!(parts.pop(), Some(Err(error)));
    let mut parts = heard(vec![Ok(Part::Text("I ".into()))], ToolMode::Text, &offered()).await;
    assert_eq!(parts.pop().unwrap().unwrap_err().kind, ModelErrorKind::BrokenReply);
}

#[tokio::test]
async fn a_refusal_after_the_reply_began_is_an_error() {
    let refusal = ModelError::new(ModelErrorKind::Request, "this model does not support tools");
    let parts = vec![Ok(Part::Text("I ".into())), Err(refusal.clone())];
    let mut parts = heard(parts, ToolMode::Auto, &offered()).await;
    assert_eq!(parts.pop(), Some(Err(refusal)));
}
