//! Every setting, its value, and where the value came from, for people.

use std::time::Duration;

use toolwright_app::{
    Config,
    config::{FolderTrust, Setting},
    without_password,
};
use toolwright_core::ResultMode;

pub(super) fn settings(config: &Config) -> Vec<(&'static str, String, String)> {
    fn row<T>(
        name: &'static str,
        setting: &Setting<T>,
        show: impl Fn(&T) -> String,
    ) -> (&'static str, String, String) {
        (name, show(&setting.value), setting.place.to_string())
    }
    let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
    let time = |value: &Duration| match *value {
        Duration::MAX => "no limit".to_owned(),
        value => toolwright_duration::format(value),
    };
    let file =
        config.file.as_ref().map_or_else(|| "none".to_owned(), |it| it.display().to_string());
    let folder = match config.standing() {
        FolderTrust::Silent => "none".to_owned(),
        FolderTrust::Refused(it) => format!("{} cannot be trusted", it.path.display()),
        FolderTrust::Unknown(it) | FolderTrust::Declined(it) => {
            format!("{} is not trusted", it.path().display())
        }
        FolderTrust::Trusted(it, _) => format!("{} is trusted", it.path().display()),
    };
    vec![
        ("config file", file, String::new()),
        ("this folder", folder, String::new()),
        row("task", &config.task, ToString::to_string),
        row("model", &config.model.name, text),
        row("base URL", &config.model.base_url, |url| match url {
            Some(url) => without_password(url),
            None => "not set".to_owned(),
        }),
        row("API key", &config.model.api_key, |key| match key {
            Some(key) => key.to_string(),
            None => "not set".to_owned(),
        }),
        row("tool mode", &config.model.tool_mode, ToString::to_string),
        row("dialect", &config.model.dialect, |set| match config.model.dialect() {
            found if found == *set => found.to_string(),
            found => format!("{set}: {found}, by the model's name"),
        }),
        row("rounds", &config.limits.rounds, ToString::to_string),
        row("calls", &config.limits.calls, ToString::to_string),
        row("tokens", &config.limits.tokens, |it| {
            it.map_or_else(|| "no limit".into(), |it| it.to_string())
        }),
        row("wall clock", &config.limits.wall_clock, time),
        row("tool timeout", &config.limits.tool_timeout, time),
        row("cost", &config.limits.cost, |it| {
            it.map_or_else(|| "no limit".into(), |it| it.to_string())
        }),
        row("window", &config.context.window, |it| {
            format!("{} tokens, {} characters of a result", it.tokens, it.result)
        }),
        row("tools offered", &config.context.selection, |it| {
            format!("all up to {}, else {}", it.above, it.offer)
        }),
        row("review", &config.review, |it| format!("{it:?}").to_lowercase()),
        row("single shot", &config.mode, |it| (*it == ResultMode::SingleShot).to_string()),
        row("judge", &config.model.judge, text),
        row("one at a time", &config.one_at_a_time, ToString::to_string),
        row("market URL", &config.market.base_url, |url| match url {
            Some(url) => without_password(url),
            None => "not set".to_owned(),
        }),
        row("market token", &config.market.access_token, |token| match token {
            // Not even its first letters: all tokens begin alike.
            Some(_) => "set".to_owned(),
            None => "not set".to_owned(),
        }),
        row("market client", &config.market.client_id, |id| match (id, config.market.access()) {
            (Some(id), _) => id.clone(),
            (None, Some(access)) if !access.client_id().is_empty() => {
                format!("{}, by the token", access.client_id())
            }
            _ => "not set".to_owned(),
        }),
        row("market seed", &config.market.seed, ToString::to_string),
        row("embeddings", &config.history.embeddings, |it| it.name().to_owned()),
        row("package index", &config.model.package_index, |index| match index {
            Some(index) => without_password(index.reveal()),
            None => "as set for pip, or the usual one".to_owned(),
        }),
        row("YouTube key", &config.history.youtube_key, |key| match key {
            Some(_) => "set".to_owned(),
            None => "not set".to_owned(),
        }),
        row("workspace", &config.workspace.path, |path| match path {
            Some(path) => path.display().to_string(),
            None => "not set".to_owned(),
        }),
        row("commands as root", &config.workspace.allow_root, |it| match it {
            true => "allowed".to_owned(),
            false => "not allowed".to_owned(),
        }),
        row("data", &config.data, |path| path.display().to_string()),
        ("database", config.location().to_string(), config.database.place.to_string()),
        row("log key", &config.log_key, |key| match key {
            Some(_) => "set".to_owned(),
            None => "in the data folder".to_owned(),
        }),
        row("log", &config.telemetry.log, Clone::clone),
        row("log format", &config.telemetry.format, |it| it.name().to_owned()),
        row("metrics", &config.telemetry.metrics, |it| {
            it.map_or_else(|| "not served".into(), |it| format!("http://{it}/metrics"))
        }),
    ]
}
