//! [`Queued`]: messages that wait in a conversation until a run takes them up.
//!
//! They are said to a conversation that somebody else holds, so they need no lease. They are no events
//! yet: the event that brings one into the conversation names it, and in the transaction that keeps the
//! event it stops waiting. So whenever a process dies, a message waits or was taken up, and never both.
//!
//! A run notes what it is about to take up before it acts on it, and what is noted nobody takes back: who is
//! first is decided by the database. The note holds for one lease, so what a dead process noted waits again.

use toolwright_core::{
    Attachment, Authenticity, ConversationId, Message, MessageId, QueueMode, QueuedMessage, RunId,
    Timestamp,
};

use crate::{
    LogKey, Store, StoreError,
    backend::Backend,
    columns::{Cell, Columns},
    ledger::check_id,
    position,
    seal::{Head, Seal},
    sql,
};

/// The kind that its seal is made for: no event's is called so.
const KIND: &str = "queued";

/// What became of a message that was to be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Withdrawal {
    /// It waited, and is gone.
    Withdrawn,
    /// A run took it up, or is about to.
    TakenUp,
    /// It does not wait, and no run took it up.
    Unknown,
}

/// A message that waits, as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Queued {
    pub(crate) id: MessageId,
    pub(crate) mode: QueueMode,
    pub(crate) at: Timestamp,
    pub(crate) seal: Seal,
    pub(crate) body: String,
    /// What is attached to it: kept beside it, in the same transaction.
    pub(crate) attachments: Vec<Attachment>,
}

impl Queued {
    fn new(
        queued: QueuedMessage,
        key: &LogKey,
        conversation: &ConversationId,
    ) -> Result<Self, StoreError> {
        check_id(queued.id.as_str())?;
        let attachments = queued.message.attachments.clone();
        let body = serde_json::to_string(&Message::User(queued.message));
        let body =
            body.map_err(|error| StoreError::Invalid(format!("a message is not JSON: {error}")))?;
        let (id, mode, at) = (queued.id, queued.mode, queued.at);
        let mut sealed = Self { id, mode, at, seal: Seal::of(&body), body, attachments };
        let (run, round) = (RunId::new(sealed.id.as_str()), round(mode));
        sealed.seal.sign(key, &Head { conversation, run: &run, seq: 0, round, at, kind: KIND });
        Ok(sealed)
    }

    /// Columns as in `sql::QUEUED`.
    pub(crate) fn read(row: &dyn Columns) -> Result<Self, StoreError> {
        let mode = match row.text(1)? {
            "steer" => QueueMode::Steer,
            "next" => QueueMode::Next,
            other => return Err(StoreError::damaged(format_args!("nothing waits for `{other}`"))),
        };
        Ok(Self {
            id: MessageId::from(row.text(0)?),
            mode,
            at: row.time(2)?,
            seal: Seal::stored(row.maybe_bytes(3)?.unwrap_or_default()),
            body: row.text(4)?.to_owned(),
            attachments: Vec::new(),
        })
    }

    /// What was said. What this installation did not write, its user did not say.
    fn opened(
        self,
        key: &LogKey,
        conversation: &ConversationId,
    ) -> Result<QueuedMessage, StoreError> {
        let Self { id, mode, at, seal, body, .. } = self;
        let damaged =
            |what: &str| StoreError::damaged(format_args!("the message {id}, which waits, {what}"));
        if !seal.fits(&body) {
            return Err(damaged("is not what was written"));
        }
        let (run, round) = (RunId::new(id.as_str()), round(mode));
        let head = Head { conversation, run: &run, seq: 0, round, at, kind: KIND };
        let message: Message = serde_json::from_str(&body).map_err(StoreError::damaged)?;
        let message = match seal.authenticity(key, &head) {
            Authenticity::Authentic => Some(message),
            Authenticity::Foreign => message.foreign().map(|it| (*it).clone()),
        };
        match message {
            Some(Message::User(message)) => Ok(QueuedMessage { id, mode, at, message }),
            _ => Err(damaged("is nobody's")),
        }
    }
}

/// What a message waits for is sealed, too.
fn round(mode: QueueMode) -> u32 {
    match mode {
        QueueMode::Steer => 0,
        QueueMode::Next => 1,
    }
}

/// What waits in a conversation, the oldest first, with the bytes of what is attached.
pub(crate) async fn waiting(
    backend: &Backend,
    key: &LogKey,
    id: &ConversationId,
) -> Result<Vec<QueuedMessage>, StoreError> {
    let rows = backend.query(sql::QUEUED, vec![id.as_str().into()], Queued::read).await?;
    let opened = rows.into_iter().map(|row| row.opened(key, id)).collect::<Result<Vec<_>, _>>();
    let opened = opened.map_err(|error| backend.locate(error))?;
    for attachment in opened.iter().flat_map(|it| &it.message.attachments) {
        if let Some(bytes) = backend.attachment_of(id, &attachment.digest).await? {
            let changed = attachment.fill(bytes);
            changed.map_err(|error| backend.locate(StoreError::damaged(error)))?;
        }
    }
    Ok(opened)
}

impl Store {
    /// Lets a message wait in a conversation until a run takes it up, also while one goes on in it. Once this
    /// returns it survives a crash.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such conversation.
    pub async fn queue(
        &self,
        conversation: &ConversationId,
        message: QueuedMessage,
    ) -> Result<(), StoreError> {
        self.check_owner(conversation).await?;
        let queued = Queued::new(message, &self.key, conversation)?;
        match self.backend.queue(conversation, queued).await? {
            true => Ok(()),
            false => Err(StoreError::NotFound(conversation.to_string())),
        }
    }

    /// What waits in a conversation, the oldest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn queued(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<QueuedMessage>, StoreError> {
        if self.view.is_bounded() && self.ledger(conversation).await?.is_none() {
            return Ok(Vec::new());
        }
        waiting(&self.backend, &self.key, conversation).await
    }

    /// Takes a message back that waits.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn withdraw(
        &self,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<Withdrawal, StoreError> {
        if self.view.is_bounded() && self.ledger(conversation).await?.is_none() {
            return Ok(Withdrawal::Unknown);
        }
        match self.backend.withdraw(conversation, message).await? {
            Withdrawal::TakenUp => match self.acquire(conversation).await {
                // Whoever was about to take it up is gone, and with it what it noted.
                Ok(_lease) => self.backend.withdraw(conversation, message).await,
                Err(StoreError::InUse { .. }) => Ok(Withdrawal::TakenUp),
                Err(error) => Err(error),
            },
            Withdrawal::Unknown if self.was_taken_up(conversation, message).await? => {
                Ok(Withdrawal::TakenUp)
            }
            withdrawal => Ok(withdrawal),
        }
    }

    /// Whether an event brought it into the conversation.
    async fn was_taken_up(
        &self,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<bool, StoreError> {
        let found = vec![Cell::from(conversation.as_str())];
        let keys = self.backend.query(sql::KEY_OF, found, |row| row.int(0)).await?;
        let Some(key) = keys.first() else { return Ok(false) };
        let range = position::range(*key);
        // Within a text the quotes would be escaped.
        let named = serde_json::to_string(message.as_str()).unwrap_or_default();
        let mut pattern = String::from("%\"queued\":");
        for letter in named.chars() {
            if matches!(letter, '%' | '_' | '!') {
                pattern.push('!');
            }
            pattern.push(letter);
        }
        pattern.push('%');
        let cells = vec![range.start.into(), range.end.into(), pattern.as_str().into()];
        let taken = self.backend.query(sql::TAKEN_UP, cells, |row| row.int(0)).await?;
        Ok(!taken.is_empty())
    }
}
