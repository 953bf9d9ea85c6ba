//! [`RunSettings`]: the settings that a run depends on, as the process has them that was asked.
//!
//! Whoever drives the run may have others: `--model` may have been typed for one server and not for the workers. What
//! is here travels with the run; what is not is the driver's own, and says so where [`RunSettings::of`] takes the
//! settings apart. A new setting does not compile before somebody has decided which of the two it is.

use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    path::PathBuf,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use toolwright_core::{
    AttachmentKind, ModelOptions, OutputStrategy, Price, ResultMode, ReviewMode,
};
use toolwright_dialects::Dialect;
use toolwright_pack::Pack;
use toolwright_runtime::{ContextWindow, SelectionConfig};

use super::{
    Config, ContextConfig, Flags, LimitsConfig, ModelConfig, Setting, SettingSource,
    model::accepted,
};
use crate::{AppError, task};

/// The settings that a run depends on, as the process has them that was asked. No key to a model is among them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
// What is not known here was set by somebody: to leave it out would be another run.
#[serde(deny_unknown_fields)]
pub struct RunSettings {
    model: ModelSettings,
    limits: LimitSettings,
    window: WindowSettings,
    /// Above how many tools some are chosen, and how many are offered then.
    selection: (usize, usize),
    one_at_a_time: bool,
    /// And whether somebody said so: a small model has another one where nobody did.
    review: (ReviewMode, bool),
    mode: ResultMode,
    time_zone: Option<String>,
    /// Where packs work, by pack and key. Only held against those of whoever drives: a path means something else on
    /// another machine.
    folders: BTreeMap<String, PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelSettings {
    name: Option<String>,
    tool_mode: String,
    dialect: Dialect,
    judge: Option<String>,
    idle_timeout: Duration,
    price: Option<Price>,
    /// Without headers: there are keys among them.
    options: ModelOptions,
    accepts: Option<Vec<String>>,
    output_strategy: Option<OutputStrategy>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LimitSettings {
    rounds: u32,
    calls: u32,
    tokens: Option<u64>,
    cost: Option<f64>,
    wall_clock: Duration,
    tool_timeout: Duration,
    agent_depth: u32,
    parallel_agents: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WindowSettings {
    tokens: u64,
    compact_at: f64,
    keep: f64,
    result: usize,
    lines: usize,
}

// Numbers that are none cannot be set.
impl Eq for RunSettings {}

impl Hash for RunSettings {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Texts, numbers and lists of them: there is nothing in it that JSON has no form for.
        serde_json::to_string(self).unwrap_or_default().hash(state);
    }
}

impl RunSettings {
    /// Those of a process that was asked.
    pub(crate) fn of(config: &Config) -> Self {
        let Config {
            model,
            limits,
            context: ContextConfig { window, selection, source_wait: _ },
            one_at_a_time,
            review,
            mode,
            time_zone,
            // It travels by its name, beside these.
            task: _,
            // What there is to work with, and where it is: the driver's own, and to be the same everywhere.
            packs: _,
            sections: _,
            tasks: _,
            sources: _,
            commands: _,
            unused_commands: _,
            agents: _,
            mcp: _,
            openapi: _,
            providers: _,
            models: _,
            embeddings: _,
            http: _,
            cassette: _,
            // What is allowed where it is done: nobody from elsewhere makes it wider.
            allow_root: _,
            rules: _,
            policies: _,
            declarations: _,
            // The process.
            flags: _,
            layers: _,
            problem: _,
            file: _,
            server: _,
            engine: _,
            user_folder: _,
            data: _,
            database: _,
            log_key: _,
            location: _,
            telemetry: _,
        } = config;
        let ContextWindow { tokens, compact_at, keep, result, lines } = window.value;
        let zone = time_zone.value.as_ref().and_then(|it| it.iana_name());
        Self {
            model: ModelSettings::of(model),
            limits: LimitSettings::of(limits),
            window: WindowSettings { tokens, compact_at, keep, result, lines },
            selection: (selection.value.above, selection.value.offer),
            one_at_a_time: one_at_a_time.value,
            review: (review.value, review.place != SettingSource::Default),
            mode: mode.value,
            time_zone: zone.map(str::to_owned),
            folders: config.folders(),
        }
    }

    /// The model that answers, where one was named.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.name.as_deref()
    }

    /// The same flags, as they would have been typed: agents that are tools go by these.
    pub(crate) fn flags(&self, own: Flags) -> Flags {
        let model = &self.model;
        let (review, is_said) = self.review;
        let word = serde_json::to_value(review).ok();
        let word = word.as_ref().and_then(|it| it.as_str()).map(str::to_owned);
        Flags {
            model: model.name.clone(),
            tool_mode: Some(model.tool_mode.clone()),
            dialect: Some(model.dialect.name().to_owned()),
            review: word.filter(|_| is_said),
            tool_timeout: Some(toolwright_duration::format(self.limits.tool_timeout)),
            options: Vec::new(),
            rounds: None,
            single_shot: false,
            ..own
        }
    }

    /// Has them hold in the place of whatever was set here.
    ///
    /// # Errors
    /// When one cannot be used here.
    pub(crate) fn apply(&self, config: &mut Config) -> Result<(), AppError> {
        self.model.apply(&mut config.model)?;
        self.limits.apply(&mut config.limits);
        let WindowSettings { tokens, compact_at, keep, result, lines } = self.window;
        let window = ContextWindow { tokens, compact_at, keep, result, lines };
        let (above, offer) = self.selection;
        config.context.window = asked(window);
        config.context.selection = asked(SelectionConfig { above, offer });
        config.one_at_a_time = asked(self.one_at_a_time);
        let (review, is_said) = self.review;
        config.review = match is_said {
            true => asked(review),
            false => Setting { value: review, place: SettingSource::Default },
        };
        config.mode = asked(self.mode);
        let zone = self.time_zone.as_deref().map(|name| {
            task::time_zone(name).map_err(|reason| unusable("time_zone", name, reason))
        });
        config.time_zone = asked(zone.transpose()?);
        Ok(())
    }

    /// Where packs work elsewhere than here, a line each.
    pub(crate) fn other_folders(&self, config: &Config) -> Vec<String> {
        let own = config.folders();
        let differ = self.folders.iter().filter(|(key, folder)| own.get(*key) != Some(folder));
        let differ = differ.map(|(key, folder)| {
            let here = own.get(key).map_or_else(
                || "nothing is set here".to_owned(),
                |here| format!("it is {} here", here.display()),
            );
            format!("{key} is {} where the run was asked, and {here}", folder.display())
        });
        differ.collect()
    }
}

impl ModelSettings {
    fn of(config: &ModelConfig) -> Self {
        let ModelConfig {
            name,
            tool_mode,
            dialect,
            judge,
            idle_timeout,
            price,
            options,
            accepts,
            output_strategy,
            // Where models are, and the keys to them: the driver's own.
            base_url: _,
            api_key: _,
            withheld: _,
            offline_folder: _,
            package_index: _,
        } = config;
        let mut options = options.value.clone();
        options.headers.clear();
        let words = |kinds: &Vec<AttachmentKind>| kinds.iter().copied().filter_map(word).collect();
        Self {
            name: name.value.clone(),
            tool_mode: tool_mode.value.name().to_owned(),
            dialect: dialect.value,
            judge: judge.value.clone(),
            idle_timeout: idle_timeout.value,
            price: price.value,
            options,
            accepts: accepts.value.as_ref().map(words),
            output_strategy: output_strategy.value,
        }
    }

