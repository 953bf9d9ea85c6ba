//! [`ApprovalRules`]: the rules by which calls run without a question: those of the config file, and
//! those that somebody gave with "always".
//!
//! The last are kept in the data folder, where no tool reaches: a model cannot grant itself anything.

use std::{io, sync::Arc};

use toolwright_runtime::{Rule, Rules};

use crate::{AppError, Config, ListFile};

/// The rules by which calls run without a question.
pub struct ApprovalRules {
    rules: Arc<Rules>,
    kept: SavedRules,
}

impl ApprovalRules {
    /// All rules there are.
    ///
    /// # Errors
    /// When those that were given cannot be read.
    pub fn open(config: &Config) -> Result<Self, AppError> {
        let kept = SavedRules::of(config);
        let given = kept.file.read().map_err(|reason| kept.unusable(&reason))?;
        let rules = config.rules.iter().cloned().chain(given).collect();
        Ok(Self { rules: Arc::new(Rules::new(rules)), kept })
    }

    /// Takes up what settings that changed say, beside what was given.
    ///
    /// # Errors
    /// When those that were given cannot be read: then nothing changes.
    pub(crate) fn renew(&self, config: &Config) -> Result<(), AppError> {
        let given = self.kept.list()?;
        self.rules.replace(config.rules.iter().cloned().chain(given).collect());
        Ok(())
    }

    /// The rules.
    pub fn rules(&self) -> Arc<Rules> {
        self.rules.clone()
    }

    /// Adds rules, for now and for later.
    ///
    /// # Errors
    /// When they cannot be kept: then they hold for this process only.
    pub fn grant(&self, rules: &[Rule]) -> Result<(), AppError> {
        rules.iter().for_each(|rule| self.rules.add(rule.clone()));
        self.kept.change(|kept| {
            for rule in rules {
                if !kept.contains(rule) {
                    kept.push(rule.clone());
                }
            }
        })
    }
}

impl ApprovalRules {
    /// The rules that somebody gave with "always".
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn kept(&self) -> Result<Vec<Rule>, AppError> {
        self.kept.list()
    }

    /// Takes one of them back, by its place in the list.
    ///
    /// # Errors
    /// When they cannot be read or kept.
    pub fn take_back(&self, at: usize) -> Result<Option<Rule>, AppError> {
        let removed = self.kept.remove(at)?;
        Ok(removed.inspect(|rule| self.rules.remove(rule)))
    }
}

/// The rules that somebody gave with "always".
pub struct SavedRules {
    file: ListFile,
}

impl SavedRules {
    /// Those of the configured data folder.
    pub fn of(config: &Config) -> Self {
        Self { file: ListFile::new(config.data.value.join("approvals.json")) }
    }

    /// The rules.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn list(&self) -> Result<Vec<Rule>, AppError> {
        self.file.read().map_err(|reason| self.unusable(&reason))
    }

    /// Takes a rule back, by its place in the list.
    ///
    /// # Errors
    /// When they cannot be read or kept.
    pub fn remove(&self, at: usize) -> Result<Option<Rule>, AppError> {
        let mut removed = None;
        self.change(|rules| {
            if at < rules.len() {
                removed = Some(rules.remove(at));
            }
        })?;
        Ok(removed)
    }

    /// Takes all of them back.
    ///
    /// # Errors
    /// When they cannot be kept.
    pub fn clear(&self) -> Result<(), AppError> {
        self.change(Vec::clear)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Rule>)) -> Result<(), AppError> {
        self.file.change(change).map_err(|reason| self.unusable(&reason))
    }

    fn unusable(&self, reason: &io::Error) -> AppError {
        AppError::Approvals { path: self.file.path().to_owned(), reason: reason.to_string() }
    }
}
