//! [`ApprovalRules`]: the rules by which calls run without a question: those of the config file, and
//! those that somebody gave with "always".
//!
//! The last lie in the store, where no tool reaches: a model cannot grant itself anything. Nobody has a copy: they are
//! read when a call is checked, so that one that was taken back allows nothing any more, in whatever process.

use std::{error::Error, fmt, fs, io, sync::Arc};

use futures_util::future::BoxFuture;
use serde::Serialize;
use toolwright_runtime::{Rule, RuleSource, Rules};
use toolwright_store::{Store, StoreError, StoredRule};

use crate::{AppError, Config, ListFile};

/// The rules by which calls run without a question.
pub struct ApprovalRules {
    rules: Arc<Rules>,
    given: GivenInStore,
}

/// A rule that somebody gave with "always".
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GivenRule {
    /// What it is taken back by. It never means another.
    pub number: u64,
    /// The rule; nothing where it cannot be read here: then it decides nothing.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

/// The rule in words, without its number.
impl fmt::Display for GivenRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rule {
            Some(rule) => fmt::Display::fmt(rule, f),
            None => f.write_str(
                "(decides nothing: it was given under another log key, and cannot be read with this one)",
            ),
        }
    }
}

impl ApprovalRules {
    /// All rules there are.
    ///
    /// # Errors
    /// When those that were given before they were kept in the store cannot be taken over.
    pub async fn open(config: &Config, store: &Store) -> Result<Self, AppError> {
        take_over(config, store).await?;
        let given = GivenInStore(store.clone());
        let rules = Rules::with_source(config.rules.clone(), Arc::new(given.clone()));
        Ok(Self { rules: Arc::new(rules), given })
    }

    /// Takes up what settings that changed say, beside what was given.
    pub(crate) fn renew(&self, config: &Config) {
        self.rules.replace(config.rules.clone());
    }

    /// The rules.
    pub fn rules(&self) -> Arc<Rules> {
        self.rules.clone()
    }

    /// Adds rules, for now and for later, here and wherever else the store is used. Returns those that are new.
    ///
    /// # Errors
    /// When they cannot be kept: then they do not hold.
    pub async fn grant(&self, rules: &[Rule]) -> Result<Vec<Rule>, AppError> {
        let mut new = Vec::new();
        for rule in rules {
            if self.given.0.put_rule(&body(rule)?).await? {
                // What it says may be nobody else's business.
                tracing::info!(target: "audit", action = "rule_add", tool = rule.tool, "done");
                new.push(rule.clone());
            }
        }
        Ok(new)
    }

    /// The rules that somebody gave with "always", in that order.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn given(&self) -> Result<Vec<GivenRule>, AppError> {
        self.given.read().await
    }

    /// Takes one of them back, by its number. No call that is checked from now on is allowed by it.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn take_back(&self, number: u64) -> Result<Option<GivenRule>, AppError> {
        let given = self.given().await?;
        let found = given.into_iter().find(|it| it.number == number);
        let is_removed = self.remove(number).await?;
        Ok(found.filter(|_| is_removed))
    }

    /// Takes these back, whatever their numbers are.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn revoke(&self, rules: &[Rule]) -> Result<(), AppError> {
        let is_meant = |it: &GivenRule| it.rule.as_ref().is_some_and(|it| rules.contains(it));
        for given in self.given().await?.into_iter().filter(is_meant) {
            self.remove(given.number).await?;
        }
        Ok(())
    }

    /// Takes one back; whether it was there.
    async fn remove(&self, number: u64) -> Result<bool, AppError> {
        let is_removed = self.given.0.remove_rule(number).await?;
        if is_removed {
            tracing::info!(target: "audit", action = "rule_remove", rule = number, "done");
        }
        Ok(is_removed)
    }

    /// Takes all of them back.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub async fn clear(&self) -> Result<(), AppError> {
        self.given.0.clear_rules().await?;
        tracing::info!(target: "audit", action = "rule_clear", "done");
        Ok(())
    }
}

/// The rules in a store.
#[derive(Clone)]
struct GivenInStore(Store);

impl GivenInStore {
    async fn read(&self) -> Result<Vec<GivenRule>, AppError> {
        Ok(self.0.rules().await?.into_iter().map(given).collect())
    }
}

impl RuleSource for GivenInStore {
    fn rules(&self) -> BoxFuture<'_, Result<Vec<Rule>, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            let given = self.read().await?;
            Ok(given.into_iter().filter_map(|it| it.rule).collect())
        })
    }
}

/// What is stored, as a rule. One that cannot be read here decides nothing; that it is there can be seen, and it can be
/// taken back.
fn given(stored: StoredRule) -> GivenRule {
    let StoredRule { number, body } = stored;
    GivenRule { number, rule: body.and_then(|body| serde_json::from_slice(&body).ok()) }
}

fn body(rule: &Rule) -> Result<Vec<u8>, AppError> {
    let failed = |error: serde_json::Error| StoreError::Unavailable(error.to_string()).into();
    serde_json::to_vec(rule).map_err(failed)
}

/// Takes over what was given when rules lay in a file of the data folder. The file stays, under another name.
async fn take_over(config: &Config, store: &Store) -> Result<(), AppError> {
    let file = ListFile::new(config.data.value.join("approvals.json"));
    let unusable = |reason: io::Error| AppError::Approvals {
        path: file.path().to_owned(),
        reason: reason.to_string(),
    };
    // Most of the time there is none, and then nothing is locked.
    if fs::symlink_metadata(file.path()).is_err() {
        return Ok(());
    }
    // What one person gave on one machine is nothing that a team has given.
    if store.is_shared() {
        tracing::warn!(
            "{} is not read: rules lie in the database that is shared, and hold for everybody there; \
             give those again that are meant so",
            file.path().display()
        );
        return Ok(());
    }
    // Until it is done nobody else does it: what is taken back meanwhile would be given again.
    let locking = file.clone();
    let lock = tokio::task::spawn_blocking(move || locking.hold()).await;
    let _lock = lock.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(unusable)?;
    let rules: Vec<Rule> = file.read().map_err(unusable)?;
    for rule in &rules {
        store.put_rule(&body(rule)?).await?;
    }
    match fs::rename(file.path(), file.path().with_extension("json.taken-over")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unusable(error)),
        _ => Ok(()),
    }
}
