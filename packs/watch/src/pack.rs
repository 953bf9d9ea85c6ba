//! [`WatchPack`]: the watch history as a pack.

use std::{path::PathBuf, sync::Arc};

use async_trait::async_trait;
use toolwright_core::{Tool, plural};
use toolwright_embed::Source;
use toolwright_pack::{
    Check, OpenPack, Pack, PackError, PackInfo, PackSetup, Section, SettingKey, TaskFile,
};

use crate::{
    ApiSettings, Clock, History, HistorySettings, Library, grouped, vocabulary::VOCABULARY,
};

/// The watch history: what was watched lately, about a topic, how much.
#[derive(Clone, Copy, Debug, Default)]
pub struct WatchPack;

const INFO: PackInfo =
    PackInfo::new("watch", "the videos you watched: lately, about a topic, how much")
        .settings(&[
            SettingKey::address("youtube_url", "where YouTube's API is").env("YOUTUBE_API_BASE"),
            SettingKey::secret("youtube_key", "the key for YouTube's API").env("YOUTUBE_API_KEY"),
        ])
        .tasks(&[TaskFile::new("history", include_str!("../tasks/history.md"))])
        .vocabulary(VOCABULARY)
        .tools(&[
            "get_recent_videos",
            "get_video_details",
            "get_statistics",
            "get_channel_info",
            "search_videos_by_topic",
            "find_similar_videos",
        ]);

const INSTRUCTIONS: &str = "What the user watched is in the watch history: call its tools, pass on \
    what their results note at their end, and give dates as YYYY-MM-DD.";

impl WatchPack {
    /// Where the library is, in this data folder.
    pub fn folder(data: &std::path::Path) -> PathBuf {
        data.join("watch")
    }

    /// The right to ask YouTube's Data API, if one was set.
    ///
    /// # Errors
    /// When what was set cannot be used.
    pub fn youtube(section: &Section) -> Result<Option<ApiSettings>, PackError> {
        let Some(key) = section.get::<String>("youtube_key")? else { return Ok(None) };
        let settings = ApiSettings::new(key);
        Ok(Some(match section.get("youtube_url")? {
            Some(base_url) => ApiSettings { base_url, ..settings },
            None => settings,
        }))
    }
}

impl Pack for WatchPack {
    fn info(&self) -> &PackInfo {
        &INFO
    }

    fn open(&self, setup: &PackSetup<'_>) -> Result<Option<Arc<dyn OpenPack>>, PackError> {
        let folder = Self::folder(setup.data);
        let clock = setup.time_zone.cloned().map_or(Clock::System, Clock::In);
        let embedder = setup.services.get::<Arc<Source>>();
        let settings = HistorySettings { folder: folder.clone(), clock, embedder };
        Ok(Some(Arc::new(OpenWatch { history: Arc::new(History::new(settings)), folder })))
    }
}

struct OpenWatch {
    history: Arc<History>,
    folder: PathBuf,
}

#[async_trait]
impl OpenPack for OpenWatch {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.history.tools()
    }

    fn instructions(&self) -> String {
        INSTRUCTIONS.to_owned()
    }

    async fn checks(&self) -> Vec<Check> {
        let name = "watch history";
        let sample = || Check::good(name, "nothing was imported yet, so a sample answers");
        // Looking must not make one.
        if !self.folder.exists() {
            return vec![sample()];
        }
        let figures = Library::open(&self.folder).and_then(|library| library.statistics());
        vec![match figures {
            Ok(figures) if figures.videos == 0 => sample(),
            Ok(figures) => {
                let videos = plural(figures.videos, "video", "videos");
                let (all, embedded) = (grouped(figures.videos), grouped(figures.embedded));
                let says = format!("{all} {videos}, {embedded} searchable by meaning");
                match figures.embedded {
                    0 => Check::warning(name, says)
                        .with_advice("`toolwright watch embed` makes search by meaning possible"),
                    _ => Check::good(name, says),
                }
            }
            Err(error) => {
                let advice = error.advice.clone();
                Check { advice, ..Check::bad(name, error.to_string()) }
            }
        }]
    }
}
