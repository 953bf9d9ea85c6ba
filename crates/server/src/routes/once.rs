//! [`Once`]: a request that is carried out once, however often it is sent.
//!
//! What its run will be called is kept under the sender's key before anything begins. Whoever sends it again, to whichever
//! server, is told of that run; and where the one who came first died before it began, it begins now.

use std::time::Duration;

use toolwright_core::{ConversationId, Digest, EventKind, MessageId, RunId};
use toolwright_runtime::{new_message_id, new_run_id};
use toolwright_store::{ConversationStatus, KeyClaim, KeyState, Progress, StoreError};

use super::conversations::exact;
use crate::{
    ApiError,
    auth::Asker,
    runs::{Begun, Started},
};

/// How often a conversation is tried that somebody has, who may be asking the very same, and how long apart.
const ATTEMPTS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(200);

/// How many events are read at once, where it is looked whether a message was taken up.
const PAGE: usize = 256;

/// The key that a sender gave a request, and the digest of what was sent.
pub(crate) type Key = Option<(String, Digest)>;

/// A request that is carried out once.
pub(crate) struct Once {
    conversation: ConversationId,
    run: RunId,
    is_keyed: bool,
    was_sent: bool,
    /// How often it may still be tried.
    attempts: u32,
}

impl Once {
    /// A request that begins a run in this conversation.
    pub(crate) async fn new(
        service: &Asker,
        conversation: ConversationId,
        key: Key,
    ) -> Result<Self, ApiError> {
        Self::of_run(service, conversation, new_run_id(), key).await
    }

    /// A request about this run.
    pub(crate) async fn of_run(
        service: &Asker,
        conversation: ConversationId,
        run: RunId,
        key: Key,
    ) -> Result<Self, ApiError> {
        let Some((key, digest)) = key else {
            let (is_keyed, was_sent) = (false, false);
            return Ok(Self { conversation, run, is_keyed, was_sent, attempts: 0 });
        };
        let owner = service.who().owner.as_deref().unwrap_or_default().to_owned();
        let claim = KeyClaim { owner, key, digest, conversation, run };
        let state = service.store().claim_key(&claim).await?;
        let was_sent = state != KeyState::New;
        let (conversation, run) = match state {
            KeyState::New => (claim.conversation, claim.run),
            KeyState::Same { conversation, run } => (conversation, run),
            KeyState::Other => return Err(ApiError::key_taken()),
        };
        Ok(Self { conversation, run, is_keyed: true, was_sent, attempts: ATTEMPTS })
    }

    /// The run that it is about.
    pub(crate) fn run(&self) -> &RunId {
        &self.run
    }

    /// Whether it was sent before.
    pub(crate) fn was_sent(&self) -> bool {
        self.was_sent
    }

    /// Begins the run, unless it began already: then it is listened to from its beginning. `begin` is given what the
    /// conversation and the run are called, and may be called more than once.
    pub(crate) async fn start<B: Into<Begun>, F: Future<Output = Result<B, ApiError>>>(
        mut self,
        service: &Asker,
        begin: impl Fn(ConversationId, RunId) -> F,
    ) -> Result<Started, ApiError> {
        loop {
            if let Some(started) = self.known(service).await? {
                return Ok(started);
            }
            let begin = async {
                let begun = begin(self.conversation.clone(), self.run.clone()).await?;
                self.check(service).await?;
                Ok(begun)
            };
            match service.runs().start(begin).await {
                Err(error) if self.may_wait(&error) => tokio::time::sleep(BETWEEN).await,
                started => return started,
            }
        }
    }

    /// Goes on with the run, unless somebody does already, or it has ended.
    pub(crate) async fn go_on<F: Future<Output = Result<Started, ApiError>>>(
        mut self,
        service: &Asker,
        go_on: impl Fn() -> F,
    ) -> Result<Started, ApiError> {
        let mut was_sent = self.was_sent;
        loop {
            if was_sent
                && !self.is_cut_short(service).await?
                && let Some(started) = self.begun(service).await?
            {
                return Ok(started);
            }
            match go_on().await {
                // Whoever has it may have been sent the very same.
                Err(error) if self.may_wait(&error) => tokio::time::sleep(BETWEEN).await,
                started => return started,
            }
            was_sent = true;
        }
    }

