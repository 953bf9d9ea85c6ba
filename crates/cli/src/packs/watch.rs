//! `toolwright watch`: bringing a watch history in, and what is in it.

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use toolwright_app::{Config, OfflineModel};
use toolwright_core::{plural, truncate_line};
use toolwright_embed::Embedder;
use toolwright_watch::{Api, Imported, Library, Statistics, TimeZone, WatchPack, grouped};

use super::{CommandContext, PackCommand};
use crate::{
    bar::Bar,
    error::{CommandError, Result},
    style::{BOLD, DIM, END, WARN, line, out},
};

/// `toolwright watch`.
pub(super) const COMMAND: PackCommand = PackCommand {
    name: "watch",
    command: <WatchArgs as clap::CommandFactory>::command,
    run: |context| Box::pin(run(context)),
};

/// Bring a watch history in (Google Takeout), and see what is in it
#[derive(Debug, Parser)]
#[command(name = "watch")]
struct WatchArgs {
    #[command(subcommand)]
    command: WatchCommand,
}

#[derive(Debug, Subcommand)]
enum WatchCommand {
    /// Read an export of Google Takeout: a file, a folder or an archive
    Import {
        /// `watch-history.json` or `.html`, a folder with it, or the ZIP
        path: PathBuf,
        /// The time zone of an HTML export that names one of several meanings, such as Asia/Kolkata
        #[arg(long, value_name = "ZONE", value_parser = time_zone)]
        time_zone: Option<TimeZone>,
        /// Ask YouTube's Data API how long videos are (needs YOUTUBE_API_KEY)
        #[arg(long)]
        enrich: bool,
        /// Do not make the vectors by which videos are found by meaning
        #[arg(long)]
        no_embed: bool,
    },
    /// Ask YouTube's Data API how long videos are (needs YOUTUBE_API_KEY)
    Enrich,
    /// Make the vectors by which videos are found by meaning; fetches the model the first time
    Embed,
    /// Show how much there is
    Stats,
}

fn time_zone(name: &str) -> Result<TimeZone, String> {
    toolwright_watch::time_zone(name).map_err(|error| error.to_string())
}

async fn run(context: CommandContext<'_>) -> Result {
    let CommandContext { config, json, .. } = context;
    let args: WatchArgs = context.args()?;
    let library = Library::open(&WatchPack::folder(&config.data.value))?;
    match args.command {
        WatchCommand::Import { path, time_zone, enrich, no_embed } => {
            import(config, &library, (&path, time_zone), json).await?;
            if enrich {
                self::enrich(config, &library, json).await?;
            }
            if !no_embed {
                after_import(config, &library, json).await?;
            }
        }
        WatchCommand::Enrich => enrich(config, &library, json).await?,
        WatchCommand::Embed => embed(config, &library, json).await?,
        WatchCommand::Stats => stats(&library, json)?,
    }
    Ok(())
}

async fn import(
    config: &Config,
    library: &Library,
    (path, time_zone): (&Path, Option<TimeZone>),
    json: bool,
) -> Result {
    let mut bar = Bar::of_bytes("reading");
    let (library, path) = (library.clone(), path.to_owned());
    let zone = time_zone.or_else(|| config.time_zone.value.clone());
    let imported = tokio::task::spawn_blocking(move || {
        let mut progress = |done, all| bar.set(done, all);
        let imported = match zone {
            Some(zone) => library.import_in(&zone, &path, &mut progress),
            None => library.import(&path, &mut progress),
        };
        bar.end();
        imported
    })
    .await
    .map_err(CommandError::failed)??;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string(&imported)?))?);
    }
    out(&told(&imported))?;
    for problem in &imported.problems {
        line(&format!("{WARN}!{END} {problem}"));
    }
    Ok(())
}

fn told(it: &Imported) -> String {
    let mut text = format!(
        "{BOLD}{} imported{END}, {}; {} ({} in {}).\n",
        counted(it.added, "view", "views"),
        counted(it.known, "duplicate", "duplicates"),
        counted(it.videos, "new video", "new videos"),
        counted(it.entries, "entry", "entries"),
        counted(it.files.len() as u64, "file", "files"),
    );
    let skipped = [
        (it.ads, "ad", "ads"),
        (it.gone, "view of a removed or private video", "views of removed or private videos"),
        (it.other, "other activity", "other activities"),
        (it.broken, "unreadable entry", "unreadable entries"),
    ];
    let skipped: Vec<_> = skipped
        .iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| counted(*count, one, many))
        .collect();
    if !skipped.is_empty() {
        text.push_str(&format!("{DIM}Skipped: {}.{END}\n", skipped.join(", ")));
    }
    text
}

