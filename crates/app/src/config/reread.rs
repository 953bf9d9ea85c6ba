//! [`Config::reread`]: settings that changed while the program runs.

use std::collections::BTreeSet;

use super::Config;
use crate::{AppError, Flags};

/// Keys that a program takes up when it starts, and not before.
const AT_START: [&str; 5] = ["server", "engine", "http", "log", "telemetry"];

/// Keys that no tool depends on.
const OF_MODELS: [&str; 3] = ["model", "providers", "models"];

/// What is different in settings that were read again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SettingsChange {
    /// The top-level keys of the user's file whose values are others now.
    keys: BTreeSet<String>,
}

impl SettingsChange {
    /// Whether it is all about models: the tools are what they were.
    pub fn is_of_models(&self) -> bool {
        !self.keys.is_empty() && self.keys.iter().all(|it| OF_MODELS.contains(&it.as_str()))
    }

    /// What of it holds once the program is started again.
    pub fn at_next_start(&self) -> Vec<&str> {
        self.keys.iter().map(String::as_str).filter(|it| AT_START.contains(it)).collect()
    }
}

impl Config {
    /// The settings as the files say them now, and what of that is different. Where data is kept cannot change
    /// while it is in use.
    ///
    /// # Errors
    /// When a file or a value cannot be used.
    pub fn reread(&self, flags: &Flags) -> Result<(Self, SettingsChange), AppError> {
        let env = |name: &str| std::env::var(name).ok();
        let layers = &self.layers;
        let new = Self::load_in(&self.packs, &layers.here, flags, &env, &layers.user)?;
        if new.data.value != self.data.value {
            return Err(AppError::Restart("data"));
        }
        if new.location != self.location {
            return Err(AppError::Restart("database"));
        }
        let (before, after) = (&layers.said, &new.layers.said);
        let keys = before.keys().chain(after.keys());
        let keys = keys.filter(|it| before.get(*it) != after.get(*it)).cloned().collect();
        Ok((new, SettingsChange { keys }))
    }

    /// Whether tools that are open under these settings keep away from what those guard, too.
    pub(crate) fn guards_as(&self, new: &Self) -> bool {
        let own = self.private();
        self.allow_root == new.allow_root
            && self.folder_file() == new.folder_file()
            && new.private().iter().all(|it| own.iter().any(|own| it.starts_with(own)))
    }

    /// What was given on the command line, but for the model: that was for now, and not for what is kept.
    pub fn flags_without_model(&self) -> Flags {
        Flags { model: None, ..self.flags.clone() }
    }
}
