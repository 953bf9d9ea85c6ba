//! Failures: every vendor's forms of them are the same few kinds, and what passes is waited for.

use std::time::Duration;

use futures_util::StreamExt;
use toolwright_core::{
    Conversation, Message, Model, ModelDelta, ModelErrorKind, ModelRequest, RequestCache,
    ToolDefinitions,
};
use toolwright_models::Endpoint;
use toolwright_testkit::{BreakForm, Failure, Fault, Reply, Spoken, SpokenApi};

use crate::support::{KEY, apis, ask, config, hear, serve};

fn kind(failure: Failure) -> ModelErrorKind {
    match failure {
        Failure::TooLong => ModelErrorKind::TooLong,
        Failure::Key | Failure::Forbidden => ModelErrorKind::Auth,
        Failure::NoModel => ModelErrorKind::NotFound,
        Failure::RateLimited => ModelErrorKind::RateLimited,
        Failure::Quota => ModelErrorKind::Quota,
        Failure::Server | Failure::Overloaded => ModelErrorKind::Server,
        _ => ModelErrorKind::Request,
    }
}

#[tokio::test]
async fn every_refusal_is_one_of_a_few_kinds_and_tells_what_to_do() {
    for (api, spoken) in apis() {
        for failure in Failure::ALL {
            for stream in [true, false] {
                let server = serve([Reply::failure(failure)]).await;
                let model = Endpoint::new(config(&server, api, spoken)).unwrap();
                let error = ask(&model, stream).await.unwrap_err();
                let wanted = kind(failure);
                // A limit that does not pass looks like one that does, but for the time it tells.
                let is_fine = error.kind == wanted
                    || (failure == Failure::Quota && error.kind == ModelErrorKind::RateLimited);
                assert!(is_fine, "{api}: {failure:?} is {error:?}");
                assert_eq!(error.status, Some(failure.status(spoken)), "{api}");
                assert!(error.advice.is_some() || wanted == ModelErrorKind::Request, "{error:?}");
                assert!(!error.message.contains(KEY), "{error:?}");
            }
        }
    }
}

#[tokio::test]
async fn what_passes_is_asked_again_and_what_does_not_is_not() {
    for (api, spoken) in apis() {
        for failure in Failure::ALL {
            // Ollama tells neither a time nor a reason by which the two are told apart.
            if failure == Failure::Quota && spoken == SpokenApi::Ollama {
                continue;
            }
            let replies = [Reply::failure(failure), Reply::text("So.")];
            let server = serve(replies.into_iter().take(1 + usize::from(failure.passes()))).await;
            let mut config = config(&server, api, spoken);
            config.retry.retries = 2;
            let heard = ask(&Endpoint::new(config).unwrap(), true).await;
            assert_eq!(heard.is_ok(), failure.passes(), "{api}: {failure:?}: {heard:?}");
            assert_eq!(server.problems(), [""; 0], "{api}: {failure:?}");
        }
    }
}

#[tokio::test]
async fn how_long_to_wait_is_read_in_every_form_a_vendor_has() {
    let asked = Duration::from_secs(7);
    for (api, spoken) in apis() {
        for form in spoken.retry_forms() {
            let reply = Reply::failure(Failure::RateLimited).retry_after(asked, *form);
            let server = serve([reply]).await;
            let error = ask(&Endpoint::new(config(&server, api, spoken)).unwrap(), true).await;
            let wait = error.unwrap_err().retry_after;
            // A date has whole seconds.
            let close = Duration::from_secs(5)..=Duration::from_secs(8);
            assert!(wait.is_some_and(|it| close.contains(&it)), "{api}, {form:?}: {wait:?}");
        }
    }
}

