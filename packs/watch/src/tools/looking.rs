//! [`Looking`]: what was watched.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Output, ToolError};
use toolwright_macros::toolset;

use super::{
    answer::{Answer, Row, Stop, failed, most, output, rows},
    arguments,
    channel::{Asked, Chosen, asked},
};
use crate::{History, Video, history::View, words};

/// What was watched.
pub(super) struct Looking(pub(super) Arc<History>);

const RECENT: &str =
    "I encountered an issue retrieving your recent videos. Please try again later.";
const DETAILS: &str =
    "I encountered an issue retrieving information about that video. Please try again later.";

#[toolset]
impl Looking {
    /// Get a summary of recently watched videos. Use this when the user asks about recent viewing history,
    /// what they watched lately, or videos from a specific time period or channel.
    #[tool(
        read_only,
        render = plain,
        timeout = "60s",
        examples = [
            "what videos have I watched recently",
            "show my last five videos",
            "what did I watch yesterday",
            "my latest watch history",
            "recent videos of that channel",
        ]
    )]
    async fn get_recent_videos(
        &self,
        /// Number of videos to retrieve (default: 10)
        #[tool(default = 10, range(min = 1))]
        limit: u32,
        /// Optional channel ID to filter by
        channel_id: Option<String>,
    ) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(RECENT, &it))?;
        let found = recent(&view, limit, asked(channel_id, None)).await;
        output(&view, found, RECENT)
    }

    /// Get detailed information about a specific video: title, channel, duration, how often and when it was
    /// watched. Use this when the user mentions a specific video, provides a video ID, or asks for details
    /// of a video they watched.
    #[tool(
        read_only,
        render = plain,
        timeout = "60s",
        examples = [
            "tell me about this video",
            "details of video dQw4w9WgXcQ",
            "how long is that video",
            "when did I watch it",
            "how often have I seen this video",
        ]
    )]
    async fn get_video_details(
        &self,
        /// YouTube video ID (11 characters)
        #[tool(grounded, length(max = 500))]
        video_id: String,
    ) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(DETAILS, &it))?;
        let found = details(&view, &video_id).await;
        output(&view, found, DETAILS)
    }
}

async fn recent(view: &View, limit: u32, of: Option<Asked>) -> Result<Answer, Stop> {
    let most = most(limit);
    let none = if of.is_some() { NONE_OF_CHANNEL } else { NONE };
    let asked = view.library.blocking(move |library| {
        let Some(asked) = of else { return library.recent(most, None).map(Ok) };
        match Chosen::find(library, asked)? {
            Ok(chosen) => library.recent(most, Some(&chosen.choice)).map(Ok),
            Err(unknown) => Ok(Err(unknown)),
        }
    });
    let videos = asked.await?.map_err(|it| Stop::Told(format!("{none}{}", it.offer())))?;
    let text = if videos.is_empty() { none.to_owned() } else { words::recent(&videos, &view.now) };
    Ok(Answer { text, data: json!({"videos": rows(&videos)}) }.bounded(limit))
}

const NONE: &str = "I couldn't find any videos in your watch history.";
const NONE_OF_CHANNEL: &str =
    "I couldn't find any videos from that channel in your recent history.";

async fn details(view: &View, video_id: &str) -> Result<Answer, Stop> {
    let video = meant(view, video_id).await?;
    let text = words::details(&video, &view.now);
    Ok(Answer { text, data: json!({"videos": [Row::from(&video)]}) })
}

/// The video of an id, or the only one of a title: the answer names it. Where several have it, they are told.
pub(super) async fn meant(view: &View, typed: &str) -> Result<Video, Stop> {
    let id = arguments::video_id(typed);
    if let Ok(id) = &id {
        let asked = id.clone();
        if let Some(video) = view.library.blocking(move |library| library.video(&asked)).await? {
            return Ok(video);
        }
    }
    let title = typed.trim().to_owned();
    let titled = view.library.blocking(move |library| library.videos_titled(&title)).await?;
    let few: Vec<String> = titled.iter().take(OFFERED).map(labelled).collect();
    match (<[Video; 1]>::try_from(titled), id) {
        (Ok([video]), _) => Ok(video),
        (Err(_), _) if !few.is_empty() => Err(Stop::Told(format!(
            "Several videos in your watch history are called like that: {}. Please give the ID of one.",
            words::joined(&few, "and")
        ))),
        (Err(_), Ok(id)) => {
            Err(Stop::Told(format!("I couldn't find a video with ID {id} in your watch history.")))
        }
        (Err(_), Err(unclear)) => Err(unclear),
    }
}

/// How many videos are told where several have a title.
const OFFERED: usize = 5;

/// `Python Tutorial (abc123xyz45)`.
fn labelled(video: &Video) -> String {
    format!("{} ({})", words::title_of(video), video.id)
}