    /// The run, where it began already and somebody drives it, or it has ended.
    pub(crate) async fn known(&self, service: &Asker) -> Result<Option<Started>, ApiError> {
        match self.begun(service).await? {
            Some(_) if self.is_cut_short(service).await? => {
                Err(ApiError::unfinished(&self.conversation, &self.run))
            }
            begun => Ok(begun),
        }
    }

    /// The run, where it began already.
    async fn begun(&self, service: &Asker) -> Result<Option<Started>, ApiError> {
        if !self.is_keyed {
            return Ok(None);
        }
        let first = service.store().beginning(&self.conversation, &self.run).await?;
        let Some(first) = first else { return Ok(None) };
        Ok(Some(service.runs().listen_from(&self.conversation, &self.run, first).await))
    }

    /// Whether the run has not ended, and nobody goes on with it: its listeners would wait for ever.
    async fn is_cut_short(&self, service: &Asker) -> Result<bool, ApiError> {
        // Whoever begins a run has the conversation before, and gives it back behind the end.
        let summary = exact(service, self.conversation.as_str()).await?;
        if summary.state != ConversationStatus::Unfinished {
            return Ok(false);
        }
        let open = match service.store().progress(&self.conversation).await? {
            Some(Progress { open: Some((run, _)), .. }) => run == self.run,
            _ => false,
        };
        Ok(open && service.runs().going(&self.conversation).await?.is_none())
    }

    /// Looks once more, now that nobody else writes to the conversation: whoever sent the same may have been faster.
    async fn check(&self, service: &Asker) -> Result<(), ApiError> {
        let is_first = !self.is_keyed
            || service.store().beginning(&self.conversation, &self.run).await?.is_none();
        if is_first { Ok(()) } else { Err(ApiError::busy()) }
    }

    /// Whether it is worth waiting: somebody is at work in the conversation, who may be asking the very same.
    fn may_wait(&mut self, error: &ApiError) -> bool {
        let may = self.is_keyed && error.is_busy() && self.attempts > 0;
        self.attempts = self.attempts.saturating_sub(1);
        may
    }
}

/// A message to a run that goes on, which is said once, however often it is sent.
pub(crate) struct SaidOnce {
    /// What it is called.
    pub(crate) name: MessageId,
    /// Whether it waits already, or was taken up.
    pub(crate) is_said: bool,
}

impl SaidOnce {
    /// A message of this conversation. Where it was sent before and is nowhere to be seen, whoever came first died before it
    /// was kept, or it was taken back since: then it is said now, under the same name.
    pub(crate) async fn new(
        service: &Asker,
        conversation: &ConversationId,
        key: Key,
    ) -> Result<Self, ApiError> {
        let name = new_message_id();
        let Some((key, digest)) = key else { return Ok(Self { name, is_said: false }) };
        let owner = service.who().owner.as_deref().unwrap_or_default().to_owned();
        let (conversation, run) = (conversation.clone(), RunId::new(name.as_str()));
        let claim = KeyClaim { owner, key, digest, conversation, run };
        match service.store().claim_key(&claim).await? {
            KeyState::New => Ok(Self { name, is_said: false }),
            KeyState::Other => Err(ApiError::key_taken()),
            KeyState::Same { conversation, run } => {
                let name = MessageId::new(run.as_str());
                // Whoever came first may be about to keep it.
                for _ in 0..ATTEMPTS {
                    if was_said(service, &conversation, &name).await? {
                        return Ok(Self { name, is_said: true });
                    }
                    tokio::time::sleep(BETWEEN).await;
                }
                Ok(Self { name, is_said: false })
            }
        }
    }
}

/// Whether a message waits in a conversation, or stands in it.
async fn was_said(
    service: &Asker,
    id: &ConversationId,
    name: &MessageId,
) -> Result<bool, StoreError> {
    if service.store().queued(id).await?.iter().any(|it| it.id == *name) {
        return Ok(true);
    }
    let mut after = None;
    loop {
        let events = service.store().events(id, after, PAGE).await?;
        let is_it = |kind: &EventKind| matches!(kind, EventKind::Message { queued: Some(it), .. } if it == name);
        if events.iter().any(|(_, event)| is_it(&event.kind)) {
            return Ok(true);
        }
        match events.last() {
            Some((at, _)) if events.len() == PAGE => after = Some(*at),
            _ => return Ok(false),
        }
    }
}
