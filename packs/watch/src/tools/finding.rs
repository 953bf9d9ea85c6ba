//! [`Finding`]: videos by what they are about.

use std::sync::Arc;

use serde_json::json;
use toolwright_core::{Output, RunContext, ToolError};
use toolwright_embed::Embedder;
use toolwright_macros::toolset;

use super::{
    answer::{Answer, Stop, failed, most, output, rows},
    arguments::{self, Days, said},
    channel::{Chosen, asked},
    looking,
    witness::Witness,
};
use crate::{
    Filter, History, Hit, Query,
    history::{Origin, View},
    words::{self, Style},
};

/// Videos by what they are about.
pub(super) struct Finding(pub(super) Arc<History>);

const SEARCH: &str = "I encountered an issue searching for videos. Please try again later.";
const SIMILAR: &str = "I encountered an issue finding similar videos. Please try again later.";
const NONE: &str = "I couldn't find any videos matching your search";

#[toolset]
impl Finding {
    /// Search for videos by topic, subject, or theme using semantic search. This finds videos by meaning,
    /// not just keywords. Use this when the user asks what videos they watched about something, with
    /// optional filters by date range and channel.
    #[tool(
        read_only,
        render = plain,
        timeout = "180s",
        examples = [
            "find videos about machine learning",
            "Python tutorials from last month",
            "did I watch anything about cooking",
            "videos on space I saw this year",
            "search my history for guitar lessons",
            "what did I see about Rust in March",
            "did I watch more about tennis or about chess",
        ]
    )]
    async fn search_videos_by_topic(
        &self,
        /// The topic or subject to search for (e.g., 'machine learning', 'Python tutorials', 'cooking
        /// recipes')
        #[tool(free_text, length(min = 1, max = 1000))]
        query: String,
        /// Number of results to return (default: 10)
        #[tool(default = 10, range(min = 1))]
        n_results: u32,
        /// Filter by start date (YYYY-MM-DD format)
        date_from: Option<String>,
        /// Filter by end date (YYYY-MM-DD format)
        date_to: Option<String>,
        /// Filter by channel ID
        channel_id: Option<String>,
        /// Filter by channel name
        #[tool(free_text)]
        channel_name: Option<String>,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(SEARCH, &it))?;
        let wanted = Wanted {
            text: query.trim().to_owned(),
            most: most(n_results),
            days: (said(date_from), said(date_to)),
            channel: (channel_id, channel_name),
        };
        let found = self.search(&view, wanted, context).await;
        output(&view, found.map(|it| it.bounded(n_results)), SEARCH)
    }

    /// Find videos similar to a specific video based on semantic similarity. Use this when the user asks
    /// for videos similar to one they mention, or for recommendations based on a video they watched.
    #[tool(
        read_only,
        render = plain,
        timeout = "180s",
        examples = [
            "videos like this one",
            "something similar to dQw4w9WgXcQ",
            "recommend more like that video",
            "what else is like the last video",
            "related videos I have seen",
        ]
    )]
    async fn find_similar_videos(
        &self,
        /// YouTube video ID to find similar videos for
        #[tool(grounded, length(max = 500))]
        video_id: String,
        /// Number of similar videos to return (default: 5)
        #[tool(default = 5, range(min = 1))]
        n_results: u32,
        context: &RunContext,
    ) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(SIMILAR, &it))?;
        let found = self.similar(&view, &video_id, most(n_results), context).await;
        output(&view, found.map(|it| it.bounded(n_results)), SIMILAR)
    }
}

/// What is looked for, as it was asked.
struct Wanted {
    text: String,
    most: usize,
    days: (Option<String>, Option<String>),
    channel: (Option<String>, Option<String>),
}

/// By what the videos were found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Meaning,
    Words,
}

impl Finding {
    async fn search(
        &self,
        view: &View,
        wanted: Wanted,
        context: &RunContext,
    ) -> Result<Answer, Stop> {
        if wanted.text.is_empty() {
            return Err(Stop::Told("Please say what the videos should be about.".to_owned()));
        }
        let days = Days::new(wanted.days.0.as_deref(), wanted.days.1.as_deref(), &view.now)?;
        let filter = Filter {
            from: days.from,
            before: days.before,
            channels: channels(view, wanted.channel).await?,
        };
        let query = Query { text: wanted.text, most: wanted.most, filter };
        let (hits, by) = self.hits(view, &query, context).await?;
        let style = if days.are_given() { Style::Dated } else { Style::Ago };
        Ok(told(view, &hits, style, by))
    }

    /// By meaning where that is possible, else by words: an embedder that fails is no reason to find
    /// nothing.
    async fn hits(
        &self,
        view: &View,
        query: &Query,
        context: &RunContext,
    ) -> Result<(Vec<Hit>, By), Stop> {
        let embedder = self.embedder(view, context).await;
        let witness = embedder.as_deref().map(Witness::new);
        let embedder = witness.as_ref().map(|it| it as &dyn Embedder);
        let hits = view.library.search(query, embedder).await?;
        let is_by_meaning = witness.is_some_and(|it| it.has_worked());
        Ok((hits, if is_by_meaning { By::Meaning } else { By::Words }))
    }

    async fn similar(
        &self,
        view: &View,
        video_id: &str,
        most: usize,
        context: &RunContext,
    ) -> Result<Answer, Stop> {
        let id = match arguments::video_id(video_id) {
            Ok(id) => id,
            // A title, perhaps.
            Err(_) => looking::meant(view, video_id).await?.id,
        };
        self.embedder(view, context).await;
        let hits = view.library.similar(&id, most).await?.ok_or_else(|| {
            Stop::Told(format!("{NONE}: there is no video with ID {id} in your watch history."))
        })?;
        let has_vector = view.library.blocking(move |it| it.has_vector(&id)).await?;
        let by = if has_vector { By::Meaning } else { By::Words };
        Ok(told(view, &hits, Style::Ago, by))
    }

    /// What makes vectors, if anything does. Those of the sample are made now, if they are not there.
    async fn embedder(&self, view: &View, context: &RunContext) -> Option<Arc<dyn Embedder>> {
        let opened = self.0.settings.embedder.as_ref()?.open().await;
        let embedder = opened.inspect_err(|error| tracing::debug!(%error, "no vectors")).ok()?;
        if view.origin == Origin::Sample
            && let Err(error) = self.0.embed_sample(&*embedder, context).await
        {
            tracing::warn!(%error, "the sample has no vectors");
            return None;
        }
        Some(embedder)
    }
}

async fn channels(
    view: &View,
    (id, name): (Option<String>, Option<String>),
) -> Result<Option<Vec<i64>>, Stop> {
    let Some(asked) = asked(id, name) else { return Ok(None) };
    let chosen = view.library.blocking(move |it| Chosen::find(it, asked)).await??;
    Ok(Some(chosen.rows))
}

fn told(view: &View, hits: &[Hit], style: Style, by: By) -> Answer {
    let mut text = match hits {
        [] => format!("{NONE}."),
        _ => words::found(hits, &view.now, style),
    };
    match (by, view.origin) {
        (By::Words, Origin::Imported) => text.push_str(BY_WORDS),
        (By::Words, Origin::Sample) => text.push_str("\n\n(Found by words only.)"),
        (By::Meaning, _) => {}
    }
    let by = if by == By::Meaning { "meaning" } else { "words" };
    Answer { text, data: json!({"videos": rows(hits), "by": by}) }
}

const BY_WORDS: &str =
    "\n\n(Found by words only; `toolwright watch embed` makes search by meaning possible.)";