    fn apply(&self, config: &mut ModelConfig) -> Result<(), AppError> {
        let mode = self.tool_mode.parse();
        let mode = mode.map_err(|_| unusable("tool_mode", &self.tool_mode, "no such mode"))?;
        let accepts = self.accepts.as_deref().map(accepted).transpose();
        let accepts = accepts.map_err(|it| unusable("model.accepts", &it, "no such kind"))?;
        let mut options = self.options.clone();
        options.headers.clone_from(&config.options.value.headers);
        config.name = asked(self.name.clone());
        config.tool_mode = asked(mode);
        config.dialect = asked(self.dialect);
        config.judge = asked(self.judge.clone());
        config.idle_timeout = asked(self.idle_timeout);
        config.price = asked(self.price);
        config.options = asked(options);
        config.accepts = asked(accepts);
        config.output_strategy = asked(self.output_strategy);
        Ok(())
    }
}

impl LimitSettings {
    fn of(config: &LimitsConfig) -> Self {
        let LimitsConfig {
            rounds,
            calls,
            tokens,
            cost,
            wall_clock,
            tool_timeout,
            agent_depth,
            parallel_agents,
        } = config;
        Self {
            rounds: rounds.value,
            calls: calls.value,
            tokens: tokens.value,
            cost: cost.value,
            wall_clock: wall_clock.value,
            tool_timeout: tool_timeout.value,
            agent_depth: agent_depth.value,
            parallel_agents: parallel_agents.value,
        }
    }

