//! [`Store::of`]: a log as one of several people sees it.

use std::sync::Arc;

use toolwright_core::ConversationId;

use crate::{Store, StoreError, columns::Cell};

/// Whose conversations a store shows, and whose those are that begin through it.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// Everybody's where nobody is named.
    only: Option<Arc<str>>,
    /// Nobody's where nobody is named.
    new: Option<Arc<str>>,
}

impl View {
    /// Everybody's, and whatever begins belongs to this one.
    pub(crate) fn beginning_for(owner: Option<&str>) -> Self {
        Self { only: None, new: owner.map(Arc::from) }
    }

    /// The one whose conversations are shown, where those are not everybody's.
    pub(crate) fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Whose a conversation is that begins.
    pub(crate) fn owner_of_new(&self) -> Option<&str> {
        self.new.as_deref()
    }

    /// Whether somebody's are not shown.
    pub(crate) fn is_bounded(&self) -> bool {
        self.only.is_some()
    }

    /// Whether a conversation of this owner's is shown.
    pub(crate) fn shows(&self, owner: Option<&str>) -> bool {
        self.only.is_none() || self.only.as_deref() == owner
    }

    /// The statement for everybody's conversations, or the one for a single owner's, who then stands at this place among the
    /// values.
    pub(crate) fn pick(
        &self,
        [all, owned]: [&'static str; 2],
        mut cells: Vec<Cell>,
        at: usize,
    ) -> (&'static str, Vec<Cell>) {
        let Some(only) = self.only() else { return (all, cells) };
        cells.insert(at.min(cells.len()), only.into());
        (owned, cells)
    }
}

impl Store {
    /// The same log, through which only this owner's conversations can be seen, found, searched, counted, taken or
    /// changed: the others are not there ([`StoreError::NotFound`]). What begins through it belongs to that owner.
    #[must_use]
    pub fn of(&self, owner: &str) -> Self {
        let owner = Some(Arc::from(owner));
        Self { view: View { only: owner.clone(), new: owner }, ..self.clone() }
    }

    /// The same log, with everybody's conversations where it shows those; what begins through it belongs to this
    /// owner.
    #[must_use]
    pub fn beginning_for(&self, owner: &str) -> Self {
        Self { view: View { new: Some(Arc::from(owner)), ..self.view.clone() }, ..self.clone() }
    }

    /// Those who have conversations that are shown, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owners(&self) -> Result<Vec<String>, StoreError> {
        let (all, owned) = (
            "SELECT DISTINCT owner FROM conversation WHERE runs > 0 AND owner IS NOT NULL
             ORDER BY owner LIMIT 1000",
            "SELECT DISTINCT owner FROM conversation WHERE runs > 0 AND owner = $1",
        );
        let (sql, cells) = self.view.pick([all, owned], Vec::new(), 0);
        self.backend.query(sql, cells, |row| row.text(0).map(str::to_owned)).await
    }

    /// Whose a conversation is; nobody's where it is not there or not shown, too.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_of(&self, id: &ConversationId) -> Result<Option<String>, StoreError> {
        let ledger = self.any_ledger(id).await?;
        let owner = ledger.filter(|it| self.view.shows(it.owner.as_deref()));
        Ok(owner.and_then(|it| it.owner))
    }

    /// Refuses a conversation that is somebody else's as one that is not there. One that is not there yet is fine.
    pub(crate) async fn check_owner(&self, id: &ConversationId) -> Result<(), StoreError> {
        if !self.view.is_bounded() {
            return Ok(());
        }
        match self.any_ledger(id).await? {
            Some(ledger) if !self.view.shows(ledger.owner.as_deref()) => {
                Err(StoreError::NotFound(id.to_string()))
            }
            _ => Ok(()),
        }
    }
}
