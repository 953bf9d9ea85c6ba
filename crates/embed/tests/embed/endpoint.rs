use std::time::{Duration, Instant};

use toolwright_embed::{EmbedError, EmbedErrorKind, Embedder, Endpoint, EndpointSettings, Key};

use crate::{
    cosine,
    server::{Server, cut, direction, said, vectors},
};

const KEY: &str = "sk-do-not-show-this-0123456789";

fn settings(server: &Server) -> EndpointSettings {
    let settings = EndpointSettings::new(&server.base, "tiny");
    EndpointSettings { first_wait: Duration::from_millis(5), ..settings }
}

async fn refusal(server: &Server) -> EmbedError {
    Endpoint::connect(settings(server).with_key(Key::new(KEY))).await.unwrap_err()
}

fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|it| format!("{it} is a text")).collect()
}

#[tokio::test]
async fn texts_go_in_batches_and_vectors_come_back_in_order() {
    let server = Server::start(|_, asked| vectors(asked)).await;
    let endpoint = Endpoint::connect(settings(&server).with_key(Key::new(KEY))).await.unwrap();
    assert_eq!(endpoint.dimensions(), 3);
    let texts = numbered(150);
    let made = endpoint.embed(&texts).await.unwrap();
    assert_eq!(made.len(), 150);
    for (text, vector) in texts.iter().zip(&made) {
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-5);
        assert!(cosine(vector, &direction(text)) > 1.9999, "{text}");
    }
    let asked = server.asked();
    let sizes: Vec<_> = asked.iter().map(|it| it.input().len()).collect();
    assert_eq!(sizes, [1, 64, 64, 22]);
    assert!(asked.iter().all(|it| it.path == "/v1/embeddings"));
    assert!(asked.iter().all(|it| it.key.as_deref() == Some(&format!("Bearer {KEY}"))));
    assert!(asked.iter().all(|it| it.body.contains(r#""model":"tiny""#)));
}

#[tokio::test]
async fn a_batch_has_no_more_than_so_many_bytes_and_no_empty_text() {
    let server = Server::start(|_, asked| vectors(asked)).await;
    let endpoint = Endpoint::connect(settings(&server)).await.unwrap();
    let mut texts: Vec<String> = (0..5).map(|it| it.to_string() + &"é".repeat(60_000)).collect();
    texts.push("é".repeat(400_000));
    texts.push(String::new());
    assert_eq!(endpoint.embed(&texts).await.unwrap().len(), 7);
    let asked = server.asked();
    assert!(asked.iter().all(|it| it.body.len() < 301_000 && it.key.is_none()));
    let sizes: Vec<_> = asked.iter().map(|it| it.input().len()).collect();
    assert_eq!(sizes, [1, 2, 2, 1, 1, 1]);
    assert_eq!(asked.last().unwrap().input(), [" "]);
}

#[tokio::test]
async fn a_name_tells_models_and_places_apart() {
    let server = Server::start(|_, asked| vectors(asked)).await;
    let host = server.base.trim_start_matches("http://").to_owned();
    let slash = EndpointSettings { base: format!("{}/", server.base), ..settings(&server) };
    for settings in [settings(&server), slash] {
        let endpoint = Endpoint::connect(settings).await.unwrap();
        assert_eq!(endpoint.name(), format!("endpoint:tiny@{host}"));
    }
    let other = EndpointSettings { model: "other".to_owned(), ..settings(&server) };
    let other = Endpoint::connect(other).await.unwrap();
    assert_eq!(other.name(), format!("endpoint:other@{host}"));
}

#[tokio::test]
async fn an_endpoint_that_is_busy_is_asked_again_when_it_said() {
    let server = Server::start(|number, asked| {
        if number > 0 {
            return vectors(asked);
        }
        let mut busy = said(429, r#"{"error":{"message":"slow down"}}"#);
        busy.headers_mut().insert("retry-after", "1".parse().unwrap());
        busy
    })
    .await;
    let began = Instant::now();
    Endpoint::connect(settings(&server)).await.unwrap();
    assert!(began.elapsed() >= Duration::from_secs(1), "it came back too early");
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn an_endpoint_that_asks_for_too_long_a_wait_is_not_waited_for() {
    let server = Server::start(|_, _| {
        let mut busy = said(429, r#"{"error":{"message":"daily limit"}}"#);
        busy.headers_mut().insert("retry-after", "3600".parse().unwrap());
        busy
    })
    .await;
    let error = refusal(&server).await;
    assert_eq!(error.kind, EmbedErrorKind::Unavailable);
    assert!(error.message.contains("daily limit"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn failures_that_pass_are_waited_out() {
    let server = Server::start(|number, asked| match number {
        0 => said(503, "<html>"),
        1 => cut(),
        2 => said(200, r#"{"data":["#),
        3 => said(500, "{}"),
        _ => vectors(asked),
    })
    .await;
    Endpoint::connect(settings(&server)).await.unwrap();
    assert_eq!(server.asked().len(), 5);
}

#[tokio::test]
async fn failures_that_do_not_pass_end_after_four_more_attempts() {
    let failing = Server::start(|_, _| said(503, "overloaded")).await;
    let broken = Server::start(|_, _| cut()).await;
    for server in [failing, broken] {
        let error = refusal(&server).await;
        assert_eq!(error.kind, EmbedErrorKind::Unavailable);
        assert!(error.advice.is_some());
        assert_eq!(server.asked().len(), 5);
    }
}

#[tokio::test]
async fn nobody_there_is_unavailable() {
    let server = Server::start(|_, asked| vectors(asked)).await;
    let settings = settings(&server);
    drop(server);
    let error = Endpoint::connect(settings).await.unwrap_err();
    assert_eq!(error.kind, EmbedErrorKind::Unavailable);
}

#[tokio::test]
async fn an_endpoint_that_is_silent_is_not_waited_for() {
    // Takes connections, and never answers.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let brief = Duration::from_millis(20);
    let settings = EndpointSettings::new(base, "tiny");
    let settings = EndpointSettings { timeout: brief, first_wait: brief, ..settings };
    let error = Endpoint::connect(settings).await.unwrap_err();
    assert_eq!(error.kind, EmbedErrorKind::Unavailable);
    assert!(error.message.contains("did not answer within"), "{error}");
}

#[tokio::test]
async fn refusals_are_told_once_and_without_the_key() {
    let echo = format!(r#"{{"error":{{"message":"Incorrect API key provided: {KEY}."}}}}"#);
    let missing = r#"{"error":{"message":"The model `tiny` does not exist"}}"#;
    let cases = [
        (401, echo.as_str(), "does not accept the key"),
        (403, "", "does not accept the key"),
        (404, missing, "does not exist"),
        (400, r#"{"detail":"not an embedding model"}"#, "not an embedding model"),
    ];
    for (status, body, words) in cases {
        let body = body.to_owned();
        let server = Server::start(move |_, _| said(status, &body)).await;
        let error = refusal(&server).await;
        assert_eq!(error.kind, EmbedErrorKind::Refused, "{error}");
        assert!(error.message.contains(words), "{error}");
        assert!(error.advice.is_some());
        assert!(!format!("{error:?}").contains(KEY), "{error:?}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn answers_that_are_no_vectors_are_told() {
    let cases = [
        ("<html>hello</html>", "no list of vectors"),
        (r#"{"choices":[]}"#, "no list of vectors"),
        (r#"{"data":[]}"#, "0 vectors for 1 texts"),
        (r#"{"data":[{"index":0,"embedding":[0.0]}]}"#, "without direction"),
    ];
    for (body, words) in cases {
        let server = Server::start(move |_, _| said(200, body)).await;
        let error = refusal(&server).await;
        assert_eq!(error.kind, EmbedErrorKind::Unavailable);
        assert!(error.message.contains(words), "{error}");
        assert_eq!(server.asked().len(), 1);
    }
}

#[tokio::test]
async fn vectors_of_another_length_are_not_taken() {
    let server = Server::start(|number, asked| match number {
        0 => vectors(asked),
        _ => said(200, r#"{"data":[{"index":0,"embedding":[1.0,2.0]}]}"#),
    })
    .await;
    let endpoint = Endpoint::connect(settings(&server)).await.unwrap();
    let error = endpoint.embed(&numbered(1)).await.unwrap_err();
    assert!(error.message.contains("2 numbers"), "{error}");
}

#[tokio::test]
async fn the_key_does_not_follow_a_redirect() {
    let elsewhere = Server::start(|_, asked| vectors(asked)).await;
    let target = format!("{}/embeddings", elsewhere.base);
    let server = Server::start(move |_, _| {
        let mut there = said(307, "");
        there.headers_mut().insert("location", target.parse().unwrap());
        there
    })
    .await;
    let error = refusal(&server).await;
    assert!(error.message.contains("not followed"), "{error}");
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn the_key_is_never_shown() {
    let server = Server::start(|_, asked| vectors(asked)).await;
    let settings = settings(&server).with_key(Key::new(KEY));
    assert!(!format!("{settings:?}").contains(KEY));
    let endpoint = Endpoint::connect(settings).await.unwrap();
    assert!(!format!("{endpoint:?}").contains(KEY));
    let wrong =
        EndpointSettings::new(&server.base, "tiny").with_key(Key::new(format!("{KEY}\n{KEY}")));
    let error = Endpoint::connect(wrong).await.unwrap_err();
    assert_eq!(error.kind, EmbedErrorKind::Refused);
    assert!(!format!("{error:?}").contains(KEY));
}