#[tokio::test]
async fn a_failure_in_the_middle_ends_the_reply() {
    for (api, spoken) in apis() {
        for form in [BreakForm::Usual, BreakForm::Flat, BreakForm::FailedOnly] {
            for failure in [Failure::Overloaded, Failure::Server] {
                let reply = Spoken::text("It is 31").breaks(failure, form);
                let server = serve([Reply::spoken(reply)]).await;
                let model = Endpoint::new(config(&server, api, spoken)).unwrap();
                let error = ask(&model, true).await.expect_err("it broke off");
                assert!(error.is_transient(), "{api}, {form:?}: {error:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_stream_that_is_cut_is_no_answer() {
    for (api, spoken) in apis() {
        let said = Spoken::text("It is 31 degrees in Pune, and the sun is out.");
        let length = spoken.stream(&said, "scripted").len();
        for at in [1, length / 3, length / 2] {
            for fault in [Fault::CutAt(at), Fault::ResetAt(at)] {
                let server = serve([Reply::spoken(said.clone()).fault(fault)]).await;
                let model = Endpoint::new(config(&server, api, spoken)).unwrap();
                let error = ask(&model, true).await.expect_err("half a stream");
                assert!(error.is_transient(), "{api}, {fault:?}: {error:?}");
            }
        }
        let server = serve([Reply::spoken(said.clone().unended())]).await;
        let ended = ask(&Endpoint::new(config(&server, api, spoken)).unwrap(), true).await;
        if let Ok(reply) = ended {
            assert_eq!(reply.text, "It is 31 degrees in Pune, and the sun is out.", "{api}");
        }
    }
}

#[tokio::test]
async fn garbage_in_the_middle_is_no_panic_and_no_half_answer() {
    for (api, spoken) in apis() {
        let said =
            Spoken::text("It is 31 degrees.").call("c1", "get_weather", r#"{"city":"Pune"}"#);
        let length = spoken.stream(&said, "scripted").len();
        for at in (0..length).step_by(97) {
            let server = serve([Reply::spoken(said.clone()).fault(Fault::GarbageAt(at))]).await;
            let model = Endpoint::new(config(&server, api, spoken)).unwrap();
            if let Ok(reply) = ask(&model, true).await {
                assert!("It is 31 degrees.".starts_with(&reply.text) || reply.calls.len() == 1);
            }
        }
    }
}

#[tokio::test]
async fn whoever_leaves_in_the_middle_ends_the_connection() {
    for (api, spoken) in apis() {
        let said = Reply::text("It is 31 degrees in Pune.").fault(Fault::StallAt(400));
        let server = serve([said]).await;
        let model = Endpoint::new(config(&server, api, spoken)).unwrap();
        let conversation = Conversation::from_iter([Message::user("Well?")]);
        let (tools, mut memo) = (ToolDefinitions::default(), RequestCache::default());
        let request = ModelRequest::new(&conversation, &tools, &mut memo).streamed();
        let mut coming = model.call(request);
        let first = tokio::select! {
            part = coming.next() => part,
            () = server.received(1) => None,
        };
        assert!(!matches!(first, Some(Ok(ModelDelta::Response(_)))), "{api}");
        drop(coming);
        server.quiet().await;
    }
}

#[tokio::test]
async fn what_answers_and_is_no_api_is_told_so() {
    let page = "<html><body>Welcome</body></html>";
    for (api, spoken) in apis() {
        let odd = [
            Reply::json(serde_json::json!({"hello": "world"})),
            Reply::json(serde_json::json!([1, 2, 3])),
            Reply::json(serde_json::json!(null)),
            Reply::status(200).body(page).header("content-type", "text/html"),
            Reply::status(200).body(""),
        ];
        for reply in odd {
            for stream in [true, false] {
                let server = serve([reply.clone()]).await;
                let model = Endpoint::new(config(&server, api, spoken)).unwrap();
                let error = ask(&model, stream).await.expect_err("no reply");
                assert_eq!(error.kind, ModelErrorKind::BrokenReply, "{api}: {error:?}");
            }
        }
    }
}

#[tokio::test]
async fn types_that_lie_are_errors_or_nothing_and_never_a_panic() {
    // Every value of a reply in turn is something else.
    let lies = ["null", "7", "\"x\"", "[]", "{}", "true", "-1e400"];
    for (api, spoken) in apis() {
        let said = Spoken::reasoning("Hm.", Some("c2VhbA==")).and_text("So.").call(
            "c1",
            "get_weather",
            r#"{"city":"Pune"}"#,
        );
        let whole = spoken.whole(&said, "scripted");
        let mut places = Vec::new();
        pointers(&whole, String::new(), &mut places);
        for (number, place) in places.iter().enumerate() {
            let lie = lies[number % lies.len()];
            let mut body = whole.clone();
            *body.pointer_mut(place).unwrap() =
                serde_json::from_str(lie).unwrap_or_else(|_| serde_json::json!(1e300));
            let server = serve([Reply::json(body)]).await;
            let model = Endpoint::new(config(&server, api, spoken)).unwrap();
            let conversation = Conversation::from_iter([Message::user("Well?")]);
            let (tools, mut memo) = (ToolDefinitions::default(), RequestCache::default());
            let request = ModelRequest::new(&conversation, &tools, &mut memo);
            let _either = hear(&model, request).await;
        }
    }
}

fn pointers(value: &serde_json::Value, at: String, all: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                pointers(value, format!("{at}/{key}"), all);
            }
        }
        serde_json::Value::Array(list) => {
            for (number, value) in list.iter().enumerate() {
                pointers(value, format!("{at}/{number}"), all);
            }
        }
        _ => {}
    }
    if !at.is_empty() {
        all.push(at);
    }
}
