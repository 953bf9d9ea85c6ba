//! The switch that keeps tests from reaching a provider. It is global, hence a process of its own.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

use futures_util::StreamExt;
use toolwright_core::{
    Conversation, Message, Model, ModelDelta, ModelError, ModelErrorKind, ModelRequest,
    RequestCache, ToolDefinitions,
};
use toolwright_models::{Endpoint, EndpointConfig, forbid_real_requests};
use toolwright_testkit::{ModelServer, Reply};

async fn ask(base: &str) -> Result<String, ModelError> {
    let model = Endpoint::new(EndpointConfig::new(base, "m")).expect("an address");
    let conversation = Conversation::from_iter([Message::user("Well?")]);
    let (tools, mut memo) = (ToolDefinitions::default(), RequestCache::default());
    let parts = model.call(ModelRequest::new(&conversation, &tools, &mut memo).streamed());
    let parts: Vec<_> = parts.collect().await;
    match parts.into_iter().last().expect("an end")? {
        ModelDelta::Response(reply) => Ok(reply.text),
        other => unreachable!("{other:?}"),
    }
}

#[tokio::test]
async fn only_this_machine_is_asked() {
    let server = ModelServer::start_with(|_| Reply::text("Hi")).await;
    // Reaches the same server, and is no loopback address.
    let elsewhere = server.base_url().replace("127.0.0.1", "0.0.0.0");
    assert_eq!(ask(&elsewhere).await.as_deref(), Ok("Hi"), "allowed so far");
    let asked = server.requests().len();

    forbid_real_requests();
    for base in [
        elsewhere.as_str(),
        "http://192.0.2.1:9/v1",
        "https://api.openai.com/v1",
        "http://localhost.example/v1",
        "http://127.0.0.1@example.com/v1",
        "http://[2001:db8::1]/v1",
    ] {
        let error = ask(base).await.expect_err(base);
        assert_eq!(error.kind, ModelErrorKind::NotConfigured, "{base}");
        assert!(error.message.starts_with("real requests are forbidden"), "{error}");
        let model = Endpoint::new(EndpointConfig::new(base, "m")).expect("an address");
        let error = model.models().await.expect_err(base);
        assert_eq!(error.kind, ModelErrorKind::NotConfigured, "{base}");
    }
    assert_eq!(server.requests().len(), asked, "nothing was sent");

    assert_eq!(ask(server.base_url()).await.as_deref(), Ok("Hi"));
    let by_name = server.base_url().replace("127.0.0.1", "localhost");
    assert_eq!(ask(&by_name).await.as_deref(), Ok("Hi"));
    // Nobody listens there, but it may be tried.
    let error = ask("http://[::1]:1/v1").await.expect_err("nobody listens");
    assert_eq!(error.kind, ModelErrorKind::Connection);
}
