//! A server that speaks as YouTube's Data API does.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{Request, Response},
    routing::get,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, task::JoinHandle};
use toolwright_watch::{Api, ApiSettings};

pub(crate) const KEY: &str = "AIza-this-is-the-secret-key";

/// What was asked, and what is answered to it.
#[derive(Default)]
pub(crate) struct Known {
    /// Videos it knows.
    pub(crate) items: Vec<Value>,
    /// Refusals that come first, with their statuses.
    pub(crate) refusals: VecDeque<(u16, Value)>,
    /// The ids of each request.
    pub(crate) asked: Vec<Vec<String>>,
    pub(crate) queries: Vec<String>,
    pub(crate) keys: Vec<Option<String>>,
}

pub(crate) struct Server {
    pub(crate) known: Arc<Mutex<Known>>,
    pub(crate) address: String,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub(crate) async fn start() -> Self {
        let known = Arc::new(Mutex::new(Known::default()));
        let router =
            Router::new().route("/youtube/v3/videos", get(videos)).with_state(Arc::clone(&known));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/youtube/v3", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { known, address, task }
    }

    pub(crate) fn api(&self) -> Api {
        let settings = ApiSettings {
            base_url: self.address.clone(),
            backoff: Duration::from_millis(1),
            ..ApiSettings::new(KEY)
        };
        Api::new(&settings).unwrap()
    }

    pub(crate) fn refuse(&self, status: u16, reason: &str) {
        let body = json!({"error": {"code": status, "message": format!("No, {KEY}"),
            "errors": [{"reason": reason, "domain": "youtube.quota"}], "status": "X"}});
        self.known.lock().unwrap().refusals.push_back((status, body));
    }
}

async fn videos(State(known): State<Arc<Mutex<Known>>>, request: Request<Body>) -> Response<Body> {
    let mut known = known.lock().unwrap();
    let query = request.uri().query().unwrap_or_default().to_owned();
    let ids = query.split('&').find_map(|it| it.strip_prefix("id=")).unwrap_or_default();
    let ids: Vec<_> = ids.split("%2C").map(str::to_owned).collect();
    let key = request.headers().get("X-Goog-Api-Key").map(|it| it.to_str().unwrap().to_owned());
    let items: Vec<_> = known
        .items
        .iter()
        .filter(|it| ids.iter().any(|id| it["id"] == id.as_str()))
        .rev()
        .cloned()
        .collect();
    known.queries.push(query);
    known.keys.push(key);
    known.asked.push(ids);
    let (status, body) =
        known.refusals.pop_front().unwrap_or_else(|| (200, json!({ "items": items })));
    Response::builder().status(status).body(Body::from(body.to_string())).unwrap()
}
