//! [`Answer`]: a result in words for the model, and as data for pages and programs.

use serde::Serialize;
use serde_json::{Value, json};
use toolwright_core::{Output, ToolError};

use crate::{
    Hit, Video, WatchError,
    history::{Origin, View},
    words,
};

/// A result in words for the model, and as data for pages and programs.
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) data: Value,
}

/// More than this are not given at once, however many are asked for.
const MOST: u32 = 50;

/// How many of those that were asked for are given.
pub(super) fn most(asked: u32) -> usize {
    asked.clamp(1, MOST) as usize
}

impl Answer {
    /// The same, with a word where fewer are given than were asked for.
    pub(super) fn bounded(mut self, asked: u32) -> Self {
        if asked > MOST {
            self.text
                .push_str(&format!("\n\n({MOST} videos are the most that are given at once.)"));
        }
        self
    }
}

/// Why there is no answer.
pub(super) enum Stop {
    /// The question has none: this says why, and is what the model reads.
    Told(String),
    /// Something broke.
    Failed(WatchError),
}

impl From<WatchError> for Stop {
    fn from(error: WatchError) -> Self {
        Self::Failed(error)
    }
}

/// What a tool gives back, and on what `issue` there was if something broke. Both what is read and what is
/// shown say whether this is the sample.
pub(super) fn output(
    view: &View,
    found: Result<Answer, Stop>,
    issue: &'static str,
) -> Result<Output, ToolError> {
    let Answer { mut text, mut data } = match found {
        Ok(answer) => answer,
        Err(Stop::Told(text)) => Answer { data: json!({"message": text}), text },
        Err(Stop::Failed(error)) => return Err(failed(issue, &error)),
    };
    let is_sample = view.origin == Origin::Sample;
    if is_sample {
        text.push_str(SAMPLE);
    }
    if let Some(fields) = data.as_object_mut() {
        fields.insert("sample".to_owned(), json!(is_sample));
    }
    Ok(Output::readable(text, data))
}

const SAMPLE: &str = "\n\n(This is a sample history: nothing was imported yet. `toolwright watch import FILE` \
                      brings in yours.)";

/// The failure, in a sentence for the model and with its cause for the operator.
pub(super) fn failed(issue: &'static str, error: &WatchError) -> ToolError {
    let advice = error.advice.as_deref().map(|it| format!(" ({it})")).unwrap_or_default();
    ToolError::temporary(issue).with_detail(format!("{error}{advice}"))
}

/// A video, as a page shows it.
#[derive(Serialize)]
pub(super) struct Row {
    id: String,
    title: Option<String>,
    channel: Option<String>,
    channel_id: Option<String>,
    seconds: Option<u32>,
    watched: String,
    watches: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    relevance: Option<f64>,
    url: String,
}

impl From<&Video> for Row {
    fn from(video: &Video) -> Self {
        let channel = video.channel.as_ref();
        Self {
            id: video.id.clone(),
            title: video.title.as_deref().map(words::plain),
            channel: channel.map(|it| words::plain(&it.name)),
            channel_id: channel.and_then(|it| it.id.clone()),
            seconds: video.seconds,
            watched: video.last.to_string(),
            watches: video.watches,
            relevance: None,
            url: words::address(&video.id),
        }
    }
}

impl From<&Hit> for Row {
    fn from(hit: &Hit) -> Self {
        // What is shown and what is read are the same figure.
        let relevance = (f64::from(hit.relevance) * 100.0).round() / 100.0;
        let watched = hit.watched.to_string();
        Self { watched, relevance: Some(relevance), ..Self::from(&hit.video) }
    }
}

/// Videos, as a page shows them.
pub(super) fn rows<'a, T>(videos: &'a [T]) -> Vec<Row>
where
    Row: From<&'a T>,
{
    videos.iter().map(Row::from).collect()
}
