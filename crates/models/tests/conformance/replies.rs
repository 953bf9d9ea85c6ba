//! Replies: what a model says is the same in every API, however it arrives.

use toolwright_core::{Call, FinishReason, ModelResponse};
use toolwright_models::Endpoint;
use toolwright_testkit::{Chunking, Reply, Spoken, SpokenApi, SpokenStop};

use crate::support::{apis, ask, config, serve};

/// What every API makes of a reply, in every chunking and whole; all the same.
async fn heard(spoken: &Spoken, of: SpokenApi) -> ModelResponse {
    let (api, _) = apis().find(|(_, it)| *it == of).unwrap();
    let mut all = Vec::new();
    let cuts = [Chunking::OneByte, Chunking::PerEvent, Chunking::Random(7), Chunking::Random(42)];
    for chunking in cuts {
        let server = serve([Reply::spoken(spoken.clone()).chunking(chunking)]).await;
        let model = Endpoint::new(config(&server, api, of)).unwrap();
        all.push((format!("{chunking:?}"), ask(&model, true).await));
        server.assert_clean();
    }
    let server = serve([Reply::spoken(spoken.clone())]).await;
    let model = Endpoint::new(config(&server, api, of)).unwrap();
    let whole = ask(&model, false).await;
    server.assert_clean();
    for (cut, reply) in all {
        assert_eq!(
            reply.map(comparable),
            whole.clone().map(comparable),
            "{api}, cut {cut} and whole"
        );
    }
    whole.unwrap_or_else(|error| panic!("{api}: {error}"))
}

/// What does not depend on how it was cut: where in a text a provider puts its seal, does.
fn comparable(mut reply: ModelResponse) -> ModelResponse {
    reply.extra = reply.extra.map(|it| it.into_iter().map(|(key, _)| (key, true.into())).collect());
    reply
}

fn calls(reply: &ModelResponse) -> Vec<(&str, &str)> {
    reply.calls.iter().map(|it| (it.name.as_str(), it.arguments.as_str())).collect()
}

#[tokio::test]
async fn text() {
    for (_, api) in apis() {
        let reply = heard(&Spoken::text("Grüße aus Pune: 31 °C 🌤."), api).await;
        assert_eq!(reply.text, "Grüße aus Pune: 31 °C 🌤.", "{api:?}");
        assert_eq!(reply.finish, FinishReason::Stop, "{api:?}");
        // Which phase of an answer it is goes back to whom it came from.
        let is_bound = reply.is_bound() && api != SpokenApi::Responses;
        assert!(reply.calls.is_empty() && !is_bound, "{api:?}: {reply:?}");
        let usage = (reply.usage.prompt_tokens, reply.usage.completion_tokens);
        assert_eq!(usage, (10, 5), "{api:?}");
    }
}

#[tokio::test]
async fn a_call_several_and_text_before_them() {
    let one = r#"{"city":"Pune"}"#;
    let two = r#"{"city":"Köln \"am\" Rhein"}"#;
    for (_, api) in apis() {
        let reply = heard(&Spoken::default().call("call_1", "get_weather", one), api).await;
        assert_eq!(calls(&reply), [("get_weather", one)], "{api:?}");
        assert_eq!(reply.finish, FinishReason::ToolCalls, "{api:?}");
        let spoken = Spoken::text("One moment.")
            .call("call_1", "get_weather", one)
            .call("call_2", "get_weather", two)
            .call("call_3", "get_time", "{}");
        let reply = heard(&spoken, api).await;
        assert_eq!(reply.text, "One moment.", "{api:?}");
        let wanted = [("get_weather", one), ("get_weather", two), ("get_time", "{}")];
        assert_eq!(calls(&reply), wanted, "{api:?}");
        let ids: Vec<_> = reply.calls.iter().map(|it| it.id.as_str()).collect();
        assert_eq!(ids, ["call_1", "call_2", "call_3"], "{api:?}");
    }
}

#[tokio::test]
async fn a_tool_that_nobody_offered_is_still_a_call() {
    for (_, api) in apis() {
        let reply = heard(&Spoken::default().call("c1", "order_pizza", "{}"), api).await;
        assert_eq!(calls(&reply), [("order_pizza", "{}")], "{api:?}");
    }
}

#[tokio::test]
async fn reasoning_is_shown_and_what_is_sealed_is_kept() {
    for (_, api) in apis() {
        let spoken = Spoken::reasoning("Let me think.", Some("c2VhbA==")).and_text("So.");
        let reply = heard(&spoken, api).await;
        assert_eq!((reply.reasoning.as_str(), reply.text.as_str()), ("Let me think.", "So."));
        assert!(reply.is_bound() && reply.model.is_some(), "{api:?}: {reply:?}");
    }
}

#[tokio::test]
async fn why_it_stopped() {
    let cases = [
        (SpokenStop::Length, FinishReason::Length),
        (SpokenStop::Filter, FinishReason::ContentFilter),
    ];
    for (_, api) in apis() {
        for (stop, finish) in cases.clone() {
            // Ollama knows no filter.
            if api == SpokenApi::Ollama && finish == FinishReason::ContentFilter {
                continue;
            }
            let reply = heard(&Spoken::text("Cut of").stop(stop), api).await;
            assert_eq!(reply.finish, finish, "{api:?}");
        }
    }
}

#[tokio::test]
async fn a_refusal_is_told_from_an_answer() {
    for (_, api) in apis().filter(|(_, api)| *api != SpokenApi::Ollama) {
        let reply = heard(&Spoken::refusal("I will not."), api).await;
        let is_told = matches!(reply.finish, FinishReason::Refusal | FinishReason::ContentFilter);
        assert!(is_told, "{api:?}: {reply:?}");
    }
}

#[tokio::test]
async fn what_it_cost() {
    for (_, api) in apis() {
        let reply = heard(&Spoken::text("So.").usage(100, 30).of_which(64, 12), api).await;
        assert_eq!(reply.usage.prompt_tokens, 100, "{api:?}");
        assert_eq!(reply.usage.completion_tokens, 30, "{api:?}");
        // Ollama tells neither.
        if api != SpokenApi::Ollama {
            assert_eq!(reply.usage.cached_tokens, 64, "{api:?}");
        }
        if !matches!(api, SpokenApi::Ollama | SpokenApi::Messages) {
            assert_eq!(reply.usage.reasoning_tokens, 12, "{api:?}");
        }
        let reply = heard(&Spoken::text("So.").without_usage(), api).await;
        assert_eq!(reply.usage.prompt_tokens, 0, "{api:?}");
    }
}

#[tokio::test]
async fn arguments_of_a_reply_that_was_cut_off_are_not_completed() {
    // The others have arguments as objects, which are whole or not there.
    for api in [SpokenApi::Chat, SpokenApi::Responses] {
        let spoken = Spoken::default().call("c1", "get_weather", r#"{"city":"Pu"#);
        let reply = heard(&spoken.stop(SpokenStop::Length), api).await;
        assert_eq!(reply.finish, FinishReason::Length, "{api:?}");
        let cut = reply.calls.iter().map(|Call { arguments, .. }| arguments.as_str());
        assert!(cut.into_iter().all(|it| it == r#"{"city":"Pu"#), "{api:?}: {reply:?}");
    }
}
