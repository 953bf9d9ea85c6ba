//! A request that grows with its conversation is the one that is written anew, to the byte; and what is in
//! front of what is new never changes, so that providers find it in their caches.

use proptest::prelude::*;
use toolwright_core::{
    Conversation, Message, ModelRequest, ModelResponse, Outcome, RequestCache, UserMessage,
};
use toolwright_models::{Api, Endpoint};
use toolwright_testkit::{Reply, SpokenApi};

use crate::support::{apis, call, config, hear, message, picture, serve, tools};

/// One step of a conversation: a question, and perhaps calls with their results.
#[derive(Clone, Debug)]
struct Turn {
    question: String,
    attached: bool,
    calls: Vec<(String, bool)>,
    answer: String,
}

fn turn() -> impl Strategy<Value = Turn> {
    let call = ("[ -~é]{0,12}", any::<bool>());
    ("[ -~ü🌤]{1,16}", any::<bool>(), proptest::collection::vec(call, 0..3), "[ -~]{1,8}")
        .prop_map(|(question, attached, calls, answer)| Turn { question, attached, calls, answer })
}

/// The messages of a turn, cut where a model is asked.
fn messages(turn: &Turn, number: usize) -> Vec<Vec<Message>> {
    let mut question = UserMessage::new(&turn.question);
    if turn.attached {
        question = question.with_attachment(picture());
    }
    let mut asked = vec![vec![Message::User(question)]];
    if !turn.calls.is_empty() {
        let id = |at: usize| format!("call_{number}_{at}");
        let arguments = |text: &String| serde_json::json!({"city": text}).to_string();
        let calls = turn.calls.iter().enumerate();
        let calls = calls.map(|(at, (text, _))| call(&id(at), "get_weather", &arguments(text)));
        let mut results = vec![message(ModelResponse::calls(calls))];
        results.extend(turn.calls.iter().enumerate().map(|(at, (text, pictured))| {
            let outcome = Outcome::ok(text.clone());
            let outcome = match pictured {
                true => outcome.with_attachments(vec![picture()]),
                false => outcome,
            };
            Message::tool(id(at), "get_weather", outcome)
        }));
        asked.push(results);
    }
    asked.push(vec![Message::assistant(&turn.answer)]);
    asked
}

async fn grown(api: Api, spoken: SpokenApi, turns: &[Turn]) {
    let steps: Vec<Vec<Message>> =
        turns.iter().enumerate().flat_map(|(at, turn)| messages(turn, at)).collect();
    let is_question = |step: &&Vec<Message>| !matches!(step.last(), Some(Message::Assistant(_)));
    let questions = steps.iter().filter(is_question).count();
    let replies = (0..questions * 2).map(|_| Reply::text("So."));
    let server = serve(replies).await;
    let model = Endpoint::new(config(&server, api, spoken)).unwrap();
    let (tools, mut memo) = (tools(), RequestCache::default());
    let mut conversation = Conversation::from_iter([Message::system("Be brief.")]);
    let mut asked = 0;
    for step in steps {
        let is_asked = is_question(&&step);
        step.into_iter().for_each(|message| conversation.push(message));
        if !is_asked {
            continue;
        }
        let mut anew = RequestCache::default();
        for memo in [&mut memo, &mut anew] {
            let request = ModelRequest::new(&conversation, &tools, memo);
            hear(&model, request).await.1.unwrap();
            asked += 1;
        }
    }
    server.assert_clean();
    let raw: Vec<_> = server.requests().into_iter().map(|it| it.raw).collect();
    assert_eq!(raw.len(), asked);
    for pair in raw.chunks(2) {
        assert_eq!(pair[0], pair[1], "{api}: grown, and written anew");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn growing_is_writing_anew(turns in proptest::collection::vec(turn(), 1..4)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        for (api, spoken) in apis() {
            runtime.block_on(grown(api, spoken, &turns));
        }
    }
}
