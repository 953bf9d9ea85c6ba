//! [`Numbers`]: how much was watched.

use std::sync::Arc;

use serde_json::{Value, json};
use toolwright_core::{Output, ToolError};
use toolwright_macros::toolset;

use super::{
    answer::{Answer, Row, Stop, failed, output},
    channel::{Asked, Chosen, asked},
};
use crate::{ChannelStatistics, History, history::View, words};

/// How much was watched.
pub(super) struct Numbers(pub(super) Arc<History>);

const STATISTICS: &str =
    "I encountered an issue retrieving your watch history statistics. Please try again later.";
const CHANNEL: &str =
    "I encountered an issue retrieving channel information. Please try again later.";

#[toolset]
impl Numbers {
    /// Get overall statistics about watch history: total videos and channels watched, total watch time,
    /// average video duration, oldest and newest watch dates. Use this when the user asks about viewing
    /// patterns or habits, how many videos they have watched, or total watch time.
    #[tool(
        read_only,
        render = plain,
        timeout = "60s",
        examples = [
            "how many videos have I watched",
            "my total watch time",
            "statistics of my viewing",
            "how much time do I spend on videos",
            "when did I start watching",
        ]
    )]
    async fn get_statistics(&self) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(STATISTICS, &it))?;
        let found = statistics(&view).await;
        output(&view, found, STATISTICS)
    }

    /// Get information about a specific channel: videos watched from it, total watch time, the most recent
    /// video and the average video duration. Use this when the user asks about a specific channel or for
    /// channel statistics. Provide either channel_id or channel_name.
    #[tool(
        read_only,
        render = plain,
        timeout = "60s",
        examples = [
            "what have I watched from Veritasium",
            "how much time on that channel",
            "tell me about the channel 3Blue1Brown",
            "how many videos of this channel have I seen",
            "statistics of a channel",
            "compare how much I watched two channels",
        ]
    )]
    async fn get_channel_info(
        &self,
        /// YouTube channel ID
        channel_id: Option<String>,
        /// Channel name (alternative to channel_id)
        #[tool(free_text)]
        channel_name: Option<String>,
    ) -> Result<Output, ToolError> {
        let view = self.0.view().await.map_err(|it| failed(CHANNEL, &it))?;
        let found = match asked(channel_id, channel_name) {
            Some(asked) => channel(&view, asked).await,
            None => {
                Err(Stop::Told("Please provide either a channel ID or channel name.".to_owned()))
            }
        };
        output(&view, found, CHANNEL)
    }
}

async fn statistics(view: &View) -> Result<Answer, Stop> {
    let all = view.library.blocking(crate::Library::statistics).await?;
    let text = words::statistics(&all, &view.now);
    Ok(Answer { text, data: json!({"statistics": all}) })
}

async fn channel(view: &View, asked: Asked) -> Result<Answer, Stop> {
    let found = view.library.blocking(move |library| match Chosen::find(library, asked)? {
        Ok(chosen) => Ok(Ok((library.channels(&chosen.choice)?, String::new()))),
        Err(unknown) => match unknown.by_title(library)? {
            Some((chosen, said)) => Ok(Ok((library.channels(&chosen)?, said))),
            None => Ok(Err(unknown)),
        },
    });
    let (all, said) = found.await??;
    let data = match all.as_slice() {
        [] => return Err(Stop::Told(NO_CHANNEL.to_owned())),
        [one] => json!({"channel": figures(one), "videos": latest(one)}),
        // Each with its own video: a bare list of those would not say whose they are.
        many => {
            let each = |it| json!({"channel": figures(it), "videos": latest(it)});
            json!({"channels": many.iter().map(each).collect::<Vec<_>>()})
        }
    };
    Ok(Answer { text: said + &words::of_channels(&all, &view.now), data })
}

fn latest(of: &ChannelStatistics) -> Vec<Row> {
    of.latest.iter().map(Row::from).collect()
}

fn figures(of: &ChannelStatistics) -> Value {
    json!({
        "id": of.channel.id,
        "name": words::plain(&of.channel.name),
        "videos": of.videos,
        "watches": of.watches,
        "seconds": of.seconds,
        "average": of.average,
    })
}

/// Between finding it and asking about it, it went.
const NO_CHANNEL: &str = "I couldn't find that channel in your watch history.";
