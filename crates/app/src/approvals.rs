//! [`Approvals`]: the rules by which calls run without a question: those of the config file, and
//! those that somebody gave with "always".
//!
//! The last are kept in the data folder, where no tool reaches: a model cannot grant itself anything.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use toolwright_runtime::{Rule, Rules};

use crate::{AppError, Config};

/// The rules by which calls run without a question.
pub struct Approvals {
    rules: Arc<Rules>,
    kept: Kept,
}

impl Approvals {
    /// All rules there are.
    ///
    /// # Errors
    /// When those that were given cannot be read.
    pub fn open(config: &Config) -> Result<Self, AppError> {
        let kept = Kept::of(config);
        let given = kept.read().map_err(|reason| kept.unusable(&reason))?;
        let rules = config.rules.iter().cloned().chain(given).collect();
        Ok(Self { rules: Arc::new(Rules::new(rules)), kept })
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

impl Approvals {
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
pub struct Kept {
    path: PathBuf,
}

impl Kept {
    /// Those of the configured data folder.
    pub fn of(config: &Config) -> Self {
        Self { path: config.data.value.join("approvals.json") }
    }

    /// The rules.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn list(&self) -> Result<Vec<Rule>, AppError> {
        self.read().map_err(|reason| self.unusable(&reason))
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

    fn read(&self) -> io::Result<Vec<Rule>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            // A data folder that cannot be used is told by the store, which needs it more.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Changes them, one process at a time; a crash leaves them as they were or as they are now.
    fn change(&self, change: impl FnOnce(&mut Vec<Rule>)) -> Result<(), AppError> {
        let write = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            let lock = File::create(self.path.with_extension("lock"))?;
            lock.lock()?;
            let mut rules = self.read()?;
            change(&mut rules);
            let new = self.path.with_extension("new");
            let mut file = private(&new)?;
            file.write_all(&serde_json::to_vec_pretty(&rules)?)?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|reason| self.unusable(&reason))
    }

    fn unusable(&self, reason: &io::Error) -> AppError {
        AppError::Approvals { path: self.path.clone(), reason: reason.to_string() }
    }
}

/// A new file that only its owner may read.
fn private(path: &std::path::Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}
