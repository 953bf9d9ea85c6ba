//! [`Desk`]: a history at a fixed moment, and [`Topics`]: an embedder that knows a few subjects.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use futures_core::future::BoxFuture;
use jiff::{SignedDuration, Timestamp, Zoned};
use serde_json::Value;
use tempfile::TempDir;
use toolwright_core::{CallId, Output, RunContext, ToolError, ToolUpdate};
use toolwright_embed::{EmbedError, EmbedErrorKind, Embedder, Source};
use toolwright_watch::{Channel, Clock, History, HistorySettings, Library, Watched};

/// A Wednesday at noon.
pub(crate) const NOW: &str = "2025-01-15T12:00[Europe/Berlin]";
/// The id of [`Seen::from`] "Tech Channel".
pub(crate) const TECH: &str = "UCtechchannel00000000000";

pub(crate) const MINUTE: i64 = 60;
pub(crate) const HOUR: i64 = 60 * MINUTE;
pub(crate) const DAY: i64 = 24 * HOUR;

/// A video that was watched.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) watched: Watched,
    pub(crate) seconds: Option<u32>,
}

/// A video of this id and title, watched an hour ago.
pub(crate) fn seen(id: &str, title: &str) -> Seen {
    let watched = Watched {
        id: id.to_owned(),
        title: Some(title.to_owned()),
        channel: None,
        is_music: false,
        at: ago(HOUR),
    };
    Seen { watched, seconds: None }
}

/// The moment so many seconds before [`NOW`].
pub(crate) fn ago(seconds: i64) -> Timestamp {
    NOW.parse::<Zoned>().unwrap().timestamp() - SignedDuration::from_secs(seconds)
}

impl Seen {
    pub(crate) fn from(mut self, channel: &str) -> Self {
        let id = (channel == "Tech Channel").then(|| TECH.to_owned());
        self.watched.channel = Some(Channel { id, name: channel.to_owned() });
        self
    }

    pub(crate) fn long(self, seconds: u32) -> Self {
        Self { seconds: Some(seconds), ..self }
    }

    pub(crate) fn ago(self, seconds: i64) -> Self {
        self.at(&ago(seconds).to_string())
    }

    pub(crate) fn at(mut self, moment: &str) -> Self {
        self.watched.at = moment.parse().unwrap();
        self
    }

    pub(crate) fn untitled(mut self) -> Self {
        self.watched.title = None;
        self
    }
}

/// A history at a fixed moment.
pub(crate) struct Desk {
    pub(crate) history: Arc<History>,
    pub(crate) context: RunContext,
    pub(crate) folder: TempDir,
}

impl Desk {
    /// In which this was watched.
    pub(crate) fn of(seen: &[Seen]) -> Self {
        Self::with(seen, NOW, None)
    }

    /// In which this was watched, with vectors if there is an embedder.
    pub(crate) fn with(seen: &[Seen], now: &str, embedder: Option<Arc<dyn Embedder>>) -> Self {
        let folder = TempDir::new().unwrap();
        if !seen.is_empty() {
            fill(&folder, seen);
        }
        let clock = Clock::Fixed(now.parse().unwrap());
        let embedder = embedder.map(|it| Arc::new(Source::ready(it)));
        let settings = HistorySettings { folder: folder.path().join("watch"), clock, embedder };
        Self { history: Arc::new(History::new(settings)), context: RunContext::new(), folder }
    }

    pub(crate) fn library(&self) -> Library {
        Library::open(&self.folder.path().join("watch")).unwrap()
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> Result<Output, ToolError> {
        let tools = self.history.tools();
        let tool = tools.iter().find(|tool| tool.spec().name == name).unwrap();
        tool.call(Arc::new(arguments), &self.context).await
    }

    /// What the model reads, and what a page does.
    pub(crate) async fn both(&self, name: &str, arguments: Value) -> (String, Value) {
        match self.call(name, arguments).await.unwrap() {
            Output::Readable { text, data } => (text, data),
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        self.both(name, arguments).await.0
    }

    pub(crate) async fn data(&self, name: &str, arguments: Value) -> Value {
        self.both(name, arguments).await.1
    }
}

fn fill(folder: &TempDir, seen: &[Seen]) {
    let place = folder.path().join("watch");
    let watched: Vec<_> = seen.iter().map(|it| it.watched.clone()).collect();
    Library::open(&place).unwrap().add(&watched).unwrap();
    // An export has no lengths, and the API that has them is tested elsewhere.
    let database = rusqlite::Connection::open(place.join("watch.db")).unwrap();
    for it in seen.iter().filter(|it| it.seconds.is_some()) {
        let sql = "UPDATE videos SET seconds = ?2 WHERE id = ?1";
        assert_eq!(database.execute(sql, (&it.watched.id, it.seconds)).unwrap(), 1);
    }
}

/// What was told while a call ran.
pub(crate) fn listening() -> (RunContext, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let hears = heard.clone();
    let watch = Arc::new(move |said| {
        if let ToolUpdate::Progress(text) = said {
            hears.lock().unwrap().push(text);
        }
    });
    (RunContext::new().for_call(CallId::from("call"), watch), heard)
}

/// An embedder that knows a few subjects: what is about the same has the same direction, whatever the
/// words are.
#[derive(Default)]
pub(crate) struct Topics {
    /// Texts that were embedded.
    pub(crate) texts: AtomicUsize,
}

const SUBJECTS: [&[&str]; 5] = [
    &["machine", "learning", "neural", "networks", "gradient", "descent", "transformers", "layer"],
    &["python", "rust", "programming", "git", "decorators", "generators"],
    &["cooking", "food", "pasta", "bread", "kitchen", "soups", "curry"],
    &["star", "saturn", "astronomy", "sky", "holes"],
    &["garden", "tomatoes", "compost", "herbs"],
];

impl Embedder for Topics {
    fn name(&self) -> &str {
        "topics-1"
    }

    fn dimensions(&self) -> usize {
        SUBJECTS.len() + 1
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        self.texts.fetch_add(texts.len(), Ordering::Relaxed);
        Box::pin(async move { Ok(texts.iter().map(|it| vector(it)).collect()) })
    }
}

fn vector(text: &str) -> Vec<f32> {
    // A little of something keeps texts about nothing known from having no direction.
    let mut vector = vec![0.0; SUBJECTS.len()];
    vector.push(0.2);
    for word in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        for (at, _) in SUBJECTS.iter().enumerate().filter(|(_, it)| it.contains(&word)) {
            vector[at] += 1.0;
        }
    }
    let length = vector.iter().map(|it: &f32| it * it).sum::<f32>().sqrt();
    vector.into_iter().map(|it| it / length).collect()
}

/// An embedder that cannot be reached.
pub(crate) struct Unreachable;

impl Embedder for Unreachable {
    fn name(&self) -> &str {
        "topics-1"
    }

    fn dimensions(&self) -> usize {
        SUBJECTS.len() + 1
    }

    fn shares_form(&self) -> bool {
        false
    }

    fn embed<'a>(
        &'a self,
        _texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, EmbedError>> {
        Box::pin(async {
            Err(EmbedError::new(EmbedErrorKind::Unavailable, "the endpoint does not answer"))
        })
    }
}
