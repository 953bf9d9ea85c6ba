//! [`RunSettings`]: the settings that a run depends on, as the process has them that was asked.
//!
//! Whoever drives the run may have others: `--model` may have been typed for one server and not for the workers. What
//! is here travels with the run; what is not is the driver's own, and says so where [`RunSettings::of`] takes the
//! settings apart. A new setting does not compile before somebody has decided which of the two it is.

mod parts;

use std::{
    collections::BTreeMap,
    hash::{Hash, Hasher},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};
use toolwright_core::{ResultMode, ReviewMode};
use toolwright_pack::Pack;
use toolwright_runtime::{ContextWindow, SelectionConfig};

use self::parts::{LimitSettings, ModelSettings};
use super::{Config, ContextConfig, Flags, Setting, SettingSource};
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

#[cfg(test)]
mod tests;