/// `1 view`, `3,000 views`.
fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), plural(number, one, many))
}

/// Vectors are made at once where that needs nothing to be fetched; otherwise it is told how.
async fn after_import(config: &Config, library: &Library, json: bool) -> Result {
    let Some(source) = config.embedder() else { return Ok(()) };
    match source.open().await {
        Ok(embedder) => make(&*embedder, library, json).await,
        Err(_) => {
            line(&format!(
                "{DIM}To find videos by meaning, too: toolwright watch embed (fetches a model of 23 MB once){END}"
            ));
            Ok(())
        }
    }
}

async fn embed(config: &Config, library: &Library, json: bool) -> Result {
    let Some(source) = config.embedder() else {
        let message = "search by meaning is switched off".to_owned();
        let advice = "set embeddings.source or TOOLWRIGHT_EMBEDDINGS to local or endpoint";
        return Err(CommandError::unusable(message).with_advice(advice).into());
    };
    if source.is_local() {
        let config = config.clone();
        tokio::task::spawn_blocking(move || {
            let mut bar = Bar::of_bytes("fetching the model");
            let fetched =
                OfflineModel::fetch_embedder(&config, &mut |done, all| bar.set(done, all));
            bar.end();
            fetched
        })
        .await
        .map_err(CommandError::failed)??;
    }
    make(&*source.open().await?, library, json).await
}

async fn make(embedder: &dyn Embedder, library: &Library, json: bool) -> Result {
    let mut bar = Bar::of_things("reading titles");
    let made = library.embed(embedder, &mut |done, all| bar.set(done, all)).await;
    bar.end();
    let made = made?;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string(&made)?))?);
    }
    let videos = counted(made.all, "video", "videos");
    Ok(out(&format!("{videos} searchable by meaning ({} new).\n", grouped(made.made)))?)
}

async fn enrich(config: &Config, library: &Library, json: bool) -> Result {
    let section = config.section("watch").cloned().unwrap_or_default();
    let Some(settings) = WatchPack::youtube(&section)? else {
        let message = "there is no key for YouTube's Data API".to_owned();
        let advice = "set YOUTUBE_API_KEY; a key for public data is free";
        return Err(CommandError::unusable(message).with_advice(advice).into());
    };
    let api = Api::new(&settings)?;
    let mut bar = Bar::of_things("asking YouTube");
    let enriched = library.enrich(&api, &mut |done, all| bar.set(done, all)).await;
    bar.end();
    let enriched = enriched?;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string(&enriched)?))?);
    }
    let text = format!(
        "{} looked up, {} found.\n",
        counted(enriched.asked, "video", "videos"),
        grouped(enriched.found),
    );
    Ok(out(&text)?)
}

fn stats(library: &Library, json: bool) -> Result {
    let it = library.statistics()?;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string(&it)?))?);
    }
    if it.videos == 0 {
        line(&format!(
            "{DIM}Nothing was imported yet: toolwright watch import FILE. Until then a sample answers.{END}"
        ));
        return Ok(());
    }
    Ok(out(&figures(&it))?)
}

fn figures(it: &Statistics) -> String {
    let mut text = format!(
        "{BOLD}{}{END} from {}, {}\n",
        counted(it.videos, "video", "videos"),
        counted(it.channels, "channel", "channels"),
        counted(it.watches, "view", "views"),
    );
    if let (Some(oldest), Some(newest)) = (it.oldest, it.newest) {
        text.push_str(&format!("from {oldest:.0} to {newest:.0}\n"));
    }
    text.push_str(&format!(
        "{} with a known length, {} in total; {} searchable by meaning; {}\n",
        counted(it.with_length, "video", "videos"),
        counted((it.seconds + 1_800) / 3_600, "hour", "hours"),
        counted(it.embedded, "video", "videos"),
        counted(
            it.gone,
            "view of a removed or private video",
            "views of removed or private videos"
        ),
    ));
    for (channel, videos) in &it.top {
        text.push_str(&format!(
            "  {:>7}  {}\n",
            grouped(*videos),
            truncate_line(&channel.name, usize::MAX)
        ));
    }
    text
}
