//! Runs that somebody listens to here and that nobody drives: whoever listens is told so, and why, wherever they were asked
//! and whoever drove them.
//!
//! Others have reasons: a worker cannot drive a run, or the engine does not answer. Whether nobody does is seen here
//! alone: another worker may go on with it, and then there is nothing to tell.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::sync::OnceCell;
use toolwright_core::{ActionableError, ConversationId, Timestamp};
use toolwright_store::{ConversationStatus, StoreError};
use toolwright_timeout::timeout;

use super::{Channel, Runs, standing::Standing};

const NO_WORKER: &str = "none drives it for now, and it goes on once one does; `toolwright doctor` tells whether the engine \
     has workers";
const NOBODY: &str = "Whoever drove it is gone, and it stands still; resume it to go on.";
const FROZEN: &str = "Its process gives no sign of life: it is frozen (SIGSTOP, a paused machine), or cut off from the database.";
/// What becomes of it then, with an engine and without.
const TAKEN_OVER: &str = "Another worker takes it over after engine.grace, once there is one.";
const HELD: &str = "Have that process go on, or end it; then it can be resumed.";

const AWAY: &str = "The database does not answer: nothing can be kept or read for now, and it goes on once it does.";

/// How long an engine that says nothing is waited for.
const GLANCE: Duration = Duration::from_secs(3);

/// When something last happened in conversations that nobody was at work in.
type Seen = HashMap<ConversationId, Timestamp>;

/// Why the engine has nobody drive anything, once it was asked: for one look.
type EngineTrouble = OnceCell<Option<String>>;

impl Runs {
    /// Looks after what is listened to here and driven elsewhere, so often, until everybody leaves. What stands still from
    /// one look to the next is not driven.
    pub(super) fn look_after(self: &Arc<Self>, often: Duration) {
        let (this, leaving) = (Arc::downgrade(self), self.leaving.clone());
        tokio::spawn(leaving.run_until_cancelled_owned(async move {
            let mut seen = Seen::new();
            loop {
                tokio::time::sleep(often).await;
                let Some(runs) = this.upgrade() else { return };
                seen = runs.look(seen).await;
            }
        }));
    }

    /// A run that is listened to here may not be driven, for this reason where one is known. It is looked at soon.
    pub(super) fn suspect(self: &Arc<Self>, id: &ConversationId, why: Option<String>) {
        let Some(channel) = self.elsewhere(id) else { return };
        if !channel.suspect(why) {
            return;
        }
        let (this, soon) = (self.clone(), self.soon);
        tokio::spawn(self.leaving.clone().run_until_cancelled_owned(async move {
            let looked = async {
                let since = this.store().find(channel.id.as_str()).await?.updated_at;
                tokio::time::sleep(soon).await;
                // Whoever has another reason from now on is looked at again.
                channel.suspected();
                this.tell_if_still(&channel, Some(since), &EngineTrouble::new()).await
            };
            if let Err(error) = looked.await {
                channel.suspected();
                tracing::debug!(%error, "a conversation was not looked at");
            }
        }));
    }

    async fn look(&self, seen: Seen) -> Seen {
        let (mut now, trouble) = (Seen::new(), EngineTrouble::new());
        let listened = self.open_channels().into_iter();
        for channel in listened.filter(|it| self.active(&it.id).is_none()) {
            let before = seen.get(&channel.id).copied();
            match self.look_at(&channel, before, &trouble).await {
                Ok(at) => now.extend(at.map(|at| (channel.id.clone(), at))),
                Err(error) => {
                    tracing::debug!(%error, "a conversation was not looked at");
                    if channel.is_in_a_run() {
                        channel.tell_undriven(|_| AWAY.to_owned());
                    }
                }
            }
        }
        now
    }

    /// Looks after one: what listens to a log that is gone, or that lost its end, hears nothing any more, and is let go. It
    /// asks anew, and is told.
    async fn look_at(
        &self,
        channel: &Arc<Channel>,
        before: Option<Timestamp>,
        trouble: &EngineTrouble,
    ) -> Result<Option<Timestamp>, StoreError> {
        // Read first: the log has no fewer, unless it was restored.
        let known = channel.known_events();
        let next = self.store().progress(&channel.id).await?.map(|it| it.next.0);
        if next.is_none() || next < known {
            self.let_go(&channel.id);
            return Ok(None);
        }
        match self.tell_if_still(channel, before, trouble).await {
            Err(StoreError::NotFound(_)) => {
                self.let_go(&channel.id);
                Ok(None)
            }
            told => told,
        }
    }

    /// Ends the streams of everybody who listens to a conversation: it is gone, or is another one by now.
    pub(crate) fn let_go(&self, id: &ConversationId) {
        let channel = self.lock_channels().open.remove(id);
        if let Some(channel) = channel.and_then(|it| it.upgrade()) {
            channel.close();
        }
    }

    /// Why the engine has nobody drive anything, where it cannot be reached.
    async fn engine_trouble(&self) -> Option<String> {
        let check = self.engine.as_ref()?.check();
        match timeout(GLANCE, check).await {
            Ok(seen) => seen.err().map(|error| error.sentence()),
            Err(_) => Some(
                "the engine takes connections and says nothing: see what is wrong with it"
                    .to_owned(),
            ),
        }
    }

    /// Since when nothing happens in a conversation that nobody is at work in. Whoever listens is told where that was so
    /// before.
    async fn tell_if_still(
        &self,
        channel: &Channel,
        before: Option<Timestamp>,
        trouble: &EngineTrouble,
    ) -> Result<Option<Timestamp>, StoreError> {
        let summary = self.store().find(channel.id.as_str()).await?;
        let is_driven = summary.state != ConversationStatus::Unfinished && !summary.is_silent;
        if is_driven || summary.id != channel.id {
            return Ok(None);
        }
        let at = summary.updated_at;
        // Whoever is silent was so for a while.
        if before == Some(at) || summary.is_silent {
            match self.standing(&summary).await? {
                // The engine has it wait for people, and nobody has to be there for that.
                Standing { is_going: true, waits_for: 1.. } => {}
                Standing { is_going: true, .. } if summary.is_silent => {
                    let then = if self.has_engine() { TAKEN_OVER } else { HELD };
                    channel.tell_undriven(|_| format!("{FROZEN} {then}"));
                }
                Standing { is_going: true, .. } => {
                    let trouble = trouble.get_or_init(|| self.engine_trouble()).await;
                    channel.tell_undriven(|known| match trouble {
                        Some(why) => format!("It waits for the engine: {why}"),
                        None => format!("It waits for a worker: {}", known.unwrap_or(NO_WORKER)),
                    });
                }
                Standing { is_going: false, .. } => channel.tell_undriven(|_| NOBODY.to_owned()),
            }
        }
        Ok(Some(at))
    }
}
