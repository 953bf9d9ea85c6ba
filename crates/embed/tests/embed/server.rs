//! An endpoint whose answers the test gives.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::Response,
};
use bytes::Bytes;
use futures_util::stream;
use tokio::{net::TcpListener, task::JoinHandle};

/// What an endpoint was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) key: Option<String>,
    pub(crate) body: String,
}

impl Asked {
    /// The texts in it. They have no quotes and no commas.
    pub(crate) fn input(&self) -> Vec<String> {
        let start = self.body.find("\"input\":[").unwrap() + 9;
        let list = &self.body[start..start + self.body[start..].find(']').unwrap()];
        list.split(',').map(|it| it.trim_matches('"').to_owned()).collect()
    }
}

type Play = dyn Fn(usize, &Asked) -> Response + Send + Sync;

#[derive(Clone)]
struct Stage {
    play: Arc<Play>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// An endpoint whose answers the test gives.
pub(crate) struct Server {
    pub(crate) base: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: JoinHandle<()>,
}

impl Server {
    /// Answers with what `play` makes of the number of a request, from 0, and of the request.
    pub(crate) async fn start(
        play: impl Fn(usize, &Asked) -> Response + Send + Sync + 'static,
    ) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let stage = Stage { play: Arc::new(play), asked: asked.clone() };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        let app = Router::new().fallback(answer).with_state(stage);
        let task = tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { base, asked, task }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(stage): State<Stage>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let key = headers.get("authorization").map(|it| it.to_str().unwrap().to_owned());
    let body = String::from_utf8(body.to_vec()).unwrap();
    let asked = Asked { path: uri.path().to_owned(), key, body };
    let number = {
        let mut all = stage.asked.lock().unwrap();
        all.push(asked.clone());
        all.len() - 1
    };
    (stage.play)(number, &asked)
}

/// The vector of a text that begins with a number: the direction of that number.
pub(crate) fn direction(text: &str) -> [f32; 3] {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    let number: f32 = digits.parse().unwrap_or(1.0);
    [number.cos() * 2.0, number.sin() * 2.0, 0.0]
}

/// An answer with a vector for each text, in reverse order.
pub(crate) fn vectors(asked: &Asked) -> Response {
    let items = asked.input().into_iter().enumerate().rev().map(|(index, text)| {
        let vector = direction(&text);
        format!(r#"{{"object":"embedding","index":{index},"embedding":{vector:?}}}"#)
    });
    let items = items.collect::<Vec<_>>().join(",");
    said(200, &format!(r#"{{"object":"list","data":[{items}],"model":"m"}}"#))
}

pub(crate) fn said(status: u16, body: &str) -> Response {
    let body = Body::from(body.to_owned());
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

/// An answer that begins well and breaks off with the connection.
pub(crate) fn cut() -> Response {
    let pieces = [Ok(r#"{"data":[{"index":0,"embe"#), Err(std::io::Error::other("gone"))];
    Response::new(Body::from_stream(stream::iter(pieces)))
}
