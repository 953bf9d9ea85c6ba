//! [`ScopeMap`]: what people may do who sign in, by the groups that they are in.

use std::collections::BTreeMap;

use toolwright_app::config::IdentityConfig;

use super::Scopes;
use crate::ServerError;

/// What people may do who sign in, by the groups that they are in.
pub(super) struct ScopeMap {
    all: Scopes,
    groups: BTreeMap<String, Scopes>,
}

impl ScopeMap {
    pub(super) fn new(config: &IdentityConfig) -> Result<Self, ServerError> {
        let read = |key: &'static str, words: &[String]| {
            let wrong = |word| {
                let reason = format!("`{word}` is no scope: use ask, decide or admin");
                ServerError::identity(key, &reason)
            };
            Scopes::of(words).map_err(wrong)
        };
        let groups = config.groups.iter().map(|(name, words)| {
            // What a proxy says is cut at commas and trimmed: such a name would be nobody's, and an empty one that of
            // everybody of whom it says nothing.
            if name.is_empty() || name.trim() != name || name.contains(',') {
                let reason = format!(
                    "`{}` is no name of a group: it must not be empty, begin or end with a blank, or contain a comma",
                    name.escape_debug()
                );
                return Err(ServerError::identity("groups", &reason));
            }
            Ok((name.clone(), read("groups", words)?))
        });
        let all = read("scopes", &config.scopes)?;
        Ok(Self { all, groups: groups.collect::<Result<_, ServerError>>()? })
    }

    /// What somebody may do who is in these groups.
    pub(super) fn of<S: AsRef<str>>(&self, groups: impl IntoIterator<Item = S>) -> Scopes {
        let groups = groups.into_iter().filter_map(|it| self.groups.get(it.as_ref()).copied());
        groups.fold(self.all, Scopes::and)
    }
}
