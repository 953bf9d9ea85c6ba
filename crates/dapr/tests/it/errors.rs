//! What goes wrong, and what a person is told.

use std::time::Duration;

use tokio::{io::AsyncWriteExt, net::TcpListener};
use toolwright_core::{ModelError, ModelErrorKind, ModelResponse, OutputStrategy};
use toolwright_dapr::{DaprConfig, DaprModel, Refused};
use toolwright_models::Scripted;

use crate::support::{More, Running, TOKEN, TokenDoor, ask, question};

async fn failure(model: &DaprModel) -> ModelError {
    ask(model, &question("Hello"), &[], More::default()).await.unwrap_err()
}

fn advice(error: &ModelError) -> &str {
    error.advice.as_deref().unwrap_or_default()
}

#[tokio::test]
async fn nobody_is_there() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut config = DaprConfig::new("llm");
    config.endpoint = format!("http://{address}");
    let model = DaprModel::new(config).unwrap();
    let error = failure(&model).await;
    assert_eq!(error.kind, ModelErrorKind::Connection);
    assert!(error.message.starts_with(&format!("no Dapr sidecar answers at http://{address}")));
    assert!(advice(&error).contains("DAPR_GRPC_PORT"), "{error:?}");
    assert_eq!(model.components().await.unwrap_err().kind, ModelErrorKind::Connection);
}

#[tokio::test]
async fn there_is_no_such_component() {
    let running = Running::saying([]).await;
    let mut config = running.config();
    config.component = "gpt".to_owned();
    let error = failure(&DaprModel::new(config).unwrap()).await;
    assert_eq!(error.kind, ModelErrorKind::NotFound);
    assert!(error.message.contains("failed finding conversation component gpt"), "{error:?}");
    assert!(advice(&error).contains("`gpt`") && advice(&error).contains("dapr:NAME"), "{error:?}");
}

#[tokio::test]
async fn the_token_is_wrong_and_not_told() {
    let door = TokenDoor(Some(TOKEN), None);
    let script = Scripted::new([ModelResponse::text("Yes.")]);
    let running = Running::with(script, OutputStrategy::Native, door).await;
    let error = failure(&running.model()).await;
    assert_eq!(error.kind, ModelErrorKind::Auth);
    assert!(advice(&error).contains("DAPR_API_TOKEN"), "{error:?}");
    let mut config = running.config();
    config.api_token = Some(TOKEN.to_owned());
    assert!(!format!("{config:?}").contains(TOKEN));
    let model = DaprModel::new(config).unwrap();
    let reply = ask(&model, &question("Hello"), &[], More::default()).await.unwrap();
    assert_eq!(reply.text, "Yes.");
}

/// What a provider says of a token is told without it.
#[tokio::test]
async fn no_secret_comes_back() {
    let words = format!("the key {TOKEN} is not valid");
    let script = Scripted::default().then_fail(ModelError::new(ModelErrorKind::Auth, words));
    let running = Running::with(script, OutputStrategy::Native, TokenDoor(None, None)).await;
    let mut config = running.config();
    config.api_token = Some(TOKEN.to_owned());
    let error = failure(&DaprModel::new(config).unwrap()).await;
    assert_eq!(error.kind, ModelErrorKind::Server);
    assert!(error.message.contains("failed conversing with component llm"), "{error:?}");
    assert!(!error.message.contains(TOKEN), "{error:?}");
}

#[tokio::test]
async fn there_is_no_room() {
    let door = TokenDoor(None, Some(Refused::Busy));
    let running = Running::with(Scripted::default(), OutputStrategy::Native, door).await;
    assert_eq!(failure(&running.model()).await.kind, ModelErrorKind::RateLimited);
    let door = TokenDoor(None, Some(Refused::Stopping));
    let running = Running::with(Scripted::default(), OutputStrategy::Native, door).await;
    assert_eq!(failure(&running.model()).await.kind, ModelErrorKind::Connection);
}

#[tokio::test]
async fn the_model_cannot_read_so_much() {
    let error =
        ModelError::new(ModelErrorKind::TooLong, "the maximum context length is 8192 tokens");
    let script = Scripted::default().then_fail(error.with_advice("start anew"));
    let running = Running::with(script, OutputStrategy::Native, TokenDoor(None, None)).await;
    let error = failure(&running.model()).await;
    assert_eq!(error.kind, ModelErrorKind::TooLong);
    assert!(error.message.contains("what to do: start anew"), "{error:?}");
}

#[tokio::test]
async fn a_request_is_too_large() {
    let running = Running::saying([]).await;
    let long = question(&"a".repeat(5 << 20));
    let error = ask(&running.model(), &long, &[], More::default()).await.unwrap_err();
    assert!(error.message.contains("bytes"), "{error:?}");
}

/// The HTTP port is taken for the other one.
#[tokio::test]
async fn the_port_speaks_something_else() {
    let running = Running::saying([]).await;
    let mut config = running.config();
    config.endpoint = format!("http://{}", running.http);
    let error = failure(&DaprModel::new(config).unwrap()).await;
    assert_eq!(error.kind, ModelErrorKind::Connection);
    assert!(advice(&error).contains("gRPC port"), "{error:?}");

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await;
        }
    });
    let mut config = DaprConfig::new("llm");
    config.endpoint = address.to_string();
    let error = failure(&DaprModel::new(config).unwrap()).await;
    assert_eq!(error.kind, ModelErrorKind::Connection);
    assert!(advice(&error).contains("gRPC port"), "{error:?}");
}

#[tokio::test]
async fn nothing_comes_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut config = DaprConfig::new("llm");
    config.endpoint = format!("http://{address}");
    config.timeout = Duration::from_millis(50);
    let error = failure(&DaprModel::new(config).unwrap()).await;
    assert!(error.is_timeout(), "{error:?}");
    drop(listener);
}

#[test]
fn settings_are_read_as_the_sdks_read_them() {
    let endpoint = |vars: &[(&'static str, &str)]| {
        let vars = vars.to_vec();
        let get =
            move |name: &'static str| vars.iter().find(|it| it.0 == name).map(|it| it.1.to_owned());
        DaprConfig::from_vars("llm", &get)
    };
    assert_eq!(endpoint(&[]).endpoint, "http://127.0.0.1:50001");
    assert_eq!(endpoint(&[("DAPR_GRPC_PORT", "4000")]).endpoint, "http://127.0.0.1:4000");
    let both = [("DAPR_GRPC_PORT", "4000"), ("DAPR_GRPC_ENDPOINT", "https://dapr.example:443")];
    assert_eq!(endpoint(&both).endpoint, "https://dapr.example:443");
    let token = endpoint(&[("DAPR_API_TOKEN", TOKEN)]).api_token;
    assert_eq!(token.as_deref(), Some(TOKEN));
    for good in ["dns:host.example:50001", "host.example:443?tls=true", "http://[::1]:50001/"] {
        let config = endpoint(&[("DAPR_GRPC_ENDPOINT", good)]);
        assert!(DaprModel::new(config).is_ok(), "{good}");
    }
    for bad in ["unix:///tmp/dapr.sock", "http://name:secret@host:1", "ftp://host", "a b"] {
        let error = DaprModel::new(endpoint(&[("DAPR_GRPC_ENDPOINT", bad)])).err().unwrap();
        assert_eq!(error.kind, ModelErrorKind::NotConfigured, "{bad}");
        assert!(!error.message.contains("secret"), "{error:?}");
    }
    assert!(DaprModel::new(DaprConfig::new(" ")).is_err());
}
