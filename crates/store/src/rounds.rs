//! [`StoredRound`]: a run as it stood when it asked its model for one of its replies.

use toolwright_core::{ConversationId, EventKind, Run, RunId, ToolChoice};

use crate::{
    Store, StoreError, branches,
    columns::Cell,
    record::Stored,
    sql,
    state::{self, fold},
};

/// A run as it stood when it asked its model for one of its replies.
#[derive(Clone, Debug)]
pub struct StoredRound {
    /// The run, with everything that was said until then.
    pub run: Run,
    /// Whether the model might, had to or must not call a tool.
    pub choice: ToolChoice,
    /// The tools that it was offered, where those were not all.
    pub offered: Option<Vec<String>>,
}

impl Store {
    /// A round of a run; nothing where there is no such round in the conversation.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such conversation.
    pub async fn round(
        &self,
        id: &ConversationId,
        run: &RunId,
        round: u32,
    ) -> Result<Option<StoredRound>, StoreError> {
        let ledger = self.ledger(id).await?.filter(|ledger| ledger.runs > 0);
        let ledger = ledger.ok_or_else(|| StoreError::NotFound(id.to_string()))?;
        let runs = branches::of(&self.backend, &ledger).await?;
        let Some(own) = runs.stretch(run) else { return Ok(None) };
        let mut pieces = Vec::new();
        for stretch in runs.path(runs.before(own.start))? {
            pieces.extend(state::said(&self.backend, &self.key, id, stretch).await?);
        }
        let cells = vec![Cell::from(own.start), own.end.into(), i64::MAX.into()];
        let stored = self.backend.query(sql::EVENTS, cells, Stored::read).await?;
        let (mut events, mut offered, mut choice) = (Vec::new(), None, None);
        for stored in stored {
            let stored = stored.sound().map_err(|error| self.backend.locate(error))?;
            let authenticity = stored.authenticity(&self.key, id);
            let event = stored.into_event().map_err(|error| self.backend.locate(error))?;
            match &event.kind {
                EventKind::ToolsOffered { tools, .. } => offered = Some(tools.clone()),
                EventKind::RoundStarted { tool_choice, .. } if event.round == round => {
                    choice = Some(tool_choice.clone());
                }
                _ => {}
            }
            events.push((event, authenticity));
            if choice.is_some() {
                break;
            }
        }
        let Some(choice) = choice else { return Ok(None) };
        let events = events.iter().map(|(event, authenticity)| (event, *authenticity));
        let run = Run::replay_mixed(fold(pieces), events);
        let run = run.map_err(|error| self.backend.locate(StoreError::damaged(error)))?;
        Ok(Some(StoredRound { run, choice, offered }))
    }
}