    fn apply(&self, config: &mut LimitsConfig) {
        *config = LimitsConfig {
            rounds: asked(self.rounds),
            calls: asked(self.calls),
            tokens: asked(self.tokens),
            cost: asked(self.cost),
            wall_clock: asked(self.wall_clock),
            tool_timeout: asked(self.tool_timeout),
            agent_depth: asked(self.agent_depth),
            parallel_agents: asked(self.parallel_agents),
        };
    }
}

impl Config {
    /// The folders that packs were set up to work in, by pack and key.
    fn folders(&self) -> BTreeMap<String, PathBuf> {
        let packs = self.packs.iter().map(Pack::info);
        let keys = packs.flat_map(|info| {
            let keys = info.settings.iter().filter(|key| key.selects.is_some());
            keys.map(move |key| (info.name, key.name))
        });
        let folders = keys.filter_map(|(pack, key)| {
            let folder = self.section(pack)?.get::<PathBuf>(key).ok()??;
            Some((format!("{pack}.{key}"), folder))
        });
        folders.collect()
    }
}

fn asked<T>(value: T) -> Setting<T> {
    Setting { value, place: SettingSource::Flag("of whoever was asked") }
}

fn unusable(name: &str, value: &str, reason: &str) -> AppError {
    AppError::BadValue {
        name: name.to_owned(),
        value: value.to_owned(),
        place: "whoever was asked".to_owned(),
        reason: reason.to_owned(),
    }
}

/// What `accepted` reads.
fn word(kind: AttachmentKind) -> Option<String> {
    let word = match kind {
        AttachmentKind::Image => "image",
        AttachmentKind::Pdf => "pdf",
        AttachmentKind::Audio => "audio",
        _ => return None,
    };
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PackRegistry;

    fn config(file: &str) -> Config {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.toml");
        std::fs::write(&path, file).unwrap();
        let home = folder.path().to_str().unwrap().to_owned();
        let flags = Flags {
            config: Some(path),
            data: Some(folder.path().join("data")),
            ..Flags::default()
        };
        let env = |name: &str| (name == "HOME").then(|| home.clone());
        Config::load_from(&PackRegistry::new(), &flags, &env).unwrap()
    }

    /// Every one of them is another than the usual one.
    const OTHERS: &str = r#"
        time_zone = "Asia/Kolkata"
        review = "replace"
        single_shot = true
        [model]
        base_url = "http://127.0.0.1:9/v1"
        api_key = "secret-secret"
        name = "first,second"
        tool_mode = "text"
        dialect = "hermes"
        judge = "third"
        idle_timeout = "7s"
        input_price = 1.0
        output_price = 2.0
        accepts = ["pdf"]
        output_strategy = "prompt"
        [model.options]
        temperature = 0.25
        seed = 7
        headers = { x-key = "secret-header" }
        [limits]
        rounds = 3
        calls = 4
        tokens = 5000
        cost = 0.5
        wall_clock = "61s"
        tool_timeout = "7s"
        agent_depth = 1
        parallel_agents = 1
        [context]
        window = 9000
        result = 800
        tools = 5
    "#;

    /// The fields by their paths.
    fn leaves(value: &serde_json::Value, at: &str, all: &mut BTreeMap<String, String>) {
        match value {
            serde_json::Value::Object(map) => {
                map.iter().for_each(|(key, it)| leaves(it, &format!("{at}.{key}"), all));
            }
            it => drop(all.insert(at.to_owned(), it.to_string())),
        }
    }

    #[test]
    fn whoever_drives_has_what_whoever_was_asked_had() {
        let (mut here, there) = (config(""), config(OTHERS));
        let (usual, set) = (RunSettings::of(&here), RunSettings::of(&there));
        let text = serde_json::to_string(&set).unwrap();
        assert!(!text.contains("secret"), "keys stay where they are: {text}");
        let travelled: RunSettings = serde_json::from_str(&text).unwrap();
        travelled.apply(&mut here).unwrap();
        assert_eq!(RunSettings::of(&here), set);
        assert_eq!(here.model.base_url.value, None, "where models are is the driver's own");

        // And back: what nobody set where it was asked is not set by whoever drives either.
        let mut there = there;
        usual.apply(&mut there).unwrap();
        assert_eq!(RunSettings::of(&there), usual);
        assert_eq!(there.model.options.value.headers["x-key"], "secret-header");
    }

    /// The one above says something about each of them.
    #[test]
    fn every_setting_is_another_one_there() {
        let told = |settings: &RunSettings| {
            let mut all = BTreeMap::new();
            leaves(&serde_json::to_value(settings).unwrap(), "", &mut all);
            all
        };
        let usual = told(&RunSettings::of(&config("")));
        let set = told(&RunSettings::of(&config(OTHERS)));
        // Of a task, of no setting, or of packs, which this has none of.
        let excused =
            [".one_at_a_time", ".window.compact_at", ".window.keep", ".window.lines", ".folders"];
        let same =
            usual.iter().filter(|(key, it)| set.get(*key) == Some(it)).map(|it| it.0.as_str());
        let is_tried = |it: &&str| !excused.contains(it) && !it.ends_with(".nanos");
        let same: Vec<_> = same.filter(is_tried).collect();
        assert!(same.is_empty(), "not tried: {same:?}");
    }
}
