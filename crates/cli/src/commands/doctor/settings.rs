//! Every setting, its value, and where the value came from, for people.

use std::time::Duration;

use toolwright_app::{
    Config,
    config::{EngineKind, FolderTrust, Setting},
    without_password,
};
use toolwright_core::ResultMode;

pub(super) fn settings(config: &Config) -> Vec<(String, String, String)> {
    fn row<T>(
        name: &'static str,
        setting: &Setting<T>,
        show: impl Fn(&T) -> String,
    ) -> (String, String, String) {
        (name.to_owned(), show(&setting.value), setting.place.to_string())
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
            format!("{} is not trusted", it.told())
        }
        FolderTrust::Changed(it) => format!("{} changed since it was trusted", it.told()),
        FolderTrust::Trusted(it, _) => format!("{} is trusted", it.told()),
    };
    let mut rows = vec![
        ("config file".to_owned(), file, String::new()),
        ("this folder".to_owned(), folder, String::new()),
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
        row("agents", &config.limits.agent_depth, |it| {
            format!("{it} deep, {} at once", config.limits.parallel_agents.value)
        }),
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
        row("options", &config.model.options, |it| match it.is_empty() {
            true => "the provider's own".to_owned(),
            false => format!("{it:?}"),
        }),
        row("one at a time", &config.one_at_a_time, ToString::to_string),
        row("embeddings", &config.embeddings.source, |it| it.name().to_owned()),
        row("package index", &config.model.package_index, |index| match index {
            Some(index) => without_password(index.reveal()),
            None => "as set for pip, or the usual one".to_owned(),
        }),
        row("time zone", &config.time_zone, |zone| match zone {
            Some(zone) => zone.iana_name().unwrap_or("set").to_owned(),
            None => "the machine's".to_owned(),
        }),
        row("proxy", &config.http.proxy, |_| match config.http.settings().proxies() {
            proxies if proxies.is_empty() => "none".to_owned(),
            proxies => {
                let shown = proxies.iter().map(|(place, proxy)| format!("{proxy} ({place})"));
                shown.collect::<Vec<_>>().join(", ")
            }
        }),
        row("without proxy", &config.http.no_proxy, |list| match list {
            Some(list) => list.clone(),
            None => "this machine, and what NO_PROXY names".to_owned(),
        }),
        row("CA file", &config.http.ca_file, |path| match path {
            Some(path) => path.display().to_string(),
            None => "not set".to_owned(),
        }),
        row("headers", &config.http.headers, |names| match names.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        }),
        row("data", &config.data, |path| path.display().to_string()),
        ("database".to_owned(), config.location().to_string(), config.database.place.to_string()),
        row("log key", &config.log_key, |key| match key {
            Some(_) => "set".to_owned(),
            None => "in the data folder".to_owned(),
        }),
        row("engine", &config.engine.kind, |it| match it {
            EngineKind::Local => it.name().to_owned(),
            EngineKind::Restate => {
                format!("{} at {}", it.name(), without_password(&config.engine.ingress.value))
            }
        }),
        row("log", &config.telemetry.log, Clone::clone),
        row("log format", &config.telemetry.format, |it| it.name().to_owned()),
        row("metrics", &config.telemetry.metrics, |it| {
            it.map_or_else(|| "not served".into(), |it| format!("http://{it}/metrics"))
        }),
    ];
    rows.extend(super::packs::settings(config));
    rows
}
